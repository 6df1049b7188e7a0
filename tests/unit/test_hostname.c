/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tests/unit/unit.h"

#include "base/hostname.h"

#define L10  "abcdefghij"
#define L63  L10 L10 L10 L10 L10 L10 "abc"
#define N250 L63 "." L63 "." L63 "." L10 L10 L10 L10 L10 "abcdefgh"

/* Written with sizes, because some hold NUL. */
#define BAD(text, fault)                                \
	{                                               \
		{ text, sizeof(text) - 1 }, fault, NULL \
	}
#define GOOD(text, name)                                      \
	{                                                     \
		{ text, sizeof(text) - 1 }, HOSTNAME_OK, name \
	}

struct name_case {
	struct span text;
	enum hostname_fault fault;
	const char *name;
};

/* What a client may send (threats A1 to A12). */
static const struct name_case wire_cases[] = {
	BAD("", HOSTNAME_EMPTY),
	BAD(".", HOSTNAME_EMPTY),
	/* A1: one trailing dot, no more */
	BAD("ok.test..", HOSTNAME_LABEL_EMPTY),
	BAD("..", HOSTNAME_LABEL_EMPTY),
	/* A3: brackets */
	BAD("[bad.test]", HOSTNAME_CHARACTER),
	BAD("[ok.test", HOSTNAME_CHARACTER),
	BAD("ok.test]", HOSTNAME_CHARACTER),
	BAD("[::1]", HOSTNAME_CHARACTER),
	BAD("::1", HOSTNAME_CHARACTER),
	/* A5: NUL */
	BAD("evil.test\0.wild.test", HOSTNAME_CHARACTER),
	BAD("ok.test\0", HOSTNAME_CHARACTER),
	BAD("\0ok.test", HOSTNAME_CHARACTER),
	/* A6: delimiters, controls */
	BAD("ok.test\r\n", HOSTNAME_CHARACTER),
	BAD("ok.test\rx", HOSTNAME_CHARACTER),
	BAD("ok.test\nx", HOSTNAME_CHARACTER),
	BAD("ok.test%0d%0aHost: evil", HOSTNAME_CHARACTER),
	BAD("ok%2etest", HOSTNAME_CHARACTER),
	BAD("evil.test#.wild.test", HOSTNAME_CHARACTER),
	BAD("evil.test/.wild.test", HOSTNAME_CHARACTER),
	BAD("evil.test?.wild.test", HOSTNAME_CHARACTER),
	BAD("evil.test\\.wild.test", HOSTNAME_CHARACTER),
	BAD("evil.test;.wild.test", HOSTNAME_CHARACTER),
	BAD("evil.test&.wild.test", HOSTNAME_CHARACTER),
	BAD("evil.test\t.wild.test", HOSTNAME_CHARACTER),
	BAD("evil.test\x7f.wild.test", HOSTNAME_CHARACTER),
	BAD("ok.test ", HOSTNAME_CHARACTER),
	BAD(" ok.test", HOSTNAME_CHARACTER),
	BAD("ok test", HOSTNAME_CHARACTER),
	BAD("ok.test:443", HOSTNAME_CHARACTER),
	BAD("ok.test,evil.test", HOSTNAME_CHARACTER),
	BAD("*.wild.test", HOSTNAME_CHARACTER),
	BAD("*", HOSTNAME_CHARACTER),
	BAD("\"ok.test\"", HOSTNAME_CHARACTER),
	BAD("'ok.test'", HOSTNAME_CHARACTER),
	BAD("ok!test", HOSTNAME_CHARACTER),
	BAD("$(ok).test", HOSTNAME_CHARACTER),
	BAD("ok~.test", HOSTNAME_CHARACTER),
	/* A7: zone ids */
	BAD("::ffff:1.2.3.4%x.wild.test", HOSTNAME_CHARACTER),
	BAD("fe80::1%eth0.wild.test", HOSTNAME_CHARACTER),
	/* A8: userinfo */
	BAD("ok.test@evil.test", HOSTNAME_CHARACTER),
	BAD("ok.test:x@evil.test", HOSTNAME_CHARACTER),
	/* A9: nothing but ASCII from the wire */
	BAD("b\xc3\xbc"
	    "cher.test",
	    HOSTNAME_CHARACTER),
	BAD("ok\xe3\x80\x82test", HOSTNAME_CHARACTER),
	BAD("ok\xef\xbc\x8etest", HOSTNAME_CHARACTER),
	BAD("o\xc2\xadk.test", HOSTNAME_CHARACTER),
	BAD("\xef\xbd\x8fk.test", HOSTNAME_CHARACTER),
	BAD("ok.test\xff", HOSTNAME_CHARACTER),
	BAD("ok.test\x80", HOSTNAME_CHARACTER),
	/* A10: lengths, hyphens, empty labels */
	BAD(L63 "d.test", HOSTNAME_LABEL_TOO_LONG),
	BAD("test." L63 "d", HOSTNAME_LABEL_TOO_LONG),
	BAD(N250 "abcd", HOSTNAME_TOO_LONG),
	BAD(N250 "abcd.", HOSTNAME_TOO_LONG),
	BAD(".ok.test", HOSTNAME_LABEL_EMPTY),
	BAD("ok..test", HOSTNAME_LABEL_EMPTY),
	BAD("-ok.test", HOSTNAME_LABEL_HYPHEN),
	BAD("ok-.test", HOSTNAME_LABEL_HYPHEN),
	BAD("ok.-test", HOSTNAME_LABEL_HYPHEN),
	BAD("ok.test-", HOSTNAME_LABEL_HYPHEN),
	BAD("-", HOSTNAME_LABEL_HYPHEN),
	BAD("ok.-", HOSTNAME_LABEL_HYPHEN),
	/* A12 and B1: what inet_aton would read is no name */
	BAD("1.2.3.0x4", HOSTNAME_NUMERIC),
	BAD("1.2.3.0X4", HOSTNAME_NUMERIC),
	BAD("1.2.3.4", HOSTNAME_NUMERIC),
	BAD("1.2.3.4.", HOSTNAME_NUMERIC),
	BAD("127.1", HOSTNAME_NUMERIC),
	BAD("2130706433", HOSTNAME_NUMERIC),
	BAD("0x7f000001", HOSTNAME_NUMERIC),
	BAD("0x7F.1", HOSTNAME_NUMERIC),
	BAD("0177.0.0.1", HOSTNAME_NUMERIC),
	BAD("00000177.1", HOSTNAME_NUMERIC),
	BAD("0x", HOSTNAME_NUMERIC),
	BAD("ok.0x", HOSTNAME_NUMERIC),
	BAD("ok.0", HOSTNAME_NUMERIC),
	BAD("ok.08", HOSTNAME_NUMERIC),
	BAD("ok.test.999999999999", HOSTNAME_NUMERIC),

	GOOD("ok.test", "ok.test"),
	GOOD("ok.test.", "ok.test"),    /* A1 */
	GOOD("Ok.TeSt", "ok.test"),     /* A2 */
	GOOD("OK.TEST.", "ok.test"),    /* both */
	GOOD("localhost", "localhost"), /* A12: a name; policy denies it */
	GOOD("_dmarc.ok.test", "_dmarc.ok.test"),
	GOOD("a_b.test", "a_b.test"),
	GOOD("r3---sn-x.test", "r3---sn-x.test"),
	GOOD("xn--bcher-kva.test", "xn--bcher-kva.test"),
	GOOD("1.2.3.4.test", "1.2.3.4.test"),
	GOOD("1.2.3.4x", "1.2.3.4x"),
	GOOD("0xg", "0xg"),
	GOOD("0x.test", "0x.test"),
	GOOD("a", "a"),
	GOOD(L63 ".test", L63 ".test"),
	GOOD(N250 "abc", N250 "abc"), /* 253 */
	GOOD(N250 "abc.", N250 "abc"),
};

static void check(const struct name_case *c, enum hostname_fault fault,
		  const struct hostname *host)
{
	if (fault != c->fault)
		fail_msg("'%.*s': %s instead of %s", (int)c->text.size,
			 c->text.data, hostname_fault_text(fault),
			 hostname_fault_text(c->fault));
	if (fault != HOSTNAME_OK) {
		assert_int_equal(host->size, 0);
		assert_string_equal(host->name, "");
		return;
	}
	assert_string_equal(host->name, c->name);
	assert_int_equal(host->size, strlen(c->name));
}

static void hostname_from_the_wire(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(wire_cases); i++) {
		struct hostname host;

		check(&wire_cases[i], hostname_parse(wire_cases[i].text, &host),
		      &host);
	}
}

/* Every byte alone in a label: the charset, and nothing else. */
static void hostname_charset_is_closed(void **state)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyz"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";

	(void)state;
	for (int byte = 0; byte < 256; byte++) {
		char text[] = "a?b.test";
		bool expected = byte && strchr(allowed, byte);
		struct hostname host;

		text[1] = (char)byte;
		if ((hostname_parse((struct span){ text, 8 }, &host) ==
		     HOSTNAME_OK) != expected)
			fail_msg("byte 0x%02x", byte);
	}
}

/* What a person may write into a policy (A9). */
static const struct name_case written_cases[] = {
	BAD("", HOSTNAME_EMPTY),
	BAD("ok..test", HOSTNAME_LABEL_EMPTY),
	BAD("1.2.3.0x4", HOSTNAME_NUMERIC),
	/* dots that are not dots */
	BAD("ok\xe3\x80\x82test", HOSTNAME_IDN),
	BAD("ok\xef\xbc\x8etest", HOSTNAME_IDN),
	BAD("ok\xef\xbd\xa1test", HOSTNAME_IDN),
	/* invisible: soft hyphen, zero width space and joiner, BOM */
	BAD("o\xc2\xadk.test", HOSTNAME_IDN),
	BAD("o\xe2\x80\x8bk.test", HOSTNAME_IDN),
	BAD("o\xe2\x80\x8dk.test", HOSTNAME_IDN),
	BAD("o\xe2\x80\x8ck.test", HOSTNAME_IDN),
	BAD("\xef\xbb\xbfok.test", HOSTNAME_IDN),
	/* right to left override */
	BAD("ok\xe2\x80\xae.test", HOSTNAME_IDN),
	/* compatibility forms: full-width o, ligature fi, circled 1 */
	BAD("\xef\xbd\x8fk.test", HOSTNAME_IDN),
	BAD("\xef\xac\x81x.test", HOSTNAME_IDN),
	BAD("\xe2\x91\xa0.test", HOSTNAME_IDN),
	/* capitals and decomposed letters do not read back */
	BAD("B\xc3\x9c"
	    "CHER.test",
	    HOSTNAME_IDN),
	BAD("bu\xcc\x88"
	    "cher.test",
	    HOSTNAME_IDN),
	/* not UTF-8 */
	BAD("ok\xff.test", HOSTNAME_IDN),
	BAD("ok\xc3.test", HOSTNAME_IDN),
	BAD("b\xc3\xbc"
	    "cher\0.test",
	    HOSTNAME_IDN),
	/* symbols, spaces */
	BAD("\xe2\x98\x83.test", HOSTNAME_IDN),
	BAD("b\xc3\xbc cher.test", HOSTNAME_IDN),
	BAD("b\xc3\xbc/x.test", HOSTNAME_IDN),
	BAD("b\xc3\xbc@x.test", HOSTNAME_IDN),
	BAD("b\xc3\xbc*.test", HOSTNAME_IDN),
	/* '_' may stand in other labels, not in an international one */
	BAD("b\xc3\xbc_443.test", HOSTNAME_IDN),
	BAD("xn--b_443-kva.test", HOSTNAME_IDN),
	/* A-labels that encode nothing, or what has a plainer form */
	BAD("xn--a.test", HOSTNAME_IDN),
	BAD("xn--abc-.test", HOSTNAME_LABEL_HYPHEN),
	BAD("xn--\x62"
	    "cher-kv.test",
	    HOSTNAME_IDN),
	BAD("xn--999999999.test", HOSTNAME_IDN),
	/* an A-label longer than a label: 59 letters and an umlaut */
	BAD("\xc3\xbc" L10 L10 L10 L10 L10 "abcdefghi.test", HOSTNAME_IDN),

	GOOD("ok.test", "ok.test"),
	GOOD("OK.test.", "ok.test"),
	GOOD("b\xc3\xbc"
	     "cher.test",
	     "xn--bcher-kva.test"),
	GOOD("xn--bcher-kva.test", "xn--bcher-kva.test"),
	GOOD("XN--BCHER-KVA.test", "xn--bcher-kva.test"),
	GOOD("_x.b\xc3\xbc"
	     "cher.test",
	     "_x.xn--bcher-kva.test"),
	GOOD("_x.xn--bcher-kva.test", "_x.xn--bcher-kva.test"),
	/* sharp s is a letter of its own in IDNA2008 */
	GOOD("stra\xc3\x9f"
	     "e.test",
	     "xn--strae-oqa.test"),
	/* mixed scripts stay what they are: this is not apple.test */
	GOOD("\xd0\xb0pple.test", "xn--pple-43d.test"),
	GOOD("\xd0\xbf\xd1\x80\xd0\xb8\xd0\xbc\xd0\xb5\xd1\x80.test",
	     "xn--e1afmkfd.test"),
};

static void hostname_as_people_write_it(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(written_cases); i++) {
		struct hostname host;

		check(&written_cases[i],
		      hostname_parse_written(written_cases[i].text, &host),
		      &host);
	}
}

static const struct {
	const char *host, *zone;
	bool under;
} under_cases[] = {
	{ "wild.test", "wild.test", false },     /* the zone itself */
	{ "evilwild.test", "wild.test", false }, /* not a label boundary */
	{ "wild.test.evil.test", "wild.test", false },
	{ "test", "wild.test", false },
	{ "a.wild.tes", "wild.test", false },
	{ "a.xwild.test", "wild.test", false },
	{ "a.wild.test", "wild.test", true },
	{ "a.b.wild.test", "wild.test", true },
	{ "_x.wild.test", "wild.test", true },
};

static struct hostname must_parse(const char *text)
{
	struct hostname host;

	if (hostname_parse(span_of(text), &host) != HOSTNAME_OK)
		fail_msg("'%s' is no host name", text);
	return host;
}

static void hostname_under_respects_labels(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(under_cases); i++) {
		struct hostname host = must_parse(under_cases[i].host);
		struct hostname zone = must_parse(under_cases[i].zone);

		if (hostname_under(&host, &zone) != under_cases[i].under)
			fail_msg("%s under %s", host.name, zone.name);
	}
}

static void hostname_empty_zone_holds_nothing(void **state)
{
	const struct hostname none = { 0 };
	struct hostname host = must_parse("ok.test");

	(void)state;
	assert_false(hostname_under(&host, &none));
	assert_false(hostname_under(&none, &none));
	assert_false(hostname_equal(&host, &none));
	assert_true(hostname_equal(&host, &host));
}

static void hostname_faults_have_texts(void **state)
{
	(void)state;
	for (int fault = 0; fault < HOSTNAME_NFAULTS; fault++)
		assert_non_null(hostname_fault_text(fault));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hostname_from_the_wire),
		cmocka_unit_test(hostname_charset_is_closed),
		cmocka_unit_test(hostname_as_people_write_it),
		cmocka_unit_test(hostname_under_respects_labels),
		cmocka_unit_test(hostname_empty_zone_holds_nothing),
		cmocka_unit_test(hostname_faults_have_texts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
