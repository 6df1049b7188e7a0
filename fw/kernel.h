/* SPDX-License-Identifier: GPL-3.0-or-later */
/* KERNEL - a plan in the kernel: loaded, read back, counted.
 * All through one netlink socket (NETLINK_NETFILTER), which may live in another
 * network namespace than the caller: it acts where it was made. */
#ifndef FW_KERNEL_H
#define FW_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/netlink.h"
#include "fw/plan.h"

/*
 * Load the plan in one transaction: all of it, or none. An earlier table of
 * the same name is replaced in the same moment, its counters with it.
 */
MUST_CHECK int fw_commit(struct netlink *link, const struct fw_plan *plan,
			 struct error *err) NONNULL(1, 2, 3);

/* Take the plan's table away. It must be there. */
MUST_CHECK int fw_remove(struct netlink *link, const struct fw_plan *plan,
			 struct error *err) NONNULL(1, 2, 3);

/*
 * Read the whole ruleset back and compare it with the plan, rule by rule and
 * expression by expression. Anything missing, changed or added (also a foreign
 * table) is an ERROR_BOUNDARY that names it. Handles and the values of
 * counters are not looked at.
 */
MUST_CHECK int fw_verify(struct netlink *link, const struct fw_plan *plan,
			 struct error *err) NONNULL(1, 2, 3);

struct fw_counter {
	char rule[FW_NAME_MAX + 1];
	bool refuses; /* the rule drops or resets what it counts */
	uint64_t packets, bytes;
};

#define FW_COUNTERS_MAX 64

struct fw_counters {
	struct fw_counter list[FW_COUNTERS_MAX];
	size_t count;
};

/* Every counter of the plan, in its order; one that is missing is an error. */
MUST_CHECK int fw_counters_read(struct netlink *link,
				const struct fw_plan *plan,
				struct fw_counters *out, struct error *err)
	NONNULL(1, 2, 3, 4);
/* Packets of one rule; 0 where there is no such counter. */
uint64_t fw_counter_of(const struct fw_counters *counters, const char *rule)
	NONNULL(1, 2);
/*
 * Packets refused, each once: those of the rules that drop or reset, not of
 * those that send packets there.
 */
uint64_t fw_counters_refused(const struct fw_counters *counters) NONNULL(1);

#endif
