/* SPDX-License-Identifier: GPL-3.0-or-later */
/* WORLD ZONE - which names the pretend world has, and what they are.
 * Every name with a dot exists and is the web server, unless a record says
 * otherwise; single labels (localhost among them) do not exist. */
#ifndef PROBE_WORLD_ZONE_H
#define PROBE_WORLD_ZONE_H

#include <stddef.h>
#include <stdint.h>

#include "base/addr.h"
#include "base/compiler.h"
#include "base/dns.h"
#include "base/error.h"
#include "base/hostname.h"

#include "probe/world_trick.h"

#define WORLD_RECORDS_MAX 128
#define WORLD_ADDRS_MAX   80 /* of one name, all its sets together */
#define WORLD_SETS_MAX    4
#define WORLD_TTL         60 /* seconds; where sets take turns it is 0 */

/* How a name behaves; each kind has its row in world_dns.c. */
enum world_behaviour {
	WORLD_NOTHING = 0, /* does not exist */
	WORLD_ADDRS,       /* has these addresses, or sets of them in turn */
	WORLD_ALIAS,       /* is another name */
	WORLD_NBEHAVIOURS
};

struct world_name {
	struct hostname name; /* empty where it stands for many */
	enum world_behaviour behaviour;
	struct addr addrs[WORLD_ADDRS_MAX];
	size_t addr_count;
	size_t set_end[WORLD_SETS_MAX]; /* where in addrs each set ends */
	size_t set_count;
	size_t turns[2]; /* questions so far, for A and for AAAA */
	struct hostname target;
	const struct world_trick *trick;
};

/* The set whose turn it is. */
struct world_set {
	const struct addr *addrs;
	size_t count;
	uint32_t ttl;
};

struct world_zone;

/* web: the addresses of every name without a record of its own. */
struct world_zone *world_zone_new(const struct addr *web, size_t count,
				  struct error *err) MUST_CHECK NONNULL(1, 3);
void world_zone_free(struct world_zone *zone);

/*
 * "NAME=ADDR[,ADDR...]", "NAME=" (no such name), "NAME=@TARGET" (an alias); sets
 * of addresses that take turns are separated by '|', and "!TRICK" may stand at
 * the end of each. A name given twice is an error.
 */
MUST_CHECK int world_zone_add(struct world_zone *zone, const char *record,
			      struct error *err) NONNULL(1, 2, 3);

/* Never NULL; borrowed from the zone. An empty name does not exist. */
struct world_name *world_zone_find(struct world_zone *zone,
				   const struct hostname *name) NONNULL(1, 2);

/* The addresses for one question of that type; the next gets the next set. */
struct world_set world_name_turn(struct world_name *name, enum dns_type type)
	NONNULL(1);

/* The records in the order in which they were added. */
size_t world_zone_count(const struct world_zone *zone) NONNULL(1);
const struct world_name *world_zone_at(const struct world_zone *zone, size_t i)
	NONNULL(1);

#endif
