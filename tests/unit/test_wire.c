/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The threats that arrive as bytes, against the real program. Ids are those of
 * the list of threats; a letter tells the members of one kind apart. */
#include "config.h"

#include "tests/unit/unit.h"

#include "tests/unit/wire.h"

#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* A row leaves out what it does not need. */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

#define NOT_LISTED "decision deny not on allowlist"
#define AUTHORITY  "refused the target's host or port is malformed"
#define FORM                                                      \
	"refused the target is neither http://HOST/ nor CONNECT " \
	"HOST:PORT"
#define EXCHANGED "request; decision allow allowed; close complete"
#define TUNNELED  "decision allow allowed; close upstream closed"

#define HI "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"
#define HI_REPLY                                   \
	"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n" \
	"Connection: close\r\n\r\nhi"
#define CONNECTED "HTTP/1.1 200 Connection established\r\n\r\n"
#define R400      "HTTP/1.1 400 Bad Request\r\n"
#define R403      "HTTP/1.1 403 Forbidden\r\n"

#define CONNECT(target)      "CONNECT " target " HTTP/1.1\r\nHost: ok.test\r\n\r\n"
#define CONNECT_BARE(target) "CONNECT " target " HTTP/1.0\r\n\r\n"
#define GET(target)          "GET " target " HTTP/1.1\r\nHost: ok.test\r\n\r\n"
/* A good request but for one more header line. */
#define GET_WITH(lines) \
	"GET http://ok.test:{P}/x HTTP/1.1\r\nHost: ok.test\r\n" lines "\r\n"
#define POST_WITH(lines, body)                                          \
	"POST http://ok.test:{P}/x HTTP/1.1\r\nHost: ok.test\r\n" lines \
	"\r\n" body
#define UP(path, lines)                                        \
	"GET " path " HTTP/1.1\r\nHost: ok.test:{P}\r\n" lines \
	"Connection: close\r\n\r\n"
#define POST_UP(lines, body)                              \
	"POST /x HTTP/1.1\r\nHost: ok.test:{P}\r\n" lines \
	"Connection: close\r\n\r\n" body

/* Refused: the bytes, and why. */
#define BAD(id, bytes, why)                     \
	{                                       \
		id, RAW(bytes), R400, NULL, why \
	}
#define DENIED(id, bytes, why)                  \
	{                                       \
		id, RAW(bytes), R403, NULL, why \
	}
/* Passed on as these bytes. */
#define PASSED(id, bytes, up)                                         \
	{                                                             \
		id, RAW(bytes), HI_REPLY, up, EXCHANGED, .answer = HI \
	}

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

static const struct wire_case good_names[] = {
	PASSED("A1c", GET("http://ok.test.:{P}/x"), UP("/x", "")),
	PASSED("A2b", GET("http://Ok.TeSt:{P}/x"), UP("/x", "")),
	PASSED("A9d", GET("http://xn--bcher-kva.test:{P}/"),
	       "GET / HTTP/1.1\r\nHost: xn--bcher-kva.test:{P}\r\n"
	       "Connection: close\r\n\r\n"),
	PASSED("A12e", GET("http://under_score.wild.test:{P}/"),
	       "GET / HTTP/1.1\r\nHost: under_score.wild.test:{P}\r\n"
	       "Connection: close\r\n\r\n"),
	/* asked as it stands: the search list would make it another name */
	PASSED("A13", GET("http://db:{P}/"),
	       "GET / HTTP/1.1\r\nHost: db:{P}\r\nConnection: close\r\n\r\n"),
};

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

static const struct wire_case good_addresses[] = {
	PASSED("B10b", GET("http://mixed.test:{P}/"),
	       "GET / HTTP/1.1\r\nHost: mixed.test:{P}\r\n"
	       "Connection: close\r\n\r\n"),
	PASSED("C3b", GET("http://alias.test:{P}/"),
	       "GET / HTTP/1.1\r\nHost: alias.test:{P}\r\n"
	       "Connection: close\r\n\r\n"),
	PASSED("A12h", GET("http://localhost:{P}/"),
	       "GET / HTTP/1.1\r\nHost: localhost:{P}\r\n"
	       "Connection: close\r\n\r\n"),
	PASSED("B11b", GET("http://127.0.0.1:{P}/"),
	       "GET / HTTP/1.1\r\nHost: 127.0.0.1:{P}\r\n"
	       "Connection: close\r\n\r\n"),
};

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

#define LENGTH "refused Content-Length is malformed"
#define CODING "refused Transfer-Encoding is not exactly chunked"

static const struct wire_case framing[] = {
	BAD("E6",
	    POST_WITH("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
		      "0\r\n\r\n"),
	    "refused both Content-Length and Transfer-Encoding"),
	BAD("E7a",
	    POST_WITH("Content-Length: 5\r\nContent-Length: 6\r\n", "hello!"),
	    "refused Content-Length is given twice"),
	BAD("E7b",
	    POST_WITH("Content-Length: 5\r\nContent-Length: 5\r\n", "hello"),
	    "refused Content-Length is given twice"),
	BAD("E7c", POST_WITH("Content-Length: 5, 5\r\n", "hello"), LENGTH),
	BAD("E7d", POST_WITH("Content-Length: +5\r\n", "hello"), LENGTH),
	BAD("E7e", POST_WITH("Content-Length: -0\r\n", ""), LENGTH),
	BAD("E7f", POST_WITH("Content-Length: 0x5\r\n", "hello"), LENGTH),
	BAD("E7g", POST_WITH("Content-Length: 5_0\r\n", "hello"), LENGTH),
	BAD("E7h", POST_WITH("Content-Length: 05\r\n", "hello"), LENGTH),
	BAD("E7i", POST_WITH("Content-Length:\r\n", ""), LENGTH),
	BAD("E7j", POST_WITH("Content-Length: 18446744073709551621\r\n", "a"),
	    LENGTH),
	BAD("E8a", POST_WITH("Transfer-Encoding: xchunked\r\n", ""), CODING),
	BAD("E8b", POST_WITH("Transfer-Encoding: chunked, identity\r\n", ""),
	    CODING),
	BAD("E8c", POST_WITH("Transfer-Encoding: gzip, chunked\r\n", ""),
	    CODING),
	BAD("E8d", POST_WITH("Transfer-Encoding: chunked\v\r\n", ""),
	    "refused a control byte in the head"),
	BAD("E8e", POST_WITH("Transfer-Encoding: \"chunked\"\r\n", ""), CODING),
	BAD("E8f",
	    POST_WITH("Transfer-Encoding: chunked\r\n"
		      "Transfer-Encoding: chunked\r\n",
		      "0\r\n\r\n"),
	    CODING),
	BAD("E8g",
	    "POST http://ok.test:{P}/ HTTP/1.0\r\n"
	    "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
	    "refused Transfer-Encoding in HTTP/1.0"),
	BAD("E8h", POST_WITH("Transfer-Encoding: identity\r\n", ""), CODING),
	BAD("E9a", POST_WITH("Transfer-Encoding : chunked\r\n", "0\r\n\r\n"),
	    "refused a header field's name is malformed"),
	BAD("E9b", POST_WITH("Transfer-Encoding\t: chunked\r\n", ""),
	    "refused a header field's name is malformed"),
	BAD("E9c", "GET http://ok.test/ HTTP/1.1\r\n Host: ok.test\r\n\r\n",
	    "refused a header line begins with a space"),
	BAD("E9d", GET_WITH(": empty\r\n"),
	    "refused a header field's name is malformed"),
	BAD("E9e", GET_WITH("no colon\r\n"),
	    "refused a header field's name is malformed"),
	BAD("E10", POST_WITH("Transfer-Encoding:\r\n chunked\r\n", ""),
	    "refused a header line begins with a space"),
	BAD("E11a", GET_WITH("X: a\rSmug: 1\r\n"),
	    "refused a line does not end in CR LF"),
	BAD("E11b", GET_WITH("X: a\nSmug: 1\r\n"),
	    "refused a line does not end in CR LF"),
	BAD("E11c", "GET http://ok.test/ HTTP/1.1\nHost: ok.test\n\n",
	    "refused a line does not end in CR LF"),
	BAD("E11d", GET_WITH("X: a\0b\r\n"),
	    "refused a control byte in the head"),
	BAD("E11e", GET_WITH("X: a\x7f\r\n"),
	    "refused a control byte in the head"),
	BAD("E11f", GET_WITH("X: a\x1b[31m\r\n"),
	    "refused a control byte in the head"),
	BAD("E11g", "GET http://ok.test/\r HTTP/1.1\r\nHost: a\r\n\r\n",
	    "refused a line does not end in CR LF"),
	BAD("E11h", "\r\nGET http://ok.test/ HTTP/1.1\r\nHost: a\r\n\r\n",
	    "refused the first line is malformed"),
	BAD("E20a", GET_WITH("Connection: close, Host\r\n"),
	    "refused Connection names Host or a framing field"),
	BAD("E20b", POST_WITH("Connection: content-length\r\n", ""),
	    "refused Connection names Host or a framing field"),
	BAD("E20c", POST_WITH("Connection: Transfer-Encoding\r\n", ""),
	    "refused Connection names Host or a framing field"),
	BAD("E20d", GET_WITH("Connection: a b\r\n"),
	    "refused Connection is malformed"),
	{ "E23a", RAW(GET_WITH("Expect: something\r\n")), "HTTP/1.1 417", NULL,
	  "refused Expect is not 100-continue" },
	BAD("F2a",
	    "CONNECT ok.test:{P} HTTP/1.1\r\nHost: ok.test:{P}\r\n"
	    "Content-Length: 3\r\n\r\nabc",
	    "refused CONNECT with a body"),
	BAD("F2b",
	    "CONNECT ok.test:{P} HTTP/1.1\r\nHost: ok.test:{P}\r\n"
	    "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
	    "refused CONNECT with a body"),
	BAD("F6a", "\x05\x01\x00", "refused a control byte in the head"),
	BAD("F6b", "\x04\x01\x01\xbb\x7f\x00\x00\x01\x00",
	    "refused a control byte in the head"),
	BAD("F6c", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
	    "refused a control byte in the head"),
	BAD("F7a",
	    "PROXY TCP4 10.9.9.9 10.0.0.1 1 2\r\n"
	    "GET http://ok.test/ HTTP/1.1\r\nHost: a\r\n\r\n",
	    "refused the first line is malformed"),
	BAD("F7b", "\r\n\r\n\0\r\nQUIT\n!\x11",
	    "refused the first line is malformed"),
	{ "I1a", RAW("GET http://ok.test/ HTTP/1.1\r\nHost: ok"),
	  "HTTP/1.1 408", NULL, "refused the head took too long",
	  .limits = "limits: { head_ms: 50 }" },
	{ "I1b", RAW("GET http://ok.test/ HTTP/1.1\r\nHost: ok"), R400, NULL,
	  "refused the head is incomplete", .flags = WIRE_HALF_CLOSE },
	{ "I2a", RAW(GET_WITH("A: 1\r\nB: 2\r\nC: 3\r\n")), "HTTP/1.1 431",
	  NULL, "refused too many header fields",
	  .limits = "limits: { headers: 3 }" },
};

static const struct wire_case passed[] = {
	PASSED("E1",
	       "GET http://ok.test:{P}/x?q=1 HTTP/1.1\r\n"
	       "Host: evil.test\r\n\r\n",
	       UP("/x?q=1", "")),
	PASSED("E1b", "GET http://ok.test:{P}?q HTTP/1.0\r\n\r\n",
	       UP("/?q", "")),
	PASSED("E4f", "GET http://ok.test:{P}/x HTTP/1.0\r\n\r\n",
	       UP("/x", "")),
	PASSED("E8i",
	       POST_WITH("Transfer-Encoding: Chunked\r\n",
			 "3\r\nabc\r\n0\r\n\r\n"),
	       POST_UP("Transfer-Encoding: chunked\r\n",
		       "3\r\nabc\r\n0\r\n\r\n")),
	PASSED("E8j",
	       POST_WITH("Transfer-Encoding:\tchunked \r\n", "0\r\n\r\n"),
	       POST_UP("Transfer-Encoding: chunked\r\n", "0\r\n\r\n")),
	/* extensions and trailers end here, and so does what follows */
	PASSED("E12a",
	       POST_WITH("Transfer-Encoding: chunked\r\n",
			 "0000A;x=y\r\n0123456789\r\n0;l\r\n"
			 "Host: evil.test\r\nContent-Length: 9\r\n\r\n"
			 "GET http://evil.test/ HTTP/1.1\r\n\r\n"),
	       POST_UP("Transfer-Encoding: chunked\r\n",
		       "a\r\n0123456789\r\n0\r\n\r\n")),
	PASSED("E19a",
	       GET_WITH("Connection: Upgrade, HTTP2-Settings\r\n"
			"Upgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n"),
	       UP("/x", "")),
	PASSED("E19b", GET_WITH("Upgrade: websocket\r\nTE: trailers\r\n"),
	       UP("/x", "")),
	PASSED("E20e",
	       GET_WITH("Connection: X-Drop , ,close\r\nX-Drop: 1\r\n"
			"Keep-Alive: 5\r\nX-Keep: 2\r\n"),
	       UP("/x", "X-Keep: 2\r\n")),
	PASSED("E21",
	       GET_WITH("Proxy-Authorization: Basic c2VjcmV0\r\n"
			"Proxy-Connection: keep-alive\r\n"
			"X-Upstream-Https-Proxy: http://evil.test\r\n"
			"Authorization: Bearer x\r\n"),
	       UP("/x", "Authorization: Bearer x\r\n")),
	PASSED("E24a",
	       "GET http://ok.test:{P}/x HTTP/1.1\r\nHost: ok.test\r\n"
	       "Content-Length: 4\r\n\r\nbodyGET http://evil.test/ "
	       "HTTP/1.1\r\n\r\n",
	       "GET /x HTTP/1.1\r\nHost: ok.test:{P}\r\nContent-Length: 4\r\n"
	       "Connection: close\r\n\r\nbody"),
	/* the second request of a connection is never read, let alone sent */
	PASSED("E5",
	       GET_WITH("") "GET http://evil.test/ HTTP/1.1\r\n"
			    "Host: evil.test\r\n\r\n",
	       UP("/x", "")),
	PASSED("E23b",
	       "POST http://ok.test:{P}/x HTTP/1.0\r\n"
	       "Expect: 100-continue\r\nContent-Length: 1\r\n\r\na",
	       POST_UP("Content-Length: 1\r\n", "a")),
	PASSED("E17", GET("http://ok.test:{P}/a/%2e%2e//b;c=d"),
	       UP("/a/%2e%2e//b;c=d", "")),
	PASSED("F8", GET_WITH("X-Smokescreen-Role: admin\r\n"),
	       UP("/x", "X-Smokescreen-Role: admin\r\n")),
	{ "I1c", RAW(GET_WITH("X-A:   b \t \r\n")), HI_REPLY,
	  UP("/x", "X-A: b\r\n"), EXCHANGED, .answer = HI,
	  .flags = WIRE_ONE_BYTE },
	{ "F4a", RAW(GET_WITH("")), HI_REPLY, UP("/x", ""), EXCHANGED,
	  .answer = HI, .flags = WIRE_HALF_CLOSE },
};

/* A body whose first bytes are malformed: its head has not gone up yet. */
#define BROKEN(id, body)                                                     \
	{                                                                    \
		id, RAW(POST_WITH("Transfer-Encoding: chunked\r\n", body)),  \
			R400, "",                                            \
			"request; refused the request's body is malformed; " \
			"close the request's body is malformed"              \
	}

static const struct wire_case chunks[] = {
	BROKEN("E12b", "0x1\r\na\r\n0\r\n\r\n"),
	BROKEN("E12c", "1 \r\na\r\n0\r\n\r\n"),
	BROKEN("E12d", "+1\r\na\r\n0\r\n\r\n"),
	BROKEN("E12e", "1_0\r\na\r\n0\r\n\r\n"),
	BROKEN("E12f", "1;ext=\na\r\n0\r\n\r\n"),
	BROKEN("E12g", "10000000000000001\r\na\r\n0\r\n\r\n"),
	BROKEN("E12h", "FFFFFFFFFFFFFFFF\r\na\r\n0\r\n\r\n"),
	BROKEN("E12i", "1\na\r\n0\r\n\r\n"),
	BROKEN("E12j", ";x\r\na\r\n0\r\n\r\n"),
	BROKEN("E12k", "\r\na\r\n0\r\n\r\n"),
	BROKEN("E12l", "-1\r\na\r\n0\r\n\r\n"),
};

static const struct wire_case cut_chunks[] = {
	{ "E12m",
	  RAW(POST_WITH("Transfer-Encoding: chunked\r\n",
			"1\r\nab\r\n0\r\n\r\n")),
	  R400, "",
	  "request; refused the request's body is malformed; "
	  "close the request's body is malformed" },
	{ "E12n",
	  RAW(POST_WITH("Transfer-Encoding: chunked\r\n",
			"1\r\na\r\n0\r\nbad trailer\r\n\r\n")),
	  R400, "",
	  "request; refused the request's body is malformed; "
	  "close the request's body is malformed" },
};

/* An origin's answer that is not passed on. */
#define HOSTILE(id, bytes)                                               \
	{                                                                \
		id, RAW(GET_WITH("")), "HTTP/1.1 502 ", UP("/x", ""),    \
			"request; error the answer is malformed; close " \
			"the answer is malformed",                       \
			.answer = bytes                                  \
	}

static const struct wire_case hostile[] = {
	HOSTILE("E25a", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n"
			"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
	HOSTILE("E25b", "HTTP/1.1 200 OK\r\nContent-Length: -2\r\n\r\nhi"),
	HOSTILE("E25c", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n"
			"Content-Length: 3\r\n\r\nhi"),
	HOSTILE("E25d", "HTTP/1.1 200 O\rK\r\n\r\nhi"),
	HOSTILE("E25e", "HTTP/1.1 200 OK\nContent-Length: 2\n\nhi"),
	HOSTILE("E25f", "HTTP/1.1 200 OK\r\nX : y\r\n\r\nhi"),
	HOSTILE("E25g", "HTTP/1.1 200 OK\r\nX: y\r\n folded\r\n\r\nhi"),
	HOSTILE("E25h", "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n"),
	HOSTILE("E25i", "HTTP/1.0 200 OK\r\n"
			"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
	HOSTILE("E25j", "HTTP/2.0 200 OK\r\n\r\n"),
	HOSTILE("E25k", "HTTP/1.1 2000 OK\r\n\r\n"),
	HOSTILE("E25l", "HTTP/1.1 099 OK\r\n\r\n"),
	HOSTILE("E25m", "HTTP/1.1 99 OK\r\n\r\n"),
	HOSTILE("E25n", "hello\r\n\r\n"),
	HOSTILE("E25o", "SSH-2.0-OpenSSH_9.2\r\n\r\n"),
	HOSTILE("E25p", "HTTP/1.1 200 OK\r\nX: \x1b[31m\r\n\r\n"),
	HOSTILE("E19c", "HTTP/1.1 101 Switching Protocols\r\n"
			"Upgrade: h2c\r\nConnection: Upgrade\r\n\r\n"),
	{ "E25q", RAW(GET_WITH("")), "HTTP/1.1 502 ", UP("/x", ""),
	  "request; error upstream closed without an answer; close upstream "
	  "closed without an answer" },
	{ "E25r", RAW(GET_WITH("")), "HTTP/1.1 502 ", UP("/x", ""),
	  "request; error upstream closed without an answer; close upstream "
	  "closed without an answer",
	  .answer = "HTTP/1.1 200 OK\r\nContent-Le" },
	{ "E25s", RAW(GET_WITH("")), "HTTP/1.1 504 ", UP("/x", ""),
	  "request; error upstream is silent; close upstream is silent",
	  .flags = WIRE_ORIGIN_MUTE,
	  .limits = "limits: { first_byte_ms: 50 }" },
};

#define ANSWERED(id, request, from, to)                                       \
	{                                                                     \
		id, RAW(request), to, UP("/x", ""), EXCHANGED, .answer = from \
	}

static const struct wire_case answers[] = {
	ANSWERED("E25t", GET_WITH(""),
		 "HTTP/1.1 200 OK\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\n"
		 "Connection: X-Hop\r\nX-Hop: 1\r\nKeep-Alive: 3\r\n"
		 "Proxy-Authenticate: Basic\r\nContent-Length: 2\r\n\r\n"
		 "hiHTTP/1.1 200 OK\r\n\r\n",
		 "HTTP/1.1 200 OK\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\n"
		 "Content-Length: 2\r\nConnection: close\r\n\r\nhi"),
	ANSWERED("E25u", GET_WITH(""),
		 "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
		 "2;x\r\nhi\r\n0\r\nT: 1\r\n\r\n",
		 "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n"
		 "Connection: close\r\n\r\n2\r\nhi\r\n0\r\n\r\n"),
	ANSWERED("E25v", "GET http://ok.test:{P}/x HTTP/1.0\r\n\r\n",
		 "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
		 "2\r\nhi\r\n0\r\n\r\n",
		 "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhi"),
	ANSWERED("E23c", GET_WITH(""),
		 "HTTP/1.1 100 Continue\r\nContent-Length: 9\r\n\r\n"
		 "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" HI,
		 "HTTP/1.1 100 Continue\r\n\r\n"
		 "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" HI_REPLY),
	ANSWERED("E23d", "GET http://ok.test:{P}/x HTTP/1.0\r\n\r\n",
		 "HTTP/1.1 100 Continue\r\n\r\n" HI, HI_REPLY),
	ANSWERED("E23e", GET_WITH(""),
		 "HTTP/1.1 204 No\r\nContent-Length: 5\r\n\r\nsmug!",
		 "HTTP/1.1 204 No\r\nConnection: close\r\n\r\n"),
	ANSWERED("E23f", GET_WITH(""),
		 "HTTP/1.1 304 Not\r\nContent-Length: 5\r\n\r\nsmug!",
		 "HTTP/1.1 304 Not\r\nContent-Length: 5\r\n"
		 "Connection: close\r\n\r\n"),
	ANSWERED("E26", GET_WITH(""),
		 "HTTP/1.1 302 Found\r\nLocation: http://evil.test/\r\n"
		 "Content-Length: 0\r\n\r\n",
		 "HTTP/1.1 302 Found\r\nLocation: http://evil.test/\r\n"
		 "Content-Length: 0\r\nConnection: close\r\n\r\n"),
	{ "E25w", RAW(GET_WITH("")),
	  "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nuntil the end",
	  UP("/x", ""),
	  "request; decision allow allowed; close upstream closed",
	  .answer = "HTTP/1.0 200 OK\r\n\r\nuntil the end" },
	{ "E23g",
	  RAW("HEAD http://ok.test:{P}/x HTTP/1.1\r\nHost: ok.test\r\n\r\n"),
	  "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\n",
	  "HEAD /x HTTP/1.1\r\nHost: ok.test:{P}\r\nConnection: close\r\n\r\n",
	  EXCHANGED,
	  .answer = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nsmug!" },
	{ "E23h",
	  RAW(POST_WITH("Expect: 100-continue\r\nContent-Length: 3\r\n", "")),
	  "HTTP/1.1 413 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
	  POST_UP("Expect: 100-continue\r\nContent-Length: 3\r\n", ""),
	  EXCHANGED, .answer = "HTTP/1.1 413 No\r\nContent-Length: 0\r\n\r\n" },
	{ "E23i",
	  RAW(POST_WITH("Expect: 100-continue\r\nContent-Length: 3\r\n", "")),
	  "HTTP/1.1 100 Continue\r\n\r\n" HI_REPLY,
	  POST_UP("Expect: 100-continue\r\nContent-Length: 3\r\n", "abc"),
	  EXCHANGED, .greeting = "HTTP/1.1 100 Continue\r\n\r\n", .answer = HI,
	  .late = RAW("abc") },
};

static const struct wire_case tunnels[] = {
	{ "F1a", RAW(CONNECT_BARE("ok.test:{P}") "hello"), CONNECTED "there",
	  "hello", TUNNELED, .answer = "there", .flags = WIRE_HALF_CLOSE },
	/* what looks like HTTP inside a tunnel is not read */
	{ "F1b",
	  RAW(CONNECT_BARE("ok.test:{P}") "GET http://evil.test/ HTTP/1.1\n\n"),
	  CONNECTED "x", "GET http://evil.test/ HTTP/1.1\n\n", TUNNELED,
	  .answer = "x", .flags = WIRE_HALF_CLOSE },
	{ "F1c", RAW(CONNECT_BARE("ok.test:{P}")), CONNECTED "there", "later",
	  TUNNELED, .answer = "there", .flags = WIRE_HALF_CLOSE,
	  .late = RAW("later") },
	{ "F3",
	  RAW(CONNECT_BARE(
		  "ok.test:{P}") "CONNECT evil.test:443 HTTP/1.1\r\n\r\n"),
	  CONNECTED "no", "CONNECT evil.test:443 HTTP/1.1\r\n\r\n", TUNNELED,
	  .answer = "no", .flags = WIRE_HALF_CLOSE },
	/* the origin ends first; what the client still says gets there */
	{ "F4b", RAW(CONNECT_BARE("ok.test:{P}")), CONNECTED "first", "later",
	  "decision allow allowed; close client closed", .answer = "first",
	  .flags = WIRE_ORIGIN_FIRST | WIRE_HALF_CLOSE | WIRE_LATE_AT_END,
	  .late = RAW("later") },
	{ "F1d",
	  RAW("CONNECT ok.test:{P} HTTP/1.1\r\n"
	      "Host: ok.test:{P}\r\n"
	      "Proxy-Authorization: Basic c2VjcmV0\r\n\r\nx"),
	  CONNECTED "y", "x", TUNNELED, .answer = "y",
	  .flags = WIRE_HALF_CLOSE | WIRE_ONE_BYTE },
};

#define TABLE_TEST(table)                                      \
	static void table##_as_listed(void **state)            \
	{                                                      \
		(void)state;                                   \
		for (size_t i = 0; i < ARRAY_SIZE(table); i++) \
			wire_check(&table[i]);                 \
		wire_end_table();                              \
	}

TABLE_TEST(names)
TABLE_TEST(good_names)
TABLE_TEST(addresses)
TABLE_TEST(good_addresses)
TABLE_TEST(unreached)
TABLE_TEST(targets)
TABLE_TEST(framing)
TABLE_TEST(passed)
TABLE_TEST(chunks)
TABLE_TEST(cut_chunks)
TABLE_TEST(hostile)
TABLE_TEST(answers)
TABLE_TEST(tunnels)

/* ---- what a table cannot say ---- */

static bool contains(struct span text, const char *what)
{
	return memmem(text.data, text.size, what, strlen(what)) != NULL;
}

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
		RAW("HEAD http://evil.test/ HTTP/1.1\r\nHost: a\r\n\r\n"), R403,
		NULL, NOT_LISTED
	};
	const struct wire_result *result = wire_run(&wire);

	(void)state;
	assert_true(contains(result->reply, "\r\nContent-Length: "));
	assert_string_equal(result->reply.data + result->reply.size - 4,
			    "\r\n\r\n");
}

/* One that breaks off later is cut upstream too, and never ended there. */
static void cut_upload_is_not_ended(void **state)
{
	static const struct wire_case cases[] = {
		{ "E24b", RAW(POST_WITH("Content-Length: 9\r\n", "")), R400,
		  NULL,
		  "request; decision allow allowed; close the request's body "
		  "is incomplete",
		  .late = RAW("short") },
		{ "E12o", RAW(POST_WITH("Transfer-Encoding: chunked\r\n", "")),
		  R400, NULL,
		  "request; decision allow allowed; close the request's body "
		  "is malformed",
		  .late = RAW("5\r\nshort\r\n0x\r\n") },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct wire_case wire = cases[i];
		const struct wire_result *result;

		/* so that the head is known to have gone up */
		wire.greeting = "HTTP/1.1 100 Continue\r\n\r\n";
		wire.flags = WIRE_ORIGIN_MUTE | WIRE_HALF_CLOSE;
		result = wire_run(&wire);
		assert_string_equal(result->rows, wire.rows);
		assert_true(contains(result->origin, "\r\n\r\n"));
		assert_false(contains(result->origin, "0\r\n\r\n"));
	}
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

/* J6: no record, no access; nothing reaches the origin. */
static const struct wire_case unrecorded[] = {
	{ "J6a", RAW(GET("http://ok.test:{P}/x")), "HTTP/1.1 503 ", "", "",
	  .flags = WIRE_LOG_FULL | WIRE_ORIGIN_MUTE },
	{ "J6b", RAW(CONNECT_BARE("ok.test:{P}") "early"), "HTTP/1.1 503 ", "",
	  "", .flags = WIRE_LOG_FULL | WIRE_ORIGIN_MUTE },
	{ "J6c", RAW(GET("http://evil.test/")), "HTTP/1.1 503 ", NULL, "",
	  .flags = WIRE_LOG_FULL },
	{ "J6d", RAW("nonsense\r\n\r\n"), "HTTP/1.1 503 ", NULL, "",
	  .flags = WIRE_LOG_FULL },
};
TABLE_TEST(unrecorded)

static void head_too_large(void **state)
{
	static char text[64 + 20000];
	struct wire_case wire = { "I2b",
				  { text, sizeof(text) },
				  "HTTP/1.1 431 ",
				  NULL,
				  "refused the head is too large" };

	(void)state;
	memset(text, 'a', sizeof(text));
	memcpy(text, "GET http://ok.test/ HTTP/1.1\r\nX: ", 33);
	wire_check(&wire);
}

/* I2: an answer's head is bounded as well. */
static void answer_head_too_large(void **state)
{
	static char text[64 + 20000];
	struct wire_case wire = {
		"I2c",
		RAW(GET_WITH("")),
		"HTTP/1.1 502 ",
		UP("/x", ""),
		"request; error the answer is malformed; close the answer is "
		"malformed",
		.answer = text
	};

	(void)state;
	memset(text, 'a', sizeof(text) - 1);
	memcpy(text, "HTTP/1.1 200 OK\r\nX: ", 20);
	wire_check(&wire);
}

/* I5: bodies far larger than any buffer arrive whole, both ways. */
static void large_bodies_pass(void **state)
{
	enum {
		SIZE = 3000000
	};
	static char up[SIZE + 256], down[SIZE + 256];
	struct wire_case wire = {
		"I5",
		.send = { up, 0 },
		.answer = down,
	};
	const struct wire_result *result;
	int head;

	(void)state;
	head = snprintf(up, sizeof(up), POST_WITH("Content-Length: %d\r\n", ""),
			SIZE);
	memset(up + head, 'u', SIZE);
	wire.send.size = (size_t)head + SIZE;
	head = snprintf(down, sizeof(down),
			"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n", SIZE);
	memset(down + head, 'd', SIZE);
	down[head + SIZE] = '\0';
	/* the answer waits for the upload's end */
	wire.origin = up + strlen("POST http://ok.test:{P}/x");
	result = wire_run(&wire);
	assert_string_equal(result->rows, EXCHANGED);
	assert_true(result->origin.size > SIZE);
	assert_int_equal(result->origin.data[result->origin.size - 1], 'u');
	assert_true(result->reply.size > SIZE);
	assert_int_equal(result->reply.data[result->reply.size - 1], 'd');
}

/* A cut answer must not look like a whole one. */
static void cut_answer_is_reset(void **state)
{
	static const struct wire_case cases[] = {
		{ "E25x", RAW(GET_WITH("")), "HTTP/1.1 200", UP("/x", ""),
		  "request; decision allow allowed; close the answer's body "
		  "is incomplete",
		  .answer = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhi" },
		{ "E25y", RAW(GET_WITH("")), "HTTP/1.1 200", UP("/x", ""),
		  "request; decision allow allowed; close the answer's body "
		  "is malformed",
		  .answer = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n"
			    "\r\n2\r\nhi\r\n0x\r\n" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct wire_result *result = wire_run(&cases[i]);

		assert_string_equal(result->rows, cases[i].rows);
		assert_true(result->reset);
	}
}

/* F4: a reset of the origin's is one for the client. */
static void reset_passes_a_tunnel(void **state)
{
	static const struct wire_case wire = {
		"F4c", RAW(CONNECT_BARE("ok.test:{P}") "x"),
		"",    "x",
		"",    .flags = WIRE_ORIGIN_RESET
	};
	const struct wire_result *result = wire_run(&wire);

	(void)state;
	assert_true(result->reset);
	assert_string_equal(result->rows,
			    "decision allow allowed; close upstream lost");
}

static void idle_tunnel_is_cut(void **state)
{
	static const struct wire_case wire = {
		"I4",
		RAW(CONNECT_BARE("ok.test:{P}")),
		"",
		"",
		"",
		.flags = WIRE_ORIGIN_MUTE,
		.limits = "limits: { idle_ms: 50 }"
	};
	const struct wire_result *result = wire_run(&wire);

	(void)state;
	assert_true(result->reset);
	assert_string_equal(result->rows, "decision allow allowed; close idle");
}

static void one_too_many_is_shed(void **state)
{
	static const struct wire_case wire = {
		"I4b", RAW(""), "",
		NULL,  "",      .limits = "limits: { connections: 2 }"
	};
	int first, second, third;

	(void)state;
	wire_start(&wire);
	first = wire_connect();
	second = wire_connect();
	third = wire_connect();
	assert_true(contains(wire_read_all(third), "HTTP/1.1 503 "));
	close(first);
	close(second);
	assert_string_equal(wire_stop()->rows, "refused too many connections");
}

/* I3: out of descriptors, the proxy rests; with some again, it serves. */
static void survives_want_of_descriptors(void **state)
{
	static const struct wire_case wire = {
		"I3", RAW(""), "", NULL, "", .limits = "#few"
	};
	int fds[40], last;

	(void)state;
	wire_start(&wire);
	for (size_t i = 0; i < ARRAY_SIZE(fds); i++)
		fds[i] = wire_connect();
	for (size_t i = 0; i < ARRAY_SIZE(fds); i++)
		close(fds[i]);
	last = wire_connect();
	wire_send(last, SPAN(CONNECT_BARE("evil.test:443")));
	assert_true(contains(wire_read_all(last), R403));
	assert_string_equal(wire_stop()->rows, NOT_LISTED);
}

static const struct wire_case open_tunnel = {
	"stop", RAW(CONNECT_BARE("ok.test:{P}")), "", "",
	"",     .flags = WIRE_ORIGIN_MUTE
};

static int start_with_tunnel(void)
{
	char bytes[64];
	int fd;

	wire_start(&open_tunnel);
	fd = wire_connect();
	wire_send(fd, open_tunnel.send);
	wire_wait_readable(fd);
	assert_true(read(fd, bytes, sizeof(bytes)) > 0);
	return fd;
}

static void check_stopped(const struct wire_result *result, const char *rows)
{
	assert_true(WIFEXITED(result->status));
	assert_int_equal(WEXITSTATUS(result->status), 0);
	assert_string_equal(result->rows, rows);
}

static void stops_at_end_of_lifetime(void **state)
{
	int fd = start_with_tunnel();

	(void)state;
	check_stopped(wire_stop(), "decision allow allowed; close shutdown");
	close(fd);
}

static void stops_at_sigterm(void **state)
{
	int fd = start_with_tunnel();

	(void)state;
	assert_int_equal(kill(wire_pid(), SIGTERM), 0);
	check_stopped(wire_wait(), "decision allow allowed; close shutdown");
	close(fd);
}

/* A reload is not built; the signal must not end the boundary. */
static void survives_sighup(void **state)
{
	static const struct wire_case wire = { "hup", RAW(""), "", NULL, "" };
	int fd;

	(void)state;
	wire_start(&wire);
	assert_int_equal(kill(wire_pid(), SIGHUP), 0);
	fd = wire_connect();
	wire_send(fd, SPAN(CONNECT_BARE("evil.test:443")));
	assert_true(contains(wire_read_all(fd), R403));
	check_stopped(wire_stop(), NOT_LISTED);
}

static void unfinished_head_is_refused_at_the_end(void **state)
{
	static const struct wire_case wire = { "half", RAW(""), "", NULL, "" };
	int silent, half;

	(void)state;
	wire_start(&wire);
	silent = wire_connect();
	half = wire_connect();
	wire_send(half, SPAN("GET http://ok"));
	/* a whole exchange later both have been accepted and read */
	{
		int fd = wire_connect();

		wire_send(fd, SPAN(CONNECT_BARE("evil.test:443")));
		assert_true(contains(wire_read_all(fd), R403));
	}
	assert_int_equal(kill(wire_pid(), SIGTERM), 0);
	assert_true(contains(wire_read_all(half), "HTTP/1.1 503 "));
	close(silent);
	check_stopped(wire_wait(), NOT_LISTED "; refused shutdown");
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
		cmocka_unit_test(framing_as_listed),
		cmocka_unit_test(passed_as_listed),
		cmocka_unit_test(chunks_as_listed),
		cmocka_unit_test(cut_chunks_as_listed),
		cmocka_unit_test(hostile_as_listed),
		cmocka_unit_test(answers_as_listed),
		cmocka_unit_test(tunnels_as_listed),
		cmocka_unit_test(denial_tells_no_internals),
		cmocka_unit_test(denial_of_head_has_no_body),
		cmocka_unit_test(cut_upload_is_not_ended),
		cmocka_unit_test(rebinding_changes_nothing),
		cmocka_unit_test(unrecorded_as_listed),
		cmocka_unit_test(head_too_large),
		cmocka_unit_test(answer_head_too_large),
		cmocka_unit_test(large_bodies_pass),
		cmocka_unit_test(cut_answer_is_reset),
		cmocka_unit_test(reset_passes_a_tunnel),
		cmocka_unit_test(idle_tunnel_is_cut),
		cmocka_unit_test(one_too_many_is_shed),
		cmocka_unit_test(survives_want_of_descriptors),
		cmocka_unit_test(stops_at_end_of_lifetime),
		cmocka_unit_test(stops_at_sigterm),
		cmocka_unit_test(survives_sighup),
		cmocka_unit_test(unfinished_head_is_refused_at_the_end),
	};

	return cmocka_run_group_tests(tests, wire_setup, wire_teardown);
}
