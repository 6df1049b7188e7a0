/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each operation is run again and again, and each time one allocation later
 * fails: it must report an error, and leak or break nothing. The linker sends
 * our allocations here (--wrap); those of other libraries go on as they are. */
#include "config.h"

#include "tests/unit/scratch.h"

#include <errno.h>
#include <stdarg.h>

#include "base/audit.h"
#include "base/audit_read.h"
#include "base/json.h"
#include "base/where.h"
#include "base/yaml.h"
#include "policy/policy.h"

static long until_failure = -1; /* allocations that still succeed; -1: all */

static bool fails(void)
{
	if (until_failure < 0 || until_failure-- > 0)
		return false;
	until_failure = -1; /* one failure a run */
	errno = ENOMEM;
	return true;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_reallocarray(void *old, size_t count, size_t size);
char *__real_strdup(const char *text);
char *__real_strndup(const char *text, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_reallocarray(void *old, size_t count, size_t size);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t size);
PRINTF_LIKE(2, 3) int __wrap_asprintf(char **out, const char *fmt, ...);
/* what asprintf becomes where the C library checks formats */
PRINTF_LIKE(3, 4)
int __wrap___asprintf_chk(char **out, int flag, const char *fmt, ...);

void *__wrap_malloc(size_t size)
{
	return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
	return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
	return fails() ? NULL : __real_realloc(old, size);
}

void *__wrap_reallocarray(void *old, size_t count, size_t size)
{
	return fails() ? NULL : __real_reallocarray(old, count, size);
}

char *__wrap_strdup(const char *text)
{
	return fails() ? NULL : __real_strdup(text);
}

char *__wrap_strndup(const char *text, size_t size)
{
	return fails() ? NULL : __real_strndup(text, size);
}

int __wrap_asprintf(char **out, const char *fmt, ...)
{
	va_list ap;
	int n;

	if (fails())
		return -1;
	va_start(ap, fmt);
	n = vasprintf(out, fmt, ap);
	va_end(ap);
	return n;
}

int __wrap___asprintf_chk(char **out, int flag, const char *fmt, ...)
{
	va_list ap;
	int n;

	(void)flag;
	if (fails())
		return -1;
	va_start(ap, fmt);
	n = vasprintf(out, fmt, ap);
	va_end(ap);
	return n;
}

/* ---- the operations: 0, or -1 with an error ---- */

static int build_policy(struct error *err)
{
	static const char *const entries[] = { "a.test",     "*.b.test",
					       "*",          "*:22",
					       "10.0.0.0/8", "a.test:22" };
	struct policy *policy = policy_new(err);
	char hex[DIGEST_HEX + 1];
	int result = policy ? 0 : -1;
	unsigned column;

	for (size_t i = 0; result == 0 && i < 20; i++)
		result = policy_allow(policy, entries[i % ARRAY_SIZE(entries)],
				      "here", &column, err);
	if (result == 0)
		result = policy_deny(policy, "c.test", "here", &column, err);
	for (size_t i = 0; result == 0 && i < 10; i++)
		result = policy_permit(policy, "10.0.0.0/8", err);
	if (result == 0)
		result = policy_digest(policy, hex, err);
	policy_free(policy);
	return result;
}

static int load_yaml(struct error *err)
{
	static const char text[] =
		"a: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]\n"
		"b: {c: 1, d: 2, e: 3, f: 4, g: 5, h: 6, i: 7, j: 8, k: 9}\n"
		"l: ~\n";
	struct yaml_doc *doc = yaml_load_text("f", span_of(text), err);

	yaml_doc_free(doc);
	return doc ? 0 : -1;
}

static int load_nothing(struct error *err)
{
	struct yaml_doc *doc = yaml_load_text("f", SPAN(""), err);

	yaml_doc_free(doc);
	return doc ? 0 : -1;
}

static int read_yaml(struct error *err)
{
	const struct yaml_field field = { "name", yaml_read_text, 0,
					  .required = true };
	struct yaml_doc *doc = yaml_load_text("f", SPAN("name: x\n"), err);
	char *name = NULL;
	int result = -1;

	if (doc)
		result = yaml_read_map(yaml_root(doc), &field, 1, &name, err);
	yaml_doc_free(doc);
	free(name);
	return result;
}

static char log_path[128];

static int write_audit(struct error *err)
{
	const struct audit_event event = { .kind = AUDIT_STOP, .cause = "x" };
	struct audit *audit = audit_open(log_path, err);
	int result = audit ? audit_write(audit, &event, err) : -1;

	audit_close(audit);
	return result;
}

static int read_audit(struct error *err)
{
	struct audit_log log;
	int result = audit_log_read(log_path, &log, err);

	/* a line without memory to parse it counts as malformed */
	if (result == 0 && log.malformed)
		result = error_set(err, "malformed");
	if (result == 0 && log.count < 1)
		fail_msg("no rows");
	audit_log_release(&log);
	return result;
}

static int find_data(struct error *err)
{
	char *path = where_data("test_memory", err);

	free(path);
	return path ? 0 : -1;
}

static int find_program(struct error *err)
{
	char *path = where_program("test_memory", err);

	free(path);
	return path ? 0 : -1;
}

static int parse_name(struct error *err)
{
	struct hostname host;

	if (hostname_parse_written(SPAN("b\xc3\xbc"
					"cher.test"),
				   &host) != HOSTNAME_OK)
		return error_set(err, "no name");
	return 0;
}

static const struct {
	const char *name;
	int (*run)(struct error *err);
	bool may_recover; /* goes on with less, or looks elsewhere */
} operations[] = {
	{ "build_policy", build_policy, false },
	{ "load_yaml", load_yaml, false },
	{ "load_nothing", load_nothing, false },
	{ "read_yaml", read_yaml, false },
	{ "write_audit", write_audit, true },
	{ "read_audit", read_audit, false },
	{ "find_data", find_data, true },
	{ "find_program", find_program, true },
	{ "parse_name", parse_name, false },
};

static void every_lack_of_memory_is_an_error(void **state)
{
	autoscratch struct scratch scratch = scratch_new();

	(void)state;
	snprintf(log_path, sizeof(log_path), "%s",
		 scratch_path(&scratch, "log"));
	for (size_t i = 0; i < ARRAY_SIZE(operations); i++)
		for (long good = 0;; good++) {
			struct error err = { 0 };
			int result;
			bool failed;

			until_failure = good;
			result = operations[i].run(&err);
			failed = until_failure < 0;
			until_failure = -1;
			if (!failed) {
				assert_int_equal(result, 0);
				assert_int_not_equal(good, 0);
				break;
			}
			if (result == 0 && !operations[i].may_recover)
				fail_msg("%s hid a failure at %ld",
					 operations[i].name, good);
			if (result < 0 && !err.text[0])
				fail_msg("%s said nothing at %ld",
					 operations[i].name, good);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_lack_of_memory_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
