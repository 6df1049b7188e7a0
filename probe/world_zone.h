/* SPDX-License-Identifier: GPL-3.0-or-later */
/* WORLD ZONE - which names the pretend world has, and what they are.
 * Every name with a dot exists and is the web server, unless a record says
 * otherwise; single labels (localhost among them) do not exist. */
#ifndef PROBE_WORLD_ZONE_H
#define PROBE_WORLD_ZONE_H

#include <stddef.h>

#include "base/addr.h"
#include "base/compiler.h"
#include "base/error.h"
#include "base/hostname.h"

#define WORLD_RECORDS_MAX 64
#define WORLD_ADDRS_MAX   32 /* of one name */

/* How a name behaves; each kind has its row in world_dns.c. */
enum world_behaviour {
	WORLD_NOTHING = 0, /* does not exist */
	WORLD_ADDRS,       /* has these addresses */
	WORLD_ALIAS,       /* is another name */
	WORLD_NBEHAVIOURS
};

struct world_name {
	struct hostname name; /* empty where it stands for many */
	enum world_behaviour behaviour;
	struct addr addrs[WORLD_ADDRS_MAX];
	size_t addr_count;
	struct hostname target;
};

struct world_zone;

/* web: the addresses of every name without a record of its own. */
struct world_zone *world_zone_new(const struct addr *web, size_t count,
				  struct error *err) MUST_CHECK NONNULL(1, 3);
void world_zone_free(struct world_zone *zone);

/*
 * "NAME=ADDR[,ADDR...]", "NAME=" (no such name), "NAME=@TARGET" (an alias).
 * A name given twice is an error.
 */
MUST_CHECK int world_zone_add(struct world_zone *zone, const char *record,
			      struct error *err) NONNULL(1, 2, 3);

/* Never NULL; borrowed from the zone. An empty name does not exist. */
const struct world_name *world_zone_find(const struct world_zone *zone,
					 const struct hostname *name)
	NONNULL(1, 2);

/* The records in the order in which they were added. */
size_t world_zone_count(const struct world_zone *zone) NONNULL(1);
const struct world_name *world_zone_at(const struct world_zone *zone, size_t i)
	NONNULL(1);

#endif
