/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/fd.h"
#include "sandbox/plan.h"

static const char *const command[] = { "sh", "-c", "echo hello", NULL };

static struct plan_spec base_spec(void)
{
	return (struct plan_spec){
		.id = "s-1",
		.ca_bundle = "/etc/ssl/certs/ca-certificates.crt",
		.environment = { .kind = ENVIRONMENT_AGENT,
				 .proxy = { addr_v4(100, 64, 0, 1), 3128 } },
		.command = (char *const *)command,
	};
}

static void plan_cleanup(struct plan **plan)
{
	plan_free(*plan);
}

/* ---- refused before anything is started ---- */

static const struct {
	const char *id, *first, *second, *text;
} refusals[] = {
	{ "", NULL, NULL, "'' is not a session id" },
	{ "a b", NULL, NULL, "'a b' is not a session id" },
	{ "../x", NULL, NULL, "'../x' is not a session id" },
	{ "a/b", NULL, NULL, "'a/b' is not a session id" },
	{ "a\nb", NULL, NULL, "is not a session id" },
	{ "0123456789012345678901234567890123456789012345678901234567890123x",
	  NULL, NULL, "is not a session id" },
	{ "s", "", NULL, "'' cannot be a folder's name" },
	{ "s", ".", NULL, "'.' cannot be a folder's name" },
	{ "s", "..", NULL, "'..' cannot be a folder's name" },
	{ "s", "a/b", NULL, "'a/b' cannot be a folder's name" },
	{ "s", "a\\b", NULL, "cannot be a folder's name" },
	{ "s", "a:b", NULL, "'a:b' cannot be a folder's name" },
	{ "s", "a\nb", NULL, "cannot be a folder's name" },
	{ "s", "work", "work", "two folders are both named 'work'" },
};

static void bad_input_is_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(refusals); i++) {
		const struct plan_folder folders[] = {
			{ "/srv/a", refusals[i].first, false },
			{ "/srv/b", refusals[i].second, false },
		};
		struct plan_spec spec = base_spec();
		struct error err;

		spec.id = refusals[i].id;
		spec.folders = folders;
		spec.folder_count = refusals[i].second  ? 2
				    : refusals[i].first ? 1
							: 0;
		if (plan_build(&spec, &err))
			fail_msg("case %zu was accepted", i);
		assert_int_equal(err.kind, ERROR_INPUT);
		if (!strstr(err.text, refusals[i].text))
			fail_msg("case %zu: '%s'", i, err.text);
	}
}

/* ---- golden ---- */

static void compare_golden(const struct plan *plan, const char *name)
{
	cleanup(buf_release) struct buf text = BUF_INIT(1 << 20);
	autofree char *expected = NULL;
	char path[4096];
	struct error err;
	size_t size;

	snprintf(path, sizeof(path), "%s/tests/golden/%s", getenv("srcdir"),
		 name);
	plan_print(plan, &text);
	expected = fd_read_file(path, 1 << 20, &size, &err);
	if (!expected)
		fail_msg("%s", err.text);
	if (strcmp(expected, text.data) != 0)
		fail_msg("the plan differs from %s:\n%s", name, text.data);
}

static void plain_plan_is_golden(void **state)
{
	struct plan_spec spec = base_spec();
	struct error err;
	cleanup(plan_cleanup) struct plan *plan = plan_build(&spec, &err);

	(void)state;
	assert_non_null(plan);
	compare_golden(plan, "plan-plain.txt");
}

static void folders_plan_is_golden(void **state)
{
	const struct plan_folder folders[] = {
		{ "/srv/work", "work", false },
		{ "/srv/notes \"new\"", "notes", true },
	};
	struct plan_spec spec = base_spec();
	struct error err;
	cleanup(plan_cleanup) struct plan *plan = NULL;

	(void)state;
	spec.folders = folders;
	spec.folder_count = ARRAY_SIZE(folders);
	spec.work_folder = "work";
	spec.environment.term = "xterm";
	plan = plan_build(&spec, &err);
	assert_non_null(plan);
	compare_golden(plan, "plan-folders.txt");
}

/* ---- which mounts are expected ---- */

static const struct {
	const char *point;
	bool explained;
} mount_cases[] = {
	{ "/home", false },
	{ "/mnt/extra", false },
	{ "/usr/share", false },
	{ "/us", false },
	{ "/etc", false },
	{ "/bin", false }, /* a link, not a mount */
	{ "/sessions/s-1/mnt", false },
	{ "/sessions/other", false },
	{ "", false },
	{ "/", true },
	{ "/usr", true },
	{ "/proc", true },
	{ "/dev/null", true },
	{ "/etc/passwd", true },
	{ "/sessions/s-1", true },
};

static void only_planned_mounts_are_explained(void **state)
{
	struct plan_spec spec = base_spec();
	struct error err;
	cleanup(plan_cleanup) struct plan *plan = plan_build(&spec, &err);

	(void)state;
	assert_non_null(plan);
	for (size_t i = 0; i < ARRAY_SIZE(mount_cases); i++)
		if (plan_explains_mount(plan, mount_cases[i].point) !=
		    mount_cases[i].explained)
			fail_msg("%s", mount_cases[i].point);
}

/* ---- the environment ---- */

static const struct {
	enum environment_kind kind;
	const char *variable;
	bool there;
} environment_cases[] = {
	{ ENVIRONMENT_NO_PROXY, "HTTP_PROXY=", false },
	{ ENVIRONMENT_NO_PROXY, "https_proxy=", false },
	{ ENVIRONMENT_NO_PROXY, "NO_PROXY=", false },
	{ ENVIRONMENT_NO_PROXY_EXEMPTION, "NO_PROXY=", false },
	{ ENVIRONMENT_NO_PROXY_EXEMPTION, "no_proxy=", false },
	{ ENVIRONMENT_AGENT, "SECRET=", false },
	{ ENVIRONMENT_AGENT, "TERM=", false },
	{ ENVIRONMENT_NO_PROXY_EXEMPTION, "http_proxy=http://100.64.0.1:3128",
	  true },
	{ ENVIRONMENT_AGENT, "HTTP_PROXY=http://100.64.0.1:3128", true },
	{ ENVIRONMENT_AGENT, "HTTPS_PROXY=http://100.64.0.1:3128", true },
	{ ENVIRONMENT_AGENT, "http_proxy=http://100.64.0.1:3128", true },
	{ ENVIRONMENT_AGENT, "https_proxy=http://100.64.0.1:3128", true },
	{ ENVIRONMENT_AGENT, "NO_PROXY=localhost,127.0.0.1,::1", true },
	{ ENVIRONMENT_AGENT, "no_proxy=localhost,127.0.0.1,::1", true },
	{ ENVIRONMENT_HOSTLOOP, "HTTPS_PROXY=http://100.64.0.1:3128", true },
	{ ENVIRONMENT_HOSTLOOP, "no_proxy=localhost,127.0.0.1,::1", true },
};

static void environment_holds_just_this(void **state)
{
	(void)state;
	setenv("SECRET", "x", 1);
	for (size_t i = 0; i < ARRAY_SIZE(environment_cases); i++) {
		const struct environment_spec spec = {
			.kind = environment_cases[i].kind,
			.proxy = { addr_v4(100, 64, 0, 1), 3128 },
			.home = "/sessions/s",
		};
		const char *wanted = environment_cases[i].variable;
		struct error err;
		char **list = environment_build(&spec, &err);
		bool there = false;

		assert_non_null(list);
		for (size_t k = 0; list[k]; k++)
			there |= strncmp(list[k], wanted, strlen(wanted)) == 0;
		environment_free(list);
		if (there != environment_cases[i].there)
			fail_msg("case %zu: %s", i, wanted);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bad_input_is_refused),
		cmocka_unit_test(plain_plan_is_golden),
		cmocka_unit_test(folders_plan_is_golden),
		cmocka_unit_test(only_planned_mounts_are_explained),
		cmocka_unit_test(environment_holds_just_this),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
