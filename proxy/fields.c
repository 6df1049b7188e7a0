/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "proxy/fields.h"

static const char *const fault_text[] = {
	[HEAD_OK] = "well-formed",
	[HEAD_TOO_LARGE] = "the head is too large",
	[HEAD_TOO_MANY] = "too many header fields",
	[HEAD_LINE_END] = "a line does not end in CR LF",
	[HEAD_CONTROL] = "a control byte in the head",
	[HEAD_FOLDED] = "a header line begins with a space",
	[HEAD_START_LINE] = "the first line is malformed",
	[HEAD_METHOD] = "the method is malformed",
	[HEAD_FORM] =
		"the target is neither http://HOST/ nor CONNECT HOST:PORT",
	[HEAD_AUTHORITY] = "the target's host or port is malformed",
	[HEAD_PATH] = "the target's path is malformed",
	[HEAD_VERSION] = "the version is neither HTTP/1.0 nor HTTP/1.1",
	[HEAD_FIELD_NAME] = "a header field's name is malformed",
	[HEAD_HOST_MISSING] = "Host is missing",
	[HEAD_HOST_REPEATED] = "Host is given twice",
	[HEAD_HOST_MALFORMED] = "Host is malformed",
	[HEAD_HOST_OTHER] = "Host and CONNECT name different hosts",
	[HEAD_LENGTH] = "Content-Length is malformed",
	[HEAD_LENGTH_REPEATED] = "Content-Length is given twice",
	[HEAD_CODING] = "Transfer-Encoding is not exactly chunked",
	[HEAD_CODING_AND_LENGTH] = "both Content-Length and Transfer-Encoding",
	[HEAD_CODING_OLD] = "Transfer-Encoding in HTTP/1.0",
	[HEAD_CONNECTION] = "Connection is malformed",
	[HEAD_NOMINATED] = "Connection names Host or a framing field",
	[HEAD_EXPECT] = "Expect is not 100-continue",
	[HEAD_CONNECT_BODY] = "CONNECT with a body",
	[HEAD_STATUS] = "the status is malformed",
	[HEAD_SWITCHED] = "the protocol was switched without being asked",
};
static_assert(ARRAY_SIZE(fault_text) == HEAD_NFAULTS, "each has a text");

const char *head_fault_text(enum head_fault fault)
{
	return fault_text[fault];
}

/* Controls other than HTAB, which is white space in a value. */
static bool is_control(char c)
{
	return ((unsigned char)c < ' ' && c != '\t') || c == 0x7f;
}

enum head_fault head_scan(struct span bytes, size_t *seen, size_t *end)
{
	*end = 0;
	for (size_t i = *seen; i < bytes.size; *seen = ++i) {
		char c = bytes.data[i];
		bool after_cr = i > 0 && bytes.data[i - 1] == '\r';

		if (after_cr != (c == '\n'))
			return HEAD_LINE_END;
		if (c == '\r' || c == '\n') {
			if (i < 2)
				return HEAD_START_LINE;
			if (c == '\n' && bytes.data[i - 2] == '\n') {
				*end = i + 1;
				return HEAD_OK;
			}
		} else if (is_control(c)) {
			return HEAD_CONTROL;
		}
	}
	return HEAD_OK;
}

struct span head_take_line(struct span *rest)
{
	size_t end = span_find(*rest, '\r');
	struct span line = span_head(*rest, end);

	*rest = span_skip(*rest, end + 2 <= rest->size ? end + 2 : rest->size);
	return line;
}

static bool is_token_byte(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
	       (c >= 'a' && c <= 'z') || (c && strchr("!#$%&'*+-.^_`|~", c));
}

bool is_token(struct span text)
{
	for (size_t i = 0; i < text.size; i++)
		if (!is_token_byte(text.data[i]))
			return false;
	return text.size > 0;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static struct span trim(struct span text)
{
	while (text.size > 0 && is_blank(text.data[0]))
		text = span_skip(text, 1);
	while (text.size > 0 && is_blank(text.data[text.size - 1]))
		text.size--;
	return text;
}

static enum head_fault parse_field(struct span line, struct field *field)
{
	size_t colon = span_find(line, ':');

	if (is_blank(line.data[0]))
		return HEAD_FOLDED;
	if (colon == line.size || !is_token(span_head(line, colon)))
		return HEAD_FIELD_NAME;
	field->name = span_head(line, colon);
	field->value = trim(span_skip(line, colon + 1));
	return HEAD_OK;
}

enum head_fault fields_parse(struct span lines, size_t most, struct fields *out)
{
	if (most > FIELDS_MAX)
		bug("%zu fields of at most %d", most, FIELDS_MAX);
	out->count = 0;
	for (;;) {
		struct span line = head_take_line(&lines);
		enum head_fault fault;

		if (line.size == 0)
			return HEAD_OK;
		if (out->count == most)
			return HEAD_TOO_MANY;
		fault = parse_field(line, &out->list[out->count]);
		if (fault != HEAD_OK)
			return fault;
		out->count++;
	}
}

size_t fields_find(const struct fields *fields, struct span name,
		   struct span *value)
{
	size_t found = 0;

	*value = (struct span){ "", 0 };
	for (size_t i = 0; i < fields->count; i++)
		if (span_equal_nocase(fields->list[i].name, name) &&
		    found++ == 0)
			*value = fields->list[i].value;
	return found;
}
