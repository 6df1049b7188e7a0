/* SPDX-License-Identifier: GPL-3.0-or-later */
/* RESOLVER - a name's addresses, asked of DNS once and of nothing else.
 * The name is asked as it stands: no search list, no hosts file, no
 * name-service switch. Answers are read by base/dns.h; the library only
 * carries them. Of one name at most one question a family is in flight, however
 * many wait for it. Addresses come back unvetted, also from the cache. */
#ifndef PROXY_RESOLVER_H
#define PROXY_RESOLVER_H

#include <stddef.h>
#include <stdint.h>

#include <event2/event.h>

#include "base/addr.h"
#include "base/compiler.h"
#include "base/dns.h"
#include "base/error.h"
#include "base/hostname.h"

#define LOOKUP_ADDRS_MAX (2 * DNS_ADDRS_MAX)
#define LOOKUP_NAMES_MAX 1024 /* in flight at one time */

/* What a family's answer waits for the other's (RFC 8305, 3). */
#define LOOKUP_DELAY_MS 50

enum lookup_fault {
	LOOKUP_OK = 0,
	LOOKUP_NO_NAME, /* NXDOMAIN */
	LOOKUP_EMPTY,   /* the name exists, without addresses */
	LOOKUP_FAILED,  /* servers refuse or cannot be reached */
	LOOKUP_MALFORMED,
	LOOKUP_TIMEOUT,
	LOOKUP_NFAULTS
};

const char *lookup_fault_text(enum lookup_fault fault);

struct lookup_result {
	enum lookup_fault fault;  /* LOOKUP_OK: count is at least 1 */
	const struct addr *addrs; /* IPv6 first, each in the answer's order */
	size_t count;
};

struct resolver;
struct lookup;

typedef void lookup_done_fn(const struct lookup_result *result, void *arg);

struct resolver_setup {
	const struct endpoint *servers;
	size_t server_count; /* 0: those of the system's resolv.conf */
	uint64_t timeout_ms; /* for one lookup */
	size_t cache;        /* answers kept; 0: none */
};

struct resolver *resolver_new(struct event_base *base,
			      const struct resolver_setup *setup,
			      struct error *err) MUST_CHECK NONNULL(1, 2, 3);
/* Every lookup must have ended or been cancelled. */
void resolver_free(struct resolver *resolver);

/*
 * Ask for A and AAAA what is not known. done fires exactly once, from the loop,
 * never before this returns and never after lookup_cancel(); the lookup is gone
 * afterwards. One family that is slow does not hold up the other for longer
 * than LOOKUP_DELAY_MS.
 */
struct lookup *lookup_start(struct resolver *resolver,
			    const struct hostname *host, lookup_done_fn *done,
			    void *arg, struct error *err) MUST_CHECK
	NONNULL(1, 2, 3, 5);
void lookup_cancel(struct lookup *lookup) NONNULL(1);

#endif
