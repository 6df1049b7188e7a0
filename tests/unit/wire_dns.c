/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tests/unit/unit.h"

#include "tests/unit/wire_dns.h"

#include <stdio.h>
#include <sys/socket.h>

#include "base/addr.h"
#include "base/buf.h"
#include "base/dns.h"

struct zone {
	const char *name;
	const char *addrs[4];
	enum dns_rcode rcode;
	const char *alias; /* a CNAME before the addresses */
};

static const struct zone zones[] = {
	{ "ok.test", { "127.0.0.1" }, 0, NULL },
	{ "no.wild.test", { "127.0.0.1" }, 0, NULL },
	{ "a.wild.test", { "127.0.0.1" }, 0, NULL },
	{ "under_score.wild.test", { "127.0.0.1" }, 0, NULL },
	{ "xn--bcher-kva.test", { "127.0.0.1" }, 0, NULL },
	{ "db", { "127.0.0.1" }, 0, NULL },
	{ "mixed.test", { "10.0.0.1", "127.0.0.2", "127.0.0.1" }, 0, NULL },
	{ "allbad.test", { "127.0.0.2", "10.0.0.1" }, 0, NULL },
	{ "nx.test", { NULL }, DNS_NXDOMAIN, NULL },
	{ "empty.test", { NULL }, 0, NULL },
	{ "servfail.test", { NULL }, DNS_SERVFAIL, NULL },
	{ "alias.test", { "127.0.0.1" }, 0, "elsewhere.test" },
	{ "inward.test", { "169.254.169.254" }, 0, "metadata.internal.test" },
	{ "loop.test", { NULL }, 0, "loop.test" },
};

static const struct zone *find_zone(const struct hostname *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(zones); i++)
		if (strcmp(zones[i].name, name->name) == 0)
			return &zones[i];
	return NULL;
}

/* "h7f000001.addr.test" is 127.0.0.1; 32 digits make an IPv6 address. */
static bool addr_in_name(const struct hostname *name, struct addr *out)
{
	size_t digits = strcspn(name->name, ".") - 1;

	*out = (struct addr){ 0 };
	if (name->name[0] != 'h' || (digits != 8 && digits != 32))
		return false;
	for (size_t i = 0; i < digits / 2; i++) {
		unsigned value;

		if (sscanf(name->name + 1 + 2 * i, "%2x", &value) != 1)
			return false;
		out->bytes[i] = (uint8_t)value;
	}
	out->size = (uint8_t)(digits / 2);
	return true;
}

static void add_addr(struct buf *reply, const struct dns_query *query,
		     const struct hostname *owner, const struct addr *addr)
{
	if ((query->type == DNS_A && addr->size == 4) ||
	    (query->type == DNS_AAAA && addr->size == 16))
		dns_reply_addr(reply, owner, addr, 0);
}

/* rebind.test is what may be dialed once, and never again. */
static void answer_rebind(struct buf *reply, const struct dns_query *query,
			  size_t asked)
{
	struct addr addr = addr_v4(127, 0, 0, asked > 2 ? 2 : 1);

	add_addr(reply, query, NULL, &addr);
}

static void answer_zone(struct buf *reply, const struct dns_query *query,
			const struct zone *zone)
{
	struct hostname alias, *owner = NULL;

	if (zone->alias) {
		assert_int_equal(hostname_parse(span_of(zone->alias), &alias),
				 HOSTNAME_OK);
		dns_reply_cname(reply, NULL, &alias, 0);
		owner = &alias;
	}
	for (size_t i = 0; i < ARRAY_SIZE(zone->addrs) && zone->addrs[i]; i++) {
		struct addr addr;

		assert_true(addr_parse(span_of(zone->addrs[i]), &addr));
		add_addr(reply, query, owner, &addr);
	}
}

void wire_dns_serve(int socket, size_t *asked)
{
	char bytes[DNS_UDP_MAX];
	struct sockaddr_storage from;
	socklen_t size = sizeof(from);
	ssize_t n = recvfrom(socket, bytes, sizeof(bytes), 0,
			     (struct sockaddr *)&from, &size);
	struct buf reply = BUF_INIT(DNS_UDP_MAX);
	struct dns_query query;
	const struct zone *zone;
	struct addr addr;

	if (n < 0)
		return;
	++*asked;
	assert_int_equal(dns_read_query((struct span){ bytes, (size_t)n },
					&query),
			 DNS_OK);
	zone = find_zone(&query.name);
	if (strcmp(query.name.name, "silent.test") == 0)
		return;
	dns_reply_start(&reply, &query, zone ? zone->rcode : DNS_NOERROR);
	if (strcmp(query.name.name, "rebind.test") == 0)
		answer_rebind(&reply, &query, *asked);
	else if (addr_in_name(&query.name, &addr))
		add_addr(&reply, &query, NULL, &addr);
	else if (zone)
		answer_zone(&reply, &query, zone);
	if (reply.size > 0)
		sendto(socket, reply.data, reply.size, 0,
		       (struct sockaddr *)&from, size);
	buf_release(&reply);
}
