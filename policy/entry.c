/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "policy/entry.h"

#include <string.h>

#include <libpsl.h>

#include "base/log.h"

static int fail(struct error *err, unsigned *column, size_t at,
		const char *text)
{
	*column = (unsigned)at + 1;
	return error_kind_set(err, ERROR_INPUT, "%s", text);
}

/* Characters that show what the writer had in mind, with better messages. */
static const struct {
	char byte;
	const char *text;
} misplaced[] = {
	{ ',', "one entry per list item; ',' is not allowed" },
	{ ' ', "spaces are not allowed in an entry" },
	{ '\t', "spaces are not allowed in an entry" },
	{ '@', "user names are not allowed in an entry" },
};

static int check_shape(struct span text, unsigned *column, struct error *err)
{
	const char *scheme;

	if (text.size == 0)
		return fail(err, column, 0, "an entry must not be empty");
	scheme = memmem(text.data, text.size, "://", 3);
	if (scheme)
		return fail(err, column, (size_t)(scheme - text.data),
			    "an entry is a host, not a URL");
	for (size_t i = 0; i < text.size; i++)
		for (size_t k = 0; k < ARRAY_SIZE(misplaced); k++)
			if (text.data[i] == misplaced[k].byte)
				return fail(err, column, i, misplaced[k].text);
	return 0;
}

/* "PORT" or "PORT-PORT"; at is where it stands in the entry. */
static int parse_ports(struct span text, size_t at, struct entry *entry,
		       unsigned *column, struct error *err)
{
	size_t dash = span_find(text, '-');

	if (!port_parse(span_head(text, dash), &entry->port_low))
		return fail(err, column, at,
			    "a port is a number from 1 to 65535");
	entry->port_high = entry->port_low;
	if (dash == text.size)
		return 0;
	if (!port_parse(span_skip(text, dash + 1), &entry->port_high))
		return fail(err, column, at + dash + 1,
			    "a port is a number from 1 to 65535");
	if (entry->port_high < entry->port_low)
		return fail(err, column, at + dash + 1,
			    "a port range goes from low to high");
	return 0;
}

static void entry_of_addr(struct entry *entry, const struct addr *addr)
{
	entry->kind = ENTRY_CIDR;
	entry->cidr = (struct cidr){ *addr, (uint8_t)(addr->size * 8) };
}

/* "[IPv6]" or "[IPv6]:PORTS". */
static int parse_bracketed(struct span text, struct entry *entry,
			   unsigned *column, struct error *err)
{
	size_t close = span_find(text, ']');
	struct addr addr;

	if (close == text.size)
		return fail(err, column, 0, "'[' without ']'");
	if (!addr_parse((struct span){ text.data + 1, close - 1 }, &addr) ||
	    addr.size != 16)
		return fail(err, column, 1, "not an IPv6 address");
	entry_of_addr(entry, &addr);
	if (close + 1 == text.size)
		return 0;
	if (text.data[close + 1] != ':')
		return fail(err, column, close + 1, "expected ':' and a port");
	return parse_ports(span_skip(text, close + 2), close + 2, entry, column,
			   err);
}

static int parse_cidr(struct span text, struct entry *entry, unsigned *column,
		      struct error *err)
{
	entry->kind = ENTRY_CIDR;
	if (cidr_parse(text, &entry->cidr))
		return 0;
	return fail(err, column, 0,
		    "not a host, and not a prefix like 192.0.2.0/24 (no bit "
		    "may be set behind the prefix)");
}

/* at: where the name stands in the entry. */
static int fail_name(struct span name, size_t at, enum hostname_fault fault,
		     unsigned *column, struct error *err)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyz"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
	size_t odd = 0;

	if (fault == HOSTNAME_CHARACTER)
		while (odd < name.size && name.data[odd] &&
		       strchr(allowed, name.data[odd]))
			odd++;
	return fail(err, column, at + odd, hostname_fault_text(fault));
}

static bool public_suffix(const struct hostname *zone)
{
	return psl_is_public_suffix2(psl_builtin(), zone->name,
				     PSL_TYPE_ICANN | PSL_TYPE_NO_STAR_RULE);
}

static int parse_zone(struct span name, struct entry *entry, unsigned *column,
		      struct error *err)
{
	enum hostname_fault fault;

	entry->kind = ENTRY_ZONE;
	fault = hostname_parse_written(span_skip(name, 2), &entry->host);
	if (fault != HOSTNAME_OK)
		return fail_name(span_skip(name, 2), 2, fault, column, err);
	if (public_suffix(&entry->host))
		return fail(err, column, 0,
			    "a wildcard over a public suffix covers everybody");
	return 0;
}

static int parse_name(struct span name, struct entry *entry, unsigned *column,
		      struct error *err)
{
	enum hostname_fault fault;
	size_t star = span_find(name, '*');
	struct addr addr;

	if (span_equal(name, SPAN("*"))) {
		entry->kind = ENTRY_ANY;
		return 0;
	}
	if (span_starts(name, SPAN("*.")))
		return parse_zone(name, entry, column, err);
	if (star < name.size)
		return fail(err, column, star,
			    "'*' stands alone or in front, as in '*.zone'");
	if (addr_parse(name, &addr)) {
		entry_of_addr(entry, &addr);
		return 0;
	}
	entry->kind = ENTRY_HOST;
	fault = hostname_parse_written(name, &entry->host);
	return fault == HOSTNAME_OK ? 0
				    : fail_name(name, 0, fault, column, err);
}

static int parse(struct span text, struct entry *entry, unsigned *column,
		 struct error *err)
{
	size_t colon;

	if (check_shape(text, column, err) < 0)
		return -1;
	if (text.data[0] == '[')
		return parse_bracketed(text, entry, column, err);
	if (span_find(text, '/') < text.size)
		return parse_cidr(text, entry, column, err);
	colon = span_find(text, ':');
	if (colon == text.size)
		return parse_name(text, entry, column, err);
	if (span_find(span_skip(text, colon + 1), ':') < text.size - colon - 1)
		return fail(err, column, colon,
			    "write an IPv6 address in brackets");
	if (parse_name(span_head(text, colon), entry, column, err) < 0)
		return -1;
	return parse_ports(span_skip(text, colon + 1), colon + 1, entry, column,
			   err);
}

int entry_parse(struct span text, struct entry *entry, unsigned *column,
		struct error *err)
{
	*entry = (struct entry){ 0 };
	*column = 1;
	if (parse(text, entry, column, err) == 0)
		return 0;
	*entry = (struct entry){ 0 }; /* half an entry must not cover a thing */
	return -1;
}

bool entry_covers_port(const struct entry *entry, uint16_t port)
{
	if (entry->port_low == 0)
		return port == 80 || port == 443;
	return port >= entry->port_low && port <= entry->port_high;
}

bool entry_covers_host(const struct entry *entry, const struct hostname *host)
{
	switch (entry->kind) {
	case ENTRY_HOST:
		return hostname_equal(host, &entry->host);
	case ENTRY_ZONE:
		return hostname_under(host, &entry->host);
	case ENTRY_ANY:
		return host->size > 0;
	default:
		return false;
	}
}

bool entry_covers_asserted(const struct entry *entry,
			   const struct hostname *host)
{
	return entry_covers_host(entry, host) ||
	       (entry->kind == ENTRY_HOST &&
		hostname_under(host, &entry->host));
}

static bool covers_ports(const struct entry *wide, const struct entry *narrow)
{
	if (narrow->port_low == 0)
		return entry_covers_port(wide, 80) &&
		       entry_covers_port(wide, 443);
	if (wide->port_low == 0)
		return narrow->port_low == narrow->port_high &&
		       entry_covers_port(wide, narrow->port_low);
	return narrow->port_low >= wide->port_low &&
	       narrow->port_high <= wide->port_high;
}

static bool covers_zone(const struct entry *wide, const struct hostname *zone)
{
	return wide->kind == ENTRY_ANY || (wide->kind == ENTRY_ZONE &&
					   (hostname_equal(zone, &wide->host) ||
					    hostname_under(zone, &wide->host)));
}

static bool covers_prefix(const struct entry *wide, const struct cidr *cidr)
{
	return wide->kind == ENTRY_CIDR && wide->cidr.bits <= cidr->bits &&
	       cidr_contains(&wide->cidr, &cidr->addr);
}

bool entry_covers_entry(const struct entry *wide, const struct entry *narrow)
{
	if (!covers_ports(wide, narrow))
		return false;
	switch (narrow->kind) {
	case ENTRY_HOST:
		return entry_covers_host(wide, &narrow->host);
	case ENTRY_ZONE:
		return covers_zone(wide, &narrow->host);
	case ENTRY_ANY:
		return wide->kind == ENTRY_ANY;
	case ENTRY_CIDR:
		return covers_prefix(wide, &narrow->cidr);
	default:
		return false;
	}
}

bool entry_over_shared_zone(const struct entry *entry)
{
	return entry->kind == ENTRY_ZONE &&
	       psl_is_public_suffix2(psl_builtin(), entry->host.name,
				     PSL_TYPE_PRIVATE | PSL_TYPE_NO_STAR_RULE);
}
