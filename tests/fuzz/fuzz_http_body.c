/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A body has the same payload and the same end however it arrives, and framed
 * anew it is the same payload. The first byte is the kind, the second a
 * length. */
#include "config.h"

#include "tests/fuzz/fuzz.h"

#include "base/buf.h"
#include "base/cleanup.h"
#include "proxy/body.h"

#define BODY_ROOM (1u << 20)

/* What came of a body. */
struct outcome {
	enum body_verdict verdict;
	size_t taken;
	struct buf payload;
};

/* At most so many bytes at once. */
static void read_body(struct span bytes, const struct framing *framing,
		      size_t most, struct outcome *out)
{
	struct body body;

	*out = (struct outcome){ .verdict = BODY_MORE,
				 .payload = BUF_INIT(BODY_ROOM) };
	body_init(&body, framing);
	if (body.ended)
		out->verdict = BODY_ENDED;
	while (out->verdict == BODY_MORE && out->taken < bytes.size) {
		struct span rest = span_skip(bytes, out->taken);
		struct body_step step;

		if (rest.size > most)
			rest.size = most;
		step = body_take(&body, rest);
		MUST(step.taken <= rest.size && step.data.size <= step.taken);
		MUST(step.verdict != BODY_MORE || step.taken > 0);
		out->verdict = step.verdict;
		out->taken += step.taken;
		buf_add(&out->payload, step.data);
	}
	/* what follows the end is never taken, and nothing mends a fault */
	if (out->verdict == BODY_ENDED)
		MUST(body_take(&body, SPAN("0\r\n\r\n")).taken == 0);
	if (out->verdict == BODY_BROKEN)
		MUST(body_take(&body, SPAN("0\r\n\r\n")).verdict ==
		     BODY_BROKEN);
	MUST(body_may_stop(&body) == (out->verdict == BODY_ENDED ||
				      (out->verdict == BODY_MORE &&
				       framing->kind == BODY_UNTIL_CLOSE)));
}

static void check_same(const struct outcome *a, const struct outcome *b)
{
	MUST(a->verdict == b->verdict);
	MUST(span_equal(buf_span(&a->payload), buf_span(&b->payload)));
	MUST(a->verdict == BODY_BROKEN || a->taken == b->taken);
}

/* As it is sent on. */
static void check_framed_anew(const struct outcome *whole)
{
	static const struct framing chunked = { BODY_CHUNKED, 0 };
	cleanup(buf_release) struct buf text = BUF_INIT(2 * BODY_ROOM);
	struct outcome again;

	if (whole->payload.size > 0) {
		buf_addf(&text, "%zx\r\n", whole->payload.size);
		buf_add(&text, buf_span(&whole->payload));
		buf_add(&text, SPAN("\r\n"));
	}
	buf_add(&text, SPAN("0\r\n\r\n"));
	read_body(buf_span(&text), &chunked, SIZE_MAX, &again);
	MUST(again.verdict == BODY_ENDED && again.taken == text.size);
	MUST(span_equal(buf_span(&whole->payload), buf_span(&again.payload)));
	buf_release(&again.payload);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const size_t pieces[] = { 1, 2, 7 };
	struct outcome whole, cut;
	struct framing framing;
	struct span bytes;

	if (size < 2 || size > 65536)
		return 0;
	framing.kind = (enum body_kind)(data[0] % (BODY_UNTIL_CLOSE + 1));
	framing.length = framing.kind == BODY_LENGTH ? data[1] : 0;
	bytes = fuzz_span(data + 2, size - 2);
	read_body(bytes, &framing, SIZE_MAX, &whole);
	for (size_t i = 0; i < ARRAY_SIZE(pieces); i++) {
		read_body(bytes, &framing, pieces[i], &cut);
		check_same(&whole, &cut);
		buf_release(&cut.payload);
	}
	if (whole.verdict == BODY_ENDED)
		check_framed_anew(&whole);
	buf_release(&whole.payload);
	return 0;
}
