/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is learnt from logs, and what is found in policies. */
#include "config.h"

#include "tests/unit/scratch.h"
#include "tests/unit/unit.h"

#include "base/audit.h"
#include "base/buf.h"
#include "proxy/learn.h"
#include "proxy/lint.h"

struct row {
	const char *host;
	uint16_t port;
	const char *decision, *reason;
	const char *would, *policy, *rule;
};

static void write_log(const char *path, const struct row *rows, size_t count)
{
	struct error err;
	struct audit *audit = audit_open(path, &err);

	assert_non_null(audit);
	for (size_t i = 0; i < count; i++) {
		const struct audit_event event = {
			.kind = AUDIT_DECISION,
			.host = rows[i].host,
			.port = rows[i].port,
			.decision = rows[i].decision,
			.reason = rows[i].reason,
			.would = rows[i].would,
			.policy = rows[i].policy,
			.rule = rows[i].rule,
		};

		assert_int_equal(audit_write(audit, &event, &err), 0);
	}
	audit_close(audit);
}

static char *learn(const char *path, bool allowed)
{
	const struct learn_setup setup = { &path, 1, allowed };
	struct error err;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	assert_int_equal(learn_policy(&setup, out, &err), 0);
	assert_int_equal(fclose(out), 0);
	return text;
}

#define UNLISTED "not on allowlist"
#define PORT     "port not on allowlist"
#define LITERAL  "address not on allowlist"

static const struct row asked[] = {
	{ "b.test", 443, "deny", UNLISTED, NULL, "default", NULL },
	{ "a.test", 443, "deny", UNLISTED, NULL, "default", NULL },
	{ "a.test", 443, "deny", UNLISTED, NULL, "default", NULL },
	{ "a.test", 80, "deny", PORT, NULL, "default", NULL },
	{ "b.test", 22, "deny", PORT, NULL, "default", NULL },
	{ "192.0.2.1", 443, "deny", LITERAL, NULL, "default", NULL },
	{ "2001:db8::1", 443, "deny", LITERAL, NULL, "default", NULL },
	{ "t.test", 443, "allow", UNLISTED, "deny", "trial", NULL },
	{ "g.test", 443, "allow", "on denylist", "deny", "trial", "g.test" },
	{ "n.test", 443, "deny", "on denylist", NULL, "default", "n.test" },
	{ "m.test", 80, "deny", "metadata address", NULL, "default", NULL },
	{ "u.test", 443, "allow", "allowed", NULL, "default", "*" },
	/* nothing of this may become a line */
	{ "e.test\"]\n  evil: [", 443, "deny", UNLISTED, NULL, "default",
	  NULL },
	{ "*", 443, "deny", UNLISTED, NULL, "default", NULL },
	{ "*.test", 443, "deny", UNLISTED, NULL, "default", NULL },
	{ "UPPER.test", 443, "deny", UNLISTED, NULL, "default", NULL },
	{ "0.0.0.0/0", 443, "deny", UNLISTED, NULL, "default", NULL },
	{ "p.test", 0, "deny", UNLISTED, NULL, "default", NULL },
	{ "p.test", 443, "deny", UNLISTED, NULL, "a\": {}, \"b", NULL },
	{ "r.test", 443, "deny", "x\n    allow: [ \"*\" ]", NULL, "default",
	  NULL },
};

#define HEAD(malformed)                                                    \
	"# Learned from 20 decisions. Read it before it is used: whoever " \
	"was asked\n# for once is not therefore to be trusted.\n"          \
	"# " malformed " malformed lines were left out.\n"
#define LEFT_OUT                                                       \
	"    # left out: m.test:80, metadata address # asked 1 time\n" \
	"    # left out: n.test:443, on denylist # asked 1 time\n"     \
	"    # left out: r.test:443, for another reason # asked 1 time\n"
#define TRIAL                                     \
	"  \"trial\":\n    allow:\n"              \
	"      - \"t.test:443\" # asked 1 time\n" \
	"    # left out: g.test:443, on denylist # asked 1 time\n"
#define LEARNT                                           \
	"policies:\n  \"default\":\n    allow:\n"        \
	"      - \"192.0.2.1:443\" # asked 1 time\n"     \
	"      - \"[2001:db8::1]:443\" # asked 1 time\n" \
	"      - \"a.test\" # asked 3 times\n"           \
	"      - \"b.test:22\" # asked 1 time\n"         \
	"      - \"b.test:443\" # asked 1 time\n"

static void what_was_missing_is_learnt(void **state)
{
	autoscratch struct scratch scratch = scratch_new();
	const char *path = scratch_path(&scratch, "log");
	char *text;

	(void)state;
	write_log(path, asked, ARRAY_SIZE(asked));
	text = learn(path, false);
	assert_string_equal(text, HEAD("7") LEARNT LEFT_OUT TRIAL);
	free(text);
	text = learn(path, true);
	assert_string_equal(
		text, HEAD("7") LEARNT
		"      - \"u.test:443\" # asked 1 time\n" LEFT_OUT TRIAL);
	free(text);
}

/* The draft is a part of a proxy file, and lets through what it says. */
static void what_is_learnt_loads(void **state)
{
	autoscratch struct scratch scratch = scratch_new();
	const char *path = scratch_path(&scratch, "log");
	struct buf text = BUF_INIT(65536);
	struct target target = { .port = 22 };
	struct proxy_conf *conf;
	struct error err;
	char *learnt;

	(void)state;
	write_log(path, asked, ARRAY_SIZE(asked));
	learnt = learn(path, false);
	buf_addf(&text,
		 "audit: { path: a }\nlisten: [ { kind: proxy, fd: p }, { "
		 "kind: proxy, fd: q, policy: trial } ]\n%s",
		 learnt);
	free(learnt);
	conf = conf_load_text("p", buf_span(&text), &err);
	buf_release(&text);
	if (!conf)
		fail_msg("%s: %s", err.where, err.text);
	assert_int_equal(hostname_parse(SPAN("b.test"), &target.host),
			 HOSTNAME_OK);
	assert_int_equal(judge_decide(conf->judges[0], &target).verdict,
			 VERDICT_ALLOW);
	target.port = 23;
	assert_int_equal(judge_decide(conf->judges[0], &target).verdict,
			 VERDICT_DENY);
	assert_int_equal(policy_rule_count(judge_rules(conf->judges[0])), 5);
	conf_free(conf);
}

static void nothing_asked_is_nothing_learnt(void **state)
{
	autoscratch struct scratch scratch = scratch_new();
	const char *path = scratch_write(&scratch, "log", SPAN(""));
	const struct learn_setup missing = {
		(const char *const[]){ "no-such-log" }, 1, false
	};
	struct error err;
	char *text = learn(path, true);

	(void)state;
	assert_non_null(strstr(text, "\npolicies: {}\n"));
	free(text);
	assert_int_equal(learn_policy(&missing, stdout, &err), -1);
}

/* ---- lint ---- */

#define CONF(lines)                                                \
	"audit: { path: a }\nlisten: [ { kind: proxy, fd: p } ]\n" \
	"policies:\n  default:\n" lines

static const struct {
	const char *text;
	const char *findings; /* "" where there is nothing to say */
} linted[] = {
	{ CONF("    allow: [ a.test, \"*.a.test:443\" ]\n"), "" },
	{ CONF("    allow: [ a.test:443, a.test:22 ]\n    deny: [ a.test:80 ]"
	       "\n"),
	  "" },
	{ CONF("    allow: [ \"*.a.test\", { entry: b.a.test, "
	       "permit_addresses: [ 10.0.0.1 ] } ]\n"),
	  "" },
	{ CONF("    allow: [ 10.1.0.0/16, \"[2001:db8::1]:1-1024\" ]\n"), "" },
	{ CONF("    unrestricted: true\n"),
	  "p:5:19: everything: '*' covers every name\n" },
	{ CONF("    allow: [ \"*:22\" ]\n"),
	  "p:5:14: everything: '*:22' covers every name\n" },
	{ CONF("    allow: [ \"*.github.io\" ]\n"),
	  "p:5:14: shared-zone: '*.github.io' covers a zone in which anyone "
	  "can have a name\n" },
	{ CONF("    allow: [ 10.0.0.0/15 ]\n"),
	  "p:5:14: wide-prefix: '10.0.0.0/15' covers very many addresses\n" },
	{ CONF("    allow: [ \"2001:db8::/32\" ]\n"), "" },
	{ CONF("    allow: [ a.test:1-1025 ]\n"),
	  "p:5:14: wide-ports: 'a.test:1-1025' covers very many ports\n" },
	{ CONF("    mode: report\n"),
	  "policy default: report: mode report lets everything through\n" },
	{ CONF("    allow: [ a.test, A.test. ]\n"),
	  "p:5:22: shadowed: 'A.test.' is covered by 'a.test' from p:5:14\n" },
	{ CONF("    allow: [ b.a.test, \"*.a.test\" ]\n"),
	  "p:5:14: shadowed: 'b.a.test' is covered by '*.a.test' from p:5:24"
	  "\n" },
	{ CONF("    deny: [ b.a.test, \"*.a.test\" ]\n"),
	  "p:5:13: shadowed: 'b.a.test' is covered by '*.a.test' from p:5:23"
	  "\n" },
	{ CONF("    allow: [ b.a.test ]\n    deny: [ \"*.a.test\" ]\n"),
	  "p:5:14: useless: 'b.a.test' is denied whole by '*.a.test' from "
	  "p:6:13\n" },
};

static char *lint(const char *text, const char *log, bool json, int *result)
{
	struct error err;
	struct proxy_conf *conf = conf_load_text("p", span_of(text), &err);
	const struct lint_setup setup = { conf, &log, log ? 1 : 0, json };
	char *found = NULL;
	size_t size;
	FILE *out = open_memstream(&found, &size);

	if (!conf)
		fail_msg("%s: %s", err.where, err.text);
	assert_non_null(out);
	*result = lint_policies(&setup, out, &err);
	assert_int_equal(fclose(out), 0);
	conf_free(conf);
	return found;
}

static void findings_are_placed(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(linted); i++) {
		int result;
		char *found = lint(linted[i].text, NULL, false, &result);

		if (strcmp(found, linted[i].findings) != 0)
			fail_msg("for\n%s\n<%s>\nand not\n<%s>", linted[i].text,
				 found, linted[i].findings);
		assert_int_equal(result, linted[i].findings[0] ? 1 : 0);
		free(found);
	}
}

static void unused_entries_are_found(void **state)
{
	static const struct row rows[] = {
		{ "a.test", 443, "allow", "allowed", NULL, "default",
		  "a.test" },
		{ "b.test", 443, "allow", "allowed", NULL, "other", "b.test" },
		{ "c.test", 443, "deny", UNLISTED, NULL, "default", NULL },
	};
	autoscratch struct scratch scratch = scratch_new();
	const char *path = scratch_path(&scratch, "log");
	int result;
	char *found;

	(void)state;
	write_log(path, rows, ARRAY_SIZE(rows));
	found = lint(CONF("    allow: [ a.test, b.test ]\n    deny: [ d.test ]"
			  "\n"),
		     path, false, &result);
	assert_string_equal(found, "p:5:22: unused: 'b.test' is used in none "
				   "of these logs\n");
	assert_int_equal(result, 1);
	free(found);
	found = lint(CONF("    allow: [ a.test ]\n"), "no-such-log", false,
		     &result);
	assert_int_equal(result, -1);
	free(found);
}

static void findings_are_json(void **state)
{
	int result;
	char *found = lint(CONF("    allow: [ a.test, a.test ]\n"), NULL, true,
			   &result);

	(void)state;
	assert_string_equal(
		found, "{\"findings\":[\n  {\"code\":\"shadowed\",\"policy\":"
		       "\"default\",\"rule\":\"a.test\",\"origin\":\"p:5:22\","
		       "\"text\":\"is covered by\",\"by\":\"a.test\","
		       "\"by_origin\":\"p:5:14\"}\n],\"count\":1}\n");
	free(found);
	found = lint(CONF(""), NULL, true, &result);
	assert_string_equal(found, "{\"findings\":[],\"count\":0}\n");
	assert_int_equal(result, 0);
	free(found);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_missing_is_learnt),
		cmocka_unit_test(what_is_learnt_loads),
		cmocka_unit_test(nothing_asked_is_nothing_learnt),
		cmocka_unit_test(findings_are_placed),
		cmocka_unit_test(unused_entries_are_found),
		cmocka_unit_test(findings_are_json),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
