/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tests/unit/unit.h"

#include "base/addr.h"
#include "policy/entry.h"

#define L63 "abcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabcdefghijabc"

/* Every refusal, with the column that a loader points at. */
static const struct {
	const char *text;
	unsigned column;
	const char *says; /* part of the message */
} bad_cases[] = {
	{ "", 1, "must not be empty" },
	{ " ", 1, "spaces" },
	{ "\t", 1, "spaces" },
	{ "a b", 2, "spaces" },
	{ " a", 1, "spaces" },
	{ "a.test ", 7, "spaces" },
	{ "a.test\tb", 7, "spaces" },
	{ "x,y", 2, "','" },
	{ "a.test,*", 7, "','" }, /* one entry must not become two */
	{ "me@a.test", 3, "user names" },
	{ "https://x", 6, "not a URL" },
	{ "https://x/y", 6, "not a URL" },
	{ "://", 1, "not a URL" },
	{ "x/y", 1, "not a host" },
	{ "a.test/", 1, "not a host" },
	{ "/", 1, "not a host" },
	/* '*' */
	{ "*.", 3, "empty" },
	{ "*..", 3, "empty" },
	{ "*.:443", 3, "empty" },
	{ "**", 1, "'*' stands alone" },
	{ "**.test", 1, "'*' stands alone" },
	{ "*a.test", 1, "'*' stands alone" },
	{ "a*.com", 2, "'*' stands alone" },
	{ "a.*.test", 3, "'*' stands alone" },
	{ "a.*", 3, "'*' stands alone" },
	{ "a*", 2, "'*' stands alone" },
	{ "*.*.test", 3, "only a-z" },
	{ "*.*", 3, "only a-z" },
	{ "*.com", 1, "public suffix" },
	{ "*.COM", 1, "public suffix" },
	{ "*.com.", 1, "public suffix" },
	{ "*.com:443", 1, "public suffix" },
	{ "*.co.uk", 1, "public suffix" },
	{ "*.uk", 1, "public suffix" },
	{ "*.org", 1, "public suffix" },
	{ "*.ck", 1, "public suffix" },
	{ "*.foo.ck", 1, "public suffix" },
	{ "*.kawasaki.jp", 1, "public suffix" },
	{ "*.city-to-be.kawasaki.jp", 1, "public suffix" },
	{ "*.xn--p1ai", 1, "public suffix" },
	{ "*.\xd1\x80\xd1\x84", 1, "public suffix" },
	{ "*.1.2.3.4", 3, "number" },
	{ "*.0x1", 3, "number" },
	{ "*.-a.test", 3, "'-'" },
	/* names */
	{ "a..test", 1, "label is empty" },
	{ ".test", 1, "label is empty" },
	{ ".", 1, "empty" },
	{ "a.test..", 1, "label is empty" },
	{ "-a.test", 1, "'-'" },
	{ L63 "x.test", 1, "63" },
	{ "1.2.3", 1, "number" },
	{ "127.1", 1, "number" },
	{ "0x7f.1", 1, "number" },
	{ "1.2.3.0x4", 1, "number" },
	{ "256.1.1.1", 1, "number" },
	{ "1.2.3.4.", 1, "number" },
	{ "a%2etest", 2, "only a-z" },
	{ "a#b.test", 2, "only a-z" },
	{ "a?b.test", 2, "only a-z" },
	{ "a\\b.test", 2, "only a-z" },
	{ "a.test\n", 7, "only a-z" },
	{ "a\x7f.test", 2, "only a-z" },
	{ "(a)", 1, "only a-z" },
	{ "a]", 2, "only a-z" },
	{ "o\xc2\xadk.test", 1, "international" },
	{ "ok\xe3\x80\x82test", 1, "international" },
	{ "o\xe2\x80\x8dk.test", 1, "international" },
	{ "xn--a.test", 1, "international" },
	{ "*.xn--a.test", 3, "international" },
	/* ports (E13) */
	{ "a.test:", 8, "port" },
	{ "a.test:0", 8, "port" },
	{ "a.test:4294967739", 8, "port" },
	{ "a.test:65979", 8, "port" },
	{ "a.test:65536", 8, "port" },
	{ "a.test:+443", 8, "port" },
	{ "a.test:0443", 8, "port" },
	{ "a.test:-1", 8, "port" },
	{ "a.test:443abc", 8, "port" },
	{ "a.test:\xd9\xa4\xd9\xa4\xd9\xa3", 8, "port" },
	{ "a.test:80-", 11, "port" },
	{ "a.test:80-0", 11, "port" },
	{ "a.test:80-70", 11, "low to high" },
	{ "a.test:80-443-500", 11, "port" },
	{ "a.test:80-65536", 11, "port" },
	{ "a.test:*", 8, "port" },
	{ "a.test:https", 8, "port" },
	{ ":443", 1, "empty" },
	{ "*:0", 3, "port" },
	{ "1.2.3.4:0", 9, "port" },
	{ "[::1]:0", 7, "port" },
	{ "[::1]:", 7, "port" },
	/* IPv6 */
	{ "::1", 1, "brackets" },
	{ "2001:db8::1", 5, "brackets" },
	{ "2001:db8::1:443", 5, "brackets" },
	{ "a.test:80:81", 7, "brackets" },
	{ "[::1", 1, "without ']'" },
	{ "[", 1, "without ']'" },
	{ "[]", 2, "not an IPv6" },
	{ "[a.test]", 2, "not an IPv6" }, /* A3 */
	{ "[bad.test]:443", 2, "not an IPv6" },
	{ "[1.2.3.4]", 2, "not an IPv6" },
	{ "[fe80::1%eth0]", 2, "not an IPv6" },
	{ "[::1]x", 6, "':'" },
	{ "[::1]443", 6, "':'" },
	{ "[::1]/128", 6, "':'" },
	/* prefixes (B12) */
	{ "10.0.0.0/0", 1, "prefix" },
	{ "1.2.3.4/33", 1, "prefix" },
	{ "0x0a/8", 1, "prefix" },
	{ "10.1.0.0/8", 1, "prefix" },
	{ "10.0.0.0/8:443", 1, "prefix" },
	{ "::1/127", 1, "prefix" },
	{ "a.test/8", 1, "prefix" },
	{ "*/8", 1, "prefix" },
};

static void entry_refuses_and_points(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad_cases); i++) {
		const char *text = bad_cases[i].text;
		struct entry entry;
		struct error err;
		unsigned column = 0;

		if (entry_parse(span_of(text), &entry, &column, &err) == 0)
			fail_msg("'%s' was accepted", text);
		assert_int_equal(err.kind, ERROR_INPUT);
		if (entry.kind != ENTRY_NONE || entry.cidr.addr.size ||
		    entry.host.size || entry.port_low || entry.port_high)
			fail_msg("'%s' left something behind", text);
		if (column != bad_cases[i].column)
			fail_msg("'%s': column %u instead of %u", text, column,
				 bad_cases[i].column);
		if (!strstr(err.text, bad_cases[i].says))
			fail_msg("'%s': \"%s\"", text, err.text);
	}
}

static void entry_refuses_nul(void **state)
{
	static const struct span cases[] = {
		SPAN("a.test\0"), SPAN("evil.test\0.wild.test"),
		SPAN("*.\0"),     SPAN("a.test:44\0"),
		SPAN("\0"),       SPAN("[::1\0]"),
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct entry entry;
		struct error err;
		unsigned column;

		if (entry_parse(cases[i], &entry, &column, &err) == 0)
			fail_msg("case %zu was accepted", i);
	}
}

static const struct {
	const char *text;
	enum entry_kind kind;
	const char *value; /* name, or prefix */
	unsigned low, high;
} good_cases[] = {
	{ "a.test", ENTRY_HOST, "a.test", 0, 0 },
	{ "A.Test.", ENTRY_HOST, "a.test", 0, 0 },
	{ "com", ENTRY_HOST, "com", 0, 0 }, /* that one host */
	{ "db", ENTRY_HOST, "db", 0, 0 },
	{ "_a.test", ENTRY_HOST, "_a.test", 0, 0 },
	{ "a.test:1", ENTRY_HOST, "a.test", 1, 1 },
	{ "a.test:65535", ENTRY_HOST, "a.test", 65535, 65535 },
	{ "a.test:80-443", ENTRY_HOST, "a.test", 80, 443 },
	{ "a.test:80-80", ENTRY_HOST, "a.test", 80, 80 },
	{ "b\xc3\xbc"
	  "cher.test",
	  ENTRY_HOST, "xn--bcher-kva.test", 0, 0 },
	{ "*.wild.test", ENTRY_ZONE, "wild.test", 0, 0 },
	{ "*.b\xc3\xbc"
	  "cher.test:8443",
	  ENTRY_ZONE, "xn--bcher-kva.test", 8443, 8443 },
	{ "*.claude.ai", ENTRY_ZONE, "claude.ai", 0, 0 },
	{ "*.internal", ENTRY_ZONE, "internal", 0, 0 },
	{ "*.github.io", ENTRY_ZONE, "github.io", 0, 0 }, /* private section */
	{ "*.www.ck", ENTRY_ZONE, "www.ck", 0, 0 },       /* an exception */
	{ "*.city.kawasaki.jp", ENTRY_ZONE, "city.kawasaki.jp", 0, 0 },
	{ "*", ENTRY_ANY, "", 0, 0 },
	{ "*:8080", ENTRY_ANY, "", 8080, 8080 },
	{ "1.2.3.4", ENTRY_CIDR, "1.2.3.4/32", 0, 0 },
	{ "1.2.3.4:22", ENTRY_CIDR, "1.2.3.4/32", 22, 22 },
	{ "[::1]", ENTRY_CIDR, "::1/128", 0, 0 },
	{ "[2001:DB8::1]:22-23", ENTRY_CIDR, "2001:db8::1/128", 22, 23 },
	{ "10.0.0.0/8", ENTRY_CIDR, "10.0.0.0/8", 0, 0 },
	{ "2001:db8::/32", ENTRY_CIDR, "2001:db8::/32", 0, 0 },
	{ "0.0.0.0/0", ENTRY_CIDR, "0.0.0.0/0", 0, 0 },
};

static void entry_reads_each_form(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(good_cases); i++) {
		struct entry entry;
		struct error err;
		unsigned column;
		char value[300];

		if (entry_parse(span_of(good_cases[i].text), &entry, &column,
				&err) < 0)
			fail_msg("'%s': %s", good_cases[i].text, err.text);
		assert_int_equal(entry.kind, good_cases[i].kind);
		assert_int_equal(entry.port_low, good_cases[i].low);
		assert_int_equal(entry.port_high, good_cases[i].high);
		if (entry.kind == ENTRY_CIDR)
			snprintf(value, sizeof(value), "%s/%u",
				 addr_print(&entry.cidr.addr).text,
				 entry.cidr.bits);
		else
			snprintf(value, sizeof(value), "%s", entry.host.name);
		assert_string_equal(value, good_cases[i].value);
	}
}

static struct entry must_parse(const char *text)
{
	struct entry entry;
	struct error err;
	unsigned column;

	if (entry_parse(span_of(text), &entry, &column, &err) < 0)
		fail_msg("'%s': %s", text, err.text);
	return entry;
}

static const struct {
	const char *entry;
	uint16_t port;
	bool covered;
} port_cases[] = {
	/* E14: no port means 80 and 443, nothing else */
	{ "a.test", 22, false },
	{ "a.test", 25, false },
	{ "a.test", 79, false },
	{ "a.test", 81, false },
	{ "a.test", 442, false },
	{ "a.test", 444, false },
	{ "a.test", 8080, false },
	{ "a.test", 6379, false },
	{ "a.test", 0, false },
	{ "a.test:22", 80, false },
	{ "a.test:22", 443, false },
	{ "a.test:22", 21, false },
	{ "a.test:22", 23, false },
	{ "a.test:80-90", 79, false },
	{ "a.test:80-90", 91, false },
	{ "a.test:80-90", 443, false },
	{ "*", 22, false },
	{ "*:22", 80, false },
	{ "1.2.3.4", 22, false },
	{ "10.0.0.0/8", 22, false },
	{ "a.test", 80, true },
	{ "a.test", 443, true },
	{ "a.test:22", 22, true },
	{ "a.test:80-90", 80, true },
	{ "a.test:80-90", 85, true },
	{ "a.test:80-90", 90, true },
};

static void entry_covers_its_ports_only(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(port_cases); i++) {
		struct entry entry = must_parse(port_cases[i].entry);

		if (entry_covers_port(&entry, port_cases[i].port) !=
		    port_cases[i].covered)
			fail_msg("%s and port %u", port_cases[i].entry,
				 port_cases[i].port);
	}
}

/* The policy's rule and the reference's wider one, side by side. */
static const struct {
	const char *entry, *host;
	bool policy, asserted;
} host_cases[] = {
	{ "ok.test", "notok.test", false, false },
	{ "ok.test", "ok.test.evil.test", false, false },
	{ "ok.test", "test", false, false },
	{ "ok.test", "a.ok.test", false, true }, /* where they differ */
	{ "ok.test", "a.b.ok.test", false, true },
	{ "ok.test", "ok.test", true, true },
	{ "ok.test:22", "ok.test", true, true },
	{ "*.wild.test", "wild.test", false, false },
	{ "*.wild.test", "evilwild.test", false, false },
	{ "*.wild.test", "wild.test.evil.test", false, false },
	{ "*.wild.test", "a.wild.test", true, true },
	{ "*.wild.test", "a.b.wild.test", true, true },
	{ "*", "anything.test", true, true },
	{ "1.2.3.4", "ok.test", false, false },
	{ "0.0.0.0/0", "ok.test", false, false },
};

static void entry_covers_hosts(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(host_cases); i++) {
		struct entry entry = must_parse(host_cases[i].entry);
		struct hostname host;

		assert_int_equal(
			hostname_parse(span_of(host_cases[i].host), &host), 0);
		if (entry_covers_host(&entry, &host) != host_cases[i].policy)
			fail_msg("policy: %s and %s", host_cases[i].entry,
				 host_cases[i].host);
		if (entry_covers_asserted(&entry, &host) !=
		    host_cases[i].asserted)
			fail_msg("asserted: %s and %s", host_cases[i].entry,
				 host_cases[i].host);
	}
}

static void entry_covers_no_empty_name(void **state)
{
	static const char *const texts[] = { "*", "*.wild.test", "ok.test",
					     "0.0.0.0/0" };
	const struct hostname none = { 0 };
	const struct entry unfilled = { 0 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		struct entry entry = must_parse(texts[i]);

		assert_false(entry_covers_host(&entry, &none));
		assert_false(entry_covers_asserted(&entry, &none));
	}
	assert_false(entry_covers_host(&unfilled, &none));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(entry_refuses_and_points),
		cmocka_unit_test(entry_refuses_nul),
		cmocka_unit_test(entry_reads_each_form),
		cmocka_unit_test(entry_covers_its_ports_only),
		cmocka_unit_test(entry_covers_hosts),
		cmocka_unit_test(entry_covers_no_empty_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
