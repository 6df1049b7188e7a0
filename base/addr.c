/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "base/addr.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

bool addr_parse(struct span text, struct addr *out)
{
	char copy[ADDR_TEXT_MAX];

	*out = (struct addr){ 0 };
	if (text.size == 0 || text.size >= sizeof(copy) ||
	    memchr(text.data, '\0', text.size))
		return false;
	memcpy(copy, text.data, text.size);
	copy[text.size] = '\0';
	if (inet_pton(AF_INET, copy, out->bytes) == 1)
		out->size = 4;
	else if (inet_pton(AF_INET6, copy, out->bytes) == 1)
		out->size = 16;
	return out->size != 0;
}

/* Digits without a sign or a leading zero, at most max. */
static bool number_parse(struct span text, unsigned max, unsigned *out)
{
	unsigned value = 0;

	if (text.size == 0 || text.size > 5 ||
	    (text.size > 1 && text.data[0] == '0'))
		return false;
	for (size_t i = 0; i < text.size; i++) {
		if (text.data[i] < '0' || text.data[i] > '9')
			return false;
		value = value * 10 + (unsigned)(text.data[i] - '0');
	}
	*out = value;
	return value <= max;
}

static bool bit(const struct addr *addr, unsigned i)
{
	return addr->bytes[i / 8] >> (7 - i % 8) & 1;
}

bool cidr_parse(struct span text, struct cidr *out)
{
	size_t slash = span_find(text, '/');
	unsigned bits;

	*out = (struct cidr){ 0 };
	if (slash == text.size ||
	    !addr_parse(span_head(text, slash), &out->addr))
		return false;
	if (!number_parse(span_skip(text, slash + 1), out->addr.size * 8u,
			  &bits))
		return false;
	for (unsigned i = bits; i < out->addr.size * 8u; i++)
		if (bit(&out->addr, i))
			return false;
	out->bits = (uint8_t)bits;
	return true;
}

bool cidr_contains(const struct cidr *cidr, const struct addr *addr)
{
	unsigned whole = cidr->bits / 8, rest = cidr->bits % 8;

	if (addr->size != cidr->addr.size || addr->size == 0 ||
	    memcmp(addr->bytes, cidr->addr.bytes, whole) != 0)
		return false;
	return rest == 0 ||
	       (addr->bytes[whole] ^ cidr->addr.bytes[whole]) >> (8 - rest) ==
		       0;
}

bool port_parse(struct span text, uint16_t *out)
{
	unsigned value;

	*out = 0;
	if (!number_parse(text, 65535, &value) || value == 0)
		return false;
	*out = (uint16_t)value;
	return true;
}

bool endpoint_parse(struct span text, struct endpoint *out)
{
	size_t colon = text.size;
	struct span host;

	*out = (struct endpoint){ 0 };
	while (colon > 0 && text.data[colon - 1] != ':')
		colon--;
	if (colon == 0 || !port_parse(span_skip(text, colon), &out->port))
		return false;
	host = span_head(text, colon - 1);
	if (host.size > 2 && host.data[0] == '[' &&
	    host.data[host.size - 1] == ']')
		return addr_parse((struct span){ host.data + 1, host.size - 2 },
				  &out->addr) &&
		       out->addr.size == 16;
	return addr_parse(host, &out->addr) && out->addr.size == 4;
}

bool addr_equal(const struct addr *a, const struct addr *b)
{
	return a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

struct addr addr_v4(uint8_t a, uint8_t b, uint8_t c, uint8_t d)
{
	return (struct addr){ 4, { a, b, c, d } };
}

struct addr_text addr_print(const struct addr *addr)
{
	struct addr_text out = { "" };

	if (addr->size)
		inet_ntop(addr->size == 4 ? AF_INET : AF_INET6, addr->bytes,
			  out.text, sizeof(out.text));
	return out;
}

struct addr_text endpoint_print(const struct endpoint *endpoint)
{
	struct addr_text addr = addr_print(&endpoint->addr);
	struct addr_text out;

	snprintf(out.text, sizeof(out.text),
		 endpoint->addr.size == 16 ? "[%.45s]:%u" : "%.45s:%u",
		 addr.text, endpoint->port);
	return out;
}

socklen_t endpoint_to_sockaddr(const struct endpoint *endpoint,
			       struct sockaddr_storage *out)
{
	struct sockaddr_in *v4 = (struct sockaddr_in *)out;
	struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)out;

	memset(out, 0, sizeof(*out));
	if (endpoint->addr.size == 4) {
		v4->sin_family = AF_INET;
		v4->sin_port = htons(endpoint->port);
		memcpy(&v4->sin_addr, endpoint->addr.bytes, 4);
		return sizeof(*v4);
	}
	v6->sin6_family = AF_INET6;
	v6->sin6_port = htons(endpoint->port);
	memcpy(&v6->sin6_addr, endpoint->addr.bytes, 16);
	return sizeof(*v6);
}

bool endpoint_from_sockaddr(const struct sockaddr *from, struct endpoint *out)
{
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;

	*out = (struct endpoint){ 0 };
	if (from->sa_family == AF_INET) {
		memcpy(&v4, from, sizeof(v4));
		out->addr.size = 4;
		memcpy(out->addr.bytes, &v4.sin_addr, 4);
		out->port = ntohs(v4.sin_port);
	} else if (from->sa_family == AF_INET6) {
		memcpy(&v6, from, sizeof(v6));
		out->addr.size = 16;
		memcpy(out->addr.bytes, &v6.sin6_addr, 16);
		out->port = ntohs(v6.sin6_port);
	}
	return out->addr.size != 0;
}
