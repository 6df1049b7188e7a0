/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tests/unit/scratch.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>

#include "base/audit.h"
#include "base/audit_read.h"
#include "base/fd.h"
#include "base/json.h"

static void audit_cleanup(struct audit **audit)
{
	audit_close(*audit);
}

#define autoaudit cleanup(audit_cleanup)

static struct audit *must_open(const char *path)
{
	struct error err;
	struct audit *audit = audit_open(path, &err);

	if (!audit)
		fail_msg("%s", err.text);
	return audit;
}

static void must_write(struct audit *audit, const struct audit_event *event)
{
	struct error err;

	if (audit_write(audit, event, &err) < 0)
		fail_msg("%s", err.text);
}

static const struct audit_event denial = {
	.kind = AUDIT_DECISION,
	.host = "bad.test",
	.decision = "deny",
	.port = 443,
	.reason = "not on allowlist",
};

static char *must_read(const char *path, size_t *size)
{
	struct error err;
	char *text = fd_read_file(path, 1u << 28, size, &err);

	if (!text)
		fail_msg("%s", err.text);
	return text;
}

/* What a verifier does, written once more and plainly. */
struct checked {
	size_t records;    /* whole ones, of all chains */
	uint64_t last_seq; /* of the last chain */
	char chain[64], hash[DIGEST_HEX + 1];
};

static void check_record(struct span line, struct checked *c)
{
	static const char mark[] = ",\"hash\":\"";
	const char *at = memmem(line.data, line.size, mark, sizeof(mark) - 1);
	char zeros[DIGEST_HEX + 1], hash[DIGEST_HEX + 1];
	struct json_row *row = json_row_parse(line);
	uint64_t seq = 0, version = 0;
	bool new_chain;

	assert_non_null(row);
	assert_non_null(at);
	memset(zeros, '0', DIGEST_HEX);
	zeros[DIGEST_HEX] = '\0';
	digest_hex(span_head(line, (size_t)(at - line.data)), hash);
	assert_string_equal(json_row_text(row, "hash"), hash);
	assert_true(json_row_u64(row, "seq", &seq));
	assert_true(json_row_u64(row, "v", &version) && version == 1);
	new_chain = strcmp(json_row_text(row, "chain"), c->chain) != 0;
	assert_string_equal(json_row_text(row, "prev"),
			    new_chain ? zeros : c->hash);
	assert_int_equal(seq, new_chain ? 1 : c->last_seq + 1);
	c->last_seq = seq;
	snprintf(c->chain, sizeof(c->chain), "%s", json_row_text(row, "chain"));
	memcpy(c->hash, hash, sizeof(c->hash));
	c->records++;
	json_row_free(row);
}

/* Every line of the file but "torn" ones is a record in its chain and page. */
static struct checked check_file(const char *path, size_t torn)
{
	struct checked c = { 0 };
	size_t size, at = 0;
	autofree char *text = must_read(path, &size);

	while (at < size) {
		struct span line = {
			text + at,
			span_find((struct span){ text + at, size - at }, '\n')
		};
		size_t pad = strspn(line.data, " ");

		assert_true(at + line.size < size); /* ends in a newline */
		assert_in_range(line.size - pad, 0, AUDIT_RECORD_MAX - 1);
		if (line.size > pad && line.data[line.size - 1] != '}') {
			assert_int_not_equal(torn--, 0);
		} else if (line.size > pad) {
			assert_int_equal((at + pad) / 4096,
					 (at + line.size) / 4096);
			check_record(line, &c);
		}
		at += line.size + 1;
	}
	assert_int_equal(torn, 0);
	return c;
}

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

/* ---- no room ---- */

static void set_room(rlim_t bytes)
{
	struct rlimit limit;

	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* Every size of the last write, from one byte to almost all of a record. */
static void audit_says_what_it_could_not_write(void **state)
{
	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	for (rlim_t room = 20000; room < 20700; room += 13) {
		autoscratch struct scratch scratch = scratch_new();
		const char *path = scratch_path(&scratch, "log");
		autoaudit struct audit *audit = must_open(path);
		struct audit_log log;
		struct error err;
		size_t written = 0, torn;

		set_room(room);
		while (audit_write(audit, &denial, &err) == 0)
			written++;
		assert_int_equal(audit_write(audit, &denial, &err), -1);
		assert_int_equal(audit_write(audit, &denial, &err), -1);
		set_room(RLIM_INFINITY);
		must_write(audit, &denial);
		must_write(audit, &denial);
		assert_int_equal(audit_log_read(path, &log, &err), 0);
		torn = log.malformed;
		assert_in_range(torn, 0, 1);
		assert_int_equal(log.count, written + 3);
		assert_string_equal(log.rows[written].kind, "gap");
		assert_non_null(strstr(log.rows[written].cause,
				       "cannot write the audit log"));
		audit_log_release(&log);
		assert_int_equal(check_file(path, torn).records, written + 3);
	}
}

static void audit_counts_what_it_refused(void **state)
{
	autoscratch struct scratch scratch = scratch_new();
	const char *path = scratch_path(&scratch, "log");
	autoaudit struct audit *audit = must_open(path);
	autofree char *text = NULL;
	struct error err;
	size_t size;

	(void)state;
	must_write(audit, &denial);
	set_room(0);
	for (int i = 0; i < 7; i++)
		assert_int_equal(audit_write(audit, &denial, &err), -1);
	assert_int_equal(err.number, EFBIG);
	set_room(RLIM_INFINITY);
	must_write(audit, &denial);
	text = must_read(path, &size);
	assert_non_null(strstr(text, "\"refused\":7"));
	assert_int_equal(check_file(path, 0).records, 3);
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
		cmocka_unit_test(
			audit_restart_begins_a_chain_and_names_the_last),
		cmocka_unit_test(audit_closes_a_torn_line),
		cmocka_unit_test(audit_last_needs_a_hash),
		cmocka_unit_test(audit_refuses_what_is_no_file),
		cmocka_unit_test(audit_says_what_it_could_not_write),
		cmocka_unit_test(audit_counts_what_it_refused),
		cmocka_unit_test(audit_incidents_are_unique),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
