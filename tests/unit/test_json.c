/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tests/unit/scratch.h"

#include "base/json.h"

static const struct {
	struct span text;
	const char *where; /* the place, NULL: accepted */
} file_cases[] = {
	{ SPAN(""), ":1:0" },
	{ SPAN("{"), ":1:1" },
	{ SPAN("{\"a\":1,\"a\":2}"), ":1:10" },
	{ SPAN("{\n\"a\":\n}"), ":3:1" },
	{ SPAN("{} x"), ":1:4" },
	{ SPAN("{}{}"), ":1:3" },
	{ SPAN("{\"a\":\"\\u0000\"}"), ":1:13" },
	{ SPAN("{\"a\":\"\xff\"}"), ":1:6" },
	{ SPAN("{\"a\":'b'}"), ":1:6" },
	{ SPAN("{\"a\":1,}"), ":1:8" },
	{ SPAN("{\"a\":01}"), ":1:6" },
	{ SPAN("{\"a\":99999999999999999999}"), ":1:25" },
	{ SPAN("1"), ":1:1" },
	{ SPAN("null"), ":1:4" },
	{ SPAN("{\"a\":\"x\0\"}"), ":1:7" },
	{ SPAN("{}"), NULL },
	{ SPAN("[1]\n"), NULL },
	{ SPAN("{\"a\":{\"a\":\"\xc3\xbc\"}}"), NULL },
};

static void json_files_are_strict(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(file_cases); i++) {
		autoscratch struct scratch scratch = scratch_new();
		const char *path =
			scratch_write(&scratch, "f", file_cases[i].text);
		cleanup(json_cleanup) json_t *json = NULL;
		struct error err = { 0 };
		char where[200];

		json = json_read_file(path, &err);
		if ((json != NULL) != (file_cases[i].where == NULL))
			fail_msg("case %zu was %s", i,
				 json ? "accepted" : "refused");
		if (json)
			continue;
		assert_int_equal(err.kind, ERROR_INPUT);
		snprintf(where, sizeof(where), "%s%s", path,
			 file_cases[i].where);
		assert_string_equal(err.where, where);
	}
}

static void json_read_file_reports_io(void **state)
{
	struct error err;

	(void)state;
	assert_null(json_read_file("no/such/file", &err));
	assert_int_equal(err.kind, ERROR_SYSTEM);
}

static void json_depth_is_bounded(void **state)
{
	char deep[20000];
	struct span line = { deep, sizeof(deep) };

	(void)state;
	memset(deep, '[', sizeof(deep));
	assert_null(json_row_parse(line));
	for (size_t i = 0; i + 5 <= sizeof(deep); i += 5)
		memcpy(deep + i, "{\"a\":", 5);
	assert_null(json_row_parse(line));
}

static const struct span row_refusals[] = {
	SPAN(""),
	SPAN("{"),
	SPAN("[]"),
	SPAN("\"a\""),
	SPAN("1"),
	SPAN("null"),
	SPAN("true"),
	SPAN("{\"a\":1}x"),
	SPAN("{\"a\":1,\"a\":1}"),
	SPAN("{\"a\":\"\\u0000\"}"),
};

static void json_row_is_an_object(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(row_refusals); i++)
		if (json_row_parse(row_refusals[i]))
			fail_msg("case %zu was accepted", i);
	assert_null(json_row_parse((struct span){ 0 }));
	json_row_free(NULL);
}

static void json_row_coerces_nothing(void **state)
{
	static const char line[] =
		"  {\"text\":\"x\",\"number\":7,\"zero\":0,\"minus\":-1,"
		"\"real\":1.0,\"null\":null,\"list\":[\"x\"],\"map\":{},"
		"\"true\":true,\"digits\":\"7\",\"max\":9223372036854775807}";
	static const char *const no_text[] = { "number", "null", "list",  "map",
					       "true",   "real", "absent" };
	static const char *const no_number[] = { "text", "minus",  "real",
						 "null", "list",   "map",
						 "true", "digits", "absent" };
	struct json_row *row = json_row_parse(span_of(line));
	uint64_t number = 5;

	(void)state;
	assert_non_null(row);
	assert_string_equal(json_row_text(row, "text"), "x");
	for (size_t i = 0; i < ARRAY_SIZE(no_text); i++)
		assert_string_equal(json_row_text(row, no_text[i]), "");
	for (size_t i = 0; i < ARRAY_SIZE(no_number); i++)
		assert_false(json_row_u64(row, no_number[i], &number));
	assert_int_equal(number, 5);
	assert_true(json_row_u64(row, "number", &number));
	assert_int_equal(number, 7);
	assert_true(json_row_u64(row, "zero", &number));
	assert_int_equal(number, 0);
	assert_true(json_row_u64(row, "max", &number));
	assert_true(number == INT64_MAX);
	json_row_free(row);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(json_files_are_strict),
		cmocka_unit_test(json_read_file_reports_io),
		cmocka_unit_test(json_depth_is_bounded),
		cmocka_unit_test(json_row_is_an_object),
		cmocka_unit_test(json_row_coerces_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
