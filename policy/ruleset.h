/* SPDX-License-Identifier: GPL-3.0-or-later */
/* RULESET - a set of rules with an index over names and one over prefixes. */
#ifndef POLICY_RULESET_H
#define POLICY_RULESET_H

#include <stdbool.h>

#include "policy/policy.h"

/* The rules of one name or prefix, in the order they were added. */
struct rule_slot {
	struct rule *first, *last;
};

struct rule_table {
	struct rule_slot *slots; /* power of two, at most half full */
	size_t room, used;
};

/* How many prefixes there are of each length; most lengths have none. */
struct prefix_lengths {
	size_t v4[32 + 1], v6[128 + 1];
};

/* Rules that belong to somebody else, or are owned; the holder says which. */
struct rule_list {
	struct rule **rules;
	size_t count, room;
};

struct ruleset {
	struct rule_list all; /* owned, in the order they were added */
	struct rule_table exact, zones, prefixes;
	struct prefix_lengths lengths;
	struct rule_list any; /* '*' entries; borrowed */
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
