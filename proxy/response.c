/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "proxy/response.h"

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* HTTP/1.x SP 3DIGIT [SP reason]; head_scan() has seen to control bytes. */
static enum head_fault parse_status_line(struct span line, struct response *out)
{
	static const char prefix[] = "HTTP/1.";
	const size_t at = sizeof(prefix) - 1;

	if (line.size < at + 5 || !span_starts(line, SPAN(prefix)) ||
	    (line.data[at] != '0' && line.data[at] != '1') ||
	    line.data[at + 1] != ' ')
		return HEAD_START_LINE;
	out->minor = (unsigned)(line.data[at] - '0');
	line = span_skip(line, at + 2);
	for (size_t i = 0; i < 3; i++) {
		if (!is_digit(line.data[i]))
			return HEAD_STATUS;
		out->status = out->status * 10 + (unsigned)(line.data[i] - '0');
	}
	line = span_skip(line, 3);
	if (out->status < 100 || out->status > 599 ||
	    (line.size > 0 && line.data[0] != ' '))
		return HEAD_STATUS;
	if (line.size > 0)
		out->reason = span_skip(line, 1);
	/* Upgrade was never passed on */
	return out->status == 101 ? HEAD_SWITCHED : HEAD_OK;
}

/* RFC 9112, 6.3 */
static void decide_body(struct response *out, bool to_head)
{
	out->framing = out->declared;
	if (to_head || response_is_interim(out) || out->status == 204 ||
	    out->status == 304)
		out->framing = (struct framing){ 0 };
	else if (out->declared.kind == BODY_NONE)
		out->framing.kind = BODY_UNTIL_CLOSE;
}

enum head_fault response_parse(struct span bytes, size_t most_fields,
			       bool to_head, struct response *out)
{
	size_t seen = 0, end;
	enum head_fault fault = head_scan(bytes, &seen, &end);

	memset(out, 0, offsetof(struct response, fields));
	out->fields.count = 0;
	out->nominated.count = 0;
	if (fault != HEAD_OK)
		return fault;
	if (end == 0 || end != bytes.size)
		return HEAD_LINE_END;
	fault = parse_status_line(head_take_line(&bytes), out);
	if (fault == HEAD_OK)
		fault = fields_parse(bytes, most_fields, &out->fields);
	if (fault == HEAD_OK)
		fault = framing_read(&out->fields, out->minor, &out->declared);
	if (fault == HEAD_OK)
		fault = nominated_read(&out->fields, &out->nominated);
	if (fault == HEAD_OK)
		decide_body(out, to_head);
	return fault;
}

bool response_is_interim(const struct response *response)
{
	return response->status < 200;
}

bool response_is_unmeasured(const struct response *response)
{
	return response->framing.kind == BODY_CHUNKED ||
	       response->framing.kind == BODY_UNTIL_CLOSE;
}

/* RFC 9110, 8.6: none in 1xx and 204; elsewhere without a body it informs. */
static void print_framing(const struct response *response, bool chunked,
			  struct buf *out)
{
	struct framing framing = response->declared;

	if (response_is_interim(response) || response->status == 204)
		return;
	if (framing.kind != BODY_LENGTH)
		framing.kind = chunked && response_is_unmeasured(response)
				       ? BODY_CHUNKED
				       : BODY_NONE;
	framing_print(&framing, out);
}

void response_print(const struct response *response, bool chunked, bool keep,
		    struct buf *out)
{
	buf_addf(out, "HTTP/1.1 %03u ", response->status);
	buf_add(out, response->reason);
	buf_add(out, SPAN("\r\n"));
	fields_forward(&response->fields, &response->nominated, out);
	print_framing(response, chunked, out);
	via_print(response->minor, out);
	if (!response_is_interim(response) && !keep)
		buf_add(out, SPAN("Connection: close\r\n"));
	buf_add(out, SPAN("\r\n"));
}
