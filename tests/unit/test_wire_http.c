/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How messages are framed, from either side, and what goes on.
 * Ids are those of the list of threats; a letter tells members of one kind
 * apart. */
#include "config.h"

#include "tests/unit/wire_text.h"

#include <stdio.h>

#define OLD_VIA "Via: 1.0 cowork\r\n"
#define OLD_UP(path, lines)                                            \
	"GET " path " HTTP/1.1\r\nHost: ok.test:{P}\r\n" lines OLD_VIA \
	"Connection: close\r\n\r\n"
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
	{ "I1d", RAW(POST_WITH("Content-Length: 2\r\n", "a")), "HTTP/1.1 408",
	  POST_UP("Content-Length: 2\r\n", "a"),
	  "request; refused the request's body took too long; close the "
	  "request's body took too long",
	  .flags = WIRE_ORIGIN_MUTE,
	  .limits = "limits: { first_byte_ms: 200 }" },
	{ "I2a", RAW(GET_WITH("A: 1\r\nB: 2\r\nC: 3\r\n")), "HTTP/1.1 431",
	  NULL, "refused too many header fields",
	  .limits = "limits: { headers: 3 }" },
};
TABLE_TEST(framing)

static const struct wire_case passed[] = {
	PASSED("E1",
	       "GET http://ok.test:{P}/x?q=1 HTTP/1.1\r\n"
	       "Host: evil.test\r\n" CLOSE "\r\n",
	       UP("/x?q=1", "")),
	PASSED("E1b", "GET http://ok.test:{P}?q HTTP/1.0\r\n\r\n",
	       OLD_UP("/?q", "")),
	PASSED("E4f", "GET http://ok.test:{P}/x HTTP/1.0\r\n\r\n",
	       OLD_UP("/x", "")),
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
	       GET_WITH("Content-Length: 4\r\n") "bodyGET http://evil.test/ "
						 "HTTP/1.1\r\n\r\n",
	       UP("/x", "Content-Length: 4\r\n") "body"),
	/* what stands behind the last request is not read, let alone sent */
	PASSED("E5",
	       GET_WITH("") "GET http://evil.test/ HTTP/1.1\r\n"
			    "Host: evil.test\r\n\r\n",
	       UP("/x", "")),
	PASSED("V1", GET_WITH("Via: 1.0 fred, 1.1 p.example\r\nvia: 1.1 b\r\n"),
	       UP("/x", "Via: 1.0 fred, 1.1 p.example\r\nvia: 1.1 b\r\n")),
	PASSED("V2", GET_WITH("Close: 1\r\nConnection: Via\r\nVia: 1.1 a\r\n"),
	       UP("/x", "")),
	PASSED("E23b",
	       "POST http://ok.test:{P}/x HTTP/1.0\r\n"
	       "Expect: 100-continue\r\nContent-Length: 1\r\n\r\na",
	       "POST /x HTTP/1.1\r\nHost: ok.test:{P}\r\nContent-Length: 1\r\n" OLD_VIA
		       CLOSE "\r\na"),
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
TABLE_TEST(passed)

/* A body whose first bytes are malformed: its head has not gone up yet, and no
 * record says so. */
#define BROKEN(id, body)                                                    \
	{                                                                   \
		id, RAW(POST_WITH("Transfer-Encoding: chunked\r\n", body)), \
			R400, "", "refused the request's body is malformed" \
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
TABLE_TEST(chunks)

static const struct wire_case cut_chunks[] = {
	{ "E12m",
	  RAW(POST_WITH("Transfer-Encoding: chunked\r\n",
			"1\r\nab\r\n0\r\n\r\n")),
	  R400, "", "refused the request's body is malformed" },
	{ "E12n",
	  RAW(POST_WITH("Transfer-Encoding: chunked\r\n",
			"1\r\na\r\n0\r\nbad trailer\r\n\r\n")),
	  R400, "", "refused the request's body is malformed" },
};
TABLE_TEST(cut_chunks)

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
TABLE_TEST(hostile)

#define ANSWERED(id, request, from, to)                                       \
	{                                                                     \
		id, RAW(request), to, UP("/x", ""), EXCHANGED, .answer = from \
	}

#define ANSWERED_OLD(id, from, to)                                        \
	{                                                                 \
		id, RAW("GET http://ok.test:{P}/x HTTP/1.0\r\n\r\n"), to, \
			OLD_UP("/x", ""), EXCHANGED, .answer = from       \
	}

static const struct wire_case answers[] = {
	{ "E25z", RAW("GET http://ok.test:{P}/x HTTP/1.0\r\n\r\n"),
	  "HTTP/1.1 200 OK\r\n" VIA CLOSE "\r\nuntil the end", OLD_UP("/x", ""),
	  "request; decision allow allowed; close upstream closed",
	  .answer = "HTTP/1.1 200 OK\r\n\r\nuntil the end" },
	ANSWERED("V3", GET_WITH(""),
		 "HTTP/1.0 200 OK\r\nVia: 1.1 far\r\nClose: 1\r\n"
		 "Content-Length: 0\r\n\r\n",
		 "HTTP/1.1 200 OK\r\nVia: 1.1 far\r\nContent-Length: 0\r\n" OLD_VIA
			 CLOSE "\r\n"),
	ANSWERED("E25t", GET_WITH(""),
		 "HTTP/1.1 200 OK\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\n"
		 "Connection: X-Hop\r\nX-Hop: 1\r\nKeep-Alive: 3\r\n"
		 "Proxy-Authenticate: Basic\r\nContent-Length: 2\r\n\r\n"
		 "hiHTTP/1.1 200 OK\r\n\r\n",
		 "HTTP/1.1 200 OK\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\n"
		 "Content-Length: 2\r\n" VIA CLOSE "\r\nhi"),
	ANSWERED("E25u", GET_WITH(""),
		 "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
		 "2;x\r\nhi\r\n0\r\nT: 1\r\n\r\n",
		 "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n" VIA CLOSE
		 "\r\n2\r\nhi\r\n0\r\n\r\n"),
	ANSWERED_OLD("E25v",
		     "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
		     "2\r\nhi\r\n0\r\n\r\n",
		     "HTTP/1.1 200 OK\r\n" VIA CLOSE "\r\nhi"),
	ANSWERED("E23c", GET_WITH(""),
		 "HTTP/1.1 100 Continue\r\nContent-Length: 9\r\n\r\n"
		 "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" HI,
		 "HTTP/1.1 100 Continue\r\n" VIA "\r\n"
		 "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n" VIA
		 "\r\n" HI_REPLY),
	ANSWERED_OLD("E23d", "HTTP/1.1 100 Continue\r\n\r\n" HI, HI_REPLY),
	ANSWERED("E23e", GET_WITH(""),
		 "HTTP/1.1 204 No\r\nContent-Length: 5\r\n\r\nsmug!",
		 "HTTP/1.1 204 No\r\n" VIA CLOSE "\r\n"),
	ANSWERED("E23f", GET_WITH(""),
		 "HTTP/1.1 304 Not\r\nContent-Length: 5\r\n\r\nsmug!",
		 "HTTP/1.1 304 Not\r\nContent-Length: 5\r\n" VIA CLOSE "\r\n"),
	ANSWERED("E26", GET_WITH(""),
		 "HTTP/1.1 302 Found\r\nLocation: http://evil.test/\r\n"
		 "Content-Length: 0\r\n\r\n",
		 "HTTP/1.1 302 Found\r\nLocation: http://evil.test/\r\n"
		 "Content-Length: 0\r\n" VIA CLOSE "\r\n"),
	{ "E25w", RAW(GET_WITH("")),
	  "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n" OLD_VIA CLOSE
	  "\r\nd\r\nuntil the end\r\n0\r\n\r\n",
	  UP("/x", ""),
	  "request; decision allow allowed; close upstream closed",
	  .answer = "HTTP/1.0 200 OK\r\n\r\nuntil the end" },
	{ "E23g",
	  RAW("HEAD http://ok.test:{P}/x HTTP/1.1\r\nHost: ok.test\r\n" CLOSE
	      "\r\n"),
	  "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n" VIA CLOSE "\r\n",
	  "HEAD /x HTTP/1.1\r\nHost: ok.test:{P}\r\n" VIA CLOSE "\r\n",
	  EXCHANGED,
	  .answer = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nsmug!" },
	{ "E23h",
	  RAW(POST_WITH("Expect: 100-continue\r\nContent-Length: 3\r\n", "")),
	  "HTTP/1.1 413 No\r\nContent-Length: 0\r\n" VIA CLOSE "\r\n",
	  POST_UP("Expect: 100-continue\r\nContent-Length: 3\r\n", ""),
	  EXCHANGED, .answer = "HTTP/1.1 413 No\r\nContent-Length: 0\r\n\r\n" },
	{ "E23i",
	  RAW(POST_WITH("Expect: 100-continue\r\nContent-Length: 3\r\n", "")),
	  "HTTP/1.1 100 Continue\r\n" VIA "\r\n" HI_REPLY,
	  POST_UP("Expect: 100-continue\r\nContent-Length: 3\r\n", "abc"),
	  EXCHANGED, .greeting = "HTTP/1.1 100 Continue\r\n\r\n", .answer = HI,
	  .late = RAW("abc") },
};
TABLE_TEST(answers)

/* One that breaks off later is cut upstream too, and never ended there. */
static void cut_upload_is_not_ended(void **state)
{
	static const struct wire_case cases[] = {
		{ "E24b", RAW(POST_WITH("Content-Length: 9\r\n", "")), R400,
		  NULL,
		  "request; decision allow allowed; refused the request's body "
		  "is incomplete; close the request's body is incomplete",
		  .late = RAW("short") },
		{ "E12o", RAW(POST_WITH("Transfer-Encoding: chunked\r\n", "")),
		  R400, NULL,
		  "request; decision allow allowed; refused the request's body "
		  "is malformed; close the request's body is malformed",
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
		assert_true(contains(result->reply, R400));
		assert_true(contains(result->origin, "\r\n\r\n"));
		assert_false(contains(result->origin, "0\r\n\r\n"));
	}
}

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(framing_as_listed),
		cmocka_unit_test(passed_as_listed),
		cmocka_unit_test(chunks_as_listed),
		cmocka_unit_test(cut_chunks_as_listed),
		cmocka_unit_test(hostile_as_listed),
		cmocka_unit_test(answers_as_listed),
		cmocka_unit_test(cut_upload_is_not_ended),
		cmocka_unit_test(head_too_large),
		cmocka_unit_test(answer_head_too_large),
		cmocka_unit_test(large_bodies_pass),
		cmocka_unit_test(cut_answer_is_reset),
	};

	return cmocka_run_group_tests(tests, wire_setup, wire_teardown);
}
