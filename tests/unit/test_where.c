/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tests/unit/scratch.h"

#include "base/where.h"

static void where_finds_programs_beside_itself(void **state)
{
	struct error err;
	autofree char *self = where_program("test_where", &err);

	(void)state;
	assert_non_null(self);
	assert_int_equal(self[0], '/');
	assert_int_equal(access(self, X_OK), 0);
}

static void where_says_what_is_missing(void **state)
{
	struct error err;

	(void)state;
	assert_null(where_program("no-such-program", &err));
	assert_int_equal(err.kind, ERROR_SYSTEM);
	assert_non_null(strstr(err.text, "'no-such-program'"));
	assert_null(where_data("no-such-data", &err));
	assert_non_null(strstr(err.text, "'no-such-data'"));
}

static void where_data_takes_the_chosen_folder_first(void **state)
{
	autoscratch struct scratch scratch = scratch_new();
	struct error err;
	autofree char *before = getenv("COWORK_BOUNDARY_DATA")
					? strdup(getenv("COWORK_BOUNDARY_DATA"))
					: NULL;
	autofree char *chosen = NULL, *own = NULL;
	const char *path = scratch_write(&scratch, "test_where", SPAN("x"));

	(void)state;
	assert_int_equal(setenv("COWORK_BOUNDARY_DATA", scratch.folder, 1), 0);
	chosen = where_data("test_where", &err);
	assert_non_null(chosen);
	assert_string_equal(chosen, path);
	/* empty counts as not set: then beside the program */
	assert_int_equal(setenv("COWORK_BOUNDARY_DATA", "", 1), 0);
	own = where_data("test_where", &err);
	assert_non_null(own);
	assert_string_not_equal(own, path);
	if (before)
		assert_int_equal(setenv("COWORK_BOUNDARY_DATA", before, 1), 0);
	else
		assert_int_equal(unsetenv("COWORK_BOUNDARY_DATA"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(where_finds_programs_beside_itself),
		cmocka_unit_test(where_says_what_is_missing),
		cmocka_unit_test(where_data_takes_the_chosen_folder_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
