/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several requests on one connection: each is judged by itself, and none is
 * found where another one's body is. Ids are those of the list of threats; a
 * letter tells members of one kind apart.
 * Replies are read as a strict client would: "STATUS BODY" each, and one that
 * answers HEAD begins with '-'. The body of what the proxy says itself is
 * checked and left out. */
#include "config.h"

#include "tests/unit/wire_text.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "proxy/body.h"
#include "proxy/response.h"

/* ---- a strict client ---- */

/* The payload of the body that the bytes begin with. */
static void read_payload(struct span *bytes, const struct response *response,
			 struct buf *out)
{
	struct body body;

	body_init(&body, &response->framing);
	while (!body.ended && bytes->size > 0) {
		struct body_step step = body_take(&body, *bytes);

		if (step.verdict == BODY_BROKEN)
			fail_msg("a reply's body is malformed");
		buf_add(out, step.data);
		*bytes = span_skip(*bytes, step.taken);
	}
	if (!body_may_stop(&body))
		fail_msg("a reply's body is incomplete");
}

/* What the proxy itself says is one JSON object. */
static bool is_own(const struct response *response, struct span payload)
{
	struct span type;

	if (!fields_find(&response->fields, SPAN("Cache-Control"), &type))
		return false;
	assert_true(span_starts(payload, SPAN("{\"error\":")));
	assert_string_equal(payload.data + payload.size - 2, "}\n");
	return true;
}

/* One reply, and whether the connection was said to end. */
static bool read_reply(struct span *bytes, bool to_head, struct buf *out)
{
	struct buf payload = BUF_INIT(1u << 20);
	size_t seen = 0, end = 0;
	struct response response;

	if (head_scan(*bytes, &seen, &end) != HEAD_OK || end == 0 ||
	    response_parse(span_head(*bytes, end), FIELDS_MAX, to_head,
			   &response) != HEAD_OK)
		fail_msg("a reply's head is malformed: <%.*s>",
			 (int)bytes->size, bytes->data);
	*bytes = span_skip(*bytes, end);
	read_payload(bytes, &response, &payload);
	buf_addf(out, "%u", response.status);
	if (payload.size > 0 && !is_own(&response, buf_span(&payload))) {
		buf_add_byte(out, ' ');
		buf_add(out, buf_span(&payload));
	}
	buf_release(&payload);
	return nominated_has(&response.nominated, SPAN("close"));
}

/* "200 hi; 403; -204, close" */
static void read_replies(struct span bytes, const char *wanted, struct buf *out)
{
	while (bytes.size > 0) {
		bool to_head = *wanted == '-';

		if (to_head)
			buf_add_byte(out, '-');
		if (read_reply(&bytes, to_head, out))
			buf_add_text(out, ", close");
		if (bytes.size > 0)
			buf_add_text(out, "; ");
		wanted = strchrnul(wanted, ';');
		wanted += strspn(wanted, "; ");
	}
}

static void keep_check(const struct wire_case *wire)
{
	const struct wire_result *result = wire_run_shared(wire);
	struct buf replies = BUF_INIT(1u << 20), origin = BUF_INIT(1u << 20);

	read_replies(result->reply, wire->reply, &replies);
	wire_check_text(wire->id, "the log", span_of(result->rows), wire->rows,
			false);
	wire_check_text(wire->id, "the reply", buf_span(&replies), wire->reply,
			false);
	for (const char *c = wire->origin ? wire->origin : ""; *c; c++)
		if (*c != WIRE_NEXT[0])
			buf_add_byte(&origin, *c);
	wire_check_text(wire->id, "what reached the origin", result->origin,
			origin.size ? origin.data : "", false);
	if (result->reset)
		fail_msg("%s: the client was reset", wire->id);
	buf_release(&replies);
	buf_release(&origin);
}

#define KEEP_TEST(table)                                       \
	static void table##_as_listed(void **state)            \
	{                                                      \
		(void)state;                                   \
		for (size_t i = 0; i < ARRAY_SIZE(table); i++) \
			keep_check(&table[i]);                 \
		wire_end_table();                              \
	}

/* ---- requests ---- */

#define HOST      "Host: ok.test\r\n"
#define OK(path)  "GET http://ok.test:{P}" path " HTTP/1.1\r\n" HOST "\r\n"
#define LAST      "GET http://ok.test:{P}/z HTTP/1.1\r\n" HOST CLOSE "\r\n"
#define EVIL      "GET http://evil.test/ HTTP/1.1\r\nHost: evil.test\r\n\r\n"
#define SMUG      OK("/smug")
/* its size, with five digits of a port */
#define SMUG_SIZE 57
#define SMUG_DEC  "57"
#define SMUG_HEX  "39"
static_assert(sizeof(SMUG) - 1 == SMUG_SIZE - 5 + 3, "with {P} in it");
#define POST(host, lines, body) \
	"POST http://" host " HTTP/1.1\r\n" HOST lines "\r\n" body
#define OK_POST(lines, body)     POST("ok.test:{P}/p", lines, body)
#define DENIED_POST(lines, body) POST("evil.test/p", lines, body)
#define LENGTH(n)                "Content-Length: " n "\r\n"
#define CHUNKS                   "Transfer-Encoding: chunked\r\n"
#define P_UP(lines, body) \
	"POST /p HTTP/1.1\r\nHost: ok.test:{P}\r\n" lines VIA CLOSE "\r\n" body

/* Sent whole, then the client's side is closed. */
#define KEPT(id, bytes, replies, up, rows)                                  \
	{                                                                   \
		id, RAW(bytes), replies, up, rows, .answer = HI,            \
						   .flags = WIRE_HALF_CLOSE \
	}

static const struct wire_case sequences[] = {
	KEPT("E5a", OK("/1") OK("/2"), "200 hi; 200 hi",
	     UP("/1", "") WIRE_NEXT UP("/2", ""), EXCHANGED "; " EXCHANGED),
	KEPT("E5b", OK("/1") EVIL OK("/2"), "200 hi; 403; 200 hi",
	     UP("/1", "") WIRE_NEXT UP("/2", ""),
	     EXCHANGED "; " NOT_LISTED "; " EXCHANGED),
	KEPT("E5c", EVIL EVIL, "403; 403", NULL, NOT_LISTED "; " NOT_LISTED),
	KEPT("E5d", EVIL LAST SMUG, "403; 200 hi, close", UP("/z", ""),
	     NOT_LISTED "; " EXCHANGED),
	/* HTTP/1.0 ends with its answer, whatever it asks for */
	KEPT("E5e",
	     "GET http://ok.test:{P}/z HTTP/1.0\r\n"
	     "Connection: keep-alive\r\n\r\n" SMUG,
	     "200 hi, close",
	     "GET /z HTTP/1.1\r\nHost: ok.test:{P}\r\n"
	     "Via: 1.0 cowork\r\n" CLOSE "\r\n",
	     EXCHANGED),
	KEPT("E5f", "GET http://evil.test/ HTTP/1.0\r\n\r\n" SMUG, "403, close",
	     NULL, NOT_LISTED),
	KEPT("E5g",
	     "GET http://evil.test/ HTTP/1.1\r\n" HOST
	     "Connection: x, CLOSE\r\n\r\n" SMUG,
	     "403, close", NULL, NOT_LISTED),
	/* what stands behind a CONNECT was meant for its tunnel */
	KEPT("E5h", OK("/1") CONNECT_BARE("evil.test:443") SMUG,
	     "200 hi; 403, close", UP("/1", ""), EXCHANGED "; " NOT_LISTED),
	KEPT("E5i",
	     "CONNECT evil.test:443 HTTP/1.1\r\nHost: evil.test:443\r\n"
	     "\r\n" SMUG,
	     "403, close", NULL, NOT_LISTED),
	KEPT("E3c",
	     OK("/1") "CONNECT ok.test:{P} HTTP/1.1\r\n"
		      "Host: evil.test:{P}\r\n\r\n" SMUG,
	     "200 hi; 400, close", UP("/1", ""),
	     EXCHANGED "; refused Host and CONNECT name different hosts"),
	/* nothing of the first request's is left for the second */
	KEPT("E21b",
	     "GET http://ok.test:{P}/1 HTTP/1.1\r\n" HOST
	     "Authorization: Bearer x\r\n\r\n" OK("/2"),
	     "200 hi; 200 hi",
	     UP("/1", "Authorization: Bearer x\r\n") WIRE_NEXT UP("/2", ""),
	     EXCHANGED "; " EXCHANGED),
	KEPT("B11c",
	     OK("/1") "GET http://h0a000001.addr.test:{P}/ HTTP/1.1\r\n" HOST
		      "\r\n" OK("/2"),
	     "200 hi; 403; 200 hi", UP("/1", "") WIRE_NEXT UP("/2", ""),
	     EXCHANGED "; decision deny private address; " EXCHANGED),
	KEPT("N5b", "GET http://ok.test:{C}/ HTTP/1.1\r\n" HOST "\r\n" OK("/2"),
	     "502; 200 hi", UP("/2", ""),
	     "error connection refused; " EXCHANGED),
	{ "E5j", RAW(EVIL OK("/1") EVIL), "403; 200 hi; 403", UP("/1", ""),
	  NOT_LISTED "; " EXCHANGED "; " NOT_LISTED, .answer = HI,
	  .flags = WIRE_HALF_CLOSE | WIRE_ONE_BYTE },
	/* the same connection becomes a tunnel */
	{ "F1e", RAW(EVIL OK("/1") CONNECT_BARE("ok.test:{P}") "hello"),
	  "403; 200 hi; 200 there", UP("/1", "") WIRE_NEXT "hello",
	  NOT_LISTED "; " EXCHANGED "; " TUNNELED,
	  .answer = HI WIRE_NEXT "there", .flags = WIRE_HALF_CLOSE,
	  .limits = "" },
	/* one after the other's answer */
	{ "E5k", RAW(OK("/1")), "200 hi; 403", UP("/1", ""),
	  EXCHANGED "; " NOT_LISTED, .answer = HI, .flags = WIRE_HALF_CLOSE,
	  .late = RAW(EVIL) },
	{ "E26b", RAW(OK("/1")), "302; 403", UP("/1", ""),
	  EXCHANGED "; " NOT_LISTED, .flags = WIRE_HALF_CLOSE,
	  .answer = "HTTP/1.1 302 Found\r\nLocation: http://evil.test/\r\n"
		    "Content-Length: 0\r\n\r\n",
	  .late = RAW(EVIL) },
};
KEEP_TEST(sequences)

/* A body is a body, whatever it looks like. */
static const struct wire_case bodies[] = {
	KEPT("E24c", OK_POST(LENGTH(SMUG_DEC), SMUG) OK("/2"), "200 hi; 200 hi",
	     P_UP(LENGTH(SMUG_DEC), SMUG) WIRE_NEXT UP("/2", ""),
	     EXCHANGED "; " EXCHANGED),
	KEPT("E24d", DENIED_POST(LENGTH(SMUG_DEC), SMUG) OK("/2"),
	     "403; 200 hi", UP("/2", ""), NOT_LISTED "; " EXCHANGED),
	KEPT("E24e",
	     DENIED_POST(CHUNKS, SMUG_HEX "\r\n" SMUG "\r\n0\r\n\r\n") OK("/2"),
	     "403; 200 hi", UP("/2", ""), NOT_LISTED "; " EXCHANGED),
	KEPT("E24f",
	     OK_POST(CHUNKS, SMUG_HEX ";x=y\r\n" SMUG "\r\n0\r\nT: 1\r\n\r\n")
		     OK("/2"),
	     "200 hi; 200 hi",
	     P_UP(CHUNKS, SMUG_HEX "\r\n" SMUG "\r\n0\r\n\r\n")
		     WIRE_NEXT UP("/2", ""),
	     EXCHANGED "; " EXCHANGED),
	KEPT("E24g",
	     "GET http://evil.test/ HTTP/1.1\r\n" HOST LENGTH(
		     SMUG_DEC) "\r\n" SMUG
			       "OPTIONS http://evil.test/ HTTP/1.1\r\n" HOST
				       LENGTH("0") "\r\n" OK("/2"),
	     "403; 403; 200 hi", UP("/2", ""),
	     NOT_LISTED "; " NOT_LISTED "; " EXCHANGED),
	/* the end of a denied body cannot be found: nothing is read on */
	KEPT("E12p", DENIED_POST(CHUNKS, "0x0\r\n\r\n") SMUG, "403", NULL,
	     NOT_LISTED),
	KEPT("E12q", DENIED_POST(CHUNKS, "1\r\nab\r\n0\r\n\r\n") SMUG, "403",
	     NULL, NOT_LISTED),
	KEPT("E12r", DENIED_POST(CHUNKS, "0\r\n" SMUG), "403", NULL,
	     NOT_LISTED),
	KEPT("E12s", OK("/1") OK_POST(CHUNKS, "1 \r\na\r\n0\r\n\r\n") SMUG,
	     "200 hi; 400, close", UP("/1", "") WIRE_NEXT,
	     EXCHANGED "; refused the request's body is malformed"),
	KEPT("E24h", DENIED_POST(LENGTH("9"), "short"), "403", NULL,
	     NOT_LISTED),
	KEPT("E24i", DENIED_POST(LENGTH("2000000"), SMUG), "403, close", NULL,
	     NOT_LISTED),
	/* a body that may come or not, RFC 9110, 10.1.1 */
	KEPT("E23k",
	     DENIED_POST("Expect: 100-continue\r\n" LENGTH(SMUG_DEC), SMUG)
		     SMUG,
	     "403, close", NULL, NOT_LISTED),
	KEPT("E23l",
	     "POST http://evil.test/ HTTP/1.1\r\n" HOST
	     "Expect: 100-continue\r\n\r\n" OK("/2"),
	     "403; 200 hi", UP("/2", ""), NOT_LISTED "; " EXCHANGED),
	KEPT("E23m", DENIED_POST("Expect: 200-ok\r\n" LENGTH("0"), "") SMUG,
	     "417, close", NULL, "refused Expect is not 100-continue"),
};
KEEP_TEST(bodies)

/* The second one is malformed, and whatever follows it is not read. */
#define THEN_BAD(id, bytes, status, why)                           \
	KEPT(id, OK("/1") bytes SMUG, "200 hi; " status ", close", \
	     UP("/1", ""), EXCHANGED "; refused " why)

static const struct wire_case smuggling[] = {
	THEN_BAD("E6b", OK_POST(LENGTH("4") CHUNKS, "0\r\n\r\n"), "400",
		 "both Content-Length and Transfer-Encoding"),
	THEN_BAD("E7k", OK_POST(LENGTH("0") LENGTH(SMUG_DEC), ""), "400",
		 "Content-Length is given twice"),
	THEN_BAD("E7l", OK_POST(LENGTH("0, " SMUG_DEC), ""), "400",
		 "Content-Length is malformed"),
	THEN_BAD("E8k", OK_POST("Transfer-Encoding: chunked, identity\r\n", ""),
		 "400", "Transfer-Encoding is not exactly chunked"),
	THEN_BAD("E8l",
		 "POST http://ok.test:{P}/ HTTP/1.0\r\n" CHUNKS "\r\n0\r\n\r\n",
		 "400", "Transfer-Encoding in HTTP/1.0"),
	THEN_BAD("E10b",
		 "GET http://ok.test:{P}/ HTTP/1.1\r\n" HOST
		 "X: 1\r\n Y: 2\r\n\r\n",
		 "400", "a header line begins with a space"),
	THEN_BAD("E11i", "GET http://ok.test:{P}/ HTTP/1.1\n" HOST "\n", "400",
		 "a line does not end in CR LF"),
	THEN_BAD("E2b", "GET / HTTP/1.1\r\nHost: ok.test:{P}\r\n\r\n", "400",
		 "the target is neither http://HOST/ nor CONNECT HOST:PORT"),
	THEN_BAD("E22h", "GET http://ok.test:{P}/\r\n\r\n", "400",
		 "the first line is malformed"),
	THEN_BAD("E19d", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "505",
		 "the version is neither HTTP/1.0 nor HTTP/1.1"),
	THEN_BAD("F7c", "\r\n", "400", "the first line is malformed"),
	THEN_BAD("F7d", "\0", "400", "a control byte in the head"),
	THEN_BAD("F6d", "\x16\x03\x01\x02", "400",
		 "a control byte in the head"),
	KEPT("I1e", OK("/1") "GET http://ok.te", "200 hi; 400, close",
	     UP("/1", ""), EXCHANGED "; refused the head is incomplete"),
};
KEEP_TEST(smuggling)

#define MALFORMED                                               \
	"request; decision allow allowed; error the answer is " \
	"malformed; close the answer is malformed"
#define CONTINUE  "HTTP/1.1 100 Continue\r\n\r\n"
#define TEN(text) text text text text text text text text text text

/* id, the origin's first answer, what the client reads, its rows. */
#define ANSWERS(id, first, replies, rows)                                  \
	{                                                                  \
		id, RAW(OK("/1") OK("/2")), replies "; 200 hi",            \
			UP("/1", "") WIRE_NEXT UP("/2", ""),               \
			rows "; " EXCHANGED, .answer = first WIRE_NEXT HI, \
					     .flags = WIRE_HALF_CLOSE      \
	}

/* Whatever an origin says, the second answer is the second request's. */
static const struct wire_case answers[] = {
	ANSWERS("E25A", HI "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfake",
		"200 hi", EXCHANGED),
	ANSWERS("E25B", "HTTP/1.1 204 No\r\nContent-Length: 5\r\n\r\nsmug!",
		"204", EXCHANGED),
	ANSWERS("E25C", "HTTP/1.1 304 No\r\nContent-Length: 5\r\n\r\nsmug!",
		"304", EXCHANGED),
	ANSWERS("E25D", "HTTP/1.0 200 OK\r\n\r\nHTTP/1.1 200 OK\r\n\r\n",
		"200 HTTP/1.1 200 OK\r\n\r\n",
		"request; decision allow allowed; close upstream closed"),
	ANSWERS("E25E",
		"HTTP/1.1 200 OK\r\n" CHUNKS "\r\n"
		"2;x\r\nab\r\n0\r\nContent-Length: 9\r\n\r\nHTTP/1.1",
		"200 ab", EXCHANGED),
	ANSWERS("E25F", "HTTP/1.1 200 OK\r\n" LENGTH("2") CHUNKS "\r\nhi",
		"502",
		"request; error the answer is malformed; "
		"close the answer is malformed"),
	ANSWERS("E23n", CONTINUE "HTTP/1.1 103 Hints\r\n\r\n" HI,
		"100; 103; 200 hi", EXCHANGED),
	/* an interim answer went on; the final one cannot */
	ANSWERS("E23o", CONTINUE "nonsense\r\n\r\n", "100; 502", MALFORMED),
	ANSWERS("E23p", CONTINUE "HTTP/1.1 101 Up\r\n\r\n", "100; 502",
		MALFORMED),
	ANSWERS("E23q", CONTINUE "HTTP/1.1 200 OK\r\nContent-Len", "100; 502",
		"request; decision allow allowed; error upstream closed without "
		"an answer; close upstream closed without an answer"),
	ANSWERS("E23r", TEN(CONTINUE) TEN(CONTINUE) HI,
		"100; 100; 100; 100; 100; 100; 100; 100; 100; 100; 100; 100; "
		"100; 100; 100; 100; 502",
		"request; decision allow allowed; error too many interim "
		"answers; close too many interim answers"),
	{ "E23s",
	  RAW("HEAD http://ok.test:{P}/1 HTTP/1.1\r\n" HOST "\r\n" OK("/2")),
	  "-200; 200 hi",
	  "HEAD /1 HTTP/1.1\r\nHost: ok.test:{P}\r\n" VIA CLOSE
	  "\r\n" WIRE_NEXT UP("/2", ""),
	  EXCHANGED "; " EXCHANGED,
	  .answer = "HTTP/1.1 200 OK\r\n" CHUNKS "\r\n0\r\n\r\n" WIRE_NEXT HI,
	  .flags = WIRE_HALF_CLOSE },
	{ "E23t",
	  RAW("HEAD http://evil.test/ HTTP/1.1\r\n" HOST "\r\n" OK("/2")),
	  "-403; 200 hi", UP("/2", ""), NOT_LISTED "; " EXCHANGED, .answer = HI,
	  .flags = WIRE_HALF_CLOSE },
};
KEEP_TEST(answers)

static const struct wire_case uploads[] = {
	/* answered early: the rest is read, and is not a request */
	{ "E23u", RAW(OK_POST(LENGTH(SMUG_DEC), "GET ")), "413; 200 hi",
	  P_UP(LENGTH(SMUG_DEC), "GET ") WIRE_NEXT UP("/2", ""),
	  EXCHANGED "; " EXCHANGED,
	  .answer = "HTTP/1.1 413 No\r\nContent-Length: 0\r\n\r\n" WIRE_NEXT HI,
	  .flags = WIRE_HALF_CLOSE,
	  .late = RAW("http://ok.test:{P}/smug HTTP/1.1\r\n" HOST
		      "\r\n" OK("/2")) },
	{ "E23v", RAW(OK_POST(LENGTH("2000000"), "a")), "413, close",
	  P_UP(LENGTH("2000000"), "a"), EXCHANGED,
	  .answer = "HTTP/1.1 413 No\r\nContent-Length: 0\r\n\r\n",
	  .flags = WIRE_HALF_CLOSE, .late = RAW(SMUG) },
	{ "E23w", RAW(OK_POST(CHUNKS, "1\r\na\r\n")), "413",
	  P_UP(CHUNKS, "1\r\na\r\n"), EXCHANGED,
	  .answer = "HTTP/1.1 413 No\r\nContent-Length: 0\r\n\r\n",
	  .flags = WIRE_HALF_CLOSE, .late = RAW("0x0\r\n\r\n" SMUG) },
	/* refused before the body was asked for: it may come or not */
	{ "E23x", RAW(OK_POST("Expect: 100-continue\r\n" LENGTH(SMUG_DEC), "")),
	  "417, close", P_UP("Expect: 100-continue\r\n" LENGTH(SMUG_DEC), ""),
	  EXCHANGED, .answer = "HTTP/1.1 417 No\r\nContent-Length: 0\r\n\r\n",
	  .flags = WIRE_HALF_CLOSE, .late = RAW(SMUG) },
	{ "E23y", RAW(OK_POST("Expect: 100-continue\r\n" LENGTH("3"), "")),
	  "100; 200 hi; 100; 200 hi",
	  P_UP("Expect: 100-continue\r\n" LENGTH("3"), "abc")
		  WIRE_NEXT UP("/2", ""),
	  EXCHANGED "; " EXCHANGED, .greeting = CONTINUE, .answer = HI,
	  .flags = WIRE_HALF_CLOSE, .late = RAW("abc" OK("/2")) },
};
KEEP_TEST(uploads)

static const struct wire_case times[] = {
	/* silence between requests ends the connection, without a record */
	{ "I4c", RAW(OK("/1")), "200 hi", UP("/1", ""), EXCHANGED, .answer = HI,
	  .limits = "limits: { idle_ms: 50 }" },
	{ "I1f", RAW(EVIL "GET http://ok.te"), "403; 408, close", NULL,
	  NOT_LISTED "; refused the head took too long",
	  .limits = "limits: { head_ms: 100 }" },
	{ "I1g", RAW(OK("/1")), "200 hi; 408, close", UP("/1", ""),
	  EXCHANGED "; refused the head took too long", .answer = HI,
	  .late = RAW("G"), .limits = "limits: { head_ms: 300 }" },
	{ "J6e", RAW(EVIL SMUG), "503, close", NULL, "",
	  .flags = WIRE_LOG_FULL },
};
KEEP_TEST(times)

/* More than any buffer holds, in one go. */
static void many_at_once(void **state)
{
	enum {
		MANY = 1000
	};
	struct buf text = BUF_INIT(1u << 20);
	struct wire_case wire = { "E5l", .reply = "",
				  .flags = WIRE_HALF_CLOSE };
	const struct wire_result *result;
	size_t denied = 0;
	struct span left;

	(void)state;
	for (size_t i = 0; i < MANY; i++)
		buf_add_text(&text, EVIL);
	wire.send = buf_span(&text);
	result = wire_run(&wire);
	left = result->reply;
	while (left.size > 0) {
		struct buf one = BUF_INIT(64);

		assert_false(read_reply(&left, false, &one));
		assert_string_equal(one.data, "403");
		buf_release(&one);
		denied++;
	}
	assert_int_equal(denied, MANY);
	assert_int_equal(result->connections, 0);
	buf_release(&text);
}

/* A second head has the same limit, though more is waiting behind it. */
static void second_head_too_large(void **state)
{
	static char text[64 + 40000];
	struct wire_case wire = { "I2d",
				  { text, sizeof(text) },
				  "403; 431, close",
				  NULL,
				  NOT_LISTED "; refused the head is too large",
				  .flags = WIRE_HALF_CLOSE };
	const char *begin = EVIL "GET http://ok.test/ HTTP/1.1\r\nX: ";

	(void)state;
	memset(text, 'a', sizeof(text));
	memcpy(text, begin, strlen(begin));
	memcpy(text + sizeof(text) - 4, "\r\n\r\n", 4);
	keep_check(&wire);
	wire_end_table();
}

/* C1: another request's name is another question. */
static void rebinding_between_requests(void **state)
{
#define REBIND "GET http://rebind.test:{P}/1 HTTP/1.1\r\n" HOST "\r\n"
	static const struct wire_case wire = {
		"C1b",
		RAW(REBIND REBIND),
		"200 hi; 403",
		"GET /1 HTTP/1.1\r\nHost: rebind.test:{P}\r\n" VIA CLOSE "\r\n",
		EXCHANGED "; decision deny loopback address",
		.answer = HI,
		.flags = WIRE_HALF_CLOSE
	};

	(void)state;
	keep_check(&wire);
	wire_end_table();
}

/* A connection that only waits does not hold up the end. */
static void waiting_ends_with_the_proxy(void **state)
{
	static const struct wire_case wire = { "stop", RAW(""), "", NULL, "" };
	struct buf reply = BUF_INIT(4096);
	struct span got;
	int fd;

	(void)state;
	wire_start(&wire);
	fd = wire_connect();
	wire_send(fd, SPAN(EVIL));
	wire_wait_readable(fd);
	assert_int_equal(kill(wire_pid(), SIGTERM), 0);
	got = wire_read_all(fd);
	assert_false(read_reply(&got, false, &reply));
	assert_int_equal(got.size, 0);
	assert_string_equal(reply.data, "403");
	assert_string_equal(wire_wait()->rows, NOT_LISTED);
	buf_release(&reply);
}

/* What is under way gets its answer, and is told that it is the last. */
static void stopping_keeps_nothing(void **state)
{
	static const struct wire_case wire = {
		"stop",
		RAW(OK_POST("Expect: 100-continue\r\n" LENGTH("3"), "")),
		"",
		P_UP("Expect: 100-continue\r\n" LENGTH("3"), "abc"),
		"",
		.greeting = CONTINUE,
		.answer = HI
	};
	struct buf replies = BUF_INIT(4096);
	int fd;

	(void)state;
	wire_start(&wire);
	fd = wire_connect();
	wire_send(fd, wire.send);
	wire_wait_readable(fd);
	assert_int_equal(kill(wire_pid(), SIGTERM), 0);
	wire_send(fd, SPAN("abc" SMUG));
	read_replies(wire_read_all(fd), "", &replies);
	assert_string_equal(replies.data, "100; 200 hi, close");
	assert_string_equal(wire_wait()->rows, EXCHANGED);
	buf_release(&replies);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sequences_as_listed),
		cmocka_unit_test(bodies_as_listed),
		cmocka_unit_test(smuggling_as_listed),
		cmocka_unit_test(answers_as_listed),
		cmocka_unit_test(uploads_as_listed),
		cmocka_unit_test(times_as_listed),
		cmocka_unit_test(many_at_once),
		cmocka_unit_test(second_head_too_large),
		cmocka_unit_test(rebinding_between_requests),
		cmocka_unit_test(waiting_ends_with_the_proxy),
		cmocka_unit_test(stopping_keeps_nothing),
	};

	return cmocka_run_group_tests(tests, wire_setup, wire_teardown);
}
