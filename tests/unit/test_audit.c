/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tests/unit/audit_check.h"

#include <errno.h>

#include "base/audit_read.h"

/* ---- records ---- */

static void audit_chains_its_records(void **state)
{
	autoscratch struct scratch scratch = scratch_new();
	const char *path = scratch_path(&scratch, "log");
	autoaudit struct audit *audit = must_open(path);
	struct stat st;

	(void)state;
	assert_null(audit_last(audit));
	for (int i = 0; i < 10; i++)
		must_write(audit, &denial);
	assert_int_equal(check_file(path, 0).records, 10);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
}

/* Each kind carries its members, and no others. */
static const struct {
	enum audit_kind kind;
	const char *has, *has_not; /* names between spaces */
} member_cases[] = {
	{ AUDIT_DECISION,
	  " host decision port method path reason rule origin via addr would "
	  "status client conn session policy incident ",
	  " cause bytes_up bytes_down duration_ms since until refused version "
	  "digest generation last " },
	{ AUDIT_REQUEST, " host port method path rule origin via addr ",
	  " decision reason would cause bytes_up " },
	{ AUDIT_REFUSED, " host port cause client status ",
	  " decision reason would bytes_up " },
	{ AUDIT_ERROR, " host port cause addr ", " decision reason would " },
	{ AUDIT_CLOSE, " host port cause bytes_up bytes_down duration_ms ",
	  " decision reason origin would since " },
	{ AUDIT_GAP, " since until refused cause ", " host decision port " },
	{ AUDIT_START, " version digest generation last session ",
	  " host decision cause " },
	{ AUDIT_STOP, " cause ", " host decision version " },
};

static const struct audit_event everything = {
	.host = "h",
	.decision = "deny",
	.port = 1,
	.method = "GET",
	.path = { "/", 1 },
	.reason = "r",
	.rule = "r",
	.origin = "o",
	.via = "http",
	.addr = "1.2.3.4",
	.client = "c",
	.session = "s",
	.policy = "p",
	.would = "deny",
	.incident = "i",
	.cause = "c",
	.status = 403,
	.conn = 9,
	.version = "1",
	.digest = "d",
	.last = "l",
};

static void expect_members(const char *line, const char *names, bool present)
{
	char name[32], quoted[40];
	int used;

	while (sscanf(names, " %31s%n", name, &used) == 1) {
		snprintf(quoted, sizeof(quoted), ",\"%s\":", name);
		if ((strstr(line, quoted) != NULL) != present)
			fail_msg("'%s' in %s", name, line);
		names += used;
	}
}

static void audit_kinds_carry_their_members(void **state)
{
	(void)state;
	assert_int_equal(ARRAY_SIZE(member_cases), AUDIT_NKINDS);
	for (size_t i = 0; i < ARRAY_SIZE(member_cases); i++) {
		autoscratch struct scratch scratch = scratch_new();
		const char *path = scratch_path(&scratch, "log");
		autoaudit struct audit *audit = must_open(path);
		struct audit_event event = everything;
		autofree char *text = NULL;
		char kind[40];
		size_t size;

		event.kind = member_cases[i].kind;
		must_write(audit, &event);
		text = must_read(path, &size);
		snprintf(kind, sizeof(kind), "\"kind\":\"%s\"",
			 audit_kind_name(event.kind));
		assert_non_null(strstr(text, kind));
		assert_memory_equal(text, "{\"ts\":", 6);
		expect_members(text, member_cases[i].has, true);
		expect_members(text, member_cases[i].has_not, false);
	}
}

static void audit_leaves_absent_members_out(void **state)
{
	autoscratch struct scratch scratch = scratch_new();
	const char *path = scratch_path(&scratch, "log");
	autoaudit struct audit *audit = must_open(path);
	const struct audit_event event = { .kind = AUDIT_DECISION };
	autofree char *text = NULL;
	size_t size;

	(void)state;
	must_write(audit, &event);
	text = must_read(path, &size);
	expect_members(text, member_cases[0].has, false);
}

/* Records of every size, thousands of them: none crosses a page. */
static void audit_records_never_cross_a_page(void **state)
{
	autoscratch struct scratch scratch = scratch_new();
	const char *path = scratch_path(&scratch, "log");
	autoaudit struct audit *audit = must_open(path);
	char filler[1000];
	struct audit_event event = denial;

	(void)state;
	memset(filler, 'x', sizeof(filler));
	for (unsigned i = 0; i < 6000; i++) {
		event.path = (struct span){ filler, i * 7919 % 511 };
		event.rule = i % 3 ? "*.wild.test" : NULL;
		must_write(audit, &event);
	}
	assert_int_equal(check_file(path, 0).records, 6000);
}

/* ---- hostile values ---- */

static const struct span forgeries[] = {
	SPAN("x\",\"decision\":\"allow"),
	SPAN("x\"}\n{\"ts\":1,\"kind\":\"decision\",\"host\":\"ok.test\","
	     "\"decision\":\"allow\"}\n"),
	SPAN("x\r\n{\"ts\":"),
	SPAN("x\\"),
	SPAN("x\\\",\"decision\":\"allow"),
	SPAN("\x1b[2K\x1b[1A"),
	SPAN("x\xe2\x80\xa8y\xc2\x85z"),
	SPAN("x,\"hash\":\"0\""),
};

static void audit_values_forge_nothing(void **state)
{
	autoscratch struct scratch scratch = scratch_new();
	const char *path = scratch_path(&scratch, "log");
	autoaudit struct audit *audit = must_open(path);
	struct audit_log log;
	struct error err;
	size_t size;
	autofree char *text = NULL;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(forgeries); i++) {
		struct audit_event event = denial;

		event.host = forgeries[i].data;
		event.path = forgeries[i];
		event.method = forgeries[i].data;
		must_write(audit, &event);
	}
	assert_int_equal(audit_log_read(path, &log, &err), 0);
	assert_int_equal(log.count, ARRAY_SIZE(forgeries));
	assert_int_equal(log.malformed, 0);
	for (size_t i = 0; i < log.count; i++) {
		assert_string_equal(log.rows[i].decision, "deny");
		assert_string_equal(log.rows[i].host, forgeries[i].data);
	}
	audit_log_release(&log);
	text = must_read(path, &size);
	for (size_t i = 0; i < size; i++)
		assert_true(text[i] == '\n' ||
			    (text[i] >= ' ' && text[i] < 127));
	assert_int_equal(check_file(path, 0).records, ARRAY_SIZE(forgeries));
}

static void audit_cuts_long_values(void **state)
{
	autoscratch struct scratch scratch = scratch_new();
	const char *path = scratch_path(&scratch, "log");
	autoaudit struct audit *audit = must_open(path);
	struct audit_event event = denial;
	char value[10000];
	struct json_row *row;
	autofree char *text = NULL;
	size_t size;
	const char *method;

	(void)state;
	memset(value, 'm', sizeof(value) - 1);
	value[sizeof(value) - 1] = '\0';
	event.method = value;
	must_write(audit, &event);
	text = must_read(path, &size);
	row = json_row_parse((struct span){ text, size });
	assert_non_null(row);
	method = json_row_text(row, "method");
	assert_int_equal(strlen(method), AUDIT_VALUE_MAX);
	assert_string_equal(method + AUDIT_VALUE_MAX - 3, "...");
	assert_string_equal(json_row_text(row, "host"), "bad.test");
	json_row_free(row);
}

/* Every text of an event set to the same bytes. */
static struct audit_event flood_of(const char *text)
{
	return (struct audit_event){
		.kind = AUDIT_DECISION,
		.host = text,
		.decision = "deny",
		.port = 65535,
		.method = text,
		.path = span_of(text),
		.reason = text,
		.rule = text,
		.origin = text,
		.via = text,
		.addr = text,
		.client = text,
		.session = text,
		.policy = text,
		.would = text,
		.incident = text,
		.cause = text,
		.status = 999,
		.conn = UINT64_MAX,
		.version = text,
		.digest = text,
		.last = text,
		.bytes_up = UINT64_MAX,
		.bytes_down = UINT64_MAX,
		.duration_ms = UINT64_MAX,
		.since = UINT64_MAX,
		.until = UINT64_MAX,
		.refused = UINT64_MAX,
		.generation = UINT64_MAX,
	};
}

/* Whatever the values are, the record is written: no way out unseen. */
static void audit_writes_whatever_the_values(void **state)
{
	static const char *const fillers[] = { "x",
					       "\1",
					       "\"",
					       "\xff",
					       "\xc2\x9b",
					       "\xc3\xbc",
					       "\xf0\x9f\x98\x80" };
	autoscratch struct scratch scratch = scratch_new();
	const char *path = scratch_path(&scratch, "log");
	autoaudit struct audit *audit = must_open(path);
	size_t written = 0;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(fillers); i++)
		for (size_t n = 1; n <= 4096; n *= 2) {
			char value[4 * 4096 + 1] = "";
			struct audit_event event;

			for (size_t k = 0; k < n; k++)
				memcpy(value + k * strlen(fillers[i]),
				       fillers[i], strlen(fillers[i]));
			event = flood_of(value);
			for (int kind = 0; kind < AUDIT_NKINDS; kind++) {
				event.kind = (enum audit_kind)kind;
				must_write(audit, &event);
				written++;
			}
		}
	assert_int_equal(check_file(path, 0).records, written);
}

/* ---- the file ---- */

static void audit_restart_begins_a_chain_and_names_the_last(void **state)
{
	autoscratch struct scratch scratch = scratch_new();
	const char *path = scratch_path(&scratch, "log");
	struct audit *audit = must_open(path);
	struct checked before;

	(void)state;
	for (int i = 0; i < 100; i++)
		must_write(audit, &denial);
	audit_close(audit);
	before = check_file(path, 0);
	audit = must_open(path);
	assert_string_equal(audit_last(audit), before.hash);
	must_write(audit, &denial);
	audit_close(audit);
	assert_int_equal(check_file(path, 0).records, 101);
	audit_close(NULL);
}

static const struct {
	const char *what;
	struct span tail;
	size_t torn;
} torn_cases[] = {
	{ "half a record", SPAN("{\"ts\":1,\"v\":1,\"kind\":\"deci"), 1 },
	{ "padding", SPAN("      "), 0 },
	{ "a blank line", SPAN("\n"), 0 },
	{ "a torn line, closed", SPAN("{\"ts\":1,\n"), 1 },
};

static void audit_closes_a_torn_line(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(torn_cases); i++) {
		autoscratch struct scratch scratch = scratch_new();
		const char *path = scratch_path(&scratch, "log");
		struct audit *audit = must_open(path);
		struct checked before;
		FILE *file;

		must_write(audit, &denial);
		must_write(audit, &denial);
		audit_close(audit);
		before = check_file(path, 0);
		file = fopen(path, "a");
		assert_non_null(file);
		fwrite(torn_cases[i].tail.data, 1, torn_cases[i].tail.size,
		       file);
		fclose(file);
		audit = must_open(path);
		assert_string_equal(audit_last(audit), before.hash);
		must_write(audit, &denial);
		must_write(audit, &denial);
		audit_close(audit);
		assert_int_equal(check_file(path, torn_cases[i].torn).records,
				 4);
	}
}

static void audit_last_needs_a_hash(void **state)
{
	static const struct span cases[] = {
		SPAN(""),
		SPAN("\n\n\n"),
		SPAN("garbage\n"),
		SPAN("{\"ts\":1}\n"),
		SPAN("{\"hash\":\"abc\"}\n"),
		SPAN("[]\nnull\n"),
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		autoscratch struct scratch scratch = scratch_new();
		autoaudit struct audit *audit =
			must_open(scratch_write(&scratch, "log", cases[i]));

		assert_null(audit_last(audit));
	}
}

static void audit_refuses_what_is_no_file(void **state)
{
	autoscratch struct scratch scratch = scratch_new();
	struct error err;

	(void)state;
	assert_null(audit_open(scratch.folder, &err));
	assert_null(audit_open("/dev/null", &err));
	assert_int_equal(err.kind, ERROR_INPUT);
	assert_null(audit_open("no/such/folder/log", &err));
	assert_int_equal(err.number, ENOENT);
	assert_int_equal(mkfifo(scratch_path(&scratch, "fifo"), 0600), 0);
	assert_null(audit_open(scratch.path, &err));
	assert_int_equal(err.kind, ERROR_INPUT);
	scratch_write(&scratch, "target", SPAN(""));
	assert_int_equal(symlink("target", scratch_path(&scratch, "link")), 0);
	assert_null(audit_open(scratch.path, &err));
	assert_int_equal(err.number, ELOOP);
}

static void audit_incidents_are_unique(void **state)
{
	autoscratch struct scratch scratch = scratch_new();
	autoaudit struct audit *audit =
		must_open(scratch_path(&scratch, "log"));
	char seen[500][AUDIT_INCIDENT_MAX];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(seen); i++) {
		audit_incident(audit, seen[i]);
		assert_int_equal(strlen(seen[i]), 18);
		assert_int_equal(strspn(seen[i] + 2, "0123456789abcdef"), 16);
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(seen[i], seen[k]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(audit_chains_its_records),
		cmocka_unit_test(audit_kinds_carry_their_members),
		cmocka_unit_test(audit_leaves_absent_members_out),
		cmocka_unit_test(audit_records_never_cross_a_page),
		cmocka_unit_test(audit_values_forge_nothing),
		cmocka_unit_test(audit_cuts_long_values),
		cmocka_unit_test(audit_writes_whatever_the_values),
		cmocka_unit_test(
			audit_restart_begins_a_chain_and_names_the_last),
		cmocka_unit_test(audit_closes_a_torn_line),
		cmocka_unit_test(audit_last_needs_a_hash),
		cmocka_unit_test(audit_refuses_what_is_no_file),
		cmocka_unit_test(audit_incidents_are_unique),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
