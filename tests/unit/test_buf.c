/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tests/unit/unit.h"

#include "base/buf.h"
#include "base/cleanup.h"

static void buf_grows_and_stays_terminated(void **state)
{
	cleanup(buf_release) struct buf buf = BUF_INIT(100000);

	(void)state;
	assert_int_equal(buf_span(&buf).size, 0);
	assert_string_equal(buf_span(&buf).data, "");
	for (int i = 0; i < 5000; i++) {
		buf_add_text(&buf, "ab");
		buf_add_byte(&buf, '\0');
		assert_int_equal(buf.data[buf.size], '\0');
	}
	buf_add(&buf, (struct span){ NULL, 0 });
	assert_int_equal(buf.size, 15000);
	assert_false(buf_failed(&buf));
}

static void buf_writes_numbers(void **state)
{
	static const struct {
		uint64_t value;
		const char *text;
	} cases[] = {
		{ 0, "0" },
		{ 9, "9" },
		{ 10, "10" },
		{ UINT64_MAX, "18446744073709551615" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		cleanup(buf_release) struct buf buf = BUF_INIT(100);

		buf_add_u64(&buf, cases[i].value);
		buf_addf(&buf, "%s", "");
		assert_string_equal(buf.data, cases[i].text);
	}
}

/* The limit is on the bytes, and a failed buffer stays as it was. */
static void buf_fails_at_its_limit(void **state)
{
	cleanup(buf_release) struct buf buf = BUF_INIT(8);

	(void)state;
	buf_add_text(&buf, "12345678");
	assert_false(buf_failed(&buf));
	buf_add_byte(&buf, '9');
	assert_true(buf_failed(&buf));
	buf_add_text(&buf, "");
	buf_addf(&buf, "%d", 1);
	buf_add_u64(&buf, 1);
	buf_add_json(&buf, SPAN("x"));
	assert_string_equal(buf.data, "12345678");
	assert_int_equal(buf.size, 8);
	buf_clear(&buf);
	assert_false(buf_failed(&buf));
	buf_addf(&buf, "%s", "123456789");
	assert_true(buf_failed(&buf));
	assert_int_equal(buf.size, 0);
	buf_clear(&buf);
	buf_add(&buf, (struct span){ "x", SIZE_MAX });
	assert_true(buf_failed(&buf));
}

static void buf_consumes_from_the_front(void **state)
{
	cleanup(buf_release) struct buf buf = BUF_INIT(100);

	(void)state;
	buf_consume(&buf, 0);
	buf_add_text(&buf, "abcdef");
	buf_consume(&buf, 2);
	assert_string_equal(buf.data, "cdef");
	buf_consume(&buf, 4);
	assert_string_equal(buf.data, "");
	assert_int_equal(buf.size, 0);
	buf_release(&buf);
	assert_int_equal(buf.limit, 100);
	buf_clear(&buf);
}

/* J1: a record is one line of printable UTF-8, whatever is in it. */
static const struct {
	struct span text;
	const char *json;
} json_cases[] = {
	{ SPAN(""), "\"\"" },
	{ SPAN("plain"), "\"plain\"" },
	{ SPAN("a\"b"), "\"a\\\"b\"" },
	{ SPAN("a\\b"), "\"a\\\\b\"" },
	{ SPAN("a\r\nb"), "\"a\\u000d\\nb\"" },
	{ SPAN("\t\b\f"), "\"\\u0009\\u0008\\u000c\"" },
	{ SPAN("a\0b"), "\"a\\u0000b\"" },
	{ SPAN("\x1b[31m"), "\"\\u001b[31m\"" },
	{ SPAN("\x7f"), "\"\\u007f\"" },
	{ SPAN("\xc2\x80\xc2\x9b\xc2\x9f"), "\"\\u0080\\u009b\\u009f\"" },
	{ SPAN("\xc2\xa0"), "\"\xc2\xa0\"" },
	{ SPAN("\xe2\x80\xa8\xe2\x80\xa9"), "\"\\u2028\\u2029\"" },
	{ SPAN("\xe2\x80\xae"), "\"\\u202e\"" },
	{ SPAN("gr\xc3\xbc\xc3\x9f"), "\"gr\xc3\xbc\xc3\x9f\"" },
	{ SPAN("\xf0\x9f\x98\x80"), "\"\xf0\x9f\x98\x80\"" },
	{ SPAN("\xff"), "\"\\ufffd\"" },
	{ SPAN("a\xc3"), "\"a\\ufffd\"" },
	{ SPAN("\xc0\x80"), "\"\\ufffd\\ufffd\"" },
	{ SPAN("\xed\xa0\x80"), "\"\\ufffd\\ufffd\\ufffd\"" },
	{ SPAN("x\",\"decision\":\"allow"),
	  "\"x\\\",\\\"decision\\\":\\\"allow\"" },
};

static void buf_json_is_safe(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(json_cases); i++) {
		cleanup(buf_release) struct buf buf = BUF_INIT(1000);

		buf_add_json(&buf, json_cases[i].text);
		assert_false(buf_failed(&buf));
		assert_string_equal(buf.data, json_cases[i].json);
	}
}

static const struct {
	struct span text;
	size_t max;
	const char *json;
} cut_cases[] = {
	{ SPAN("abcdef"), 6, "\"abcdef\"" },
	{ SPAN("abcdefg"), 6, "\"abc...\"" },
	{ SPAN("abcdefg"), 3, "\"...\"" },
	{ SPAN(""), 3, "\"\"" },
	{ SPAN("abc"), 3, "\"abc\"" },
	/* never inside a character */
	{ SPAN("ab\xc3\xbcxy"), 6, "\"ab\xc3\xbcxy\"" },
	{ SPAN("ab\xc3\xbcxyz"), 6, "\"ab...\"" },
	{ SPAN("\xf0\x9f\x98\x80\xf0\x9f\x98\x80"), 8,
	  "\"\xf0\x9f\x98\x80\xf0\x9f\x98\x80\"" },
	{ SPAN("\xf0\x9f\x98\x80\xf0\x9f\x98\x80"), 7,
	  "\"\xf0\x9f\x98\x80...\"" },
	{ SPAN("\xf0\x9f\x98\x80\xf0\x9f\x98\x80"), 6, "\"...\"" },
	/* nor inside an escape; its size counts */
	{ SPAN("\1\1"), 12, "\"\\u0001\\u0001\"" },
	{ SPAN("\1\1"), 11, "\"\\u0001...\"" },
	{ SPAN("\1\1"), 8, "\"...\"" },
	{ SPAN("\"\"\"\"\""), 9, "\"\\\"\\\"\\\"...\"" },
	{ SPAN("\xff\xff"), 11, "\"\\ufffd...\"" },
};

static void buf_json_cut_counts_what_is_written(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cut_cases); i++) {
		cleanup(buf_release) struct buf buf = BUF_INIT(1000);

		buf_add_json_cut(&buf, cut_cases[i].text, cut_cases[i].max);
		if (strcmp(buf.data, cut_cases[i].json) != 0)
			fail_msg("case %zu: %s", i, buf.data);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(buf_grows_and_stays_terminated),
		cmocka_unit_test(buf_writes_numbers),
		cmocka_unit_test(buf_fails_at_its_limit),
		cmocka_unit_test(buf_consumes_from_the_front),
		cmocka_unit_test(buf_json_is_safe),
		cmocka_unit_test(buf_json_cut_counts_what_is_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
