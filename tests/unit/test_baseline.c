/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fd.h"

#include "baselines/baseline.h"

static const char *srcdir(void)
{
	const char *dir = getenv("srcdir");

	return dir ? dir : ".";
}

/* Where the shelf is: the shipped files, or the fixtures. */
static void shelf_is(const char *below)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s%s", srcdir(), below);
	assert_int_equal(setenv("COWORK_BOUNDARY_DATA", path, 1), 0);
}

static const struct {
	const char *a, *b;
	int order;
} order_cases[] = {
	{ "1.9", "1.10", -1 },
	{ "1.10", "1.9", 1 },
	{ "1.9.9", "2", -1 },
	{ "1.9", "1.9.1", -1 },
	{ "1.beta", "1.1", -1 }, /* no number: 0 */
	{ "1.1b", "1.1", -1 },
	{ "", "0.0.1", -1 },
	{ "1.18446744073709551616", "1.18446744073709551617", -1 },
	{ "1.99999999999999999999", "1.100000000000000000000", -1 },
	{ "1.9", "1.9.0", 0 },
	{ "1.09", "1.9", 0 },
	{ "1.beta", "1.0", 0 },
	{ "1.37937.1", "1.37937.1", 0 },
};

static void versions_are_numbers(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(order_cases); i++) {
		int order = baseline_version_compare(order_cases[i].a,
						     order_cases[i].b);

		if (order != order_cases[i].order)
			fail_msg("'%s' against '%s' is %d", order_cases[i].a,
				 order_cases[i].b, order);
	}
}

/* Names that must not reach the file system, or find nothing there. */
static const struct {
	const char *name, *text;
} refused_names[] = {
	{ "", "'' is no baseline" },
	{ "..\\desktop-1.9.4.json", "is no baseline" },
	{ "desktop-1.9.4.json\n", "is no baseline" },
	{ "1.9.4 ", "is no baseline" },
	{ "~", "is no baseline" },
	{ "desktop-.json", "no baseline 'desktop-.json'" },
	{ "notes-2.0.json", "no baseline 'notes-2.0.json'" },
	{ "1.9", "no baseline '1.9'" },
	{ "..", "no baseline '..'" },
	{ "LATEST", "no baseline 'LATEST'" },
	{ "desktop-9.9.9.json", "no baseline '9.9.9'" },
	{ "./desktop-1.9.4.json", "No such file" },
	{ "/nonexistent/desktop-1.9.4.json", "No such file" },
};

static void bad_names_are_refused(void **state)
{
	(void)state;
	shelf_is("/tests/fixtures");
	for (size_t i = 0; i < ARRAY_SIZE(refused_names); i++) {
		struct baseline *baseline;
		struct error err;

		if (baseline_load(refused_names[i].name, &baseline, &err) == 0)
			fail_msg("'%s' was loaded", refused_names[i].name);
		assert_null(baseline);
		if (!strstr(err.text, refused_names[i].text))
			fail_msg("'%s': %s", refused_names[i].name, err.text);
	}
}

static const struct {
	const char *json, *text;
	unsigned caret; /* 0: no excerpt */
} broken[] = {
	{ "", "not JSON", 0 },
	{ "{", "not JSON", 0 },
	{ "{} {}", "not JSON", 0 },
	{ "[]", "a baseline is a JSON object", 0 },
	{ "{ \"appVersion\": \"1\", \"appVersion\": \"2\" }", "duplicate", 0 },
	{ "{ \"network\": { \"allowDomains\": [\"a.example\"] } }",
	  "appVersion must be a text", 0 },
	{ "{ \"appVersion\": 1.9 }", "appVersion must be a text", 0 },
	{ "{ \"appVersion\": \"\" }", "appVersion must be a text", 0 },
	{ "{ \"appVersion\": \"1\\u0000\" }", "not JSON", 0 },
	{ "{ \"appVersion\": \"1\" }", "must be a list with at least one", 0 },
	{ "{ \"appVersion\": \"1\", \"network\": [] }",
	  "must be a list with at least one", 0 },
	{ "{ \"appVersion\": \"1\", \"network\": { \"allowDomains\": [] } }",
	  "must be a list with at least one", 0 },
	{ "{ \"appVersion\": \"1\", \"network\": { \"allowDomains\":"
	  " \"a.example\" } }",
	  "must be a list with at least one", 0 },
	{ "{ \"appVersion\": \"1\", \"network\": { \"allowDomains\":"
	  " [\"a.example\", 5] } }",
	  "network.allowDomains[1] is not a text", 0 },
	{ "{ \"appVersion\": \"1\", \"network\": { \"allowDomains\":"
	  " [\"a.example,b.example\"] } }",
	  "network.allowDomains[0]: one entry per list item", 10 },
	{ "{ \"appVersion\": \"1\", \"network\": { \"allowDomains\":"
	  " [\"a.example\", \"*.com\"] } }",
	  "network.allowDomains[1]: a wildcard over a public suffix", 1 },
	{ "{ \"appVersion\": \"1\", \"network\": { \"allowDomains\": [\"\"] } }",
	  "network.allowDomains[0]: an entry must not be empty", 0 },
};

static void write_file(const char *path, const char *text)
{
	autofile FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
}

static void broken_files_are_refused(void **state)
{
	char path[] = "/tmp/test_baseline.XXXXXX";
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	fd_close(&fd);
	for (size_t i = 0; i < ARRAY_SIZE(broken); i++) {
		struct baseline *baseline;
		struct error err;

		write_file(path, broken[i].json);
		if (baseline_load(path, &baseline, &err) == 0)
			fail_msg("case %zu was loaded", i);
		assert_null(baseline);
		if (!strstr(err.text, broken[i].text))
			fail_msg("case %zu: %s", i, err.text);
		assert_true(strncmp(err.where, path, strlen(path)) == 0);
		if (broken[i].caret)
			assert_int_equal(err.caret, broken[i].caret);
	}
	unlink(path);
}

static const struct {
	const char *name, *file, *app, *agent, *first;
	size_t domains;
} good[] = {
	{ "latest", "desktop-1.10.2.json", "1.10.2", "2.0.0", "api.example.com",
	  3 },
	{ "1.9.4", "desktop-1.9.4.json", "1.9.4", NULL, "api.example.com", 1 },
	{ "desktop-1.9.4.json", "desktop-1.9.4.json", "1.9.4", NULL,
	  "api.example.com", 1 },
	{ "1.beta.99", "desktop-1.beta.99.json", "1.beta.99", NULL,
	  "api.example.org", 1 },
};

static void a_name_finds_its_file(void **state)
{
	(void)state;
	shelf_is("/tests/fixtures");
	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		struct baseline *b;
		struct error err;

		if (baseline_load(good[i].name, &b, &err) < 0)
			fail_msg("'%s': %s", good[i].name, err.text);
		assert_string_equal(baseline_name(b), good[i].file);
		assert_string_equal(baseline_app_version(b), good[i].app);
		if (good[i].agent)
			assert_string_equal(baseline_agent_version(b),
					    good[i].agent);
		else
			assert_null(baseline_agent_version(b));
		assert_int_equal(baseline_domain_count(b), good[i].domains);
		assert_string_equal(baseline_domain(b, 0), good[i].first);
		baseline_free(b);
	}
	baseline_free(NULL);
}

static void a_path_is_taken_as_it_is(void **state)
{
	char path[4096];
	struct baseline *b;
	struct error err;

	(void)state;
	shelf_is("/nowhere");
	snprintf(path, sizeof(path),
		 "%s/tests/fixtures/baselines/desktop-1.9.4.json", srcdir());
	if (baseline_load(path, &b, &err) < 0)
		fail_msg("%s", err.text);
	assert_string_equal(baseline_name(b), "desktop-1.9.4.json");
	baseline_free(b);
}

static void the_shipped_one_holds_its_facts(void **state)
{
	struct baseline *b;
	struct error err;

	(void)state;
	shelf_is("");
	if (baseline_load("latest", &b, &err) < 0)
		fail_msg("%s", err.text);
	assert_string_equal(baseline_name(b), "desktop-1.37937.1.json");
	assert_string_equal(baseline_app_version(b), "1.37937.1");
	assert_string_equal(baseline_agent_version(b), "2.1.246");
	assert_int_equal(baseline_domain_count(b), 15);
	for (size_t i = 0; i < baseline_domain_count(b); i++)
		assert_null(strchr(baseline_domain(b, i), '*'));
	baseline_free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(versions_are_numbers),
		cmocka_unit_test(bad_names_are_refused),
		cmocka_unit_test(broken_files_are_refused),
		cmocka_unit_test(a_name_finds_its_file),
		cmocka_unit_test(a_path_is_taken_as_it_is),
		cmocka_unit_test(the_shipped_one_holds_its_facts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
