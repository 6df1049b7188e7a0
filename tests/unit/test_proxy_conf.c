/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tests/unit/unit.h"

#include <stdlib.h>

#include "proxy/conf.h"

#define LISTEN       "listen: [ { kind: proxy, address: \"127.0.0.1:1\" } ]\n"
#define AUDIT        "audit: { path: a.log }\n"
#define RULES(lines) LISTEN AUDIT "policies:\n  default:\n" lines
#define BOTH(lines)  LISTEN AUDIT lines
#define CHOOSE(items)                      \
	LISTEN AUDIT "select: " items "\n" \
		     "policies: { default: {} }\n"

#define PRESET_NAME "a preset's name is of a-z, 0-9 and '-'"
#define CLIENT      "a client is an address or a prefix like 10.0.0.0/8"
#define SHA256      "'token_sha256' is 64 hexadecimal digits, lower case"
#define LOWER                              \
	"0123456789abcdef0123456789abcdef" \
	"0123456789abcdef0123456789abcdef"
#define UPPER                              \
	"0123456789ABCDEF0123456789ABCDEF" \
	"0123456789ABCDEF0123456789ABCDEF"

static const struct {
	const char *text, *where, *error;
} refused[] = {
	{ "", "p:1:1", "key 'listen' is missing" },
	{ "# nothing\n", "p:2:1", "key 'listen' is missing" },
	{ "- a\n", "p:1:1", "expected keys and values here" },
	{ AUDIT, "p:1:1", "key 'listen' is missing" },
	{ LISTEN, "p:1:1", "key 'audit' is missing" },
	{ BOTH("polices: {}\n"), "p:3:1",
	  "unknown key 'polices' (did you mean 'policies'?)" },
	{ BOTH(AUDIT), "p:3:1", "key 'audit' given twice (first in line 2)" },
	{ AUDIT "listen: []\n", "p:2:9",
	  "'listen' is a list of 1 to 16 listeners" },
	{ AUDIT "listen: [ { address: \"127.0.0.1:1\" } ]\n", "p:2:11",
	  "key 'kind' is missing" },
	{ AUDIT "listen: [ { kind: proxy } ]\n", "p:2:11",
	  "a listener has either an address or an fd" },
	{ AUDIT
	  "listen: [ { kind: proxy, address: \"127.0.0.1:1\", fd: p } ]\n",
	  "p:2:11", "a listener has either an address or an fd" },
	{ AUDIT "listen: [ { kind: proxy, address: localhost:1 } ]\n", "p:2:35",
	  "'address' is ADDRESS:PORT, with IPv6 in brackets" },
	{ AUDIT "listen: [ { kind: proxy, address: \"127.0.0.1:0\" } ]\n",
	  "p:2:35", "'address' is ADDRESS:PORT, with IPv6 in brackets" },
	{ AUDIT "listen: [ { kind: transparent, fd: transparent } ]\n",
	  "p:2:19", "kind 'transparent' is not built in this version" },
	{ AUDIT "listen: [ { kind: socks, fd: socks } ]\n", "p:2:19",
	  "kind 'socks' is not built in this version" },
	{ AUDIT "listen: [ { kind: web, fd: x } ]\n", "p:2:19",
	  "'kind' is one of: proxy, transparent, socks, dns-udp, dns-tcp" },
	{ AUDIT "listen: [ { kind: proxy, fd: proxy, policy: other } ]\n",
	  "p:2:45", "there is no policy 'other'" },
	{ BOTH("policies: { default: {}, other: {} }\n"), "p:3:26",
	  "no listener uses the policy 'other'" },
	{ BOTH("policies: [ a ]\n"), "p:3:11",
	  "'policies' holds policies by name" },
	{ RULES("    alow: []\n"), "p:5:5",
	  "unknown key 'alow' (did you mean 'allow'?)" },
	{ RULES("    allow: a.test\n"), "p:5:12", "'allow' is a list" },
	{ RULES("    allow: [ [ a.test ] ]\n"), "p:5:14",
	  "expected a text here" },
	{ RULES("    allow: [ a.test, http://b.test ]\n"), "p:5:26",
	  "an entry is a host, not a URL" },
	{ RULES("    allow: [ a.test:99999 ]\n"), "p:5:21",
	  "a port is a number from 1 to 65535" },
	{ RULES("    allow: [ \"a.test:0\" ]\n"), "p:5:22",
	  "a port is a number from 1 to 65535" },
	{ RULES("    allow: [ \"*.com\" ]\n"), "p:5:15",
	  "a wildcard over a public suffix covers everybody" },
	{ RULES("    deny: [ \"a b.test\" ]\n"), "p:5:15",
	  "spaces are not allowed in an entry" },
	{ RULES("    allow: [ { entry: a.test, tls: any } ]\n"), "p:5:31",
	  "key 'tls' is not built in this version" },
	{ RULES("    allow: [ { entry: a.test, sni: match } ]\n"), "p:5:31",
	  "key 'sni' is not built in this version" },
	{ RULES("    allow: [ { entry: a.test, ech: deny } ]\n"), "p:5:31",
	  "key 'ech' is not built in this version" },
	{ RULES("    allow: [ { entry: a.test, bytes: 5 } ]\n"), "p:5:31",
	  "key 'bytes' is not built in this version" },
	{ RULES("    allow: [ { entry: a.test, origin: [] } ]\n"), "p:5:39",
	  "expected a text here" },
	{ RULES("    allow: [ { permit_addresses: [] } ]\n"), "p:5:14",
	  "key 'entry' is missing" },
	{ RULES("    allow: [ { entry: a.test, permit_addresses: [ "
		"127.0.0.0/8 ] } ]\n"),
	  "p:5:51",
	  "'127.0.0.0/8' is wider than one address, which only private "
	  "ranges may be" },
	{ RULES("    deny: [ { entry: a.test, permit_addresses: [ 10.0.0.1 ] "
		"} ]\n"),
	  "p:5:48", "'permit_addresses' belongs to an allow entry" },
	{ RULES("    permit_addresses: [ 10.0.0.1/8 ]\n"), "p:5:25",
	  "'10.0.0.1/8' is neither an address nor a prefix like 10.1.2.0/24 "
	  "(no bit may be set behind the prefix)" },
	{ RULES("    permit_addresses: [ 0.0.0.0/0 ]\n"), "p:5:25",
	  "'0.0.0.0/0' is wider than one address, which only private ranges "
	  "may be" },
	{ RULES("    unrestricted: yes\n"), "p:5:19",
	  "'unrestricted' is true or false" },
	{ RULES("    mode: off\n"), "p:5:11",
	  "'mode' is one of: enforce, report" },
	{ RULES("    include: github\n"), "p:5:14", "'include' is a list" },
	{ RULES("    include: [ \"\" ]\n"), "p:5:16", PRESET_NAME },
	{ RULES("    include: [ .. ]\n"), "p:5:16", PRESET_NAME },
	{ RULES("    include: [ ../examples/proxy ]\n"), "p:5:16",
	  PRESET_NAME },
	{ RULES("    include: [ a/b ]\n"), "p:5:16", PRESET_NAME },
	{ RULES("    include: [ /etc/passwd ]\n"), "p:5:16", PRESET_NAME },
	{ RULES("    include: [ GitHub ]\n"), "p:5:16", PRESET_NAME },
	{ RULES("    include: [ -x ]\n"), "p:5:16", PRESET_NAME },
	{ RULES("    include: [ github, { a: b } ]\n"), "p:5:24",
	  "expected a text here" },
	{ RULES("    include: [ github, no-such ]\n"), "p:5:24",
	  "there is no preset 'no-such'" },
	{ AUDIT "listen: [ { kind: proxy, fd: proxy, auth: password } ]\n",
	  "p:2:43", "'auth' is one of: none, token" },
	{ AUDIT "listen: [ { kind: proxy, fd: proxy, auth: token } ]\n",
	  "p:2:43", "no item of 'select' has a token" },
	{ AUDIT "listen: [ { kind: proxy, fd: proxy, auth: token } ]\n"
		"select: [ { clients: [ 10.0.0.1 ], policy: default } ]\n"
		"policies: { default: {} }\n",
	  "p:2:43", "no item of 'select' has a token" },
	{ AUDIT "listen: [ { kind: proxy, fd: proxy, tls: {} } ]\n", "p:2:37",
	  "key 'tls' is not built in this version" },
	{ CHOOSE("default"), "p:3:9", "'select' is a list of at most 1024" },
	{ CHOOSE("[ default ]"), "p:3:11", "expected keys and values here" },
	{ CHOOSE("[ {} ]"), "p:3:11", "key 'policy' is missing" },
	{ CHOOSE("[ { policy: default } ]"), "p:3:11",
	  "neither clients nor a token: nothing to select by" },
	{ CHOOSE("[ { policy: default, user: x } ]"), "p:3:30",
	  "unknown key 'user'" },
	{ CHOOSE("[ { policy: default, clients: [] } ]"), "p:3:39",
	  "'clients' is a list of addresses" },
	{ CHOOSE("[ { policy: default, clients: } ]"), "p:3:39",
	  "'clients' is a list of addresses" },
	{ CHOOSE("[ { policy: default, clients: 10.0.0.1 } ]"), "p:3:39",
	  "'clients' is a list of addresses" },
	{ CHOOSE("[ { policy: default, clients: [ 10.0.0.1/8 ] } ]"), "p:3:41",
	  CLIENT },
	{ CHOOSE("[ { policy: default, clients: [ lan.test ] } ]"), "p:3:41",
	  CLIENT },
	{ CHOOSE("[ { policy: default, clients: [ 10.0.0.1, \"*\" ] } ]"),
	  "p:3:51", CLIENT },
	{ CHOOSE("[ { policy: default, token_sha256: abc } ]"), "p:3:44",
	  SHA256 },
	{ CHOOSE("[ { policy: default, token_sha256: " UPPER " } ]"), "p:3:44",
	  SHA256 },
	{ CHOOSE("[ { policy: default, token_sha256: [ a ] } ]"), "p:3:44",
	  SHA256 },
	{ CHOOSE("[ { policy: default, token_file: [ a ] } ]"), "p:3:42",
	  "'token_file' is the path of a file" },
	{ CHOOSE("[ { policy: default, token_file: /nonexistent } ]"), "p:3:42",
	  "cannot read '/nonexistent': No such file or directory" },
	{ CHOOSE("[ { policy: default, token_file: /dev/null } ]"), "p:3:42",
	  "'/dev/null' is not a regular file" },
	{ CHOOSE("[ { policy: default, token_sha256: " LOWER " }, { policy: "
		 "default, token_sha256: " LOWER " } ]"),
	  "p:3:145", "this token was given before" },
	{ CHOOSE("[ { policy: other, clients: [ 10.0.0.1 ] } ]"), "p:3:21",
	  "there is no policy 'other'" },
	{ BOTH("policies: { default: {}, other: {} }\n"
	       "select: [ { policy: default, clients: [ 10.0.0.1 ] } ]\n"),
	  "p:3:26", "no listener uses the policy 'other'" },
	{ BOTH("tls: { sni: match }\n"), "p:3:6",
	  "'tls' is not built in this version" },
	{ BOTH("upstream_proxy: http://x\n"), "p:3:17",
	  "'upstream_proxy' is not built in this version" },
	{ BOTH("control: { path: /run/x }\n"), "p:3:10",
	  "'control' is not built in this version" },
	{ BOTH("metrics: { address: \"127.0.0.1:9\" }\n"), "p:3:10",
	  "'metrics' is not built in this version" },
	{ BOTH("workers: 2\n"), "p:3:10",
	  "'workers' is 'auto' or 1 in this version" },
	{ BOTH("resolver: { servers: [ dns.test ] }\n"), "p:3:24",
	  "a server is ADDRESS or ADDRESS:PORT" },
	{ BOTH("resolver: { cache: 65537 }\n"), "p:3:20",
	  "'cache' is a whole number from 0 to 65536" },
	{ BOTH("resolver: { cache: some }\n"), "p:3:20",
	  "'cache' is a whole number from 0 to 65536" },
	{ BOTH("resolver: { cache: [] }\n"), "p:3:20",
	  "'cache' is a whole number from 0 to 65536" },
	{ BOTH("resolver: { hosts_file: /etc/hosts }\n"), "p:3:25",
	  "'hosts_file' takes only 'none' in this version" },
	{ BOTH("resolver: { timeout_ms: 1 }\n"), "p:3:25",
	  "'timeout_ms' is a whole number from 10 to 60000" },
	{ LISTEN "audit: {}\n", "p:2:8", "key 'path' is missing" },
	{ LISTEN "audit: { path: a, sync: later }\n", "p:2:25",
	  "'sync' is one of: none, batch, each" },
	{ LISTEN "audit: { path: a, max_bytes: 0 }\n", "p:2:19",
	  "key 'max_bytes' is not built in this version" },
	{ LISTEN "audit: { path: a, copies: [] }\n", "p:2:19",
	  "key 'copies' is not built in this version" },
	{ BOTH("limits: { head_ms: 0 }\n"), "p:3:20",
	  "'head_ms' is a whole number from 10 to 3600000" },
	{ BOTH("limits: { head_bytes: 1000000 }\n"), "p:3:23",
	  "'head_bytes' is a whole number from 1024 to 65536" },
	{ BOTH("limits: { headers: 129 }\n"), "p:3:20",
	  "'headers' is a whole number from 1 to 128" },
	{ BOTH("limits: { life_ms: 0 }\n"), "p:3:11",
	  "key 'life_ms' is not built in this version" },
	{ BOTH("limits: { connections_per_client: 5 }\n"), "p:3:11",
	  "key 'connections_per_client' is not built in this version" },
	{ BOTH("limits: { tunnel_bytes: 5 }\n"), "p:3:11",
	  "key 'tunnel_bytes' is not built in this version" },
	{ BOTH("limits: { session_bytes: 5 }\n"), "p:3:11",
	  "key 'session_bytes' is not built in this version" },
};

static void faults_are_named_and_placed(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(refused); i++) {
		struct error err = { 0 };
		struct proxy_conf *conf =
			conf_load_text("p", span_of(refused[i].text), &err);

		if (conf)
			fail_msg("accepted:\n%s", refused[i].text);
		if (strcmp(err.text, refused[i].error) != 0 ||
		    strcmp(err.where, refused[i].where) != 0)
			fail_msg("%s: %s\nand not\n%s: %s\nfor\n%s", err.where,
				 err.text, refused[i].where, refused[i].error,
				 refused[i].text);
		assert_int_equal(err.kind, ERROR_INPUT);
	}
}

/* The mark stands under the character that is wrong. */
static void caret_points_into_an_entry(void **state)
{
	struct error err;

	(void)state;
	assert_null(conf_load_text(
		"p", SPAN(RULES("    allow: [ \"a.test:0\" ]\n")), &err));
	assert_string_equal(err.excerpt, "    allow: [ \"a.test:0\" ]");
	assert_int_equal(err.caret, 22);
	assert_int_equal(err.caret_len, 1);
}

static struct proxy_conf *load(const char *text)
{
	struct error err;
	struct proxy_conf *conf = conf_load_text("p", span_of(text), &err);

	if (!conf)
		fail_msg("%s: %s", err.where, err.text);
	return conf;
}

static struct decision decide(const struct judge *judge, const char *host,
			      uint16_t port)
{
	struct target target = { .port = port };

	assert_int_equal(hostname_parse(span_of(host), &target.host),
			 HOSTNAME_OK);
	return judge_decide(judge, &target);
}

/* H1: every way to say nothing denies everything. */
static void nothing_said_is_nothing_allowed(void **state)
{
	static const char *const texts[] = {
		LISTEN AUDIT,
		BOTH("policies:\n"),
		BOTH("policies: {}\n"),
		BOTH("policies: { default: }\n"),
		BOTH("policies: { default: {} }\n"),
		RULES("    allow:\n"),
		RULES("    allow: []\n"),
		RULES("    unrestricted: false\n"),
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		struct proxy_conf *conf = load(texts[i]);

		assert_int_equal(conf->listener_count, 1);
		assert_int_equal(
			decide(conf->listeners[0].judge, "a.test", 443).verdict,
			VERDICT_DENY);
		conf_free(conf);
	}
}

static void parts_switched_off_are_welcome(void **state)
{
	(void)state;
	conf_free(load(BOTH("tls:\nupstream_proxy: null\ncontrol: null\n"
			    "metrics: ~\nworkers: auto\n")));
	conf_free(load(BOTH("control: { path: null }\n"
			    "metrics: { address: null }\nworkers: 1\n"
			    "resolver: { cache: none, hosts_file: none }\n")));
}

static const struct {
	const char *text;
	uint64_t answers;
} caches[] = {
	{ BOTH(""), 4096 },
	{ BOTH("resolver: { cache: none }\n"), 0 },
	{ BOTH("resolver: { cache: 0 }\n"), 0 },
	{ BOTH("resolver: { cache: 65536 }\n"), 65536 },
};

static void cache_is_a_number_or_none(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(caches); i++) {
		struct proxy_conf *conf = load(caches[i].text);

		assert_int_equal(conf->resolver.cache, caches[i].answers);
		conf_free(conf);
	}
}

/* A permit of one entry opens nothing for another. */
static void permits_belong_to_their_entry(void **state)
{
	struct proxy_conf *conf = load(RULES(
		"    allow: [ { permit_addresses: [ 10.0.0.1 ], entry: a.test }, "
		"b.test ]\n"));
	const struct judge *judge = conf->listeners[0].judge;
	struct decision first = decide(judge, "a.test", 443);
	struct decision second = decide(judge, "b.test", 443);
	struct addr permitted = addr_v4(10, 0, 0, 1);
	struct addr other = addr_v4(10, 0, 0, 2);

	(void)state;
	assert_int_equal(first.verdict, VERDICT_ALLOW);
	assert_int_equal(second.verdict, VERDICT_ALLOW);
	assert_string_equal(second.rule->origin, "p:5:65");
	assert_int_equal(judge_vet(judge, &first, &permitted, false), DENY_NOT);
	assert_int_equal(judge_vet(judge, &first, &permitted, true), DENY_NOT);
	assert_int_equal(judge_vet(judge, &first, &other, false), DENY_PRIVATE);
	assert_int_equal(judge_vet(judge, &second, &permitted, false),
			 DENY_PRIVATE);
	conf_free(conf);
}

static void digest(const char *text, char hex[DIGEST_HEX + 1])
{
	struct proxy_conf *conf = load(text);
	struct error err;

	assert_int_equal(conf_digest(conf, hex, &err), 0);
	conf_free(conf);
}

static void digest_is_of_what_decides(void **state)
{
	char one[DIGEST_HEX + 1], two[DIGEST_HEX + 1];
	struct policy *policy;
	unsigned column;
	struct error err;

	(void)state;
	digest(RULES("    allow: [ a.test, B.test. ]\n"), one);
	digest(BOTH("policies: { default: { allow: [ b.test, a.test ] } }\n"),
	       two);
	assert_string_equal(one, two);
	/* others can compute the same from their own copy of the rules */
	policy = policy_new(&err);
	assert_int_equal(policy_allow(policy, "b.test", "x", &column, &err), 0);
	assert_int_equal(policy_allow(policy, "a.test", "x", &column, &err), 0);
	assert_int_equal(policy_digest(policy, two, &err), 0);
	policy_free(policy);
	assert_string_equal(one, two);
	digest(RULES("    allow: [ b.test, { entry: a.test, "
		     "permit_addresses: [ 10.0.0.1 ] } ]\n"),
	       two);
	assert_string_not_equal(one, two);
	digest(RULES("    allow: [ a.test ]\n"), two);
	assert_string_not_equal(one, two);
}

static void reporting_is_another_digest(void **state)
{
	char one[DIGEST_HEX + 1], two[DIGEST_HEX + 1];

	(void)state;
	digest(RULES("    allow: [ a.test ]\n    mode: enforce\n"), one);
	digest(RULES("    allow: [ a.test ]\n"), two);
	assert_string_equal(one, two);
	digest(RULES("    allow: [ a.test ]\n    mode: report\n"), two);
	assert_string_not_equal(one, two);
}

static void selecting_is_another_digest(void **state)
{
	char one[DIGEST_HEX + 1], two[DIGEST_HEX + 1];

	(void)state;
	digest(CHOOSE(""), one);
	digest(CHOOSE("[ { policy: default, clients: [ 10.0.0.1 ] } ]"), two);
	assert_string_not_equal(one, two);
	digest(CHOOSE("[ { policy: default, clients: [ 10.0.0.2 ] } ]"), one);
	assert_string_not_equal(one, two);
}

/* What is printed is a proxy file that decides the same. */
static void what_is_printed_reads_back(void **state)
{
	static const char *const texts[] = {
		LISTEN AUDIT,
		RULES("    mode: report\n    unrestricted: true\n"),
		RULES("    include: [ github ]\n    deny: [ \"*.a.test\" ]\n"),
		RULES("    allow: [ bücher.test, \"[::1]:1-9\", 10.0.0.0/8, "
		      "{ entry: b.test:22, permit_addresses: [ 10.0.0.0/24, "
		      "127.0.0.1, \"::1\" ] } ]\n"
		      "    permit_addresses: [ 192.168.0.1, \"fc00::/7\" ]\n"),
		CHOOSE("[ { clients: [ 10.0.0.0/8, \"::1\" ], policy: default "
		       "}, { token_sha256: " LOWER ", session: \"a\\nb\\\"\", "
		       "policy: default } ]"),
		AUDIT "listen: [ { kind: proxy, fd: proxy, auth: token, policy:"
		      " \"#: \" } ]\npolicies: { \"#: \": {} }\n"
		      "select: [ { token_sha256: " LOWER
		      ", policy: \"#: \" } ]\n",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		struct proxy_conf *conf = load(texts[i]);
		char one[DIGEST_HEX + 1], two[DIGEST_HEX + 1];
		char *printed = NULL;
		struct error err;
		size_t size = 0;
		FILE *out = open_memstream(&printed, &size);

		assert_non_null(out);
		assert_int_equal(conf_print(conf, out, &err), 0);
		assert_int_equal(fclose(out), 0);
		conf_free(conf);
		digest(texts[i], one);
		digest(printed, two);
		assert_string_equal(one, two);
		assert_non_null(strstr(printed, one));
		free(printed);
	}
}

static void words_need_all_three(void **state)
{
	static const char *const allow[] = { "a.test", "b.test:22" };
	static const char *const bad[] = { "*.com" };
	static const char *const listen[] = { "[::1]:3128" };
	struct conf_words words = { allow, 2, listen, 1, "a.log" };
	struct error err;
	struct proxy_conf *conf = conf_from_words(&words, &err);

	(void)state;
	assert_non_null(conf);
	assert_int_equal(decide(conf->listeners[0].judge, "b.test", 22).verdict,
			 VERDICT_ALLOW);
	conf_free(conf);
	words.audit = NULL;
	assert_null(conf_from_words(&words, &err));
	assert_string_equal(err.text, "without --config, --listen and --audit "
				      "are needed");
	words = (struct conf_words){ bad, 1, listen, 1, "a.log" };
	assert_null(conf_from_words(&words, &err));
	assert_string_equal(err.text, "--allow '*.com': a wildcard over a "
				      "public suffix covers everybody");
	words = (struct conf_words){ allow, 1, allow, 1, "a.log" };
	assert_null(conf_from_words(&words, &err));
	assert_string_equal(err.text, "--listen 'a.test' is not ADDRESS:PORT");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(faults_are_named_and_placed),
		cmocka_unit_test(caret_points_into_an_entry),
		cmocka_unit_test(nothing_said_is_nothing_allowed),
		cmocka_unit_test(parts_switched_off_are_welcome),
		cmocka_unit_test(cache_is_a_number_or_none),
		cmocka_unit_test(permits_belong_to_their_entry),
		cmocka_unit_test(digest_is_of_what_decides),
		cmocka_unit_test(reporting_is_another_digest),
		cmocka_unit_test(selecting_is_another_digest),
		cmocka_unit_test(what_is_printed_reads_back),
		cmocka_unit_test(words_need_all_three),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
