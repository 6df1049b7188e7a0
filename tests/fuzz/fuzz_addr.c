/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What prints, parses back to itself; an address is no name. */
#include "config.h"

#include "tests/fuzz/fuzz.h"

#include "base/addr.h"
#include "base/hostname.h"
#include "policy/addrclass.h"

static void check_addr(struct span text)
{
	struct addr addr, again;
	struct hostname host;

	if (!addr_parse(text, &addr)) {
		MUST(addr.size == 0);
		return;
	}
	MUST(addr.size == 4 || addr.size == 16);
	MUST(addr_parse(span_of(addr_print(&addr).text), &again));
	MUST(addr_equal(&addr, &again));
	MUST(hostname_parse(text, &host) != HOSTNAME_OK);
	MUST(addr_classify(&addr) != ADDR_NONE);
	MUST(addr_class_name(addr_classify(&addr)) != NULL);
	/* IPv4 has one spelling only */
	MUST(addr.size == 16 ||
	     span_equal(text, span_of(addr_print(&addr).text)));
}

static void check_cidr(struct span text)
{
	struct cidr cidr;
	struct addr last;

	if (!cidr_parse(text, &cidr))
		return;
	MUST(cidr.bits <= cidr.addr.size * 8);
	MUST(cidr_contains(&cidr, &cidr.addr));
	last = cidr.addr;
	for (unsigned i = cidr.bits; i < cidr.addr.size * 8u; i++)
		last.bytes[i / 8] |= (uint8_t)(128u >> i % 8);
	MUST(cidr_contains(&cidr, &last));
	if (cidr.bits > 0) {
		last.bytes[(cidr.bits - 1) / 8] ^=
			(uint8_t)(128u >> (cidr.bits - 1) % 8);
		MUST(!cidr_contains(&cidr, &last));
	}
}

static void check_endpoint(struct span text)
{
	struct sockaddr_storage kernel;
	struct endpoint endpoint, again;

	if (!endpoint_parse(text, &endpoint))
		return;
	MUST(endpoint.port != 0);
	MUST(endpoint_parse(span_of(endpoint_print(&endpoint).text), &again));
	MUST(addr_equal(&endpoint.addr, &again.addr));
	MUST(endpoint.port == again.port);
	endpoint_to_sockaddr(&endpoint, &kernel);
	MUST(endpoint_from_sockaddr((struct sockaddr *)&kernel, &again));
	MUST(addr_equal(&endpoint.addr, &again.addr));
	MUST(endpoint.port == again.port);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span text = fuzz_span(data, size);
	struct addr raw = { .size = size >= 16 ? 16 : 4 };
	uint16_t port;

	check_addr(text);
	check_cidr(text);
	check_endpoint(text);
	if (port_parse(text, &port))
		MUST(port != 0 && size <= 5 && text.data[0] != '0');
	/* any bytes are an address too */
	if (size >= 4) {
		memcpy(raw.bytes, data, raw.size);
		check_addr(span_of(addr_print(&raw).text));
	}
	return 0;
}
