/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "policy/ruleset.h"

#include <stdlib.h>
#include <string.h>

static_assert(sizeof(struct cidr) == 18, "a prefix is a key: no padding");

/* FNV-1a. Keys come from policy files, so nobody hostile chooses them. */
static size_t key_hash(struct span key)
{
	uint64_t h = 0xcbf29ce484222325u;

	for (size_t i = 0; i < key.size; i++)
		h = (h ^ (unsigned char)key.data[i]) * 0x100000001b3u;
	return (size_t)(h ^ h >> 32);
}

static struct span prefix_key(const struct cidr *prefix)
{
	return (struct span){ (const char *)prefix, sizeof(*prefix) };
}

/* What a rule is found by. */
static struct span rule_key(const struct rule *rule)
{
	if (rule->entry.kind == ENTRY_CIDR)
		return prefix_key(&rule->entry.cidr);
	return (struct span){ rule->entry.host.name, rule->entry.host.size };
}

/* Where the key is, or the empty slot where it would be. */
static struct rule_slot *table_slot(const struct rule_table *table,
				    struct span key)
{
	size_t i = key_hash(key) & (table->room - 1);

	while (table->slots[i].first &&
	       !span_equal(rule_key(table->slots[i].first), key))
		i = (i + 1) & (table->room - 1);
	return &table->slots[i];
}

static struct rule *table_find(const struct rule_table *table, struct span key)
{
	return table->room ? table_slot(table, key)->first : NULL;
}

static int table_grow(struct rule_table *table)
{
	struct rule_table grown = { .room = table->room ? table->room * 2 : 16,
				    .used = table->used };

	grown.slots = calloc(grown.room, sizeof(*grown.slots));
	if (!grown.slots)
		return -1;
	for (size_t i = 0; i < table->room; i++)
		if (table->slots[i].first)
			*table_slot(&grown, rule_key(table->slots[i].first)) =
				table->slots[i];
	free(table->slots);
	*table = grown;
	return 0;
}

static int table_add(struct rule_table *table, struct rule *rule)
{
	struct rule_slot *slot;

	if (table->used * 2 >= table->room && table_grow(table) < 0)
		return -1;
	slot = table_slot(table, rule_key(rule));
	if (slot->first) {
		slot->last->next_same_name = rule;
	} else {
		slot->first = rule;
		table->used++;
	}
	slot->last = rule;
	return 0;
}

/* Room for one more, so that the next list_add() cannot fail. */
static int list_reserve(struct rule_list *list)
{
	size_t room = list->room ? list->room * 2 : 16;
	struct rule **grown;

	if (list->count < list->room)
		return 0;
	grown = reallocarray(list->rules, room, sizeof(*grown));
	if (!grown)
		return -1;
	list->rules = grown;
	list->room = room;
	return 0;
}

static int list_add(struct rule_list *list, struct rule *rule)
{
	if (list_reserve(list) < 0)
		return -1;
	list->rules[list->count++] = rule;
	return 0;
}

static int prefix_add(struct ruleset *set, struct rule *rule)
{
	const struct cidr *prefix = &rule->entry.cidr;

	if (table_add(&set->prefixes, rule) < 0)
		return -1;
	(prefix->addr.size == 4 ? set->lengths.v4
				: set->lengths.v6)[prefix->bits]++;
	return 0;
}

static int index_rule(struct ruleset *set, struct rule *rule)
{
	switch (rule->entry.kind) {
	case ENTRY_HOST:
		return table_add(&set->exact, rule);
	case ENTRY_ZONE:
		return table_add(&set->zones, rule);
	case ENTRY_ANY:
		return list_add(&set->any, rule);
	case ENTRY_CIDR:
		return prefix_add(set, rule);
	default:
		bug("a rule without a kind");
	}
}

int ruleset_add(struct ruleset *set, struct rule *rule)
{
	if (list_reserve(&set->all) < 0 || index_rule(set, rule) < 0)
		return -1;
	return list_add(&set->all, rule);
}

void ruleset_release(struct ruleset *set)
{
	for (size_t i = 0; i < set->all.count; i++) {
		free(set->all.rules[i]->text);
		free(set->all.rules[i]->origin);
		free(set->all.rules[i]);
	}
	free(set->all.rules);
	free(set->exact.slots);
	free(set->zones.slots);
	free(set->prefixes.slots);
	free(set->any.rules);
	*set = (struct ruleset){ 0 };
}

static const struct rule *with_port(const struct rule *rule, uint16_t port,
				    bool *other_port)
{
	for (; rule; rule = rule->next_same_name) {
		if (entry_covers_port(&rule->entry, port))
			return rule;
		*other_port = true;
	}
	return NULL;
}

/* One look for each length that occurs, the longest prefix first. */
static const struct rule *find_literal(const struct ruleset *set,
				       const struct target *target,
				       bool *other_port)
{
	const size_t *lengths =
		target->addr.size == 4 ? set->lengths.v4 : set->lengths.v6;
	struct cidr prefix = { target->addr, (uint8_t)(target->addr.size * 8) };
	const struct rule *rule = NULL;

	for (;;) {
		if (lengths[prefix.bits])
			rule = with_port(table_find(&set->prefixes,
						    prefix_key(&prefix)),
					 target->port, other_port);
		if (rule || prefix.bits == 0)
			return rule;
		prefix.bits--;
		prefix.addr.bytes[prefix.bits / 8] &=
			(uint8_t) ~(128u >> prefix.bits % 8);
	}
}

/* The exact name, then each zone above it, nearest first, then '*'. */
static const struct rule *find_name(const struct ruleset *set,
				    const struct target *target,
				    bool *other_port)
{
	struct span rest = { target->host.name, target->host.size };
	const struct rule *rule = with_port(table_find(&set->exact, rest),
					    target->port, other_port);

	while (!rule) {
		size_t dot = span_find(rest, '.');

		if (dot == rest.size)
			break;
		rest = span_skip(rest, dot + 1);
		rule = with_port(table_find(&set->zones, rest), target->port,
				 other_port);
	}
	for (size_t i = 0; !rule && i < set->any.count; i++)
		rule = with_port(set->any.rules[i], target->port, other_port);
	return rule;
}

const struct rule *ruleset_find(const struct ruleset *set,
				const struct target *target, bool *other_port)
{
	*other_port = false;
	if (target->addr.size)
		return find_literal(set, target, other_port);
	if (!target->host.size) /* nothing is asked for: not even '*' is that */
		return NULL;
	return find_name(set, target, other_port);
}
