/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A question that was read can be answered, and the answer read back. */
#include "config.h"

#include "tests/fuzz/fuzz.h"

#include "base/cleanup.h"
#include "base/dns.h"

static void check_answer(const struct dns_query *query, enum dns_rcode rcode)
{
	static const struct addr v4 = { 4, { 192, 0, 2, 1 } };
	static const struct addr v6 = { 16, { 0x20, 1, 0xd, 0xb8, [15] = 1 } };
	cleanup(buf_release) struct buf reply = BUF_INIT(DNS_UDP_MAX);
	enum dns_type type = query->type == DNS_A ? DNS_A : DNS_AAAA;
	struct dns_answer answer;
	struct hostname alias;

	MUST(hostname_parse(SPAN("alias.test"), &alias) == HOSTNAME_OK);
	dns_reply_start(&reply, query, rcode);
	if (rcode == DNS_NOERROR) {
		dns_reply_cname(&reply, NULL, &alias, 60);
		dns_reply_addr(&reply, &alias, type == DNS_A ? &v4 : &v6, 60);
	} else {
		dns_reply_soa(&reply, 1);
	}
	MUST(!buf_failed(&reply));
	if (query->type != type || query->class != 1 || !query->name.size ||
	    hostname_equal(&query->name, &alias))
		return;
	MUST(dns_read_answer(buf_span(&reply), &query->name, type, &answer) ==
	     DNS_OK);
	MUST(answer.rcode == rcode);
	MUST(answer.count == (rcode == DNS_NOERROR ? 1 : 0));
	MUST(answer.negative_ttl == (rcode == DNS_NOERROR ? 0 : 1));
	dns_reply_truncate(&reply, query);
	MUST(reply.size == 12 + query->question.size);
	MUST(dns_read_answer(buf_span(&reply), &query->name, type, &answer) ==
	     DNS_OK);
	MUST(answer.truncated && answer.count == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span message = fuzz_span(data, size);
	struct dns_query query;

	if (dns_read_query(message, &query) != DNS_OK)
		return 0;
	MUST(query.question.data == message.data + 12);
	MUST(query.question.size >= 5 && query.question.size <= 255 + 4);
	MUST(query.question.size <= message.size - 12);
	MUST(query.udp_size >= 512);
	check_answer(&query, DNS_NOERROR);
	check_answer(&query, DNS_NXDOMAIN);
	return 0;
}
