/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which host is meant, and whether its address may be dialed.
 * Ids are those of the list of threats; a letter tells members of one kind
 * apart. */
#include "config.h"

#include "tests/unit/wire_text.h"

#define L63 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

static const struct wire_case names[] = {
	BAD("A1a", CONNECT("ok.test..:443"), AUTHORITY),
	DENIED("A1b", CONNECT_BARE("no.wild.test.:{P}"),
	       "decision deny on denylist"),
	DENIED("A2", CONNECT_BARE("NO.Wild.TEST:{P}"),
	       "decision deny on denylist"),
	BAD("A3a", CONNECT("[ok.test]:443"), AUTHORITY),
	BAD("A3b", GET("http://[ok.test]/"), AUTHORITY),
	BAD("A3c", CONNECT("[127.0.0.1]:{P}"), AUTHORITY),
	DENIED("A4a", CONNECT_BARE("evilwild.test:{P}"), NOT_LISTED),
	DENIED("A4b", CONNECT_BARE("notok.test:{P}"), NOT_LISTED),
	DENIED("A4c", CONNECT_BARE("ok.test.evil.test:{P}"), NOT_LISTED),
	DENIED("A4d", CONNECT_BARE("wild.test:{P}"), NOT_LISTED),
	DENIED("A4e", GET("http://notok.test:{P}/"), NOT_LISTED),
	BAD("A5a", CONNECT("evil.test\0.wild.test:{P}"),
	    "refused a control byte in the head"),
	BAD("A5b", GET("http://ok.test\0.evil.test/"),
	    "refused a control byte in the head"),
	BAD("A6a", CONNECT("ok.test%0d%0aHost: evil:443"),
	    "refused the first line is malformed"),
	BAD("A6b", CONNECT("ok.test%0d%0a:443"), AUTHORITY),
	BAD("A6c", CONNECT("evil.test#.wild.test:443"), AUTHORITY),
	BAD("A6d", CONNECT("evil.test/.wild.test:443"), AUTHORITY),
	BAD("A6e", CONNECT("evil.test?.wild.test:443"), AUTHORITY),
	BAD("A6f", CONNECT("evil.test\\.wild.test:443"), AUTHORITY),
	BAD("A6g", CONNECT("ok.test :443"),
	    "refused the first line is malformed"),
	BAD("A7a", CONNECT("[::ffff:1.2.3.4%x.wild.test]:443"), AUTHORITY),
	BAD("A7b", CONNECT("[fe80::1%25eth0]:443"), AUTHORITY),
	BAD("A7c", CONNECT("::ffff:1.2.3.4:443"), AUTHORITY),
	BAD("A8a", GET("http://ok.test@evil.test/"), AUTHORITY),
	BAD("A8b", CONNECT("ok.test@evil.test:443"), AUTHORITY),
	BAD("A8c", GET("http://u:p@ok.test:{P}/"), AUTHORITY),
	BAD("A9a",
	    CONNECT("b\xc3\xbc"
		    "cher.test:{P}"),
	    AUTHORITY),
	BAD("A9b", CONNECT("ok\xe3\x80\x82test:443"), AUTHORITY),
	BAD("A9c", CONNECT("o\xc2\xadk.test:443"), AUTHORITY),
	BAD("A10a", CONNECT(L63 "a.test:443"), AUTHORITY),
	BAD("A10b", CONNECT(L63 "." L63 "." L63 "." L63 ":443"), AUTHORITY),
	BAD("A10c", CONNECT("-ok.test:443"), AUTHORITY),
	BAD("A10d", CONNECT("ok-.test:443"), AUTHORITY),
	BAD("A10e", CONNECT("ok..test:443"), AUTHORITY),
	BAD("A10f", CONNECT(".:443"), AUTHORITY),
	BAD("A10g", CONNECT(":443"), AUTHORITY),
	BAD("A10h", CONNECT(".ok.test:443"), AUTHORITY),
	DENIED("A12a", CONNECT_BARE("under_score.test:{P}"), NOT_LISTED),
	BAD("A12b", CONNECT("1.2.3.0x4:443"), AUTHORITY),
	DENIED("A12c", CONNECT_BARE("metadata:{P}"), NOT_LISTED),
	DENIED("A12d", CONNECT_BARE("metadata.google.internal:80"), NOT_LISTED),
};
TABLE_TEST(names)

static const struct wire_case good_names[] = {
	PASSED("A1c", GET("http://ok.test.:{P}/x"), UP("/x", "")),
	PASSED("A2b", GET("http://Ok.TeSt:{P}/x"), UP("/x", "")),
	PASSED("A9d", GET("http://xn--bcher-kva.test:{P}/"),
	       "GET / HTTP/1.1\r\nHost: xn--bcher-kva.test:{P}\r\n" VIA
	       "Connection: close\r\n\r\n"),
	PASSED("A12e", GET("http://under_score.wild.test:{P}/"),
	       "GET / HTTP/1.1\r\nHost: under_score.wild.test:{P}\r\n" VIA
	       "Connection: close\r\n\r\n"),
	/* asked as it stands: the search list would make it another name */
	PASSED("A13", GET("http://db:{P}/"),
	       "GET / HTTP/1.1\r\nHost: db:{P}\r\n" VIA
	       "Connection: close\r\n\r\n"),
};
TABLE_TEST(good_names)

/* An address that an allowed name resolves to. */
#define VETTED(id, digits, why)                                                \
	{                                                                      \
		id, RAW(GET("http://h" digits ".addr.test:{P}/")), R403, NULL, \
			"decision deny " why " address"                        \
	}

static const struct wire_case addresses[] = {
	BAD("B1a", CONNECT("127.1:{P}"), AUTHORITY),
	BAD("B1b", CONNECT("2130706433:{P}"), AUTHORITY),
	BAD("B1c", CONNECT("0x7f000001:{P}"), AUTHORITY),
	BAD("B1d", CONNECT("0177.0.0.1:{P}"), AUTHORITY),
	BAD("B1e", CONNECT("127.0.0.1.:{P}"), AUTHORITY),
	BAD("B1f", CONNECT("0x7f.1:{P}"), AUTHORITY),
	BAD("B1g", CONNECT("00000177.1:{P}"), AUTHORITY),
	BAD("B1h", GET("http://2130706433:{P}/"), AUTHORITY),
	BAD("B1i", GET("http://127.0.0.01:{P}/"), AUTHORITY),
	BAD("B1j", CONNECT("127.0.0.1%00.wild.test:{P}"), AUTHORITY),
	DENIED("B2a", CONNECT_BARE("[::ffff:169.254.169.254]:{P}"),
	       "decision deny address not on allowlist"),
	DENIED("B2b", CONNECT_BARE("[::ffff:127.0.0.1]:{P}"),
	       "decision deny loopback address"),
	DENIED("B2c", CONNECT_BARE("[::7f00:1]:{P}"),
	       "decision deny address not on allowlist"),
	VETTED("B2d", "00000000000000000000ffff7f000001", "loopback"),
	VETTED("B2e", "0000000000000000000000007f000001", "loopback"),
	VETTED("B2f", "0000000000000000ffff00007f000001", "loopback"),
	VETTED("B3a", "0064ff9b0000000000000000a9fea9fe", "metadata"),
	VETTED("B3b", "0064ff9b000100000000000008080808", "reserved"),
	VETTED("B4a", "20027f00000100000000000000000001", "loopback"),
	VETTED("B4b",
	       "200100000000000000000000560156"
	       "01",
	       "metadata"),
	VETTED("B4c",
	       "26060000000000000000"
	       "5efe7f000001",
	       "loopback"),
	DENIED("B5a", CONNECT_BARE("0.0.0.0:{P}"),
	       "decision deny unspecified address"),
	VETTED("B5b", "00010203", "unspecified"),
	VETTED("B5c", "00000000000000000000000000000000", "unspecified"),
	VETTED("B6a", "7f080808", "loopback"),
	VETTED("B6b", "00000000000000000000000000000001", "loopback"),
	DENIED("B7a", CONNECT_BARE("169.254.169.254:{P}"),
	       "decision deny metadata address"),
	VETTED("B7b", "a9fea9fe", "metadata"),
	VETTED("B7c", "646464c8", "metadata"),
	VETTED("B7d", "a83f8110", "metadata"),
	VETTED("B7e", "fd000ec2000000000000000000000254", "metadata"),
	VETTED("B7f", "fd2000ce000000000000000000000254", "metadata"),
	VETTED("B8a", "0a000001", "private"),
	VETTED("B8b", "ac100001", "private"),
	VETTED("B8c", "c0a80001", "private"),
	VETTED("B8d", "64400001", "private"),
	VETTED("B8e", "c6120001", "documentation"),
	VETTED("B8f", "c0000201", "documentation"),
	VETTED("B8g", "c0000001", "reserved"),
	VETTED("B8h", "f0000001", "reserved"),
	VETTED("B8i", "e0000001", "multicast"),
	VETTED("B8j", "ffffffff", "multicast"),
	VETTED("B8k", "a9fe0101", "link-local"),
	VETTED("B8l", "fec00000000000000000000000000001", "reserved"),
	VETTED("B8m", "01000000000000000000000000000001", "reserved"),
	VETTED("B8n", "20010db8000000000000000000000001", "documentation"),
	VETTED("B8o", "5f000000000000000000000000000001", "reserved"),
	VETTED("B8p", "fe800000000000000000000000000001", "link-local"),
	VETTED("B8q", "fc000000000000000000000000000001", "private"),
	VETTED("B8r", "ff020000000000000000000000000001", "multicast"),
	DENIED("B10a", GET("http://allbad.test:{P}/"),
	       "decision deny loopback address"),
	DENIED("B11", CONNECT_BARE("140.82.114.4:{P}"),
	       "decision deny address not on allowlist"),
	DENIED("C3a", GET("http://inward.test:{P}/"),
	       "decision deny metadata address"),
	{ "A12f", RAW(GET("http://localhost:{P}/")), R403, NULL,
	  "decision deny loopback address", .flags = WIRE_NO_PERMIT },
	{ "A12g", RAW(GET("http://a.b.localhost:{P}/")), R403, NULL,
	  "decision deny loopback address", .flags = WIRE_NO_PERMIT },
	{ "B6c", RAW(GET("http://ok.test:{P}/")), R403, NULL,
	  "decision deny loopback address", .flags = WIRE_NO_PERMIT },
};
TABLE_TEST(addresses)

static const struct wire_case good_addresses[] = {
	PASSED("B10b", GET("http://mixed.test:{P}/"),
	       "GET / HTTP/1.1\r\nHost: mixed.test:{P}\r\n" VIA
	       "Connection: close\r\n\r\n"),
	PASSED("C3b", GET("http://alias.test:{P}/"),
	       "GET / HTTP/1.1\r\nHost: alias.test:{P}\r\n" VIA
	       "Connection: close\r\n\r\n"),
	PASSED("A12h", GET("http://localhost:{P}/"),
	       "GET / HTTP/1.1\r\nHost: localhost:{P}\r\n" VIA
	       "Connection: close\r\n\r\n"),
	PASSED("B11b", GET("http://127.0.0.1:{P}/"),
	       "GET / HTTP/1.1\r\nHost: 127.0.0.1:{P}\r\n" VIA
	       "Connection: close\r\n\r\n"),
};
TABLE_TEST(good_addresses)

#define UNREACHED(id, name, status, why)                                    \
	{                                                                   \
		id, RAW(GET("http://" name "/")), "HTTP/1.1 " status, NULL, \
			"error " why                                        \
	}

static const struct wire_case unreached[] = {
	UNREACHED("C3c", "loop.test:{P}", "502", "the DNS answer is malformed"),
	UNREACHED("N1", "nx.test:{P}", "502", "the name does not exist"),
	UNREACHED("N2", "empty.test:{P}", "502", "the name has no addresses"),
	UNREACHED("N3", "servfail.test:{P}", "502", "the name servers failed"),
	{ "N4", RAW(GET("http://silent.test:{P}/")), "HTTP/1.1 504", NULL,
	  "error the name servers did not answer in time", .limits = "#dns" },
	UNREACHED("N5", "ok.test:{C}", "502", "connection refused"),
	{ "N6", RAW(CONNECT_BARE("ok.test:{C}")), "HTTP/1.1 502", NULL,
	  "error connection refused" },
};
TABLE_TEST(unreached)

static const struct wire_case targets[] = {
	BAD("E2", "GET / HTTP/1.1\r\nHost: ok.test:{P}\r\n\r\n", FORM),
	BAD("E3a",
	    "CONNECT ok.test:{P} HTTP/1.1\r\nHost: evil.test:{P}\r\n\r\n",
	    "refused Host and CONNECT name different hosts"),
	BAD("E3b", "CONNECT ok.test:{P} HTTP/1.1\r\nHost: ok.test:1\r\n\r\n",
	    "refused Host and CONNECT name different hosts"),
	BAD("E4a", GET_WITH("Host: ok.test\r\n"),
	    "refused Host is given twice"),
	BAD("E4b", "GET http://ok.test:{P}/ HTTP/1.1\r\n\r\n",
	    "refused Host is missing"),
	BAD("E4c", "GET http://ok.test:{P}/ HTTP/1.1\r\nHost: a, b\r\n\r\n",
	    "refused Host is malformed"),
	BAD("E4d", "GET http://ok.test:{P}/ HTTP/1.1\r\nHost:\r\n\r\n",
	    "refused Host is malformed"),
	BAD("E4e", "CONNECT ok.test:{P} HTTP/1.1\r\n\r\n",
	    "refused Host is missing"),
	BAD("E13a", CONNECT("ok.test:4294967739"), AUTHORITY),
	BAD("E13b", CONNECT("ok.test:65979"), AUTHORITY),
	BAD("E13c", CONNECT("ok.test:+443"), AUTHORITY),
	BAD("E13d", CONNECT("ok.test:0443"), AUTHORITY),
	BAD("E13e", CONNECT("ok.test:-1"), AUTHORITY),
	BAD("E13f", CONNECT("ok.test:0"), AUTHORITY),
	BAD("E13g", CONNECT("ok.test:"), AUTHORITY),
	BAD("E13h", CONNECT("ok.test:443abc"), AUTHORITY),
	BAD("E13i", CONNECT("ok.test:\xd9\xa4\xd9\xa4\xd9\xa3"), AUTHORITY),
	BAD("E13j", CONNECT("ok.test"), AUTHORITY),
	BAD("E13k", GET("http://ok.test:/"), AUTHORITY),
	DENIED("E14a", CONNECT_BARE("ok.test:22"),
	       "decision deny port not on allowlist"),
	DENIED("E14b", GET("http://ok.test:6379/"),
	       "decision deny port not on allowlist"),
	BAD("E15a", GET("https://ok.test/"), FORM),
	BAD("E15b", GET("ftp://ok.test/"), FORM),
	BAD("E15c", GET("gopher://ok.test/"), FORM),
	BAD("E15d", GET("ws://ok.test/"), FORM),
	BAD("E15e", GET("file:///etc/passwd"), FORM),
	BAD("E15f", GET("HTTP://ok.test/"), FORM),
	BAD("E15g", GET("//ok.test/"), FORM),
	BAD("E15h", GET("http:/ok.test"), FORM),
	BAD("E15i", GET("http:///"), AUTHORITY),
	BAD("E15j", "OPTIONS * HTTP/1.1\r\nHost: ok.test\r\n\r\n", FORM),
	BAD("E15k", GET("ok.test:443"), FORM),
	BAD("E15l", CONNECT("http://ok.test:443"), AUTHORITY),
	BAD("E16a", GET("http://ok.test\\@evil.test/"), AUTHORITY),
	BAD("E16b", GET("http://ok.test%2eevil.test/"), AUTHORITY),
	BAD("E16c", GET("http://ok.test:{P}/a\tb"),
	    "refused the target's path is malformed"),
	BAD("E16d", "GET  http://ok.test/ HTTP/1.1\r\nHost: a\r\n\r\n",
	    "refused the first line is malformed"),
	BAD("E16e", "GET http://ok.test/  HTTP/1.1\r\nHost: a\r\n\r\n",
	    "refused the first line is malformed"),
	BAD("E16f", GET("http://ok.test:{P}/a\\b"),
	    "refused the target's path is malformed"),
	BAD("E16g", GET("http://ok.test:{P}/a#b"),
	    "refused the target's path is malformed"),
	BAD("E16h", " GET http://ok.test/ HTTP/1.1\r\nHost: a\r\n\r\n",
	    "refused the method is malformed"),
	BAD("E18a", "get http://ok.test/ HTTP/1.1\r\nHost: a\r\n\r\n",
	    "refused the method is malformed"),
	BAD("E18b", "GET\thttp://ok.test/ HTTP/1.1\r\nHost: a\r\n\r\n",
	    "refused the method is malformed"),
	BAD("E18c",
	    "G=\":<>(e),[T];?\" http://ok.test/ HTTP/1.1\r\nHost: a\r\n\r\n",
	    "refused the method is malformed"),
	BAD("E18d", "connect ok.test:443 HTTP/1.1\r\nHost: a\r\n\r\n",
	    "refused the method is malformed"),
	{ "E19", RAW("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), "HTTP/1.1 505", NULL,
	  "refused the version is neither HTTP/1.0 nor HTTP/1.1" },
	BAD("E22a", "GET http://ok.test/\r\n\r\n",
	    "refused the first line is malformed"),
	BAD("E22b", "GET http://ok.test/ HTTP/1.1x\r\nHost: a\r\n\r\n",
	    "refused the first line is malformed"),
	BAD("E22c", "GET http://ok.test/ http/1.1\r\nHost: a\r\n\r\n",
	    "refused the first line is malformed"),
	BAD("E22d", "GET http://ok.test/ HTTP/11\r\nHost: a\r\n\r\n",
	    "refused the first line is malformed"),
	{ "E22e", RAW("GET http://ok.test/ HTTP/2.0\r\nHost: a\r\n\r\n"),
	  "HTTP/1.1 505", NULL,
	  "refused the version is neither HTTP/1.0 nor HTTP/1.1" },
	{ "E22f", RAW("GET http://ok.test/ HTTP/1.2\r\nHost: a\r\n\r\n"),
	  "HTTP/1.1 505", NULL,
	  "refused the version is neither HTTP/1.0 nor HTTP/1.1" },
	{ "E22g", RAW("GET http://ok.test/ HTTP/0.9\r\nHost: a\r\n\r\n"),
	  "HTTP/1.1 505", NULL,
	  "refused the version is neither HTTP/1.0 nor HTTP/1.1" },
};
TABLE_TEST(targets)

/* J7: the class of an address is told, never the address. */
static void denial_tells_no_internals(void **state)
{
	static const struct wire_case named = {
		"J7a", RAW(CONNECT_BARE("evil.test:443")), R403, NULL,
		NOT_LISTED
	};
	static const struct wire_case inward = {
		"J7b", RAW(GET("http://inward.test:{P}/secret?token=1")), R403,
		NULL, "decision deny metadata address"
	};
	const struct wire_result *result;

	(void)state;
	result = wire_run(&named);
	assert_true(
		contains(result->reply,
			 "{\"error\":\"egress_denied\",\"host\":\"evil.test\","
			 "\"port\":443,\"reason\":\"not on allowlist\","
			 "\"rule\":null,\"incident\":\"i-"));
	assert_true(contains(result->reply, "\r\nConnection: close\r\n"));
	result = wire_run(&inward);
	assert_true(contains(result->reply, "\"metadata address\""));
	assert_true(contains(result->reply, "\"rule\":\"inward.test:"));
	assert_false(contains(result->reply, "169.254"));
	assert_false(contains(result->reply, "token"));
}

/* RFC 9110, 9.3.2: the head alone. */
static void denial_of_head_has_no_body(void **state)
{
	static const struct wire_case wire = {
		"E23j",
		RAW("HEAD http://evil.test/ HTTP/1.1\r\nHost: a\r\n" CLOSE
		    "\r\n"),
		R403, NULL, NOT_LISTED
	};
	const struct wire_result *result = wire_run(&wire);

	(void)state;
	assert_true(contains(result->reply, "\r\nContent-Length: "));
	assert_string_equal(result->reply.data + result->reply.size - 4,
			    "\r\n\r\n");
}

/* C1: judged and dialed is one answer, and the next request's is another. */
static void rebinding_changes_nothing(void **state)
{
	static const struct wire_case wire = {
		"C1",     RAW(GET("http://rebind.test:{P}/")),
		HI_REPLY, NULL,
		"",       .answer = HI
	};
	const struct wire_result *result;
	int fd;

	(void)state;
	wire_start(&wire);
	fd = wire_connect();
	wire_send(fd, wire.send);
	assert_true(contains(wire_read_all(fd), HI_REPLY));
	fd = wire_connect();
	wire_send(fd, wire.send);
	assert_true(contains(wire_read_all(fd), R403));
	result = wire_stop();
	assert_int_equal(result->queries, 4); /* A and AAAA, twice */
	assert_int_equal(result->connections, 1);
	assert_string_equal(result->rows,
			    EXCHANGED "; decision deny loopback address");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_as_listed),
		cmocka_unit_test(good_names_as_listed),
		cmocka_unit_test(addresses_as_listed),
		cmocka_unit_test(good_addresses_as_listed),
		cmocka_unit_test(unreached_as_listed),
		cmocka_unit_test(targets_as_listed),
		cmocka_unit_test(denial_tells_no_internals),
		cmocka_unit_test(denial_of_head_has_no_body),
		cmocka_unit_test(rebinding_changes_nothing),
	};

	return cmocka_run_group_tests(tests, wire_setup, wire_teardown);
}
