/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ENTRY - one item of an allow or deny list, parsed.
 *
 *   HOST          that name, ports 80 and 443
 *   *.ZONE        every proper subdomain of it, never the zone itself
 *   *             every name, no address literal
 *   [IPv6], IPv4  that address literal
 *   CIDR          address literals in it
 *   any but CIDR with :PORT or :PORT-PORT
 *
 * No schemes, paths, commas or spaces; a '*' stands only where shown; '*.com'
 * and other wildcards over a public suffix are refused (publicsuffix.org,
 * ICANN section). U-labels are stored as A-labels where they round-trip. */
#ifndef POLICY_ENTRY_H
#define POLICY_ENTRY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/addr.h"
#include "base/error.h"
#include "base/hostname.h"

enum entry_kind {
	ENTRY_NONE = 0,
	ENTRY_HOST,
	ENTRY_ZONE,
	ENTRY_ANY,
	ENTRY_CIDR, /* also one address: all bits */
};

struct entry {
	enum entry_kind kind;
	struct hostname host;         /* HOST; ZONE: without "*." */
	struct cidr cidr;             /* CIDR */
	uint16_t port_low, port_high; /* both 0: the default, 80 and 443 */
};

/*
 * column says where in the text the fault stands, from 1, so that a loader can
 * point at it. A refused entry is left as ENTRY_NONE, which covers nothing.
 */
MUST_CHECK int entry_parse(struct span text, struct entry *entry,
			   unsigned *column, struct error *err)
	NONNULL(2, 3, 4);

bool entry_covers_port(const struct entry *entry, uint16_t port) NONNULL(1);

/*
 * The reference's rule for assertions (egress_allowed, egress_denied,
 * expect_denied), which is wider than the policy's: a bare host covers its
 * subdomains too.
 */
bool entry_covers_asserted(const struct entry *entry,
			   const struct hostname *host) NONNULL(1, 2);

/* The policy's rule: a bare host is exact. Names only. */
bool entry_covers_host(const struct entry *entry, const struct hostname *host)
	NONNULL(1, 2);

/* Does the one cover whatever the other covers? */
bool entry_covers_entry(const struct entry *wide, const struct entry *narrow)
	NONNULL(1, 2);

/*
 * A wildcard over a zone in which anyone can have a name (publicsuffix.org,
 * private section): allowed, and seldom what was meant.
 */
bool entry_over_shared_zone(const struct entry *entry) NONNULL(1);

#endif
