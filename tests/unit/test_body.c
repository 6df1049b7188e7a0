/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tests/unit/unit.h"

#include <stdlib.h>

#include "base/buf.h"
#include "proxy/body.h"

/* What a body gives, fed in pieces of one size. */
struct outcome {
	enum body_verdict verdict;
	struct buf data;
	size_t taken;
};

static struct outcome feed(struct framing framing, struct span bytes,
			   size_t piece)
{
	struct outcome out = { BODY_MORE, BUF_INIT(1 << 20), 0 };
	struct body body;

	body_init(&body, &framing);
	while (out.taken < bytes.size && out.verdict == BODY_MORE) {
		struct span rest = span_skip(bytes, out.taken);
		struct body_step step = body_take(
			&body,
			span_head(rest, rest.size < piece ? rest.size : piece));

		out.verdict = step.verdict;
		out.taken += step.taken;
		buf_add(&out.data, step.data);
	}
	return out;
}

/* data NULL: broken. */
static const struct {
	const char *bytes;
	const char *data;
	size_t left; /* behind the end */
} chunked[] = {
	{ "g\r\n", NULL, 0 },
	{ "\r\n", NULL, 0 },
	{ " 1\r\na\r\n0\r\n\r\n", NULL, 0 },
	{ "1\t\r\na\r\n0\r\n\r\n", NULL, 0 },
	{ "1 ;x\r\na\r\n0\r\n\r\n", NULL, 0 },
	{ "0x1\r\na\r\n0\r\n\r\n", NULL, 0 },
	{ "1\ra\r\n0\r\n\r\n", NULL, 0 },
	{ "1\r\nab\r\n0\r\n\r\n", NULL, 0 },
	{ "2\r\na\r\n0\r\n\r\n", NULL, 0 },
	{ "1\r\na\n0\r\n\r\n", NULL, 0 },
	{ "1;a\nb\r\na\r\n0\r\n\r\n", NULL, 0 },
	{ "1;a\rb\r\na\r\n0\r\n\r\n", NULL, 0 },
	{ "1;\x01\r\na\r\n0\r\n\r\n", NULL, 0 },
	{ "8000000000000000\r\n", NULL, 0 },
	{ "0000000000000001\r\na\r\n0\r\n\r\n", NULL, 0 },
	{ "0\r\n\n", NULL, 0 },
	{ "0\r\n\rx", NULL, 0 },
	{ "0\r\n: v\r\n\r\n", NULL, 0 },
	{ "0\r\n folded\r\n\r\n", NULL, 0 },
	{ "0\r\nA b: v\r\n\r\n", NULL, 0 },
	{ "0\r\nA\r\n\r\n", NULL, 0 },
	{ "0\r\nA: v\n\r\n", NULL, 0 },
	{ "0\r\n\r\n", "", 0 },
	{ "000\r\n\r\n", "", 0 },
	{ "0\r\n\r\nGET /", "", 5 },
	{ "5\r\nhello\r\n0\r\n\r\n", "hello", 0 },
	{ "3;a=b;c=\"d\"\r\nhel\r\n2\r\nlo\r\n0;z\r\nT: 1\r\nU:\r\n\r\nx",
	  "hello", 1 },
	{ "B\r\n0\r\n\r\n0\r\n\r\n!\r\n0\r\n\r\n", "0\r\n\r\n0\r\n\r\n!", 0 },
};

static void chunks_have_one_reading(void **state)
{
	const struct framing framing = { BODY_CHUNKED, 0 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(chunked); i++) {
		struct span bytes = span_of(chunked[i].bytes);

		for (size_t piece = 1; piece <= bytes.size; piece++) {
			struct outcome out = feed(framing, bytes, piece);

			if (out.verdict !=
			    (chunked[i].data ? BODY_ENDED : BODY_BROKEN))
				fail_msg("%zu in pieces of %zu: verdict %d", i,
					 piece, out.verdict);
			if (chunked[i].data) {
				assert_true(
					span_equal(buf_span(&out.data),
						   span_of(chunked[i].data)));
				assert_int_equal(bytes.size - out.taken,
						 chunked[i].left);
			}
			buf_release(&out.data);
		}
	}
}

static void flood(const char *before, char fill, const char *after)
{
	const struct framing framing = { BODY_CHUNKED, 0 };
	struct buf text = BUF_INIT(1 << 20);
	struct outcome out;

	buf_add_text(&text, before);
	for (size_t i = 0; i < BODY_OVERHEAD_MAX; i++)
		buf_add_byte(&text, fill);
	buf_add_text(&text, after);
	out = feed(framing, buf_span(&text), text.size);
	assert_int_equal(out.verdict, BODY_BROKEN);
	buf_release(&out.data);
	buf_release(&text);
}

/* One budget for a whole body, however it is spread. */
static void overhead_is_bounded(void **state)
{
	const struct framing framing = { BODY_CHUNKED, 0 };
	struct buf text = BUF_INIT(1 << 20);
	struct outcome out;

	(void)state;
	flood("1;x", 'y', "\r\na\r\n0\r\n\r\n");
	flood("0\r\nX:", 'y', "\r\n\r\n");
	flood("0\r\nX", 'y', ": 1\r\n\r\n");
	for (size_t i = 0; i <= BODY_OVERHEAD_MAX / 4; i++)
		buf_add_text(&text, "1;abcd\r\nx\r\n");
	buf_add_text(&text, "0\r\n\r\n");
	out = feed(framing, buf_span(&text), 100);
	assert_int_equal(out.verdict, BODY_BROKEN);
	buf_release(&out.data);
	buf_release(&text);
}

static void broken_stays_broken(void **state)
{
	const struct framing framing = { BODY_CHUNKED, 0 };
	struct body body;

	(void)state;
	body_init(&body, &framing);
	assert_int_equal(body_take(&body, SPAN("x")).verdict, BODY_BROKEN);
	assert_int_equal(body_take(&body, SPAN("0\r\n\r\n")).verdict,
			 BODY_BROKEN);
	assert_false(body_may_stop(&body));
}

static void length_is_counted(void **state)
{
	struct outcome out =
		feed((struct framing){ BODY_LENGTH, 5 }, SPAN("helloGET"), 3);
	struct body body;

	(void)state;
	assert_int_equal(out.verdict, BODY_ENDED);
	assert_int_equal(out.taken, 5);
	assert_string_equal(out.data.data, "hello");
	buf_release(&out.data);

	body_init(&body, &(struct framing){ BODY_LENGTH, 2 });
	assert_int_equal(body_take(&body, SPAN("a")).verdict, BODY_MORE);
	assert_false(body_may_stop(&body));
	body_init(&body, &(struct framing){ BODY_LENGTH, 0 });
	assert_true(body_may_stop(&body));
	assert_int_equal(body_take(&body, SPAN("a")).taken, 0);
}

static void none_and_until_close(void **state)
{
	struct body body;
	struct body_step step;

	(void)state;
	body_init(&body, &(struct framing){ BODY_NONE, 0 });
	step = body_take(&body, SPAN("x"));
	assert_int_equal(step.verdict, BODY_ENDED);
	assert_int_equal(step.taken, 0);

	body_init(&body, &(struct framing){ BODY_UNTIL_CLOSE, 0 });
	step = body_take(&body, SPAN("0\r\n\r\n"));
	assert_int_equal(step.verdict, BODY_MORE);
	assert_int_equal(step.data.size, 5);
	assert_true(body_may_stop(&body));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(chunks_have_one_reading),
		cmocka_unit_test(overhead_is_bounded),
		cmocka_unit_test(broken_stays_broken),
		cmocka_unit_test(length_is_counted),
		cmocka_unit_test(none_and_until_close),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
