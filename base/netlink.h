/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NETLINK - requests to the kernel and their answers, over libmnl.
 * A socket acts in the network namespace where it was made, also after it was
 * passed to another process. Nothing here waits: the kernel has answered by
 * the time that a request is sent, so an answer that is not there is an error.
 * Answers are taken from the kernel only, and bounded. */
#ifndef BASE_NETLINK_H
#define BASE_NETLINK_H

#include <stddef.h>
#include <stdint.h>

#include <linux/netlink.h>

#include "base/compiler.h"
#include "base/error.h"

struct netlink;

/* bus: NETLINK_ROUTE, NETLINK_NETFILTER. Close-on-exec. */
struct netlink *netlink_open(int bus, struct error *err) MUST_CHECK NONNULL(2);
/* Take over an open socket; on failure the caller keeps it. */
struct netlink *netlink_adopt(int fd, struct error *err) MUST_CHECK NONNULL(2);
void netlink_free(struct netlink *link);
void netlink_cleanup(struct netlink **link) NONNULL(1);
int netlink_fd(const struct netlink *link) NONNULL(1);

/* One short request under construction: a header, a fixed body, attributes. */
#define NETLINK_REQUEST_MAX 512

struct netlink_request {
	union {
		struct nlmsghdr header;
		char bytes[NETLINK_REQUEST_MAX];
	};
};

/* flags besides NLM_F_REQUEST. More than fits is a programmer's mistake. */
void netlink_request_start(struct netlink_request *request, uint16_t type,
			   uint16_t flags, const void *body, size_t size)
	NONNULL(1, 4);
void netlink_request_add(struct netlink_request *request, uint16_t type,
			 const void *data, size_t size) NONNULL(1, 3);
void netlink_request_add_u32(struct netlink_request *request, uint16_t type,
			     uint32_t value) NONNULL(1);

/*
 * Send one request and take its acknowledgement (NLM_F_ACK is added). what
 * completes "the kernel refused to ..."; the error carries errno.
 */
MUST_CHECK int netlink_talk(struct netlink *link, struct nlmsghdr *request,
			    const char *what, struct error *err)
	NONNULL(1, 2, 3, 4);

/*
 * Ask for a dump (NLM_F_DUMP is added) and, once all of it is here, call
 * each() for every message; each() returns 0 to go on, -1 with *err filled to
 * stop. A dump that the kernel says was interrupted is asked for again (a
 * bounded number of times): each() never sees a torn one. what as above.
 */
typedef int netlink_each_fn(const struct nlmsghdr *message, void *arg,
			    struct error *err);

MUST_CHECK int netlink_dump(struct netlink *link, struct nlmsghdr *request,
			    netlink_each_fn *each, void *arg, const char *what,
			    struct error *err) NONNULL(1, 2, 3, 5, 6);

/*
 * Send the count messages in bytes (begin ... end) as one transaction. They
 * are numbered here; each that asks for an acknowledgement must get a good
 * one. names[i] describes the i-th message, for "the kernel refused NAME".
 */
MUST_CHECK int netlink_batch(struct netlink *link, void *bytes, size_t size,
			     const char *const *names, size_t count,
			     struct error *err) NONNULL(1, 2, 4, 6);

#endif
