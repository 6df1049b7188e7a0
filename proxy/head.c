/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "proxy/head.h"

#include "proxy/authority.h"

#define HTTP_PORT 80

int head_fault_status(enum head_fault fault)
{
	static const struct {
		enum head_fault fault;
		int status;
	} special[] = {
		{ HEAD_TOO_LARGE, 431 },
		{ HEAD_TOO_MANY, 431 },
		{ HEAD_VERSION, 505 },
		{ HEAD_EXPECT, 417 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(special); i++)
		if (special[i].fault == fault)
			return special[i].status;
	return 400;
}

/*
 * Methods are case-sensitive tokens (RFC 9110, 9.1), and servers exist that
 * forget it: only the alphabet of the registered ones, where case cannot
 * matter.
 */
static bool is_method(struct span text)
{
	for (size_t i = 0; i < text.size; i++)
		if ((text.data[i] < 'A' || text.data[i] > 'Z') &&
		    text.data[i] != '-')
			return false;
	return text.size > 0 && text.size <= METHOD_MAX;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static enum head_fault parse_version(struct span text, unsigned *minor)
{
	if (span_equal(text, SPAN("HTTP/1.1")) ||
	    span_equal(text, SPAN("HTTP/1.0"))) {
		*minor = (unsigned)(text.data[7] - '0');
		return HEAD_OK;
	}
	if (text.size == 8 && span_starts(text, SPAN("HTTP/")) &&
	    is_digit(text.data[5]) && text.data[6] == '.' &&
	    is_digit(text.data[7]))
		return HEAD_VERSION;
	return HEAD_START_LINE;
}

/*
 * Visible ASCII. '#' never belongs to a request target, and a backslash is a
 * slash to some readers.
 */
static bool is_path(struct span text)
{
	for (size_t i = 0; i < text.size; i++)
		if (text.data[i] <= ' ' || text.data[i] >= 0x7f ||
		    text.data[i] == '#' || text.data[i] == '\\')
			return false;
	return true;
}

/* "http://" authority [path] [query], the scheme in its one usual spelling. */
static enum head_fault parse_absolute(struct span text, struct head *out)
{
	struct span rest;
	size_t end = 0;

	if (!span_starts(text, SPAN("http://")))
		return HEAD_FORM;
	rest = span_skip(text, 7);
	while (end < rest.size && !strchr("/?#", rest.data[end]))
		end++;
	if (authority_parse(span_head(rest, end), HTTP_PORT, &out->target) !=
	    AUTHORITY_OK)
		return HEAD_AUTHORITY;
	rest = span_skip(rest, end);
	end = span_find(rest, '?');
	out->path = span_head(rest, end);
	out->query = span_skip(rest, end);
	return is_path(rest) ? HEAD_OK : HEAD_PATH;
}

static enum head_fault parse_target(struct span text, struct head *out)
{
	out->connect = span_equal(out->method, SPAN("CONNECT"));
	if (!out->connect)
		return parse_absolute(text, out);
	return authority_parse(text, 0, &out->target) == AUTHORITY_OK
		       ? HEAD_OK
		       : HEAD_AUTHORITY;
}

/* METHOD SP TARGET SP VERSION: exactly two spaces. */
static enum head_fault parse_request_line(struct span line, struct head *out)
{
	size_t first = span_find(line, ' ');
	struct span method = span_head(line, first), target, version;
	enum head_fault fault;
	size_t second;

	if (!is_method(method))
		return HEAD_METHOD;
	out->method = method;
	if (first == line.size)
		return HEAD_START_LINE;
	target = span_skip(line, first + 1);
	second = span_find(target, ' ');
	if (second == 0 || second == target.size)
		return HEAD_START_LINE;
	version = span_skip(target, second + 1);
	fault = parse_version(version, &out->minor);
	return fault == HEAD_OK ? parse_target(span_head(target, second), out)
				: fault;
}

/*
 * Host must be there and be well-formed, though only the target counts: RFC
 * 9112, 3.2.2 has it ignored in absolute form, and we write it anew.
 */
static enum head_fault check_host(const struct head *head)
{
	struct span text;
	size_t count = fields_find(&head->fields, SPAN("Host"), &text);
	struct target host;

	if (count > 1)
		return HEAD_HOST_REPEATED;
	if (count == 0)
		return head->minor == 0 ? HEAD_OK : HEAD_HOST_MISSING;
	if (authority_parse(text, head->connect ? head->target.port : HTTP_PORT,
			    &host) != AUTHORITY_OK)
		return HEAD_HOST_MALFORMED;
	if (head->connect && (!authority_same_host(&host, &head->target) ||
			      host.port != head->target.port))
		return HEAD_HOST_OTHER;
	return HEAD_OK;
}

/* RFC 9110, 10.1.1: in HTTP/1.0 it means nothing. */
static enum head_fault check_expect(struct head *head)
{
	struct span value;
	size_t count = fields_find(&head->fields, SPAN("Expect"), &value);

	if (count == 0 || head->minor == 0)
		return HEAD_OK;
	if (count > 1 || !span_equal_nocase(value, SPAN("100-continue")))
		return HEAD_EXPECT;
	head->expects_continue = head->framing.kind != BODY_NONE;
	return HEAD_OK;
}

static enum head_fault check_fields(struct head *head)
{
	enum head_fault fault = check_host(head);

	if (fault == HEAD_OK)
		fault = framing_read(&head->fields, head->minor,
				     &head->framing);
	if (fault == HEAD_OK)
		fault = nominated_read(&head->fields, &head->nominated);
	if (fault == HEAD_OK && head->connect &&
	    head->framing.kind != BODY_NONE)
		fault = HEAD_CONNECT_BODY;
	return fault == HEAD_OK ? check_expect(head) : fault;
}

enum head_fault head_parse(struct span bytes, size_t most_fields,
			   struct head *out)
{
	size_t seen = 0, end;
	enum head_fault fault = head_scan(bytes, &seen, &end);

	memset(out, 0, offsetof(struct head, fields));
	out->fields.count = 0;
	out->nominated.count = 0;
	if (fault != HEAD_OK)
		return fault;
	if (end == 0 || end != bytes.size)
		return HEAD_LINE_END;
	fault = parse_request_line(head_take_line(&bytes), out);
	if (fault == HEAD_OK)
		fault = fields_parse(bytes, most_fields, &out->fields);
	return fault == HEAD_OK ? check_fields(out) : fault;
}

void head_print(const struct head *head, struct buf *out)
{
	buf_add(out, head->method);
	buf_add_byte(out, ' ');
	buf_add(out, head->path.size ? head->path : SPAN("/"));
	buf_add(out, head->query);
	buf_add(out, SPAN(" HTTP/1.1\r\nHost: "));
	authority_print(&head->target, HTTP_PORT, out);
	buf_add(out, SPAN("\r\n"));
	fields_forward(&head->fields, &head->nominated, out);
	if (head->expects_continue)
		buf_add(out, SPAN("Expect: 100-continue\r\n"));
	framing_print(&head->framing, out);
	via_print(head->minor, out);
	buf_add(out, SPAN("Connection: close\r\n\r\n"));
}
