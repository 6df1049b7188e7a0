/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>

#include "sandbox/session.h"

/* Every one of these must name the place and say this, word for word. */
static const struct {
	const char *yaml, *where, *text;
} bad[] = {
	/* keys */
	{ "egres: {}\n", "s.yaml:1:1",
	  "unknown key 'egres' (did you mean 'egress'?)" },
	{ "egress:\n  extra_alow: []\n", "s.yaml:2:3",
	  "unknown key 'extra_alow' (did you mean 'extra_allow'?)" },
	{ "egress:\n  deny: [\"a.example\"]\n", "s.yaml:2:3",
	  "unknown key 'deny'" },
	{ "env:\n  A: b\n", "s.yaml:1:1", "unknown key 'env'" },
	{ "folders:\n  - { from: a, to: b }\n", "s.yaml:2:16",
	  "unknown key 'to'" },
	{ "model: a\nmodel: b\n", "s.yaml:2:1",
	  "key 'model' given twice (first in line 1)" },
	{ "model: a\nmax_thinking_tokens: 5\n", "s.yaml:2:1",
	  "key 'max_thinking_tokens' was removed; use 'extended_thinking', or "
	  "'debug.max_thinking_tokens' for an exact number" },
	{ "- model\n", "s.yaml:1:1", "expected keys and values here" },
	{ "egress: true\n", "s.yaml:1:9", "expected keys and values here" },
	{ "egress: []\n", "s.yaml:1:9", "expected keys and values here" },

	/* entries: the offending character */
	{ "egress:\n  extra_allow:\n    - \"api.example.com,b.example\"\n",
	  "s.yaml:3:23", "one entry per list item; ',' is not allowed" },
	{ "egress:\n  extra_allow:\n    - api.example.com,b.example\n",
	  "s.yaml:3:22", "one entry per list item; ',' is not allowed" },
	{ "egress: { extra_allow: [ok.example, 'https://x.example'] }\n",
	  "s.yaml:1:43", "an entry is a host, not a URL" },
	{ "egress:\n  extra_allow: [\"x.example:0\"]\n", "s.yaml:2:28",
	  "a port is a number from 1 to 65535" },
	{ "egress:\n  extra_allow: [\"*.com\"]\n", "s.yaml:2:18",
	  "a wildcard over a public suffix covers everybody" },
	{ "egress:\n  extra_allow: [\"a.*.example\"]\n", "s.yaml:2:20",
	  "'*' stands alone or in front, as in '*.zone'" },
	{ "egress:\n  extra_allow: [\"\"]\n", "s.yaml:2:18",
	  "an entry must not be empty" },
	{ "egress:\n  extra_allow: [\"b\xc3\xbc.example x\"]\n", "s.yaml:2:28",
	  "spaces are not allowed in an entry" },
	/* an escape moves the columns: the entry's start */
	{ "egress:\n  extra_allow: [\"\\x61.example,b\"]\n", "s.yaml:2:17",
	  "one entry per list item; ',' is not allowed" },
	{ "egress:\n  extra_allow:\n    - >-\n      a.example\n      b.example\n",
	  "s.yaml:3:7", "spaces are not allowed in an entry" },
	{ "egress:\n  extra_allow: [[a.example]]\n", "s.yaml:2:17",
	  "'extra_allow' is a list of hosts" },
	{ "egress:\n  extra_allow: [~]\n", "s.yaml:2:17",
	  "'extra_allow' is a list of hosts" },
	{ "egress:\n  extra_allow: api.example.com\n", "s.yaml:2:16",
	  "'extra_allow' is a list; write [] for none" },
	{ "egress:\n  extra_allow:\n", "s.yaml:2:15",
	  "'extra_allow' is a list; write [] for none" },
	{ "egress:\n  unrestricted: yes\n", "s.yaml:2:17",
	  "'unrestricted' is true or false" },
	{ "egress:\n  unrestricted: \"true\"\n", "s.yaml:2:17",
	  "'unrestricted' is true or false" },
	{ "egress:\n  unrestricted: 1\n", "s.yaml:2:17",
	  "'unrestricted' is true or false" },

	/* types of keys that nothing acts on */
	{ "model: true\n", "s.yaml:1:8",
	  "'model' is a text that is not empty; put this in quotes" },
	{ "model: 4.5\n", "s.yaml:1:8",
	  "'model' is a text that is not empty; put this in quotes" },
	{ "model: ''\n", "s.yaml:1:8", "'model' is a text that is not empty" },
	{ "model: [a]\n", "s.yaml:1:8", "'model' is a text that is not empty" },
	{ "account_name: ~\n", "s.yaml:1:15",
	  "'account_name' is a text that is not empty" },
	{ "effort: huge\n", "s.yaml:1:9",
	  "'effort' is one of: low, medium, high, xhigh, max, extra" },
	{ "extended_thinking: 31999\n", "s.yaml:1:20",
	  "'extended_thinking' is true or false" },
	{ "agent_max_turns: 0\n", "s.yaml:1:18",
	  "'agent_max_turns' is a whole number from 1 to 2147483647" },
	{ "permission_mode: acceptedits\n", "s.yaml:1:18",
	  "'permission_mode' is one of: default, acceptEdits, plan, "
	  "bypassPermissions" },
	{ "permission_parity: loose\n", "s.yaml:1:20",
	  "'permission_parity' is one of: cowork, strict" },
	{ "folders: [work]\n", "s.yaml:1:11", "expected keys and values here" },
	{ "folders:\n  - { mode: rw }\n", "s.yaml:2:5",
	  "key 'from' is missing" },
	{ "folders:\n  - { from: a, mode: w }\n", "s.yaml:2:22",
	  "'mode' is one of: r, rw, rwd" },
	{ "projects:\n  - { uuid: a }\n", "s.yaml:2:5",
	  "key 'from' is missing" },
	{ "trusted_folders: /a\n", "s.yaml:1:18",
	  "'trusted_folders' is a list; write [] for none" },
	{ "uploads: [a, 2024]\n", "s.yaml:1:14",
	  "'uploads' is a list of texts that are not empty; put this in "
	  "quotes" },
	{ "plugins:\n  config_dir: no\n  enabled: x@y\n", "s.yaml:3:12",
	  "'enabled' is a list; write [] for none" },
	{ "skills:\n  suggest_enabled: on\n", "s.yaml:2:20",
	  "'suggest_enabled' is true or false" },
	{ "mcp:\n  config: [a]\n", "s.yaml:2:11",
	  "'config' is a text that is not empty" },
	{ "web_fetch:\n  approved_domains: [[]]\n", "s.yaml:2:22",
	  "'approved_domains' is a list of texts that are not empty" },
	{ "staleness:\n  hash_ignore: {}\n", "s.yaml:2:16",
	  "'hash_ignore' is a list; write [] for none" },
	{ "debug:\n  thinking_display: full\n", "s.yaml:2:21",
	  "'thinking_display' is one of: summarized, omitted" },
	{ "debug:\n  max_thinking_tokens: -1\n", "s.yaml:2:24",
	  "'max_thinking_tokens' is a whole number from 1 to 2147483647" },
	{ "agent_env:\n  tool_search: on\n", "s.yaml:2:16",
	  "'tool_search' is one of: auto, off" },
};

static void a_bad_session_names_the_place(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct session *session;
		struct error err;

		if (session_parse("s.yaml", span_of(bad[i].yaml), &session,
				  &err) == 0)
			fail_msg("accepted: %s", bad[i].yaml);
		assert_null(session);
		assert_int_equal(err.kind, ERROR_INPUT);
		if (strcmp(err.where, bad[i].where) != 0 ||
		    strcmp(err.text, bad[i].text) != 0)
			fail_msg("%s: %s: %s", bad[i].yaml, err.where,
				 err.text);
	}
}

static void the_mark_is_under_the_character(void **state)
{
	struct session *session;
	struct error err;

	(void)state;
	assert_int_equal(
		session_parse("s.yaml",
			      SPAN("egress:\n  extra_allow: [\"a.example,b\"]"),
			      &session, &err),
		-1);
	assert_string_equal(err.excerpt, "  extra_allow: [\"a.example,b\"]");
	assert_int_equal(err.caret, 27);
	assert_int_equal(err.excerpt[err.caret - 1], ',');
}

static const char every_key[] =
	"model: some-model\neffort: extra\naccount_name: \"5\"\n"
	"extended_thinking: false\nagent_max_turns: 3\n"
	"permission_mode: plan\npermission_parity: strict\n"
	"folders: [{ from: ~/a, mode: rwd }, { from: b }]\n"
	"projects: [{ uuid: u-1, from: c }]\ntrusted_folders: [/d]\n"
	"auto_mount_folders: true\nuploads: [e.txt]\n"
	"plugins:\n  config_dir: null\n  marketplaces: [m]\n"
	"  local_marketplaces: []\n  enabled: [p@m]\n  local_plugins: [q]\n"
	"  remote_plugins: [r]\n"
	"skills:\n  local: [s]\n  suggest_enabled: true\n"
	"  proactive_suggest_enabled: false\n"
	"mcp: { config: mcp.json, enabled: [x] }\n"
	"egress: { extra_allow: [api.example.com, '*.example.net:8443'], "
	"unrestricted: false }\n"
	"web_fetch: { approved_domains: [docs.example.com] }\n"
	"staleness: { hash_ignore: ['*.log'] }\n"
	"debug: { max_thinking_tokens: 10, thinking_display: omitted }\n"
	"agent_env: { subagent_model: m, tool_search: auto,"
	" disable_experimental_betas: true }\n";

static const char *const every_unused[] = {
	"model",
	"effort",
	"account_name",
	"extended_thinking",
	"agent_max_turns",
	"permission_mode",
	"permission_parity",
	"folders",
	"projects",
	"trusted_folders",
	"auto_mount_folders",
	"uploads",
	"plugins.config_dir",
	"plugins.marketplaces",
	"plugins.local_marketplaces",
	"plugins.enabled",
	"plugins.local_plugins",
	"plugins.remote_plugins",
	"skills.local",
	"skills.suggest_enabled",
	"skills.proactive_suggest_enabled",
	"mcp.config",
	"mcp.enabled",
	"web_fetch.approved_domains",
	"staleness.hash_ignore",
	"debug.max_thinking_tokens",
	"debug.thinking_display",
	"agent_env.subagent_model",
	"agent_env.tool_search",
	"agent_env.disable_experimental_betas",
};

static void every_key_is_known(void **state)
{
	struct session *session;
	const char *origin;
	struct error err;

	(void)state;
	if (session_parse("s.yaml", span_of(every_key), &session, &err) < 0)
		fail_msg("%s: %s", err.where, err.text);
	assert_int_equal(session_unused_count(session),
			 ARRAY_SIZE(every_unused));
	for (size_t i = 0; i < ARRAY_SIZE(every_unused); i++)
		assert_string_equal(session_unused(session, i),
				    every_unused[i]);
	assert_int_equal(session_allow_count(session), 2);
	assert_string_equal(session_allow(session, 0, &origin),
			    "api.example.com");
	assert_string_equal(origin, "s.yaml:25:25");
	assert_string_equal(session_allow(session, 1, &origin),
			    "*.example.net:8443");
	assert_null(session_unrestricted(session));
	session_free(session);
}

static void unrestricted_says_where(void **state)
{
	struct session *session;
	struct error err;

	(void)state;
	assert_int_equal(session_parse("s.yaml",
				       SPAN("egress:\n  unrestricted: true\n"),
				       &session, &err),
			 0);
	assert_string_equal(session_unrestricted(session), "s.yaml:2:17");
	assert_int_equal(session_allow_count(session), 0);
	assert_int_equal(session_unused_count(session), 0);
	session_free(session);
}

static void an_empty_session_adds_nothing(void **state)
{
	static const char *const empty[] = { "", "# nothing\n", "{}\n",
					     "egress:\n", "plugins: {}\n" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(empty); i++) {
		struct session *session;
		struct error err;

		if (session_parse("s.yaml", span_of(empty[i]), &session, &err) <
		    0)
			fail_msg("case %zu: %s", i, err.text);
		assert_int_equal(session_allow_count(session), 0);
		assert_int_equal(session_unused_count(session), 0);
		assert_null(session_unrestricted(session));
		session_free(session);
	}
	session_free(NULL);
}

static void the_example_loads(void **state)
{
	const char *srcdir = getenv("srcdir");
	struct session *session;
	const char *origin;
	struct error err;
	char path[4096];

	(void)state;
	snprintf(path, sizeof(path), "%s/conf/examples/with-github.yaml",
		 srcdir ? srcdir : ".");
	if (session_load(path, &session, &err) < 0)
		fail_msg("%s: %s", err.where, err.text);
	assert_int_equal(session_allow_count(session), 1);
	assert_string_equal(session_allow(session, 0, &origin),
			    "api.github.com");
	session_free(session);
	assert_int_equal(session_load("/nonexistent/s.yaml", &session, &err),
			 -1);
	assert_null(session);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_bad_session_names_the_place),
		cmocka_unit_test(the_mark_is_under_the_character),
		cmocka_unit_test(every_key_is_known),
		cmocka_unit_test(unrestricted_says_where),
		cmocka_unit_test(an_empty_session_adds_nothing),
		cmocka_unit_test(the_example_loads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
