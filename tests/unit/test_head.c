/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tests/unit/unit.h"

#include "base/buf.h"
#include "proxy/head.h"
#include "proxy/response.h"

#define MOST 4

/* up: the head that goes on; NULL where it is refused. */
static const struct {
	const char *bytes;
	enum head_fault fault;
	const char *up;
} requests[] = {
	{ "GET http://a.test/\r\n\r\n", HEAD_START_LINE, NULL },
	{ "GET\r\n\r\n", HEAD_START_LINE, NULL },
	{ "GET \r\n\r\n", HEAD_START_LINE, NULL },
	{ "GET  HTTP/1.1\r\n\r\n", HEAD_START_LINE, NULL },
	{ "GET http://a.test/ HTTP/1.1 \r\n\r\n", HEAD_START_LINE, NULL },
	{ "GET http://a.test/ HTTP/1.10\r\n\r\n", HEAD_START_LINE, NULL },
	{ "GET http://a.test/ HTTP/3.0\r\n\r\n", HEAD_VERSION, NULL },
	{ "G3T http://a.test/ HTTP/1.1\r\n\r\n", HEAD_METHOD, NULL },
	{ "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA http://a.test/ HTTP/1.1\r\n\r\n",
	  HEAD_METHOD, NULL },
	{ "GET a.test HTTP/1.1\r\nHost: a.test\r\n\r\n", HEAD_FORM, NULL },
	{ "GET http://a.test/\x80 HTTP/1.1\r\nHost: a.test\r\n\r\n", HEAD_PATH,
	  NULL },
	{ "GET http://a.test/ HTTP/1.1\r\nHost: a.test\r\n", HEAD_LINE_END,
	  NULL },
	{ "GET http://a.test/ HTTP/1.1\r\nHost: a.test\r\n\r\nmore",
	  HEAD_LINE_END, NULL },
	{ "", HEAD_LINE_END, NULL },
	{ "GET http://a.test/ HTTP/1.0\r\nA: 1\r\nB: 2\r\nC: 3\r\nD: 4\r\n"
	  "E: 5\r\n\r\n",
	  HEAD_TOO_MANY, NULL },
	{ "GET http://a.test/ HTTP/1.0\r\nExpect: x\r\n"
	  "Content-Length: 000000000000000000000\r\n\r\n",
	  HEAD_LENGTH, NULL },
	{ "GET http://a.test/ HTTP/1.0\r\n\tHost: a\r\n\r\n", HEAD_FOLDED,
	  NULL },
	{ "GET http://a.test/ HTTP/1.0\r\nA B: 1\r\n\r\n", HEAD_FIELD_NAME,
	  NULL },
	{ "GET http://a.test/ HTTP/1.0\r\n\xc3\xa4: 1\r\n\r\n", HEAD_FIELD_NAME,
	  NULL },
	{ "GET http://a.test/ HTTP/1.0\r\n\r\n", HEAD_OK,
	  "GET / HTTP/1.1\r\nHost: a.test\r\n"
	  "Via: 1.0 cowork\r\nConnection: close\r\n\r\n" },
	{ "PROPFIND http://[2001:db8::1]:8080/a?b?c HTTP/1.0\r\n\r\n", HEAD_OK,
	  "PROPFIND /a?b?c HTTP/1.1\r\nHost: [2001:db8::1]:8080\r\n"
	  "Via: 1.0 cowork\r\nConnection: close\r\n\r\n" },
	{ "GET http://a.test/ HTTP/1.1\r\nhOsT: a.test\r\n"
	  "EXPECT: 100-Continue\r\n\r\n",
	  HEAD_OK,
	  "GET / HTTP/1.1\r\nHost: a.test\r\n"
	  "Via: 1.1 cowork\r\nConnection: close\r\n\r\n" },
	{ "GET http://a.test/ HTTP/1.1\r\nHost: a.test\r\nX:\r\n"
	  "Y: \xc3\xa4 b\r\n\r\n",
	  HEAD_OK,
	  "GET / HTTP/1.1\r\nHost: a.test\r\nX: \r\nY: \xc3\xa4 b\r\n"
	  "Via: 1.1 cowork\r\nConnection: close\r\n\r\n" },
};

static void requests_have_one_reading(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(requests); i++) {
		struct buf up = BUF_INIT(4096);
		struct head head;
		enum head_fault fault =
			head_parse(span_of(requests[i].bytes), MOST, &head);

		if (fault != requests[i].fault)
			fail_msg("%zu: %s", i, head_fault_text(fault));
		if (fault == HEAD_OK) {
			head_print(&head, &up);
			assert_string_equal(up.data, requests[i].up);
		}
		buf_release(&up);
	}
}

static const struct {
	const char *bytes;
	bool to_head;
	enum head_fault fault;
	enum body_kind kind;
	uint64_t length;
} responses[] = {
	{ "HTTP/1.1\r\n\r\n", false, HEAD_START_LINE, 0, 0 },
	{ "HTTP/1.1 \r\n\r\n", false, HEAD_START_LINE, 0, 0 },
	{ "HTTP/1.1 20\r\n\r\n", false, HEAD_START_LINE, 0, 0 },
	{ "HTTP/1.1  200 OK\r\n\r\n", false, HEAD_STATUS, 0, 0 },
	{ "HTTP/1.1 200OK\r\n\r\n", false, HEAD_STATUS, 0, 0 },
	{ "HTTP/1.1 600 No\r\n\r\n", false, HEAD_STATUS, 0, 0 },
	{ "HTTP/1.1 000 No\r\n\r\n", false, HEAD_STATUS, 0, 0 },
	{ "HTTP/1.1 +20 No\r\n\r\n", false, HEAD_STATUS, 0, 0 },
	{ "HTTP/1.2 200 OK\r\n\r\n", false, HEAD_START_LINE, 0, 0 },
	{ "ICY 200 OK\r\n\r\n", false, HEAD_START_LINE, 0, 0 },
	{ "HTTP/1.1 101 Up\r\n\r\n", false, HEAD_SWITCHED, 0, 0 },
	{ "HTTP/1.1 200 OK\r\nContent-Length: 1, 1\r\n\r\n", false, HEAD_LENGTH,
	  0, 0 },
	{ "HTTP/1.1 304 No\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n",
	  false, HEAD_LENGTH_REPEATED, 0, 0 },
	{ "HTTP/1.1 200 OK\r\nConnection: content-length\r\n\r\n", false,
	  HEAD_NOMINATED, 0, 0 },
	{ "HTTP/1.1 200\r\n\r\n", false, HEAD_OK, BODY_UNTIL_CLOSE, 0 },
	{ "HTTP/1.0 200 OK\r\nContent-Length: 7\r\n\r\n", false, HEAD_OK,
	  BODY_LENGTH, 7 },
	{ "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n", true, HEAD_OK,
	  BODY_NONE, 0 },
	{ "HTTP/1.1 200 OK\r\ntransfer-encoding: CHUNKED\r\n\r\n", false,
	  HEAD_OK, BODY_CHUNKED, 0 },
	{ "HTTP/1.1 304 No\r\nContent-Length: 7\r\n\r\n", false, HEAD_OK,
	  BODY_NONE, 0 },
	{ "HTTP/1.1 204 No\r\n\r\n", false, HEAD_OK, BODY_NONE, 0 },
	{ "HTTP/1.1 103 Early\r\n\r\n", false, HEAD_OK, BODY_NONE, 0 },
};

static void responses_have_one_reading(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(responses); i++) {
		struct response response;
		enum head_fault fault =
			response_parse(span_of(responses[i].bytes), MOST,
				       responses[i].to_head, &response);

		if (fault != responses[i].fault)
			fail_msg("%zu: %s", i, head_fault_text(fault));
		if (fault != HEAD_OK)
			continue;
		assert_int_equal(response.framing.kind, responses[i].kind);
		assert_int_equal(response.framing.length, responses[i].length);
	}
}

/* However a head is cut into pieces, the scan says the same. */
static void scanning_does_not_depend_on_pieces(void **state)
{
	static const struct {
		struct span bytes;
		enum head_fault fault;
	} heads[] = {
		{ { "GET / HTTP/1.1\r\nA: b\r\n\r\n", 24 }, HEAD_OK },
		{ { "GET / HTTP/1.1\r\nA: b\n\r\n", 23 }, HEAD_LINE_END },
		{ { "GET / HTTP/1.1\r\nA: b\r\r\n", 24 }, HEAD_LINE_END },
		{ { "GET / HTTP/1.1\r\nA: \0\r\n\r\n", 24 }, HEAD_CONTROL },
		{ { "\r\nGET / HTTP/1.1\r\n\r\n", 20 }, HEAD_START_LINE },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(heads); i++) {
		size_t seen = 0, end = 0;
		enum head_fault fault = HEAD_OK;

		for (size_t n = 0; n <= heads[i].bytes.size && !end; n++) {
			fault = head_scan(span_head(heads[i].bytes, n), &seen,
					  &end);
			if (fault != HEAD_OK)
				break;
		}
		assert_int_equal(fault, heads[i].fault);
		if (fault == HEAD_OK)
			assert_int_equal(end, heads[i].bytes.size);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(requests_have_one_reading),
		cmocka_unit_test(responses_have_one_reading),
		cmocka_unit_test(scanning_does_not_depend_on_pieces),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
