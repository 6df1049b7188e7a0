/* SPDX-License-Identifier: GPL-3.0-or-later */
/* RULESET - a set of rules with an index over names and a list of prefixes. */
#ifndef POLICY_RULESET_H
#define POLICY_RULESET_H

#include <stdbool.h>

#include "policy/policy.h"

struct name_table {
	struct rule **slots; /* power of two, at most half full */
	size_t room, used;
};

struct ruleset {
	struct rule **rules; /* owned, in the order they were added */
	size_t count, room;
	struct name_table exact, zones;
	struct rule **any; /* '*' entries; borrowed */
	size_t any_count;
	struct rule **cidrs; /* borrowed */
	size_t cidr_count;
};

void ruleset_release(struct ruleset *set) NONNULL(1);

/* Adopt the rule; on failure (no memory) the caller keeps it. */
MUST_CHECK int ruleset_add(struct ruleset *set, struct rule *rule)
	NONNULL(1, 2);

/*
 * The rule that covers the target, the most specific first. other_port is set
 * where only the port was wrong.
 */
const struct rule *ruleset_find(const struct ruleset *set,
				const struct target *target, bool *other_port)
	NONNULL(1, 2, 3);

#endif
