/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>

#include "probe/world_http.h"

static struct world_recorder *nothing;

static int open_recorder(void **state)
{
	struct error err;

	(void)state;
	nothing = world_recorder_open(NULL, 0, &err);
	return nothing ? 0 : -1;
}

static int close_recorder(void **state)
{
	(void)state;
	world_recorder_close(nothing);
	return 0;
}

/* "host method path" of a whole head; else what it is. */
#define BAD  "bad"
#define MORE "more"

static const struct {
	const char *bytes, *read;
} heads[] = {
	/* not heads */
	{ "\r\n\r\n", BAD },
	{ "\n\n", BAD },
	{ "GET\r\n\r\n", BAD },
	{ "GET /\r\n\r\n", BAD }, /* HTTP/0.9 */
	{ "GET  HTTP/1.1\r\n\r\n", BAD },
	{ " / HTTP/1.1\r\n\r\n", BAD },
	{ "GET / HTTP/2\r\n\r\n", BAD },
	{ "GET / FTP/1.1\r\n\r\n", BAD },
	{ "GET /a b HTTP/1.1\r\n\r\n", BAD },
	{ "GET /\x1b[2J HTTP/1.1\r\nHost: a\r\n\r\n", BAD },
	{ "G\tT / HTTP/1.1\r\n\r\n", BAD },
	{ "GET / HTTP/1.1\r\nHost: a\x01 b\r\n\r\n", BAD },
	{ "ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEFG / HTTP/1.1\r\n\r\n", BAD },
	{ "\x16\x03\x01\x02\n\n", BAD },
	/* not yet */
	{ "", MORE },
	{ "G", MORE },
	{ "GET / HTTP/1.1\r\nHost: a\r\n", MORE },
	{ "GET / HTTP/1.1\r\nHost: a\r\n\r", MORE },
	{ "\n", MORE },
	/* whole */
	{ "GET / HTTP/1.1\r\nHost: a.example\r\n\r\n", "a.example GET /" },
	{ "GET / HTTP/1.0\r\n\r\n", " GET /" },
	{ "GET /x?y=z HTTP/1.1\nhOsT:\ta.example \n\n",
	  "a.example GET /x?y=z" },
	{ "HEAD / HTTP/1.1\r\nX: y\r\nHost: a.example:8080\r\n\r\n",
	  "a.example HEAD /" },
	{ "PUT / HTTP/1.1\r\nHost: [2001:db8::1]:80\r\n\r\n{}",
	  "2001:db8::1 PUT /" },
	{ "PUT / HTTP/1.1\r\nHost: [2001:db8::1\r\n\r\n", "2001:db8::1 PUT /" },
	{ "GET http://b.example/x HTTP/1.1\r\nHost: a.example\r\n\r\n",
	  "b.example GET /x" },
	{ "GET http://b.example:81 HTTP/1.1\r\nHost: a.example\r\n\r\n",
	  "b.example GET /" },
	{ "GET /http://b.example/ HTTP/1.1\r\nHost: a.example\r\n\r\n",
	  "a.example GET /http://b.example/" },
	{ "OPTIONS * HTTP/1.1\r\nHost: a.example\r\n\r\n",
	  "a.example OPTIONS *" },
	{ "CONNECT b.example:443 HTTP/1.1\r\nHost: a.example\r\n\r\n",
	  "a.example CONNECT b.example:443" },
	{ "GET / HTTP/1.1\r\nHost: a.example\r\nHost: b.example\r\n\r\n",
	  "a.example GET /" },
	{ "GET / HTTP/1.1\r\nHost: a.example\r\n\r\nHost: b.example\r\n\r\n",
	  "a.example GET /" },
};

static void a_head_is_read_once_it_is_whole(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(heads); i++) {
		struct world_request r;
		char read[256];

		switch (world_http_parse(span_of(heads[i].bytes), &r)) {
		case WORLD_HEAD_BAD:
			snprintf(read, sizeof(read), BAD);
			break;
		case WORLD_HEAD_WHOLE:
			snprintf(read, sizeof(read), "%.*s %.*s %.*s",
				 (int)r.host.size, r.host.data,
				 (int)r.method.size, r.method.data,
				 (int)r.path.size, r.path.data);
			break;
		default:
			snprintf(read, sizeof(read), MORE);
		}
		if (strcmp(read, heads[i].read) != 0)
			fail_msg("case %zu: '%s'", i, read);
	}
}

/* However the bytes are cut, a head is only read when its end is there. */
static void a_part_is_never_a_whole(void **state)
{
	static const char head[] =
		"GET http://b.example/ HTTP/1.1\r\nHost: a.example\r\n\r\n";
	struct world_request r;

	(void)state;
	for (size_t size = 0; size < sizeof(head) - 1; size++)
		assert_int_equal(world_http_parse((struct span){ head, size },
						  &r),
				 WORLD_HEAD_MORE);
}

static void a_head_without_end_is_too_large(void **state)
{
	struct buf in = BUF_INIT(WORLD_INPUT_MAX);
	struct world_request r;

	(void)state;
	while (in.size < WORLD_INPUT_MAX)
		buf_add_byte(&in, 'a');
	assert_int_equal(world_http_parse(buf_span(&in), &r), WORLD_HEAD_LARGE);
	in.size--;
	assert_int_equal(world_http_parse(buf_span(&in), &r), WORLD_HEAD_MORE);
	buf_release(&in);
}

static const struct {
	const char *request, *status, *body;
} answers[] = {
	{ "GET / HTTP/2\r\n\r\n", "HTTP/1.1 400 ",
	  "the pretend world did not read this\n" },
	{ "CONNECT b.example:443 HTTP/1.1\r\n\r\n", "HTTP/1.1 405 ",
	  "the pretend world did not read this\n" },
	{ "HEAD /x HTTP/1.1\r\nHost: a.example\r\n\r\n", "HTTP/1.1 200 ", "" },
	{ "GET /x HTTP/1.1\r\nHost: a.example\r\n\r\n", "HTTP/1.1 200 ",
	  "the pretend world\nhost: a.example\nmethod: GET\npath: /x\n" },
};

static void every_request_is_answered(void **state)
{
	const struct world_context context = { .recorder = nothing };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(answers); i++) {
		struct buf in = BUF_INIT(WORLD_INPUT_MAX);
		struct buf out = BUF_INIT(WORLD_OUTPUT_MAX);
		size_t told, sent;

		buf_add_text(&in, answers[i].request);
		assert_int_equal(world_http_serve(&context, false, &in, &out),
				 WORLD_REPLY_LAST);
		assert_true(span_starts(buf_span(&out),
					span_of(answers[i].status)));
		assert_non_null(strstr(out.data, "\r\nConnection: close\r\n"));
		assert_string_equal(strstr(out.data, "\r\n\r\n") + 4,
				    answers[i].body);
		told = strtoul(strstr(out.data, "Content-Length: ") + 16, NULL,
			       10);
		sent = strlen(answers[i].body);
		assert_int_equal(told, sent ? sent : 56);
		buf_release(&in);
		buf_release(&out);
	}
}

static void the_longest_path_is_answered(void **state)
{
	const struct world_context context = { .recorder = nothing };
	struct buf in = BUF_INIT(WORLD_INPUT_MAX);
	struct buf out = BUF_INIT(WORLD_OUTPUT_MAX);

	(void)state;
	buf_add_text(&in, "GET /");
	while (in.size < WORLD_INPUT_MAX - 13)
		buf_add_byte(&in, 'a');
	buf_add_text(&in, " HTTP/1.1\r\n\r\n");
	assert_false(buf_failed(&in));
	assert_int_equal(world_http_serve(&context, true, &in, &out),
			 WORLD_REPLY_LAST);
	assert_false(buf_failed(&out));
	buf_release(&in);
	buf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_head_is_read_once_it_is_whole),
		cmocka_unit_test(a_part_is_never_a_whole),
		cmocka_unit_test(a_head_without_end_is_too_large),
		cmocka_unit_test(every_request_is_answered),
		cmocka_unit_test(the_longest_path_is_answered),
	};

	return cmocka_run_group_tests(tests, open_recorder, close_recorder);
}
