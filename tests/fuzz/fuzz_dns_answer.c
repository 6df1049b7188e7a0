/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A response to "ok.test": a fault leaves nothing to dial. */
#include "config.h"

#include "tests/fuzz/fuzz.h"

#include "base/dns.h"

static void check(struct span message, enum dns_type type)
{
	struct hostname host;
	struct dns_answer answer;
	enum dns_fault fault;

	MUST(hostname_parse(SPAN("ok.test"), &host) == HOSTNAME_OK);
	fault = dns_read_answer(message, &host, type, &answer);
	MUST(dns_fault_text(fault) != NULL);
	MUST(answer.count <= DNS_ADDRS_MAX);
	MUST(fault == DNS_OK || answer.count == 0);
	MUST(answer.count > 0 || answer.ttl == 0);
	MUST(answer.count == 0 || answer.negative_ttl == 0);
	MUST(answer.ttl <= INT32_MAX && answer.negative_ttl <= INT32_MAX);
	MUST(fault != DNS_OK || answer.hops <= DNS_HOPS_MAX);
	if (answer.count > 0)
		MUST(answer.rcode == DNS_NOERROR && !answer.truncated);
	for (size_t i = 0; i < answer.count; i++)
		MUST(answer.addrs[i].size == (type == DNS_A ? 4 : 16));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	check(fuzz_span(data, size), DNS_A);
	check(fuzz_span(data, size), DNS_AAAA);
	return 0;
}
