/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>

#include "sandbox/allowlist.h"

static struct baseline *baseline;

static int load_baseline(void **state)
{
	const char *srcdir = getenv("srcdir");
	struct error err;
	char path[4096];

	(void)state;
	snprintf(path, sizeof(path),
		 "%s/tests/fixtures/baselines/desktop-1.9.4.json",
		 srcdir ? srcdir : ".");
	return baseline_load(path, &baseline, &err);
}

static int free_baseline(void **state)
{
	(void)state;
	baseline_free(baseline);
	return 0;
}

static struct session *must_parse(const char *yaml)
{
	struct session *session;
	struct error err;

	if (session_parse("s.yaml", span_of(yaml), &session, &err) < 0)
		fail_msg("%s: %s", err.where, err.text);
	return session;
}

static struct policy *must_build(const char *yaml, const char *allow)
{
	struct session *session = yaml ? must_parse(yaml) : NULL;
	struct policy *policy;
	struct error err;

	if (allowlist_build(baseline, session, &allow, allow ? 1 : 0, &policy,
			    &err) < 0)
		fail_msg("%s", err.text);
	session_free(session);
	return policy;
}

static struct decision decide(const struct policy *policy, const char *host,
			      uint16_t port)
{
	struct target target = { .port = port };

	if (!addr_parse(span_of(host), &target.addr))
		assert_int_equal(hostname_parse(span_of(host), &target.host),
				 HOSTNAME_OK);
	return policy_decide(policy, &target);
}

#define EXTRA "egress:\n  extra_allow: [\"more.example.net:8443\"]\n"
#define ALL   "egress:\n  unrestricted: true\n"
#define BOTH                                                \
	"egress:\n  extra_allow: [\"[2001:db8::1]:443\"]\n" \
	"  unrestricted: true\n"

/* origin NULL: denied. */
static const struct {
	const char *yaml, *allow, *host;
	uint16_t port;
	const char *origin;
} cases[] = {
	/* the baseline alone */
	{ NULL, NULL, "more.example.net", 8443, NULL },
	{ NULL, NULL, "x.api.example.com", 443, NULL },
	{ NULL, NULL, "api.example.com", 22, NULL },
	{ NULL, NULL, "192.0.2.80", 443, NULL },
	{ "model: x\n", NULL, "example.com", 443, NULL },
	{ NULL, NULL, "api.example.com", 443, "desktop-1.9.4.json" },

	/* the session adds what it says, and no more */
	{ EXTRA, NULL, "more.example.net", 443, NULL },
	{ EXTRA, NULL, "other.example.net", 8443, NULL },
	{ EXTRA, NULL, "more.example.net", 8443, "s.yaml:2:17" },
	{ EXTRA, NULL, "api.example.com", 443, "desktop-1.9.4.json" },

	/* the command line as well */
	{ EXTRA, "cli.example.org", "cli.example.net", 443, NULL },
	{ NULL, "cli.example.org", "cli.example.org", 8080, NULL },
	{ EXTRA, "cli.example.org", "cli.example.org", 80, "--allow" },

	/* unrestricted: every name on the default ports, no address */
	{ ALL, NULL, "example.com", 22, NULL },
	{ ALL, NULL, "192.0.2.80", 443, NULL },
	{ ALL, NULL, "2001:db8::1", 443, NULL },
	{ ALL, NULL, "example.com", 443, "s.yaml:2:17" },
	{ BOTH, NULL, "2001:db8::2", 443, NULL },
	{ BOTH, NULL, "2001:db8::1", 443, "s.yaml:2:17" },
	{ BOTH, NULL, "example.com", 443, "s.yaml:3:17" },
};

static void each_rule_keeps_its_origin(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct policy *policy =
			must_build(cases[i].yaml, cases[i].allow);
		struct decision d =
			decide(policy, cases[i].host, cases[i].port);

		if ((d.verdict == VERDICT_ALLOW) != (cases[i].origin != NULL))
			fail_msg("case %zu: %s:%u was %s", i, cases[i].host,
				 cases[i].port,
				 d.verdict == VERDICT_ALLOW ? "allowed"
							    : "denied");
		if (cases[i].origin)
			assert_string_equal(d.rule->origin, cases[i].origin);
		policy_free(policy);
	}
}

static const struct {
	const char *allow, *text;
	unsigned caret;
} refused[] = {
	{ "", "--allow '': an entry must not be empty", 1 },
	{ "a.example,b.example",
	  "--allow 'a.example,b.example': one entry per list item; ',' is not "
	  "allowed",
	  10 },
	{ "http://a.example",
	  "--allow 'http://a.example': an entry is a host, not a URL", 5 },
	{ "*.com",
	  "--allow '*.com': a wildcard over a public suffix covers everybody",
	  1 },
	{ "a.example:99999",
	  "--allow 'a.example:99999': a port is a number from 1 to 65535", 11 },
};

static void a_bad_entry_builds_nothing(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(refused); i++) {
		const char *extra[] = { "ok.example", refused[i].allow };
		struct policy *policy;
		struct error err;

		assert_int_equal(allowlist_build(baseline, NULL, extra, 2,
						 &policy, &err),
				 -1);
		assert_null(policy);
		assert_int_equal(err.kind, ERROR_INPUT);
		assert_string_equal(err.text, refused[i].text);
		assert_int_equal(err.caret, refused[i].caret);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_rule_keeps_its_origin),
		cmocka_unit_test(a_bad_entry_builds_nothing),
	};

	return cmocka_run_group_tests(tests, load_baseline, free_baseline);
}
