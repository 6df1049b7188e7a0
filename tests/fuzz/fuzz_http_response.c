/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An answer's head that was accepted goes on as one with the same reading. The
 * first byte says what it answers and how it goes on. */
#include "config.h"

#include "tests/fuzz/fuzz.h"

#include "base/cleanup.h"
#include "proxy/response.h"

#define HEAD_ROOM (1u << 20)

enum {
	TO_HEAD = 1,
	CHUNKED = 2,
	KEEP = 4,
};

static enum body_kind goes_on_as(const struct response *response, bool chunked)
{
	if (!response_is_unmeasured(response))
		return response->framing.kind;
	return chunked ? BODY_CHUNKED : BODY_UNTIL_CLOSE;
}

static void check_forwarded(const struct response *response,
			    const struct response *again)
{
	cleanup(buf_release) struct buf once = BUF_INIT(HEAD_ROOM);
	cleanup(buf_release) struct buf twice = BUF_INIT(HEAD_ROOM);

	fields_forward(&response->fields, &response->nominated, &once);
	via_print(response->minor, &once);
	fields_forward(&again->fields, &again->nominated, &twice);
	MUST(span_equal(buf_span(&once), buf_span(&twice)));
}

static void check_again(const struct response *response, unsigned flags)
{
	cleanup(buf_release) struct buf text = BUF_INIT(HEAD_ROOM);
	bool chunked = flags & CHUNKED, keep = flags & KEEP;
	static struct response again;

	response_print(response, chunked, keep, &text);
	MUST(!buf_failed(&text));
	MUST(response_parse(buf_span(&text), FIELDS_MAX, flags & TO_HEAD,
			    &again) == HEAD_OK);
	MUST(again.status == response->status);
	MUST(span_equal(again.reason, response->reason));
	MUST(again.framing.kind == goes_on_as(response, chunked));
	MUST(again.framing.length == response->framing.length);
	MUST(nominated_has(&again.nominated, SPAN("close")) ==
	     (!keep && !response_is_interim(response)));
	check_forwarded(response, &again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct response response;
	unsigned flags;

	if (size == 0 || size > 65536)
		return 0;
	flags = data[0];
	if (response_parse(fuzz_span(data + 1, size - 1), 100, flags & TO_HEAD,
			   &response) != HEAD_OK)
		return 0;
	MUST(response.status >= 100 && response.status <= 599);
	MUST(response.status != 101);
	MUST(!(flags & TO_HEAD) || response.framing.kind == BODY_NONE);
	check_again(&response, flags);
	return 0;
}
