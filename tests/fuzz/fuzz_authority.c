/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An authority that was accepted prints as itself. The first byte says whether
 * a port may be left out. */
#include "config.h"

#include "tests/fuzz/fuzz.h"

#include "base/cleanup.h"
#include "proxy/authority.h"

#define TEXT_ROOM 4096

/* Nothing that means something else to another reader. */
static void check_text(struct span text)
{
	for (size_t i = 0; i < text.size; i++)
		MUST(text.data[i] > ' ' && text.data[i] < 0x7f &&
		     !strchr("@%/\\?#,;\"'<>", text.data[i]));
}

static void check_again(const struct target *target, uint16_t port)
{
	cleanup(buf_release) struct buf text = BUF_INIT(TEXT_ROOM);
	cleanup(buf_release) struct buf twice = BUF_INIT(TEXT_ROOM);
	struct target again;

	authority_print(target, port, &text);
	MUST(!buf_failed(&text));
	check_text(buf_span(&text));
	MUST(authority_parse(buf_span(&text), port, &again) == AUTHORITY_OK);
	MUST(authority_same_host(target, &again));
	MUST(target->port == again.port);
	authority_print(&again, port, &twice);
	MUST(span_equal(buf_span(&text), buf_span(&twice)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct target target;
	uint16_t port;

	if (size == 0)
		return 0;
	port = data[0] & 1 ? 80 : 0;
	if (authority_parse(fuzz_span(data + 1, size - 1), port, &target) !=
	    AUTHORITY_OK) {
		MUST(!target.host.size && !target.addr.size && !target.port);
		return 0;
	}
	MUST(target.port > 0);
	MUST(!target.host.size != !target.addr.size);
	check_again(&target, port);
	return 0;
}
