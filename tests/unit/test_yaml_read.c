/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tests/unit/unit.h"

#include <stdlib.h>

#include "base/cleanup.h"
#include "base/yaml.h"

static const char *const colours[] = { "red", "green", "blue", NULL };

struct settings {
	bool on;
	uint64_t count, free;
	char *name;
	int colour;
};

static const struct yaml_field fields[] = {
	{ "on", yaml_read_bool, offsetof(struct settings, on),
	  .required = false },
	{ "max_count", yaml_read_u64, offsetof(struct settings, count),
	  .min = 2, .max = 10 },
	{ "free", yaml_read_u64, offsetof(struct settings, free), .min = 0 },
	{ "name", yaml_read_text, offsetof(struct settings, name),
	  .required = true },
	{ "colour", yaml_read_choice, offsetof(struct settings, colour),
	  .more = colours },
	{ "later", yaml_read_not_built, .offset = 0 },
	{ "elsewhere", yaml_read_nothing, .offset = 0 },
};

/* Reads into *out; the error's place and text as one line, or "". */
static void read_text(const char *text, struct settings *out, struct error *err)
{
	struct yaml_doc *doc = yaml_load_text("f", span_of(text), err);
	int result;

	*out = (struct settings){ 0 };
	if (!doc)
		fail_msg("%s: %s", err->where, err->text);
	memset(err, 0, sizeof(*err));
	result = yaml_read_map(yaml_root(doc), fields, ARRAY_SIZE(fields), out,
			       err);
	assert_int_equal(result, err->text[0] ? -1 : 0);
	yaml_doc_free(doc);
}

static const struct {
	const char *text, *where, *says;
} bad_cases[] = {
	{ "[a]", "f:1:1", "expected keys and values here" },
	{ "a", "f:1:1", "expected keys and values here" },
	{ "", "f:1:1", "key 'name' is missing" },
	{ "on: true\n", "f:1:1", "key 'name' is missing" },
	{ "nam: x\n", "f:1:1", "unknown key 'nam' (did you mean 'name'?)" },
	{ "name: x\nmax_cuont: 3\n", "f:2:1",
	  "unknown key 'max_cuont' (did you mean 'max_count'?)" },
	{ "name: x\nzzz: 3\n", "f:2:1", "unknown key 'zzz'" },
	{ "name: x\nName: y\n", "f:2:1",
	  "unknown key 'Name' (did you mean 'name'?)" },
	{ "name: x\n<<: {on: true}\n", "f:2:1", "unknown key '<<'" },
	{ "name: x\nlater: 1\n", "f:2:1",
	  "key 'later' is not built in this version" },
	{ "name:\n", "f:1:6", "'name' is a text that is not empty" },
	{ "name: ''\n", "f:1:7", "'name' is a text that is not empty" },
	{ "name: ~\n", "f:1:7", "'name' is a text that is not empty" },
	{ "name: [x]\n", "f:1:7", "'name' is a text that is not empty" },
	{ "on: yes\n", "f:1:5", "'on' is true or false" },
	{ "on: 'true'\n", "f:1:5", "'on' is true or false" },
	{ "on: True\n", "f:1:5", "'on' is true or false" },
	{ "on: 1\n", "f:1:5", "'on' is true or false" },
	{ "on:\n", "f:1:4", "'on' is true or false" },
	{ "on: [true]\n", "f:1:5", "'on' is true or false" },
	{ "max_count: 1\n", "f:1:12",
	  "'max_count' is a whole number from 2 to 10" },
	{ "max_count: 11\n", "f:1:12", "from 2 to 10" },
	{ "max_count: -3\n", "f:1:12", "from 2 to 10" },
	{ "max_count: +3\n", "f:1:12", "from 2 to 10" },
	{ "max_count: 03\n", "f:1:12", "from 2 to 10" },
	{ "max_count: 0x3\n", "f:1:12", "from 2 to 10" },
	{ "max_count: 3.0\n", "f:1:12", "from 2 to 10" },
	{ "max_count: 3k\n", "f:1:12", "from 2 to 10" },
	{ "max_count: '3'\n", "f:1:12", "from 2 to 10" },
	{ "max_count:\n", "f:1:11", "from 2 to 10" },
	{ "max_count: {}\n", "f:1:12", "from 2 to 10" },
	{ "max_count: 18446744073709551619\n", "f:1:12", "from 2 to 10" },
	{ "free: 18446744073709551616\n", "f:1:7",
	  "from 0 to 18446744073709551615" },
	{ "colour: Red\n", "f:1:9", "'colour' is one of: red, green, blue" },
	{ "colour: ''\n", "f:1:9", "'colour' is one of: red, green, blue" },
	{ "colour: [red]\n", "f:1:9", "'colour' is one of" },
};

static void yaml_read_refuses_and_points(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad_cases); i++) {
		struct settings settings;
		struct error err;

		read_text(bad_cases[i].text, &settings, &err);
		free(settings.name);
		if (!strstr(err.text, bad_cases[i].says) ||
		    strcmp(err.where, bad_cases[i].where) != 0)
			fail_msg("case %zu: %s: '%s'", i, err.where, err.text);
	}
}

static void yaml_read_fills_by_the_table(void **state)
{
	struct settings settings;
	struct error err;

	(void)state;
	read_text("on: true\nmax_count: 10\nfree: 18446744073709551615\n"
		  "name: 'x y'\ncolour: blue\nelsewhere: [any, {thing: 1}]\n",
		  &settings, &err);
	assert_string_equal(err.text, "");
	assert_true(settings.on);
	assert_int_equal(settings.count, 10);
	assert_true(settings.free == UINT64_MAX);
	assert_string_equal(settings.name, "x y");
	assert_int_equal(settings.colour, 2);
	free(settings.name);
	read_text("on: false\nname: 0\nfree: 0\n", &settings, &err);
	assert_string_equal(err.text, "");
	assert_false(settings.on);
	assert_string_equal(settings.name, "0");
	free(settings.name);
}

static void yaml_read_text_replaces_a_default(void **state)
{
	struct yaml_doc *doc;
	char *name = strdup("default");
	struct error err;

	(void)state;
	doc = yaml_load_text("f", SPAN("x"), &err);
	assert_non_null(doc);
	assert_int_equal(
		yaml_read_text(&fields[3], yaml_root(doc), &name, &err), 0);
	assert_string_equal(name, "x");
	free(name);
	assert_int_equal(yaml_read_not_built(&fields[5], yaml_root(doc), NULL,
					     &err),
			 -1);
	yaml_doc_free(doc);
}

/* The message of every choice stays whole, or is cut, never overruns. */
static void yaml_read_choice_bounds_its_list(void **state)
{
	const char *many[41];
	const struct yaml_field field = { "k", yaml_read_choice, 0,
					  .more = many };
	struct yaml_doc *doc;
	struct error err;
	int chosen = -1;

	(void)state;
	for (int i = 0; i < 40; i++)
		many[i] = "a-choice-with-a-name";
	many[40] = NULL;
	doc = yaml_load_text("f", SPAN("x"), &err);
	assert_non_null(doc);
	assert_int_equal(
		yaml_read_choice(&field, yaml_root(doc), &chosen, &err), -1);
	assert_int_equal(chosen, -1);
	yaml_doc_free(doc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(yaml_read_refuses_and_points),
		cmocka_unit_test(yaml_read_fills_by_the_table),
		cmocka_unit_test(yaml_read_text_replaces_a_default),
		cmocka_unit_test(yaml_read_choice_bounds_its_list),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
