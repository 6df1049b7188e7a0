/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every preset that comes with us, and what a broken one does. */
#include "config.h"

#include "tests/unit/unit.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "proxy/conf.h"

#define PROXY_FILE                                                 \
	"audit: { path: a }\nlisten: [ { kind: proxy, fd: p } ]\n" \
	"policies: { default: { include: [ %s ] } }\n"

static struct proxy_conf *include(const char *name, struct error *err)
{
	autofree char *text = NULL;

	assert_true(asprintf(&text, PROXY_FILE, name) > 0);
	return conf_load_text("p", span_of(text), err);
}

/* Exact names on chosen ports: nothing that covers more than it says. */
static void check_preset(const char *name)
{
	struct error err;
	struct proxy_conf *conf = include(name, &err);
	const struct policy *policy;
	autofree char *origin = NULL;

	if (!conf)
		fail_msg("%s: %s: %s", name, err.where, err.text);
	policy = judge_rules(conf->judges[0]);
	assert_true(policy_rule_count(policy) > 0);
	assert_int_equal(policy_permit_count(policy), 0);
	assert_true(asprintf(&origin, "presets/%s.yaml:", name) > 0);
	for (size_t i = 0; i < policy_rule_count(policy); i++) {
		bool denies;
		const struct rule *rule = policy_rule(policy, i, &denies);

		assert_false(denies);
		if (rule->entry.kind != ENTRY_HOST ||
		    !entry_covers_port(&rule->entry, 443))
			fail_msg("%s: '%s'", name, rule->text);
		assert_int_equal(strncmp(rule->origin, origin, strlen(origin)),
				 0);
	}
	conf_free(conf);
}

static void each_preset_loads(void **state)
{
	const char *srcdir = getenv("srcdir");
	autofree char *path = NULL;
	size_t count = 0;
	struct dirent *item;
	DIR *dir;

	(void)state;
	assert_true(asprintf(&path, "%s/conf/presets", srcdir ? srcdir : ".") >
		    0);
	dir = opendir(path);
	assert_non_null(dir);
	while ((item = readdir(dir))) {
		char *dot = strrchr(item->d_name, '.');

		if (item->d_name[0] == '.' || !dot)
			continue;
		assert_string_equal(dot, ".yaml");
		*dot = '\0';
		check_preset(item->d_name);
		count++;
	}
	closedir(dir);
	assert_true(count >= 14);
}

static void the_usual_ones_are_there(void **state)
{
	static const char *const names[] = {
		"pip",         "npm",
		"cargo",       "go",
		"debian",      "maven",
		"gradle",      "rubygems",
		"github",      "gitlab",
		"docker-hub",  "huggingface",
		"claude-code", "claude-desktop",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		check_preset(names[i]);
}

static const struct {
	const char *text, *where, *error;
} broken[] = {
	{ "", "presets/x.yaml:1:1", "key 'allow' is missing" },
	{ "include: [ github ]\nallow: []\n", "presets/x.yaml:1:1",
	  "unknown key 'include'" },
	{ "allow: []\ndeny: [ a.test ]\n", "presets/x.yaml:2:1",
	  "unknown key 'deny'" },
	{ "allow: []\npermit_addresses: [ 10.0.0.1 ]\n", "presets/x.yaml:2:1",
	  "unknown key 'permit_addresses'" },
	{ "allow: []\nunrestricted: true\n", "presets/x.yaml:2:1",
	  "unknown key 'unrestricted'" },
	{ "allow:\n  - a.test:0\n", "presets/x.yaml:2:12",
	  "a port is a number from 1 to 65535" },
	{ "allow: [ &a b.test ]\n", "presets/x.yaml:1:10",
	  "anchors, aliases and tags are not accepted" },
};

/* A folder of presets with the one that is broken. */
static void faults_are_placed_in_the_preset(void **state)
{
	char folder[] = "presets-XXXXXX";
	const char *before = getenv("COWORK_BOUNDARY_DATA");
	autofree char *kept = before ? strdup(before) : NULL;
	autofree char *conf = NULL, *presets = NULL, *path = NULL;

	(void)state;
	assert_non_null(mkdtemp(folder));
	assert_true(asprintf(&conf, "%s/conf", folder) > 0);
	assert_true(asprintf(&presets, "%s/presets", conf) > 0);
	assert_true(asprintf(&path, "%s/x.yaml", presets) > 0);
	assert_int_equal(mkdir(conf, 0700), 0);
	assert_int_equal(mkdir(presets, 0700), 0);
	setenv("COWORK_BOUNDARY_DATA", folder, 1);
	for (size_t i = 0; i < ARRAY_SIZE(broken); i++) {
		FILE *file = fopen(path, "w");
		struct error err = { 0 };

		assert_non_null(file);
		assert_true(fputs(broken[i].text, file) >= 0);
		assert_int_equal(fclose(file), 0);
		assert_null(include("x", &err));
		assert_string_equal(err.where, broken[i].where);
		if (strncmp(err.text, broken[i].error,
			    strlen(broken[i].error)) != 0)
			fail_msg("%s", err.text);
		assert_int_equal(err.kind, ERROR_INPUT);
	}
	unlink(path);
	rmdir(presets);
	rmdir(conf);
	rmdir(folder);
	if (kept)
		setenv("COWORK_BOUNDARY_DATA", kept, 1);
	else
		unsetenv("COWORK_BOUNDARY_DATA");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_preset_loads),
		cmocka_unit_test(the_usual_ones_are_there),
		cmocka_unit_test(faults_are_placed_in_the_preset),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
