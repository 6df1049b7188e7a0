/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "probe/world_zone.h"

#include <stdlib.h>
#include <string.h>

#include "base/span.h"

struct world_zone {
	struct world_name everything; /* the web server */
	struct world_name nothing;
	struct world_name names[WORLD_RECORDS_MAX];
	size_t count;
};

struct world_zone *world_zone_new(const struct addr *web, size_t count,
				  struct error *err)
{
	struct world_zone *zone = calloc(1, sizeof(*zone));

	if (!zone) {
		error_sys(err, "no memory for a zone");
		return NULL;
	}
	if (count > WORLD_ADDRS_MAX)
		bug("%zu web addresses", count);
	zone->everything.behaviour = WORLD_ADDRS;
	zone->everything.trick = zone->nothing.trick = &world_honest;
	zone->everything.addr_count = zone->everything.set_end[0] = count;
	zone->everything.set_count = 1;
	memcpy(zone->everything.addrs, web, count * sizeof(*web));
	return zone;
}

void world_zone_free(struct world_zone *zone)
{
	free(zone);
}

/* ---- records ---- */

static int fail(struct error *err, const char *record, const char *why)
{
	return error_kind_set(err, ERROR_INPUT, "--record '%.80s': %s", record,
			      why);
}

static int take_addrs(struct world_name *name, struct span list,
		      const char *record, struct error *err)
{
	for (;;) {
		size_t end = span_find(list, ',');

		if (name->addr_count == WORLD_ADDRS_MAX)
			return fail(err, record, "too many addresses");
		if (!addr_parse(span_head(list, end),
				&name->addrs[name->addr_count++]))
			return fail(err, record,
				    "expected ADDR[,ADDR...], @TARGET, or "
				    "nothing behind '='");
		if (end == list.size)
			return 0;
		list = span_skip(list, end + 1);
	}
}

static int take_sets(struct world_name *name, struct span sets,
		     const char *record, struct error *err)
{
	name->behaviour = WORLD_ADDRS;
	for (;;) {
		size_t end = span_find(sets, '|');

		if (name->set_count == WORLD_SETS_MAX)
			return fail(err, record, "too many sets");
		if (take_addrs(name, span_head(sets, end), record, err) < 0)
			return -1;
		name->set_end[name->set_count++] = name->addr_count;
		if (end == sets.size)
			return 0;
		sets = span_skip(sets, end + 1);
	}
}

/* "!TRICK" at the end is cut off. */
static int take_trick(struct world_name *name, struct span *value,
		      const char *record, struct error *err)
{
	size_t at = span_find(*value, '!');

	name->trick = &world_honest;
	if (at == value->size)
		return 0;
	name->trick = world_trick_find(span_skip(*value, at + 1));
	*value = span_head(*value, at);
	return name->trick ? 0 : fail(err, record, "no such trick");
}

static int take_value(struct world_name *name, struct span value,
		      const char *record, struct error *err)
{
	enum hostname_fault fault;

	name->behaviour = WORLD_NOTHING;
	if (take_trick(name, &value, record, err) < 0)
		return -1;
	if (value.size == 0)
		return 0;
	if (value.data[0] != '@')
		return take_sets(name, value, record, err);
	name->behaviour = WORLD_ALIAS;
	fault = hostname_parse(span_skip(value, 1), &name->target);
	return fault == HOSTNAME_OK
		       ? 0
		       : fail(err, record, hostname_fault_text(fault));
}

static struct world_name *find_record(struct world_zone *zone,
				      const struct hostname *name)
{
	for (size_t i = 0; i < zone->count; i++)
		if (hostname_equal(&zone->names[i].name, name))
			return &zone->names[i];
	return NULL;
}

int world_zone_add(struct world_zone *zone, const char *record,
		   struct error *err)
{
	struct span text = span_of(record);
	size_t equals = span_find(text, '=');
	struct world_name name = { 0 };
	enum hostname_fault fault;

	if (equals == text.size)
		return fail(err, record, "expected NAME=ADDR[,ADDR...]");
	fault = hostname_parse(span_head(text, equals), &name.name);
	if (fault != HOSTNAME_OK)
		return fail(err, record, hostname_fault_text(fault));
	if (find_record(zone, &name.name))
		return fail(err, record, "the name was given before");
	if (zone->count == WORLD_RECORDS_MAX)
		return fail(err, record, "too many records");
	if (take_value(&name, span_skip(text, equals + 1), record, err) < 0)
		return -1;
	zone->names[zone->count++] = name;
	return 0;
}

/* ---- looking ---- */

struct world_name *world_zone_find(struct world_zone *zone,
				   const struct hostname *name)
{
	struct world_name *found = find_record(zone, name);

	if (found)
		return found;
	return strchr(name->name, '.') ? &zone->everything : &zone->nothing;
}

struct world_set world_name_turn(struct world_name *name, enum dns_type type)
{
	size_t set, begin;

	if (name->set_count == 0)
		return (struct world_set){ .ttl = WORLD_TTL };
	set = name->turns[type == DNS_AAAA]++ % name->set_count;
	begin = set > 0 ? name->set_end[set - 1] : 0;
	return (struct world_set){
		.addrs = &name->addrs[begin],
		.count = name->set_end[set] - begin,
		.ttl = name->set_count > 1 ? 0 : WORLD_TTL,
	};
}

size_t world_zone_count(const struct world_zone *zone)
{
	return zone->count;
}

const struct world_name *world_zone_at(const struct world_zone *zone, size_t i)
{
	if (i >= zone->count)
		bug("record %zu of %zu", i, zone->count);
	return &zone->names[i];
}
