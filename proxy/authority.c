/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "proxy/authority.h"

#include "base/addr.h"
#include "base/hostname.h"

static const char *const fault_text[] = {
	[AUTHORITY_OK] = "well-formed",
	[AUTHORITY_EMPTY] = "the host is missing",
	[AUTHORITY_NAME] = "the host is neither a name nor an address",
	[AUTHORITY_BRACKETS] = "brackets hold an IPv6 address only",
	[AUTHORITY_PORT] = "the port is not a plain number from 1 to 65535",
	[AUTHORITY_NO_PORT] = "the port is missing",
};
static_assert(ARRAY_SIZE(fault_text) == AUTHORITY_NFAULTS, "each has a text");

const char *authority_fault_text(enum authority_fault fault)
{
	return fault_text[fault];
}

/* Where the host ends: behind the bracket, or at the first colon. */
static enum authority_fault read_host(struct span text, struct target *out,
				      size_t *end)
{
	if (text.size == 0 || text.data[0] == ':')
		return AUTHORITY_EMPTY;
	if (text.data[0] != '[') {
		*end = span_find(text, ':');
		if (addr_parse(span_head(text, *end), &out->addr))
			return AUTHORITY_OK;
		return hostname_parse(span_head(text, *end), &out->host) ==
				       HOSTNAME_OK
			       ? AUTHORITY_OK
			       : AUTHORITY_NAME;
	}
	*end = span_find(text, ']');
	if (*end == text.size ||
	    !addr_parse((struct span){ text.data + 1, *end - 1 }, &out->addr) ||
	    out->addr.size != 16)
		return AUTHORITY_BRACKETS;
	++*end;
	return AUTHORITY_OK;
}

static enum authority_fault read_port(struct span rest, uint16_t default_port,
				      uint16_t *port)
{
	*port = default_port;
	if (rest.size == 0)
		return default_port ? AUTHORITY_OK : AUTHORITY_NO_PORT;
	if (rest.data[0] != ':' || !port_parse(span_skip(rest, 1), port))
		return AUTHORITY_PORT;
	return AUTHORITY_OK;
}

enum authority_fault authority_parse(struct span text, uint16_t default_port,
				     struct target *out)
{
	enum authority_fault fault;
	size_t end = 0;

	*out = (struct target){ 0 };
	fault = read_host(text, out, &end);
	if (fault == AUTHORITY_OK)
		fault = read_port(span_skip(text, end), default_port,
				  &out->port);
	if (fault != AUTHORITY_OK)
		*out = (struct target){ 0 };
	return fault;
}

void authority_print(const struct target *target, uint16_t omitted,
		     struct buf *out)
{
	if (target->addr.size == 0)
		buf_add_text(out, target->host.name);
	else
		buf_addf(out, target->addr.size == 16 ? "[%s]" : "%s",
			 target_print_addr(target).text);
	if (target->port != omitted)
		buf_addf(out, ":%u", target->port);
}

bool authority_same_host(const struct target *a, const struct target *b)
{
	return hostname_equal(&a->host, &b->host) &&
	       addr_equal(&a->addr, &b->addr);
}
