/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tests/unit/dns_build.h"

#define RD 0x0100

static void put_opt(struct buf *m, const char *owner, unsigned size)
{
	put_dns_name(m, owner);
	put_u16(m, DNS_OPT);
	put_u16(m, size); /* the class is the size */
	put_u32(m, 0);
	put_u16(m, 0);
}

/* ---- questions ---- */

static const struct {
	unsigned flags, questions, answers, authorities;
	enum dns_fault fault;
} header_cases[] = {
	{ 0x8100, 1, 0, 0, DNS_BAD_HEADER }, /* a response */
	{ 0x0900, 1, 0, 0,
	  DNS_BAD_HEADER }, /* IQUERY, STATUS, NOTIFY, UPDATE */
	{ 0x1100, 1, 0, 0, DNS_BAD_HEADER },
	{ 0x2100, 1, 0, 0, DNS_BAD_HEADER },
	{ 0x2900, 1, 0, 0, DNS_BAD_HEADER },
	{ 0x7900, 1, 0, 0, DNS_BAD_HEADER },
	{ RD, 0, 0, 0, DNS_BAD_QUESTION },
	{ RD, 2, 0, 0, DNS_BAD_QUESTION },
	{ RD, 65535, 0, 0, DNS_BAD_QUESTION },
	{ RD, 1, 1, 0, DNS_BAD_QUESTION },
	{ RD, 1, 0, 1, DNS_BAD_QUESTION },
	{ RD, 1, 0, 0, DNS_OK },
	{ 0, 1, 0, 0, DNS_OK },
};

static void query_header_is_checked(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(header_cases); i++) {
		autobuf struct buf m = BUF_INIT(1000);
		struct dns_query query;
		enum dns_fault fault;

		put_header(&m, header_cases[i].flags, header_cases[i].questions,
			   header_cases[i].answers, header_cases[i].authorities,
			   0);
		put_question(&m, "ok.test", DNS_A);
		put_question(&m, "evil.test", DNS_A);
		fault = dns_read_query(buf_span(&m), &query);
		if (fault != header_cases[i].fault)
			fail_msg("case %zu: %s", i, dns_fault_text(fault));
	}
}

static const struct {
	const char *name;
	enum dns_fault fault;
	const char *canonical; /* "" where it is no host name */
} name_cases[] = {
	{ "ok.test", DNS_OK, "ok.test" },
	{ "oK.TEst", DNS_OK, "ok.test" },
	{ "_x.ok.test", DNS_OK, "_x.ok.test" },
	/* well-formed, but nobody's host */
	{ "", DNS_OK, "" },
	{ "*.ok.test", DNS_OK, "" },
	{ "o k.test", DNS_OK, "" },
	{ "ok\\.test", DNS_OK, "" },
	{ "-.test", DNS_OK, "" },
	{ "1.2.3.4", DNS_OK, "" },
	{ "\xff.test", DNS_OK, "" },
	/* malformed */
	{ "@12", DNS_BAD_NAME, NULL },
	{ "ok.@12", DNS_BAD_NAME, NULL },
	{ "@30", DNS_BAD_NAME, NULL },
};

static void query_names_are_canonical(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(name_cases); i++) {
		autobuf struct buf m = BUF_INIT(1000);
		struct dns_query query;
		enum dns_fault fault;

		put_header(&m, RD, 1, 0, 0, 0);
		put_question(&m, name_cases[i].name, DNS_HTTPS);
		fault = dns_read_query(buf_span(&m), &query);
		if (fault != name_cases[i].fault)
			fail_msg("case %zu: %s", i, dns_fault_text(fault));
		if (fault != DNS_OK)
			continue;
		assert_string_equal(query.name.name, name_cases[i].canonical);
		assert_int_equal(query.id, 0x1234);
		assert_int_equal(query.flags, RD);
		assert_int_equal(query.type, DNS_HTTPS);
		assert_int_equal(query.class, 1);
		assert_int_equal(query.question.size, m.size - 12);
		assert_ptr_equal(query.question.data, m.data + 12);
		assert_false(query.has_edns);
		assert_int_equal(query.udp_size, 512);
	}
}

static void query_with_odd_labels(void **state)
{
	static const struct {
		struct span name;
		enum dns_fault fault;
	} cases[] = {
		{ SPAN("\7ok.test\0"), DNS_BAD_NAME }, /* a dot in a label */
		{ SPAN("\2ok\4te\0t\0"), DNS_OK },     /* NUL: no host name */
		{ SPAN("\100"), DNS_BAD_NAME },        /* label of 64 */
		{ SPAN("\200"), DNS_BAD_NAME },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		autobuf struct buf m = BUF_INIT(1000);
		struct dns_query query;

		put_header(&m, RD, 1, 0, 0, 0);
		buf_add(&m, cases[i].name);
		put_u16(&m, DNS_A);
		put_u16(&m, 1);
		assert_int_equal(dns_read_query(buf_span(&m), &query),
				 cases[i].fault);
		assert_int_equal(query.name.size, 0);
	}
}

static void query_edns_sizes(void **state)
{
	static const struct {
		unsigned size, kept;
	} cases[] = {
		{ 0, 512 }, { 511, 512 }, { 1232, 1232 }, { 65535, 65535 }
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		autobuf struct buf m = BUF_INIT(1000);
		struct dns_query query;

		put_header(&m, RD, 1, 0, 0, 2);
		put_question(&m, "ok.test", DNS_A);
		put_record(&m, "", DNS_TXT, 0, SPAN("\3abc"));
		put_opt(&m, "", cases[i].size);
		assert_int_equal(dns_read_query(buf_span(&m), &query), DNS_OK);
		assert_true(query.has_edns);
		assert_int_equal(query.udp_size, cases[i].kept);
	}
}

static void query_takes_one_opt(void **state)
{
	autobuf struct buf m = BUF_INIT(1000);
	struct dns_query query;

	(void)state;
	put_header(&m, RD, 1, 0, 0, 2);
	put_question(&m, "ok.test", DNS_A);
	put_opt(&m, "", 1232);
	put_opt(&m, "", 1232);
	assert_int_equal(dns_read_query(buf_span(&m), &query), DNS_BAD_RECORD);
}

static void query_opt_belongs_to_the_root(void **state)
{
	static const char *const owners[] = { "a", "ok.test", QNAME, "o k" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(owners); i++) {
		autobuf struct buf m = BUF_INIT(1000);
		struct dns_query query;

		put_header(&m, RD, 1, 0, 0, 1);
		put_question(&m, "ok.test", DNS_A);
		put_opt(&m, owners[i], 1232);
		assert_int_equal(dns_read_query(buf_span(&m), &query),
				 DNS_BAD_RECORD);
	}
}

static void query_cut_anywhere_is_refused(void **state)
{
	autobuf struct buf m = BUF_INIT(1000);
	struct dns_query query;

	(void)state;
	put_header(&m, RD, 1, 0, 0, 1);
	put_question(&m, "ok.test", DNS_A);
	put_opt(&m, "", 1232);
	assert_int_equal(dns_read_query(buf_span(&m), &query), DNS_OK);
	for (size_t size = 0; size < m.size; size++) {
		autofree char *copy = malloc(size + 1);

		memcpy(copy, m.data, size);
		if (dns_read_query((struct span){ copy, size }, &query) ==
		    DNS_OK)
			fail_msg("cut to %zu was accepted", size);
	}
}

/* ---- replies ---- */

static void must_query(struct buf *m, const char *name, unsigned type,
		       struct dns_query *query)
{
	put_header(m, RD, 1, 0, 0, 0);
	put_question(m, name, type);
	assert_int_equal(dns_read_query(buf_span(m), query), DNS_OK);
}

/* What we write is what our own strict reader takes. */
static void reply_reads_back(void **state)
{
	static const struct addr v4 = { 4, { 192, 0, 2, 1 } };
	struct hostname host = must_name("ok.test"),
			alias = must_name("a.b.test");
	autobuf struct buf m = BUF_INIT(1000);
	autobuf struct buf reply = BUF_INIT(DNS_UDP_MAX);
	struct dns_query query;
	struct dns_answer answer;

	(void)state;
	must_query(&m, "ok.test", DNS_A, &query);
	dns_reply_start(&reply, &query, DNS_NOERROR);
	dns_reply_cname(&reply, NULL, &alias, 90);
	dns_reply_addr(&reply, &alias, &v4, 80);
	dns_reply_addr(&reply, &alias, &v4, 70);
	assert_false(buf_failed(&reply));
	assert_memory_equal(reply.data, "\x12\x34\x81\x80\0\1\0\3\0\0\0\0", 12);
	assert_int_equal(dns_read_answer(buf_span(&reply), &host, DNS_A,
					 &answer),
			 DNS_OK);
	assert_int_equal(answer.count, 2);
	assert_int_equal(answer.hops, 1);
	assert_int_equal(answer.ttl, 70);
	assert_true(addr_equal(&answer.addrs[0], &v4));
}

static void reply_aaaa_reads_back(void **state)
{
	static const struct addr v6 = { 16, { 0x20, 1, 0x0d, 0xb8, [15] = 1 } };
	struct hostname host = must_name("ok.test");
	autobuf struct buf m = BUF_INIT(1000);
	autobuf struct buf reply = BUF_INIT(DNS_UDP_MAX);
	struct dns_query query;
	struct dns_answer answer;

	(void)state;
	must_query(&m, "ok.test", DNS_AAAA, &query);
	dns_reply_start(&reply, &query, DNS_NOERROR);
	dns_reply_addr(&reply, NULL, &v6, 1);
	assert_int_equal(dns_read_answer(buf_span(&reply), &host, DNS_AAAA,
					 &answer),
			 DNS_OK);
	assert_int_equal(answer.count, 1);
	assert_true(addr_equal(&answer.addrs[0], &v6));
}

static void reply_negative_reads_back(void **state)
{
	struct hostname host = must_name("bad.test");
	autobuf struct buf m = BUF_INIT(1000);
	autobuf struct buf reply = BUF_INIT(DNS_UDP_MAX);
	struct dns_query query;
	struct dns_answer answer;

	(void)state;
	must_query(&m, "bad.test", DNS_A, &query);
	dns_reply_start(&reply, &query, DNS_NXDOMAIN);
	dns_reply_soa(&reply, 1);
	assert_memory_equal(reply.data + 2, "\x81\x83\0\1\0\0\0\1\0\0", 10);
	assert_int_equal(dns_read_answer(buf_span(&reply), &host, DNS_A,
					 &answer),
			 DNS_OK);
	assert_int_equal(answer.rcode, DNS_NXDOMAIN);
	assert_int_equal(answer.count, 0);
	assert_int_equal(answer.negative_ttl, 1);
}

static void reply_answers_as_it_was_asked(void **state)
{
	autobuf struct buf m = BUF_INIT(1000);
	autobuf struct buf reply = BUF_INIT(DNS_UDP_MAX);
	struct dns_query query;

	(void)state;
	put_header(&m, 0x0010, 1, 0, 0, 0); /* no RD, but CD */
	put_question(&m, "oK.tEst", DNS_A);
	assert_int_equal(dns_read_query(buf_span(&m), &query), DNS_OK);
	dns_reply_start(&reply, &query, DNS_NOERROR);
	assert_memory_equal(reply.data + 2, "\x80\x80", 2);
	/* the question comes back byte by byte, capitals included */
	assert_memory_equal(reply.data + 12, m.data + 12, m.size - 12);
}

static void reply_truncates(void **state)
{
	static const struct addr v4 = { 4, { 192, 0, 2, 1 } };
	autobuf struct buf m = BUF_INIT(1000);
	autobuf struct buf reply = BUF_INIT(60);
	struct dns_query query;

	(void)state;
	must_query(&m, "ok.test", DNS_A, &query);
	dns_reply_start(&reply, &query, DNS_NXDOMAIN);
	for (int i = 0; i < 10; i++)
		dns_reply_addr(&reply, NULL, &v4, 1);
	assert_true(buf_failed(&reply));
	dns_reply_truncate(&reply, &query);
	assert_false(buf_failed(&reply));
	assert_int_equal(reply.size, m.size);
	assert_memory_equal(reply.data, "\x12\x34\x83\x83\0\1\0\0\0\0\0\0", 12);
}

/* A buffer that never had memory is no reason to crash. */
static void reply_truncates_nothing(void **state)
{
	autobuf struct buf m = BUF_INIT(1000);
	autobuf struct buf reply = BUF_INIT(1);
	struct dns_query query;

	(void)state;
	must_query(&m, "ok.test", DNS_A, &query);
	dns_reply_start(&reply, &query, DNS_NOERROR);
	assert_true(buf_failed(&reply));
	assert_null(reply.data);
	dns_reply_truncate(&reply, &query);
	assert_true(buf_failed(&reply));
}

static void reply_counts_past_a_byte(void **state)
{
	static const struct addr v4 = { 4, { 192, 0, 2, 1 } };
	autobuf struct buf m = BUF_INIT(1000);
	autobuf struct buf reply = BUF_INIT(DNS_MESSAGE_MAX);
	struct dns_query query;

	(void)state;
	must_query(&m, "ok.test", DNS_A, &query);
	dns_reply_start(&reply, &query, DNS_NOERROR);
	for (int i = 0; i < 259; i++)
		dns_reply_addr(&reply, NULL, &v4, 1);
	assert_memory_equal(reply.data + 6, "\1\3", 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(query_header_is_checked),
		cmocka_unit_test(query_names_are_canonical),
		cmocka_unit_test(query_with_odd_labels),
		cmocka_unit_test(query_edns_sizes),
		cmocka_unit_test(query_takes_one_opt),
		cmocka_unit_test(query_opt_belongs_to_the_root),
		cmocka_unit_test(query_cut_anywhere_is_refused),
		cmocka_unit_test(reply_reads_back),
		cmocka_unit_test(reply_aaaa_reads_back),
		cmocka_unit_test(reply_negative_reads_back),
		cmocka_unit_test(reply_answers_as_it_was_asked),
		cmocka_unit_test(reply_truncates),
		cmocka_unit_test(reply_truncates_nothing),
		cmocka_unit_test(reply_counts_past_a_byte),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
