/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

void buf_release(struct buf *buf)
{
	free(buf->data);
	*buf = BUF_INIT(buf->limit);
}

void buf_clear(struct buf *buf)
{
	buf->size = 0;
	buf->failed = false;
	if (buf->data)
		buf->data[0] = '\0';
}

bool buf_failed(const struct buf *buf)
{
	return buf->failed;
}

struct span buf_span(const struct buf *buf)
{
	return (struct span){ buf->data ? buf->data : "", buf->size };
}

/* Room for n more bytes and the NUL, or the buffer fails. */
static bool reserve(struct buf *buf, size_t n)
{
	size_t need, room;
	char *data;

	if (buf->failed || n > buf->limit || buf->size > buf->limit - n) {
		buf->failed = true;
		return false;
	}
	need = buf->size + n + 1;
	if (need <= buf->room)
		return true;
	for (room = buf->room ? buf->room : 128; room < need;)
		room *= 2;
	data = realloc(buf->data, room);
	if (!data) {
		buf->failed = true;
		return false;
	}
	buf->data = data;
	buf->room = room;
	return true;
}

void buf_add(struct buf *buf, struct span bytes)
{
	if (!reserve(buf, bytes.size))
		return;
	if (bytes.size)
		memcpy(buf->data + buf->size, bytes.data, bytes.size);
	buf->size += bytes.size;
	buf->data[buf->size] = '\0';
}

void buf_add_text(struct buf *buf, const char *text)
{
	buf_add(buf, span_of(text));
}

void buf_add_byte(struct buf *buf, char byte)
{
	buf_add(buf, (struct span){ &byte, 1 });
}

void buf_add_u64(struct buf *buf, uint64_t value)
{
	char text[20];
	size_t at = sizeof(text);

	do {
		text[--at] = (char)('0' + value % 10);
		value /= 10;
	} while (value);
	buf_add(buf, (struct span){ text + at, sizeof(text) - at });
}

void buf_addf(struct buf *buf, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n < 0 || !reserve(buf, (size_t)n)) {
		buf->failed = true;
		return;
	}
	va_start(ap, fmt);
	vsnprintf(buf->data + buf->size, (size_t)n + 1, fmt, ap);
	va_end(ap);
	buf->size += (size_t)n;
}

void buf_consume(struct buf *buf, size_t n)
{
	if (n > buf->size)
		bug("consume %zu of %zu bytes", n, buf->size);
	buf->size -= n;
	if (buf->data)
		memmove(buf->data, buf->data + n, buf->size + 1);
}

static void add_json_escape(struct buf *buf, uint32_t code)
{
	switch (code) {
	case '"':
		buf_add(buf, SPAN("\\\""));
		return;
	case '\\':
		buf_add(buf, SPAN("\\\\"));
		return;
	case '\n':
		buf_add(buf, SPAN("\\n"));
		return;
	default:
		buf_addf(buf, "\\u%04x", (unsigned)code);
	}
}

/* What the next character is: its bytes, and how it must be written. */
struct json_step {
	size_t taken;
	size_t written;
	uint32_t code; /* to escape; 0xfffd for a byte that is not UTF-8 */
};

static struct json_step json_next(struct span text)
{
	struct json_step step = { 1, 6, 0xfffd };
	size_t n = utf8_decode(text, &step.code);

	if (n == 0)
		return (struct json_step){ 1, 6, 0xfffd };
	step.taken = n;
	if (step.code == '"' || step.code == '\\' || step.code == '\n')
		step.written = 2;
	else if (utf8_printable(step.code))
		step.written = 0; /* as it is */
	return step;
}

static void add_json_text(struct buf *buf, struct span text)
{
	size_t plain = 0; /* bytes at the front that go out as they are */

	while (plain < text.size) {
		struct span rest = span_skip(text, plain);
		struct json_step step = json_next(rest);

		if (!step.written) {
			plain += step.taken;
			continue;
		}
		buf_add(buf, span_head(text, plain));
		add_json_escape(buf, step.code);
		text = span_skip(rest, step.taken);
		plain = 0;
	}
	buf_add(buf, text);
}

void buf_add_json(struct buf *buf, struct span text)
{
	buf_add_byte(buf, '"');
	add_json_text(buf, text);
	buf_add_byte(buf, '"');
}

void buf_add_json_cut(struct buf *buf, struct span text, size_t max)
{
	size_t at = 0, used = 0;
	size_t fits = 0; /* bytes that leave room for the dots */

	while (at < text.size) {
		struct json_step step = json_next(span_skip(text, at));

		used += step.written ? step.written : step.taken;
		if (used > max)
			break;
		at += step.taken;
		if (used + 3 <= max)
			fits = at;
	}
	buf_add_byte(buf, '"');
	add_json_text(buf, span_head(text, at < text.size ? fits : at));
	if (at < text.size)
		buf_add(buf, SPAN("..."));
	buf_add_byte(buf, '"');
}
