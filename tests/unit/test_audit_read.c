/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tests/unit/scratch.h"

#include "base/audit_read.h"
#include "base/buf.h"

#define H64      "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define HASH     ",\"hash\":\"" H64 "\"}"
#define DECISION "{\"kind\":\"decision\",\"host\":\"a.test\","

/* One line each: a row, malformed, or nothing at all. */
enum outcome {
	ROW,
	MALFORMED,
	NOTHING
};

static const struct {
	struct span line;
	enum outcome outcome;
} line_cases[] = {
	{ SPAN(DECISION "\"decision\":\"maybe\"" HASH), MALFORMED },
	{ SPAN(DECISION "\"decision\":\"Allow\"" HASH), MALFORMED },
	{ SPAN(DECISION "\"decision\":\"\"" HASH), MALFORMED },
	{ SPAN(DECISION "\"decision\":true" HASH), MALFORMED },
	{ SPAN(DECISION "\"decision\":null" HASH), MALFORMED },
	{ SPAN(DECISION "\"decision\":[\"allow\"]" HASH), MALFORMED },
	{ SPAN(DECISION "\"port\":443" HASH), MALFORMED },
	{ SPAN(DECISION "\"decision\":\"deny\",\"decision\":\"allow\"" HASH),
	  MALFORMED },
	{ SPAN("{\"kind\":\"decision\",\"decision\":\"allow\"" HASH),
	  MALFORMED },
	{ SPAN("{\"kind\":\"decision\",\"host\":1,\"decision\":\"allow\"" HASH),
	  MALFORMED },
	{ SPAN("{\"kind\":\"decision\",\"host\":\"\",\"decision\":\"allow\"" HASH),
	  MALFORMED },
	{ SPAN("{\"host\":\"a.test\",\"decision\":\"allow\"" HASH), MALFORMED },
	{ SPAN("{\"kind\":null,\"host\":\"a\"" HASH), MALFORMED },
	{ SPAN("{\"kind\":7,\"host\":\"a\"" HASH), MALFORMED },
	/* the hash */
	{ SPAN(DECISION "\"decision\":\"allow\"}"), MALFORMED },
	{ SPAN(DECISION "\"decision\":\"allow\",\"hash\":\"\"}"), MALFORMED },
	{ SPAN(DECISION "\"decision\":\"allow\",\"hash\":\"abc\"}"),
	  MALFORMED },
	{ SPAN(DECISION "\"decision\":\"allow\",\"hash\":\"" H64 "0\"}"),
	  MALFORMED },
	{ SPAN(DECISION "\"decision\":\"allow\",\"hash\":7}"), MALFORMED },
	/* the line */
	{ SPAN("null"), MALFORMED },
	{ SPAN("[]"), MALFORMED },
	{ SPAN("[{\"kind\":\"stop\"" HASH "]"), MALFORMED },
	{ SPAN("7"), MALFORMED },
	{ SPAN("\"text\""), MALFORMED },
	{ SPAN("{}"), MALFORMED },
	{ SPAN("{"), MALFORMED },
	{ SPAN("garbage"), MALFORMED },
	{ SPAN("\t"), MALFORMED },
	{ SPAN("\0"), MALFORMED },
	{ SPAN("\xff"), MALFORMED },
	{ SPAN("{\"kind\":\"stop\"" HASH "{\"kind\":\"stop\"" HASH),
	  MALFORMED },
	{ SPAN("{\"kind\":\"stop\"" HASH " x"), MALFORMED },
	{ SPAN("{\"kind\":\"stop\\u0000\"" HASH), MALFORMED },
	{ SPAN(""), NOTHING },
	{ SPAN("      "), NOTHING },
	{ SPAN(DECISION "\"decision\":\"allow\"" HASH), ROW },
	{ SPAN("    " DECISION "\"decision\":\"deny\"" HASH), ROW },
	/* kinds that this reader does not know are rows of that kind */
	{ SPAN("{\"kind\":\"query\",\"type\":\"A\"" HASH), ROW },
	{ SPAN("{\"kind\":\"checkpoint\",\"decision\":\"maybe\"" HASH), ROW },
};

static void audit_read_judges_each_line(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(line_cases); i++) {
		autoscratch struct scratch scratch = scratch_new();
		const char *path =
			scratch_write(&scratch, "log", line_cases[i].line);
		struct audit_log log;
		struct error err;

		assert_int_equal(audit_log_read(path, &log, &err), 0);
		if (log.count != (line_cases[i].outcome == ROW) ||
		    log.malformed != (line_cases[i].outcome == MALFORMED))
			fail_msg("case %zu: %zu rows, %zu malformed", i,
				 log.count, log.malformed);
		audit_log_release(&log);
	}
}

/* One bad line costs that line only. */
static void audit_read_goes_on_behind_bad_lines(void **state)
{
	autoscratch struct scratch scratch = scratch_new();
	cleanup(buf_release) struct buf text = BUF_INIT(1u << 20);
	size_t rows = 0, malformed = 0;
	struct audit_log log;
	struct error err;

	(void)state;
	for (size_t round = 0; round < 10; round++)
		for (size_t i = 0; i < ARRAY_SIZE(line_cases); i++) {
			buf_add(&text, line_cases[i].line);
			buf_add_byte(&text, '\n');
			rows += line_cases[i].outcome == ROW;
			malformed += line_cases[i].outcome == MALFORMED;
		}
	assert_false(buf_failed(&text));
	scratch_write(&scratch, "log", buf_span(&text));
	assert_int_equal(audit_log_read(scratch.path, &log, &err), 0);
	assert_int_equal(log.count, rows);
	assert_int_equal(log.malformed, malformed);
	audit_log_release(&log);
	assert_int_equal(log.count, 0);
	audit_log_release(&log); /* twice is fine */
}

static void audit_read_shows_what_is_there(void **state)
{
	static const char line[] =
		"{\"ts\":1700000000000,\"kind\":\"decision\",\"seq\":7,"
		"\"host\":\"a.test\",\"decision\":\"deny\",\"port\":443,"
		"\"reason\":\"not on allowlist\",\"rule\":\"*.a\","
		"\"via\":\"connect\",\"addr\":\"1.2.3.4\",\"cause\":\"c\","
		"\"policy\":\"p\",\"digest\":\"d\"" HASH "\n";
	autoscratch struct scratch scratch = scratch_new();
	struct audit_log log;
	const struct audit_row *row;
	struct error err;

	(void)state;
	scratch_write(&scratch, "log", span_of(line));
	assert_int_equal(audit_log_read(scratch.path, &log, &err), 0);
	assert_int_equal(log.count, 1);
	row = log.rows;
	assert_string_equal(row->kind, "decision");
	assert_string_equal(row->host, "a.test");
	assert_string_equal(row->decision, "deny");
	assert_string_equal(row->reason, "not on allowlist");
	assert_string_equal(row->rule, "*.a");
	assert_string_equal(row->via, "connect");
	assert_string_equal(row->addr, "1.2.3.4");
	assert_string_equal(row->cause, "c");
	assert_string_equal(row->policy, "p");
	assert_string_equal(row->digest, "d");
	assert_int_equal(row->port, 443);
	assert_true(row->ts == 1700000000000u && row->seq == 7);
	audit_log_release(&log);
}

static void audit_read_coerces_no_number(void **state)
{
	static const char *const ports[] = { "\"443\"", "65536", "-1",
					     "443.0",   "null",  "[443]" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(ports); i++) {
		autoscratch struct scratch scratch = scratch_new();
		char line[300];
		struct audit_log log;
		struct error err;

		snprintf(line, sizeof(line),
			 DECISION
			 "\"decision\":\"deny\",\"port\":%s,\"ts\":\"1\"" HASH,
			 ports[i]);
		scratch_write(&scratch, "log", span_of(line));
		assert_int_equal(audit_log_read(scratch.path, &log, &err), 0);
		assert_int_equal(log.count, 1);
		assert_int_equal(log.rows[0].port, 0);
		assert_true(log.rows[0].ts == 0 && log.rows[0].seq == 0);
		assert_string_equal(log.rows[0].reason, "");
		audit_log_release(&log);
	}
}

static void audit_read_needs_a_file(void **state)
{
	autoscratch struct scratch scratch = scratch_new();
	struct audit_log log;
	struct error err;

	(void)state;
	assert_int_equal(audit_log_read("no/such/log", &log, &err), -1);
	assert_int_equal(err.kind, ERROR_SYSTEM);
	assert_int_equal(log.count, 0);
	scratch_write(&scratch, "log", SPAN(""));
	assert_int_equal(audit_log_read(scratch.path, &log, &err), 0);
	assert_int_equal(log.count, 0);
	audit_log_release(&log);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(audit_read_judges_each_line),
		cmocka_unit_test(audit_read_goes_on_behind_bad_lines),
		cmocka_unit_test(audit_read_shows_what_is_there),
		cmocka_unit_test(audit_read_coerces_no_number),
		cmocka_unit_test(audit_read_needs_a_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
