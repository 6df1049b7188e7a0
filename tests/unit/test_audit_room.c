/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tests/unit/audit_check.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>

#include "base/audit_read.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(audit_says_what_it_could_not_write),
		cmocka_unit_test(audit_counts_what_it_refused),
	};

	signal(SIGXFSZ, SIG_IGN);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
