/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A request's head that was accepted goes on as a head with the same reading,
 * and with no other. */
#include "config.h"

#include "tests/fuzz/fuzz.h"

#include "base/cleanup.h"
#include "proxy/authority.h"
#include "proxy/head.h"

#define HEAD_ROOM (1u << 20)

/* However it is cut into pieces, the scan says the same. */
static void check_scan(struct span bytes)
{
	size_t seen = 0, end = 0, whole_seen = 0, whole_end;
	enum head_fault whole = head_scan(bytes, &whole_seen, &whole_end);
	enum head_fault fault = HEAD_OK;

	for (size_t n = 0; n <= bytes.size && fault == HEAD_OK && !end; n++)
		fault = head_scan(span_head(bytes, n), &seen, &end);
	MUST(fault == whole && end == whole_end && end <= bytes.size);
}

static size_t count(const struct fields *fields, struct span name)
{
	struct span value;

	return fields_find(fields, name, &value);
}

/* What every reader sees at once: one host, one length, one connection. */
static void check_plain(struct span up, const struct head *head)
{
	cleanup(buf_release) struct buf host = BUF_INIT(HEAD_ROOM);
	struct span lines = up, value;
	static struct fields fields;
	size_t seen = 0, end;

	MUST(head_scan(up, &seen, &end) == HEAD_OK && end == up.size);
	head_take_line(&lines);
	MUST(fields_parse(lines, FIELDS_MAX, &fields) == HEAD_OK);
	authority_print(&head->target, 80, &host);
	MUST(fields_find(&fields, SPAN("Host"), &value) == 1);
	MUST(span_equal(value, buf_span(&host)));
	MUST(count(&fields, SPAN("Content-Length")) ==
	     (head->framing.kind == BODY_LENGTH));
	MUST(count(&fields, SPAN("Transfer-Encoding")) ==
	     (head->framing.kind == BODY_CHUNKED));
	MUST(fields_find(&fields, SPAN("Connection"), &value) == 1);
	MUST(span_equal(value, SPAN("close")));
	MUST(count(&fields, SPAN("Proxy-Authorization")) == 0);
	MUST(count(&fields, SPAN("Upgrade")) == 0);
	MUST(count(&fields, SPAN("Via")) >= 1);
}

/* The same head in the form that a client would have sent it in. */
static void print_absolute(const struct head *head, struct span up,
			   struct buf *out)
{
	size_t skip = head->method.size + 1;

	buf_add(out, span_head(up, skip));
	buf_add(out, SPAN("http://"));
	authority_print(&head->target, 80, out);
	buf_add(out, span_skip(up, skip));
}

/* The fields that went on once go on again, and one Via is new. */
static void check_forwarded(const struct head *head, const struct head *again)
{
	cleanup(buf_release) struct buf once = BUF_INIT(HEAD_ROOM);
	cleanup(buf_release) struct buf twice = BUF_INIT(HEAD_ROOM);

	fields_forward(&head->fields, &head->nominated, &once);
	via_print(head->minor, &once);
	fields_forward(&again->fields, &again->nominated, &twice);
	MUST(span_equal(buf_span(&once), buf_span(&twice)));
}

static void check_again(const struct head *head, struct span up)
{
	cleanup(buf_release) struct buf text = BUF_INIT(HEAD_ROOM);
	static struct head again;

	print_absolute(head, up, &text);
	MUST(head_parse(buf_span(&text), FIELDS_MAX, &again) == HEAD_OK);
	MUST(span_equal(again.method, head->method) && !again.connect);
	MUST(authority_same_host(&again.target, &head->target));
	MUST(again.target.port == head->target.port);
	MUST(span_equal(again.path, head->path.size ? head->path : SPAN("/")));
	MUST(span_equal(again.query, head->query));
	MUST(again.framing.kind == head->framing.kind);
	MUST(again.framing.length == head->framing.length);
	MUST(again.expects_continue == head->expects_continue);
	check_forwarded(head, &again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	cleanup(buf_release) struct buf up = BUF_INIT(HEAD_ROOM);
	struct span bytes = fuzz_span(data, size);
	static struct head head;
	enum head_fault fault;

	if (size > 65536)
		return 0;
	check_scan(bytes);
	fault = head_parse(bytes, 100, &head);
	MUST(head.method.size <= METHOD_MAX);
	if (fault != HEAD_OK) {
		MUST(head_fault_status(fault) >= 400);
		return 0;
	}
	MUST(head.target.port > 0);
	MUST(!head.target.host.size != !head.target.addr.size);
	if (head.connect) {
		MUST(head.framing.kind == BODY_NONE && !head.path.size);
		return 0;
	}
	head_print(&head, &up);
	MUST(!buf_failed(&up));
	check_plain(buf_span(&up), &head);
	check_again(&head, buf_span(&up));
	return 0;
}
