/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "policy/nearest.h"

#include <string.h>

#include "base/words.h"

static const char *const why_text[] = {
	[NEAREST_NONE] = "no entry is near",
	[NEAREST_NOT_NAME] = "'*' covers names, never an address",
	[NEAREST_PREFIX] = "the address lies outside of it",
	[NEAREST_SPELLING] = "it is spelt otherwise",
	[NEAREST_SIBLING] = "it is another name of the same zone",
	[NEAREST_PARENT] = "a bare host is exact and covers no subdomain",
	[NEAREST_ZONE] =
		"'*.zone' covers what is below it, not the zone itself",
	[NEAREST_PORT] = "only the port is another",
};
static_assert(ARRAY_SIZE(why_text) == NEAREST_NWHYS, "each has a text");

const char *nearest_text(enum nearest_why why)
{
	return why_text[why];
}

/* How much two things have in common; a tie goes to the earlier rule. */
struct closeness {
	enum nearest_why why;
	unsigned shared;
};

static unsigned shared_bits(const struct addr *a, const struct addr *b)
{
	unsigned bits = 0;

	while (bits < a->size * 8u &&
	       !((a->bytes[bits / 8] ^ b->bytes[bits / 8]) & 128u >> bits % 8))
		bits++;
	return bits;
}

/* Half of a prefix in common: its neighbourhood. */
static struct closeness close_addr(const struct entry *entry,
				   const struct addr *addr)
{
	unsigned shared;

	if (entry->kind == ENTRY_ANY)
		return (struct closeness){ NEAREST_NOT_NAME, 0 };
	if (entry->kind != ENTRY_CIDR || entry->cidr.addr.size != addr->size)
		return (struct closeness){ NEAREST_NONE, 0 };
	if (cidr_contains(&entry->cidr, addr))
		return (struct closeness){ NEAREST_PORT, entry->cidr.bits };
	shared = shared_bits(&entry->cidr.addr, addr);
	if (shared * 2 < entry->cidr.bits)
		return (struct closeness){ NEAREST_NONE, 0 };
	return (struct closeness){ NEAREST_PREFIX, shared };
}

/* Whole labels at the end that two names share. */
static unsigned shared_labels(const struct hostname *a,
			      const struct hostname *b)
{
	unsigned labels = 0;

	for (unsigned i = 1; i <= a->size && i <= b->size; i++) {
		char x = a->name[a->size - i], y = b->name[b->size - i];

		if (x != y)
			return labels;
		if (x == '.')
			labels++;
	}
	if (a->size == b->size ||
	    (a->size > b->size ? a->name[a->size - b->size - 1]
			       : b->name[b->size - a->size - 1]) == '.')
		labels++;
	return labels;
}

static bool looks_like(const struct hostname *a, const struct hostname *b)
{
	struct words_guess guess = words_guess_start(a->name);

	words_guess_try(&guess, b->name);
	return guess.best != NULL;
}

static struct closeness close_name(const struct entry *entry,
				   const struct hostname *host)
{
	unsigned shared;

	if (entry->kind == ENTRY_CIDR)
		return (struct closeness){ NEAREST_NONE, 0 };
	if (entry_covers_host(entry, host))
		return (struct closeness){ NEAREST_PORT, entry->host.size };
	shared = shared_labels(&entry->host, host);
	if (entry->kind == ENTRY_ZONE && hostname_equal(host, &entry->host))
		return (struct closeness){ NEAREST_ZONE, shared };
	if (entry->kind == ENTRY_HOST && hostname_under(host, &entry->host))
		return (struct closeness){ NEAREST_PARENT, shared };
	if (shared >= 2)
		return (struct closeness){ NEAREST_SIBLING, shared };
	if (looks_like(host, &entry->host))
		return (struct closeness){ NEAREST_SPELLING, shared };
	return (struct closeness){ NEAREST_NONE, 0 };
}

struct nearest policy_nearest(const struct policy *policy,
			      const struct target *target)
{
	struct closeness best = { NEAREST_NONE, 0 };
	struct nearest nearest = { NEAREST_NONE, NULL };

	for (size_t i = 0; i < policy_rule_count(policy); i++) {
		bool denies;
		const struct rule *rule = policy_rule(policy, i, &denies);
		struct closeness now =
			target->addr.size
				? close_addr(&rule->entry, &target->addr)
				: close_name(&rule->entry, &target->host);

		if (denies || now.why < best.why ||
		    (now.why == best.why && now.shared <= best.shared &&
		     (nearest.rule || now.why == NEAREST_NONE)))
			continue;
		best = now;
		nearest = (struct nearest){ now.why, rule };
	}
	return nearest;
}
