/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "proxy/framing.h"

#define LENGTH_DIGITS_MAX 18 /* below INT64_MAX whatever they are */

/* Digits, no sign, no leading zero. */
static bool parse_length(struct span text, uint64_t *out)
{
	*out = 0;
	if (text.size == 0 || text.size > LENGTH_DIGITS_MAX ||
	    (text.size > 1 && text.data[0] == '0'))
		return false;
	for (size_t i = 0; i < text.size; i++) {
		if (text.data[i] < '0' || text.data[i] > '9')
			return false;
		*out = *out * 10 + (uint64_t)(text.data[i] - '0');
	}
	return true;
}

enum head_fault framing_read(const struct fields *fields, unsigned minor,
			     struct framing *out)
{
	struct span length, coding;
	size_t lengths = fields_find(fields, SPAN("Content-Length"), &length);
	size_t codings =
		fields_find(fields, SPAN("Transfer-Encoding"), &coding);

	*out = (struct framing){ 0 };
	if (lengths && codings)
		return HEAD_CODING_AND_LENGTH;
	if (codings) {
		if (codings > 1 || !span_equal_nocase(coding, SPAN("chunked")))
			return HEAD_CODING;
		if (minor == 0)
			return HEAD_CODING_OLD;
		out->kind = BODY_CHUNKED;
	}
	if (lengths > 1)
		return HEAD_LENGTH_REPEATED;
	if (lengths) {
		if (!parse_length(length, &out->length))
			return HEAD_LENGTH;
		out->kind = BODY_LENGTH;
	}
	return HEAD_OK;
}

/* A message without these would be another message. */
static const struct span never_nominated[] = {
	{ "host", 4 },
	{ "content-length", 14 },
	{ "transfer-encoding", 17 },
};

static enum head_fault nominate(struct span name, struct nominated *out)
{
	if (!is_token(name) || out->count == NOMINATED_MAX)
		return HEAD_CONNECTION;
	for (size_t i = 0; i < ARRAY_SIZE(never_nominated); i++)
		if (span_equal_nocase(name, never_nominated[i]))
			return HEAD_NOMINATED;
	out->names[out->count++] = name;
	return HEAD_OK;
}

/* A comma-separated list; empty items are allowed (RFC 9110, 5.6.1.2). */
static enum head_fault nominate_list(struct span list, struct nominated *out)
{
	while (list.size > 0) {
		size_t comma = span_find(list, ',');
		struct span item = span_head(list, comma);
		enum head_fault fault;

		list = span_skip(list, comma < list.size ? comma + 1 : comma);
		while (item.size > 0 && strchr(" \t", item.data[0]))
			item = span_skip(item, 1);
		while (item.size > 0 && strchr(" \t", item.data[item.size - 1]))
			item.size--;
		if (item.size == 0)
			continue;
		fault = nominate(item, out);
		if (fault != HEAD_OK)
			return fault;
	}
	return HEAD_OK;
}

enum head_fault nominated_read(const struct fields *fields,
			       struct nominated *out)
{
	out->count = 0;
	for (size_t i = 0; i < fields->count; i++) {
		enum head_fault fault;

		if (!span_equal_nocase(fields->list[i].name,
				       SPAN("Connection")))
			continue;
		fault = nominate_list(fields->list[i].value, out);
		if (fault != HEAD_OK)
			return fault;
	}
	return HEAD_OK;
}

bool nominated_has(const struct nominated *nominated, struct span name)
{
	for (size_t i = 0; i < nominated->count; i++)
		if (span_equal_nocase(name, nominated->names[i]))
			return true;
	return false;
}

#define NAME(literal)                        \
	{                                    \
		literal, sizeof(literal) - 1 \
	}

/* Of one connection, or written anew by us. */
static const struct span not_forwarded[] = {
	NAME("close"), /* we nominate it */
	NAME("connection"),
	NAME("content-length"),
	NAME("expect"),
	NAME("host"),
	NAME("http2-settings"),
	NAME("keep-alive"),
	NAME("te"),
	NAME("trailer"),
	NAME("transfer-encoding"),
	NAME("upgrade"),
	NAME("x-upstream-https-proxy"), /* chooses a parent in some proxies */
};

static bool goes_on(struct span name, const struct nominated *nominated)
{
	for (size_t i = 0; i < ARRAY_SIZE(not_forwarded); i++)
		if (span_equal_nocase(name, not_forwarded[i]))
			return false;
	if (nominated_has(nominated, name))
		return false;
	/* Proxy-Authorization, Proxy-Connection, Proxy-Authenticate ... */
	return name.size < 6 ||
	       !span_equal_nocase(span_head(name, 6), SPAN("proxy-"));
}

void fields_forward(const struct fields *fields,
		    const struct nominated *nominated, struct buf *out)
{
	for (size_t i = 0; i < fields->count; i++) {
		const struct field *field = &fields->list[i];

		if (!goes_on(field->name, nominated))
			continue;
		buf_add(out, field->name);
		buf_add(out, SPAN(": "));
		buf_add(out, field->value);
		buf_add(out, SPAN("\r\n"));
	}
}

void via_print(unsigned minor, struct buf *out)
{
	buf_addf(out, "Via: 1.%u cowork\r\n", minor);
}

void framing_print(const struct framing *framing, struct buf *out)
{
	if (framing->kind == BODY_CHUNKED)
		buf_add(out, SPAN("Transfer-Encoding: chunked\r\n"));
	if (framing->kind == BODY_LENGTH) {
		buf_add(out, SPAN("Content-Length: "));
		buf_add_u64(out, framing->length);
		buf_add(out, SPAN("\r\n"));
	}
}
