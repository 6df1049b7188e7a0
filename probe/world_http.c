/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "probe/world_http.h"

#include <string.h>

#define METHOD_MAX 32

const struct world_service world_http_service = { false, world_http_serve };
const struct world_service world_https_service = { true, world_http_serve };

/* ---- reading a head ---- */

/* The next line without its end; a lone LF ends one as well (RFC 9112, 2.2). */
static struct span take_line(struct span *rest)
{
	size_t end = span_find(*rest, '\n');
	struct span line = span_head(*rest, end);

	*rest = span_skip(*rest, end < rest->size ? end + 1 : end);
	if (line.size > 0 && line.data[line.size - 1] == '\r')
		line.size--;
	return line;
}

static struct span trim(struct span text)
{
	while (text.size > 0 && (*text.data == ' ' || *text.data == '\t'))
		text = span_skip(text, 1);
	while (text.size > 0 && (text.data[text.size - 1] == ' ' ||
				 text.data[text.size - 1] == '\t'))
		text.size--;
	return text;
}

/* Nothing that could begin another line, or move a terminal's cursor. */
static bool printable(struct span text)
{
	for (size_t i = 0; i < text.size; i++)
		if ((unsigned char)text.data[i] <= ' ' || text.data[i] == 0x7f)
			return false;
	return true;
}

/* "HOST", "HOST:PORT", "[IPv6]:PORT" -> the host alone. */
static struct span host_of(struct span authority)
{
	if (authority.size > 0 && authority.data[0] == '[') {
		authority = span_skip(authority, 1);
		return span_head(authority, span_find(authority, ']'));
	}
	return span_head(authority, span_find(authority, ':'));
}

/* "http://host/path": the URI's host wins over Host (RFC 9112, 3.2.2). */
static bool take_absolute(struct world_request *out)
{
	const char *slashes = memmem(out->path.data, out->path.size, "://", 3);
	struct span rest;
	size_t slash;

	if (!slashes || out->path.data[0] == '/')
		return false;
	rest = span_skip(out->path, (size_t)(slashes - out->path.data) + 3);
	slash = span_find(rest, '/');
	out->host = host_of(span_head(rest, slash));
	out->path = slash < rest.size ? span_skip(rest, slash) : SPAN("/");
	return true;
}

static bool take_request_line(struct span line, struct world_request *out)
{
	size_t space = span_find(line, ' ');

	out->method = span_head(line, space);
	if (space == 0 || space > METHOD_MAX || space == line.size)
		return false;
	line = span_skip(line, space + 1);
	space = span_find(line, ' ');
	out->path = span_head(line, space);
	if (space == 0 || space == line.size)
		return false;
	return span_starts(span_skip(line, space + 1), SPAN("HTTP/1.")) &&
	       printable(out->method) && printable(out->path);
}

static bool take_host(struct span headers, struct world_request *out)
{
	while (headers.size > 0) {
		struct span line = take_line(&headers);
		size_t colon = span_find(line, ':');

		if (colon == line.size ||
		    !span_equal_nocase(span_head(line, colon), SPAN("host")))
			continue;
		out->host = host_of(trim(span_skip(line, colon + 1)));
		return printable(out->host);
	}
	return true;
}

/* Where the head ends behind its empty line, or 0. */
static size_t head_size(struct span bytes)
{
	for (size_t i = 0; i + 1 < bytes.size; i++) {
		if (bytes.data[i] != '\n')
			continue;
		if (bytes.data[i + 1] == '\n')
			return i + 2;
		if (i + 2 < bytes.size && bytes.data[i + 1] == '\r' &&
		    bytes.data[i + 2] == '\n')
			return i + 3;
	}
	return 0;
}

enum world_head world_http_parse(struct span bytes, struct world_request *out)
{
	size_t size = head_size(bytes);
	struct span rest = span_head(bytes, size);

	*out = (struct world_request){ .host = SPAN("") };
	if (size == 0)
		return bytes.size < WORLD_INPUT_MAX ? WORLD_HEAD_MORE
						    : WORLD_HEAD_LARGE;
	if (!take_request_line(take_line(&rest), out))
		return WORLD_HEAD_BAD;
	if (!take_absolute(out) && !take_host(rest, out))
		return WORLD_HEAD_BAD;
	return WORLD_HEAD_WHOLE;
}

/* ---- answering ---- */

static void answer(struct buf *out, const char *status, struct span body,
		   bool with_body)
{
	buf_addf(out,
		 "HTTP/1.1 %s\r\n"
		 "Content-Type: text/plain; charset=utf-8\r\n"
		 "Content-Length: %zu\r\n"
		 "Connection: close\r\n\r\n",
		 status, body.size);
	if (with_body)
		buf_add(out, body);
}

static enum world_next refuse(struct buf *out, const char *status)
{
	answer(out, status, SPAN("the pretend world did not read this\n"),
	       true);
	return WORLD_REPLY_LAST;
}

static void add_line(struct buf *body, const char *name, struct span value)
{
	buf_addf(body, "%s: ", name);
	buf_add(body, value);
	buf_add_byte(body, '\n');
}

static void repeat(const struct world_request *request, struct buf *out)
{
	struct buf body = BUF_INIT(WORLD_OUTPUT_MAX);

	buf_add_text(&body, "the pretend world\n");
	add_line(&body, "host", request->host);
	add_line(&body, "method", request->method);
	add_line(&body, "path", request->path);
	answer(out, "200 OK", buf_span(&body),
	       !span_equal(request->method, SPAN("HEAD")));
	if (buf_failed(&body))
		out->failed = true;
	buf_release(&body);
}

enum world_next world_http_serve(const struct world_context *context, bool tls,
				 struct buf *in, struct buf *out)
{
	struct world_request request;

	switch (world_http_parse(buf_span(in), &request)) {
	case WORLD_HEAD_MORE:
		return WORLD_READ_ON;
	case WORLD_HEAD_LARGE:
		return refuse(out, "431 Request Header Fields Too Large");
	case WORLD_HEAD_BAD:
		return refuse(out, "400 Bad Request");
	case WORLD_HEAD_WHOLE:
		break;
	}
	if (!world_record_http(context->recorder, request.host, request.method,
			       request.path, tls))
		return WORLD_DROP;
	/* 200 would be a tunnel; this server is no proxy */
	if (span_equal(request.method, SPAN("CONNECT")))
		return refuse(out, "405 Method Not Allowed");
	repeat(&request, out);
	return WORLD_REPLY_LAST;
}
