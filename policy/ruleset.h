/* SPDX-License-Identifier: GPL-3.0-or-later */
/* RULESET - a set of rules with an index over names and a list of prefixes. */
#ifndef POLICY_RULESET_H
#define POLICY_RULESET_H

#include <stdbool.h>

#include "policy/policy.h"

/* The rules of one name, in the order they were added. */
struct name_slot {
	struct rule *first, *last;
};

struct name_table {
	struct name_slot *slots; /* power of two, at most half full */
	size_t room, used;
};

/* Rules that belong to somebody else, or are owned; the holder says which. */
struct rule_list {
	struct rule **rules;
	size_t count, room;
};

struct ruleset {
	struct rule_list all; /* owned, in the order they were added */
	struct name_table exact, zones;
	struct rule_list any;   /* '*' entries; borrowed */
	struct rule_list cidrs; /* borrowed */
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
