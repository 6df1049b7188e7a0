/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tests/unit/dns_build.h"

static const struct span ok_v6 =
	SPAN("\x26\x06\x28\0\0\0\0\0\0\0\0\0\0\0\0\x01");

/* ---- plain answers ---- */

static void answer_gives_addresses(void **state)
{
	autobuf struct buf m = BUF_INIT(1000);
	struct hostname host = must_name("ok.test");
	struct dns_answer answer;

	(void)state;
	put_header(&m, RESPONSE, 1, 3, 0, 0);
	put_question(&m, "OK.test", DNS_AAAA); /* 0x20 case */
	put_record(&m, QNAME, DNS_AAAA, 300, ok_v6);
	put_record(&m, QNAME, DNS_AAAA, 60, ok_v6);
	put_record(&m, QNAME, DNS_A, 5, ok_v4); /* not what was asked */
	assert_int_equal(
		dns_read_answer(buf_span(&m), &host, DNS_AAAA, &answer), 0);
	assert_int_equal(answer.rcode, DNS_NOERROR);
	assert_int_equal(answer.count, 2);
	assert_int_equal(answer.ttl, 60);
	assert_int_equal(answer.hops, 0);
	assert_int_equal(answer.negative_ttl, 0);
	assert_string_equal(addr_print(&answer.addrs[0]).text, "2606:2800::1");
}

static void answer_keeps_so_many(void **state)
{
	autobuf struct buf m = BUF_INIT(10000);
	struct dns_answer answer;

	(void)state;
	put_header(&m, RESPONSE, 1, DNS_ADDRS_MAX + 5, 0, 0);
	put_question(&m, "ok.test", DNS_A);
	for (int i = 0; i < DNS_ADDRS_MAX + 5; i++)
		put_record(&m, QNAME, DNS_A, 300, ok_v4);
	assert_int_equal(read_a(&m, &answer), DNS_OK);
	assert_int_equal(answer.count, DNS_ADDRS_MAX);
}

/* What of a header and question a response must have. */
static void answer_must_be_to_the_question(void **state)
{
	static const struct {
		unsigned flags, questions;
		const char *name;
		unsigned type, class;
		enum dns_fault fault;
	} cases[] = {
		{ 0x0100, 1, "ok.test", 1, 1, DNS_BAD_HEADER }, /* a query */
		{ 0xa180, 1, "ok.test", 1, 1, DNS_BAD_HEADER }, /* NOTIFY */
		{ 0x8980, 1, "ok.test", 1, 1, DNS_BAD_HEADER },
		{ RESPONSE, 0, "ok.test", 1, 1, DNS_BAD_QUESTION },
		{ RESPONSE, 2, "ok.test", 1, 1, DNS_BAD_QUESTION },
		{ RESPONSE, 1, "evil.test", 1, 1, DNS_BAD_QUESTION },
		{ RESPONSE, 1, "ok.test.evil", 1, 1, DNS_BAD_QUESTION },
		{ RESPONSE, 1, "test", 1, 1, DNS_BAD_QUESTION },
		{ RESPONSE, 1, "", 1, 1, DNS_BAD_QUESTION },
		{ RESPONSE, 1, "ok!.test", 1, 1, DNS_BAD_QUESTION },
		{ RESPONSE, 1, "ok.test", 28, 1, DNS_BAD_QUESTION },
		{ RESPONSE, 1, "ok.test", 1, 3, DNS_BAD_QUESTION }, /* CHAOS */
		{ RESPONSE, 1, "ok.test", 1, 1, DNS_OK },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		autobuf struct buf m = BUF_INIT(1000);
		char what[40];

		put_header(&m, cases[i].flags, cases[i].questions, 1, 0, 0);
		put_dns_name(&m, cases[i].name);
		put_u16(&m, cases[i].type);
		put_u16(&m, cases[i].class);
		put_record(&m, "ok.test", DNS_A, 300, ok_v4);
		snprintf(what, sizeof(what), "case %zu", i);
		expect(&m, cases[i].fault, what);
	}
}

/* Every cut of a good message is a fault, not a shorter answer. */
static void answer_cut_anywhere_is_refused(void **state)
{
	autobuf struct buf m = BUF_INIT(1000);

	(void)state;
	put_header(&m, RESPONSE, 1, 2, 1, 0);
	put_question(&m, "ok.test", DNS_A);
	put_alias(&m, QNAME, 300, "alias.test");
	put_record(&m, "alias.test", DNS_A, 300, ok_v4);
	put_record(&m, QNAME, DNS_SOA, 30,
		   SPAN("\0\0\0\0\0\1\0\0\0\1\0\0\0\1\0\0\0\1\0\0\0\1"));
	expect(&m, DNS_OK, "whole");
	while (m.size > 0) {
		char what[40];
		struct dns_answer answer;
		struct hostname host = must_name("ok.test");
		/* exactly as large as it says, so that a sanitizer sees reads
		 * behind it */
		autofree char *copy = malloc(--m.size + 1);

		memcpy(copy, m.data, m.size);
		snprintf(what, sizeof(what), "cut to %zu", m.size);
		if (dns_read_answer((struct span){ copy, m.size }, &host, DNS_A,
				    &answer) == DNS_OK)
			fail_msg("%s was accepted", what);
		assert_int_equal(answer.count, 0);
	}
}

static void answer_truncated_says_so_and_no_more(void **state)
{
	autobuf struct buf m = BUF_INIT(1000);
	struct dns_answer answer;

	(void)state;
	put_header(&m, RESPONSE | 0x0200, 1, 9, 0, 0);
	put_question(&m, "ok.test", DNS_A);
	put_record(&m, QNAME, DNS_A, 300, ok_v4);
	assert_int_equal(read_a(&m, &answer), DNS_OK);
	assert_true(answer.truncated);
	assert_int_equal(answer.count, 0);
	assert_int_equal(answer.ttl, 0);
}

static void answer_with_an_rcode_has_no_addresses(void **state)
{
	(void)state;
	for (unsigned rcode = 1; rcode < 16; rcode++) {
		autobuf struct buf m = BUF_INIT(1000);
		struct dns_answer answer;

		put_header(&m, RESPONSE | rcode, 1, 1, 0, 0);
		put_question(&m, "ok.test", DNS_A);
		put_record(&m, QNAME, DNS_A, 300, ok_v4);
		assert_int_equal(read_a(&m, &answer), DNS_OK);
		assert_int_equal(answer.rcode, rcode);
		assert_int_equal(answer.count, 0);
	}
}

/* ---- records ---- */

static void answer_records_are_checked(void **state)
{
	static const struct {
		const char *owner;
		unsigned type, class;
		struct span data;
		enum dns_fault fault;
		size_t count;
	} cases[] = {
		{ QNAME, DNS_A, 1, SPAN("\1\2\3"), DNS_BAD_RECORD, 0 },
		{ QNAME, DNS_A, 1, SPAN("\1\2\3\4\5"), DNS_BAD_RECORD, 0 },
		{ QNAME, DNS_A, 1, SPAN(""), DNS_BAD_RECORD, 0 },
		/* other names, classes and types are not ours */
		{ "evil.test", DNS_A, 1, SPAN("\1\2\3\4"), DNS_OK, 0 },
		{ "a.@12", DNS_A, 1, SPAN("\1\2\3\4"), DNS_OK, 0 },
		{ "", DNS_A, 1, SPAN("\1\2\3\4"), DNS_OK, 0 },
		{ "o k.test", DNS_A, 1, SPAN("\1\2\3\4"), DNS_OK, 0 },
		{ QNAME, DNS_A, 3, SPAN("\1\2\3\4"), DNS_OK, 0 },
		{ QNAME, DNS_AAAA, 1, SPAN("\1\2\3\4"), DNS_OK, 0 },
		{ QNAME, DNS_TXT, 1, SPAN("\3abc"), DNS_OK, 0 },
		/* aliases that name nothing, or more than a name */
		{ QNAME, DNS_CNAME, 1, SPAN("\0"), DNS_BAD_RECORD, 0 },
		{ QNAME, DNS_CNAME, 1, SPAN(""), DNS_TRUNCATED_MESSAGE, 0 },
		{ QNAME, DNS_CNAME, 1, SPAN("\1a\0x"), DNS_BAD_RECORD, 0 },
		{ QNAME, DNS_CNAME, 1, SPAN("\3a.b\0"), DNS_BAD_NAME, 0 },
		{ QNAME, DNS_CNAME, 1, SPAN("\3a b\0"), DNS_BAD_RECORD, 0 },
		{ QNAME, DNS_CNAME, 1,
		  SPAN("\1"
		       "1\0"),
		  DNS_BAD_RECORD, 0 },
		{ QNAME, DNS_CNAME, 1, SPAN("\100a"), DNS_BAD_NAME, 0 },
		{ QNAME, DNS_CNAME, 1, SPAN("\200a"), DNS_BAD_NAME, 0 },
		{ QNAME, DNS_CNAME, 1, SPAN("\xff\xff"), DNS_BAD_NAME, 0 },
		{ QNAME, DNS_A, 1, SPAN("\1\2\3\4"), DNS_OK, 1 },
		{ "OK.TEST", DNS_A, 1, SPAN("\1\2\3\4"), DNS_OK, 1 },
		{ "ok.@15", DNS_A, 1, SPAN("\1\2\3\4"), DNS_OK, 1 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		autobuf struct buf m = BUF_INIT(1000);
		struct dns_answer answer;
		enum dns_fault fault;

		put_header(&m, RESPONSE, 1, 1, 0, 0);
		put_question(&m, "ok.test", DNS_A);
		put_dns_name(&m, cases[i].owner);
		put_u16(&m, cases[i].type);
		put_u16(&m, cases[i].class);
		put_u32(&m, 300);
		put_u16(&m, (unsigned)cases[i].data.size);
		buf_add(&m, cases[i].data);
		fault = read_a(&m, &answer);
		if (fault != cases[i].fault || answer.count != cases[i].count)
			fail_msg("case %zu: %s, %zu addresses", i,
				 dns_fault_text(fault), answer.count);
	}
}

/* RFC 2181, 8. */
static void answer_ttl_with_the_top_bit_is_zero(void **state)
{
	static const struct {
		uint32_t ttl, kept;
	} cases[] = {
		{ 0x80000000u, 0 },
		{ UINT32_MAX, 0 },
		{ 0, 0 },
		{ 300, 300 },
		{ 0x7fffffffu, 0x7fffffffu },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		autobuf struct buf m = BUF_INIT(1000);
		struct dns_answer answer;

		put_header(&m, RESPONSE, 1, 1, 0, 0);
		put_question(&m, "ok.test", DNS_A);
		put_record(&m, QNAME, DNS_A, cases[i].ttl, ok_v4);
		assert_int_equal(read_a(&m, &answer), DNS_OK);
		assert_int_equal(answer.ttl, cases[i].kept);
	}
}

/* ---- aliases ---- */

/* ok.test -> a1 -> a2 ... -> aN, which has the address. */
static void put_chain(struct buf *m, unsigned hops)
{
	char from[16] = "ok.test", to[16];

	put_header(m, RESPONSE, 1, hops + 1, 0, 0);
	put_question(m, "ok.test", DNS_A);
	for (unsigned i = 1; i <= hops; i++) {
		snprintf(to, sizeof(to), "a%u.test", i);
		put_alias(m, from, 100 - i, to);
		memcpy(from, to, sizeof(from));
	}
	put_record(m, from, DNS_A, 300, ok_v4);
}

static void answer_follows_so_many_aliases(void **state)
{
	(void)state;
	for (unsigned hops = 0; hops <= DNS_HOPS_MAX + 3; hops++) {
		autobuf struct buf m = BUF_INIT(2000);
		struct dns_answer answer;
		enum dns_fault fault;

		put_chain(&m, hops);
		fault = read_a(&m, &answer);
		if (hops > DNS_HOPS_MAX) {
			assert_int_equal(fault, DNS_CHAIN);
			assert_int_equal(answer.count, 0);
			continue;
		}
		assert_int_equal(fault, DNS_OK);
		assert_int_equal(answer.count, 1);
		assert_int_equal(answer.hops, hops);
		assert_int_equal(answer.ttl, hops ? 100 - hops : 300);
	}
}

static void answer_aliases_may_stand_in_any_order(void **state)
{
	autobuf struct buf m = BUF_INIT(1000);
	struct dns_answer answer;

	(void)state;
	put_header(&m, RESPONSE, 1, 3, 0, 0);
	put_question(&m, "ok.test", DNS_A);
	put_record(&m, "b.test", DNS_A, 300, ok_v4);
	put_alias(&m, "a.test", 300, "b.test");
	put_alias(&m, QNAME, 300, "a.test");
	assert_int_equal(read_a(&m, &answer), DNS_OK);
	assert_int_equal(answer.count, 1);
	assert_int_equal(answer.hops, 2);
}

static void answer_bad_aliases_are_refused(void **state)
{
	static const struct {
		const char *what;
		const char *aliases[6]; /* pairs */
		const char *addr_owner;
		enum dns_fault fault;
	} cases[] = {
		{ "itself", { "ok.test", "ok.test" }, NULL, DNS_CHAIN },
		{ "a loop",
		  { "ok.test", "a.test", "a.test", "ok.test" },
		  NULL,
		  DNS_CHAIN },
		{ "a loop behind",
		  { "ok.test", "a.test", "a.test", "b.test", "b.test",
		    "a.test" },
		  NULL,
		  DNS_CHAIN },
		{ "two aliases",
		  { "ok.test", "a.test", "ok.test", "b.test" },
		  "b.test",
		  DNS_BAD_RECORD },
		{ "alias and address",
		  { "ok.test", "a.test" },
		  "ok.test",
		  DNS_BAD_RECORD },
		{ "address behind an alias twice",
		  { "ok.test", "a.test", "a.test", "b.test" },
		  "a.test",
		  DNS_BAD_RECORD },
		/* an alias whose address is not in this answer: no address */
		{ "nowhere", { "ok.test", "a.test" }, NULL, DNS_OK },
		{ "elsewhere", { "ok.test", "a.test" }, "b.test", DNS_OK },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		autobuf struct buf m = BUF_INIT(1000);
		struct dns_answer answer;
		unsigned count = 0;

		for (unsigned k = 0; k < 6 && cases[i].aliases[k]; k += 2)
			count++;
		put_header(&m, RESPONSE, 1, count + !!cases[i].addr_owner, 0,
			   0);
		put_question(&m, "ok.test", DNS_A);
		for (unsigned k = 0; k < 2 * count; k += 2)
			put_alias(&m, cases[i].aliases[k], 300,
				  cases[i].aliases[k + 1]);
		if (cases[i].addr_owner)
			put_record(&m, cases[i].addr_owner, DNS_A, 300, ok_v4);
		expect(&m, cases[i].fault, cases[i].what);
		if (cases[i].fault == DNS_OK) {
			assert_int_equal(read_a(&m, &answer), DNS_OK);
			assert_int_equal(answer.count, 0);
		}
	}
}

/* ---- negative answers ---- */

static void answer_negative_ttl_is_the_soas(void **state)
{
	static const struct {
		uint32_t ttl, minimum;
		size_t cut; /* of the SOA's data */
		uint32_t negative;
	} cases[] = {
		{ 300, 60, 0, 60 },        { 60, 300, 0, 60 },
		{ 0x80000000u, 60, 0, 0 }, { 300, 0xffffffffu, 0, 300 },
		{ 300, 60, 1, 0 }, /* too short for an SOA */
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		autobuf struct buf m = BUF_INIT(1000);
		autobuf struct buf soa = BUF_INIT(100);
		struct dns_answer answer;

		buf_add(&soa, SPAN("\0\0\0\0\0\1\0\0\0\1\0\0\0\1\0\0\0\1"));
		put_u32(&soa, cases[i].minimum);
		put_header(&m, RESPONSE | DNS_NXDOMAIN, 1, 0, 2, 0);
		put_question(&m, "ok.test", DNS_A);
		put_record(&m, QNAME, DNS_NS, 5, SPAN("\0"));
		put_record(&m, QNAME, DNS_SOA, cases[i].ttl,
			   (struct span){ soa.data + cases[i].cut,
					  soa.size - cases[i].cut });
		assert_int_equal(read_a(&m, &answer), DNS_OK);
		assert_int_equal(answer.rcode, DNS_NXDOMAIN);
		assert_int_equal(answer.negative_ttl, cases[i].negative);
	}
}

/* negative_ttl is for answers without addresses. */
static void answer_with_addresses_has_no_negative_ttl(void **state)
{
	autobuf struct buf m = BUF_INIT(1000);
	struct dns_answer answer;

	(void)state;
	put_header(&m, RESPONSE, 1, 1, 1, 0);
	put_question(&m, "ok.test", DNS_A);
	put_record(&m, QNAME, DNS_A, 300, ok_v4);
	put_record(&m, QNAME, DNS_SOA, 300,
		   SPAN("\0\0\0\0\0\1\0\0\0\1\0\0\0\1\0\0\0\1\0\0\0\1"));
	assert_int_equal(read_a(&m, &answer), DNS_OK);
	assert_int_equal(answer.count, 1);
	assert_int_equal(answer.negative_ttl, 0);
}

/* No name at all is never asked, and matches no odd owner. */
static void answer_to_no_name_is_refused(void **state)
{
	autobuf struct buf m = BUF_INIT(1000);
	const struct hostname none = { 0 };
	struct dns_answer answer;

	(void)state;
	put_header(&m, RESPONSE, 1, 1, 0, 0);
	put_question(&m, "", DNS_A);
	put_record(&m, "o k.test", DNS_A, 300, ok_v4);
	assert_int_equal(dns_read_answer(buf_span(&m), &none, DNS_A, &answer),
			 DNS_BAD_QUESTION);
	assert_int_equal(answer.count, 0);
}

static void faults_have_texts(void **state)
{
	(void)state;
	for (int fault = 0; fault < DNS_NFAULTS; fault++)
		assert_non_null(dns_fault_text(fault));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(answer_gives_addresses),
		cmocka_unit_test(answer_keeps_so_many),
		cmocka_unit_test(answer_must_be_to_the_question),
		cmocka_unit_test(answer_cut_anywhere_is_refused),
		cmocka_unit_test(answer_truncated_says_so_and_no_more),
		cmocka_unit_test(answer_with_an_rcode_has_no_addresses),
		cmocka_unit_test(answer_records_are_checked),
		cmocka_unit_test(answer_ttl_with_the_top_bit_is_zero),
		cmocka_unit_test(answer_follows_so_many_aliases),
		cmocka_unit_test(answer_aliases_may_stand_in_any_order),
		cmocka_unit_test(answer_bad_aliases_are_refused),
		cmocka_unit_test(answer_negative_ttl_is_the_soas),
		cmocka_unit_test(answer_with_addresses_has_no_negative_ttl),
		cmocka_unit_test(answer_to_no_name_is_refused),
		cmocka_unit_test(faults_have_texts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
