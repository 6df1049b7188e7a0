/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NETLINK - requests to the kernel and their answers, over libmnl.
 * A socket acts in the network namespace where it was made, also after it was
 * passed to another process. */
#ifndef BASE_NETLINK_H
#define BASE_NETLINK_H

#include <stddef.h>

#include <libmnl/libmnl.h>

#include "base/compiler.h"
#include "base/error.h"

struct netlink;

/* bus: NETLINK_ROUTE, NETLINK_NETFILTER. Close-on-exec. */
struct netlink *netlink_open(int bus, struct error *err) MUST_CHECK NONNULL(2);
/* Take over an open socket; on failure the caller keeps it. */
struct netlink *netlink_adopt(int fd, struct error *err) MUST_CHECK NONNULL(2);
void netlink_free(struct netlink *link);
int netlink_fd(const struct netlink *link) NONNULL(1);

/* Send one request and wait for its acknowledgement. what is for the error. */
MUST_CHECK int netlink_talk(struct netlink *link, struct nlmsghdr *request,
			    const char *what, struct error *err)
	NONNULL(1, 2, 3, 4);

/*
 * Ask for a dump and call each() for every message of it; each() returns 0 to
 * go on, -1 with *err filled to stop. A dump that the kernel says was
 * interrupted is asked for again (a bounded number of times).
 */
MUST_CHECK int netlink_dump(struct netlink *link, struct nlmsghdr *request,
			    int (*each)(const struct nlmsghdr *message,
					void *arg, struct error *err),
			    void *arg, const char *what, struct error *err)
	NONNULL(1, 2, 3, 5, 6);

/*
 * Send a batch (begin ... end) as one transaction; every message that asked
 * for an acknowledgement must get a good one. names[i] describes the message
 * with sequence number first_seq + i, for the error.
 */
MUST_CHECK int netlink_batch(struct netlink *link, const void *bytes,
			     size_t size, unsigned first_seq,
			     const char *const *names, size_t count,
			     struct error *err) NONNULL(1, 2, 5, 7);

#endif
