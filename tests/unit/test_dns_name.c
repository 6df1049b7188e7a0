/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names in messages: pointers and lengths. */
#include "config.h"

#include "tests/unit/dns_build.h"

#include "base/clock.h"

static void answer_pointers_only_go_back(void **state)
{
	static const struct {
		const char *owner; /* of the one record, at 12 + 13 = 25 */
		enum dns_fault fault;
	} cases[] = {
		{ "@25", DNS_BAD_NAME },    /* itself */
		{ "@26", DNS_BAD_NAME },    /* its own second byte */
		{ "@40", DNS_BAD_NAME },    /* forward */
		{ "@16383", DNS_BAD_NAME }, /* far outside */
		{ "a.@25", DNS_BAD_NAME },  /* a loop through a label */
		{ "a.@27", DNS_BAD_NAME },  { "a.b.@27", DNS_BAD_NAME },
		{ QNAME, DNS_OK },          { "a.@12", DNS_OK },
		{ "@20", DNS_OK }, /* the root at the end of the question */
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		autobuf struct buf m = BUF_INIT(1000);

		put_header(&m, RESPONSE, 1, 1, 0, 0);
		put_question(&m, "ok.test", DNS_A);
		assert_int_equal(m.size, 25);
		put_record(&m, cases[i].owner, DNS_A, 300, ok_v4);
		expect(&m, cases[i].fault, cases[i].owner);
	}
}

/* The header is no name; a message that says so is out to confuse. */
static void answer_pointers_into_the_header_are_refused(void **state)
{
	(void)state;
	for (unsigned to = 0; to < 12; to++) {
		autobuf struct buf m = BUF_INIT(1000);
		char owner[8];

		snprintf(owner, sizeof(owner), "@%u", to);
		put_header(&m, RESPONSE, 1, 1, 0, 0);
		put_question(&m, "ok.test", DNS_A);
		put_record(&m, owner, DNS_A, 300, ok_v4);
		expect(&m, DNS_BAD_NAME, owner);
	}
}

static void answer_names_end_at_255_bytes(void **state)
{
	static const struct {
		unsigned labels, last; /* of 1 byte; the last label's size */
		enum dns_fault fault;
	} cases[] = {
		{ 126, 1, DNS_OK },       /* 127 labels, 253 characters */
		{ 126, 2, DNS_BAD_NAME }, /* 256 bytes on the wire */
		{ 127, 1, DNS_BAD_NAME },  { 100, 53, DNS_OK },
		{ 100, 54, DNS_BAD_NAME }, { 200, 63, DNS_BAD_NAME },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		autobuf struct buf m = BUF_INIT(2000);
		char owner[600] = "", what[20];

		for (unsigned k = 0; k < cases[i].labels; k++)
			strcat(owner, "a.");
		memset(owner + strlen(owner), 'b', cases[i].last);
		put_header(&m, RESPONSE, 1, 1, 0, 0);
		put_question(&m, "ok.test", DNS_A);
		put_record(&m, owner, DNS_A, 300, ok_v4);
		snprintf(what, sizeof(what), "case %zu", i);
		expect(&m, cases[i].fault, what);
	}
}

/*
 * One record holds a chain of pointers, each to the one before it; thousands
 * of names point to its end. Reading must not walk it again for each of them.
 */
static void answer_pointer_chains_cost_little(void **state)
{
	autobuf struct buf chain = BUF_INIT(20000),
			   m = BUF_INIT(DNS_MESSAGE_MAX);
	const unsigned start = 25 + 11, length = 16000;
	uint64_t before = clock_monotonic_ms();
	unsigned records = 1;
	char owner[16];

	(void)state;
	buf_add(&chain, SPAN("\1a\0"));
	buf_add(&chain, SPAN("\0")); /* even offsets from here on */
	for (unsigned at = 4; at < length; at += 2)
		put_u16(&chain, 0xc000u | (start + (at == 4 ? 0 : at - 2)));
	put_header(&m, RESPONSE, 1, 0, 0, 0);
	put_question(&m, "ok.test", DNS_A);
	put_record(&m, "", DNS_TXT, 0, buf_span(&chain));
	snprintf(owner, sizeof(owner), "@%u", start + length - 2);
	for (; m.size + 12 <= DNS_MESSAGE_MAX; records++)
		put_record(&m, owner, DNS_TXT, 0, SPAN(""));
	m.data[6] = (char)(records >> 8);
	m.data[7] = (char)records;
	for (int i = 0; i < 50; i++)
		expect(&m, DNS_BAD_NAME, "chain");
	assert_in_range(clock_monotonic_ms() - before, 0, 20000);
}

/* As many jumps as a name has labels are fine: each behind one label. */
static void answer_names_may_be_shared_label_by_label(void **state)
{
	autobuf struct buf m = BUF_INIT(DNS_MESSAGE_MAX);
	struct dns_answer answer;
	unsigned at = 12;

	(void)state;
	put_header(&m, RESPONSE, 1, 101, 0, 0);
	put_question(&m, "ok.test", DNS_A);
	for (int i = 0; i < 100; i++) {
		char owner[16];

		snprintf(owner, sizeof(owner), "a.@%u", at);
		at = (unsigned)m.size;
		put_record(&m, owner, DNS_A, 300, ok_v4);
	}
	put_record(&m, QNAME, DNS_A, 300, ok_v4);
	assert_int_equal(read_a(&m, &answer), DNS_OK);
	assert_int_equal(answer.count, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(answer_pointers_only_go_back),
		cmocka_unit_test(answer_pointers_into_the_header_are_refused),
		cmocka_unit_test(answer_names_end_at_255_bytes),
		cmocka_unit_test(answer_pointer_chains_cost_little),
		cmocka_unit_test(answer_names_may_be_shared_label_by_label),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
