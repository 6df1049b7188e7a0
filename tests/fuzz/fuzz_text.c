/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bytes from outside on their way to a record, a log line and a message. */
#include "config.h"

#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/json.h"
#include "base/log.h"
#include "base/utf8.h"

static void check_printable(struct span text)
{
	while (text.size > 0) {
		uint32_t code;
		size_t n = utf8_decode(text, &code);

		MUST(n > 0 && utf8_printable(code));
		text = span_skip(text, n);
	}
}

/* It is one JSON string and one line, whatever was in it. */
static void check_json(struct span text, size_t max)
{
	cleanup(buf_release) struct buf line = BUF_INIT(8u << 20);
	cleanup(buf_release) struct buf whole = BUF_INIT(8u << 20);
	struct json_row *row;

	buf_add_text(&line, "{\"k\":");
	if (max)
		buf_add_json_cut(&line, text, max);
	else
		buf_add_json(&line, text);
	MUST(!buf_failed(&line));
	check_printable(buf_span(&line));
	MUST(!max || line.size <= 5 + 2 + max);
	buf_add_json(&whole, text);
	MUST(!max || whole.size > 2 + max || line.size == 5 + whole.size);
	buf_add_byte(&line, '}');
	row = json_row_parse(buf_span(&line));
	/* NUL is escaped, and the strict reader takes no escaped NUL */
	MUST((row != NULL) || memchr(text.data, 0, text.size));
	json_row_free(row);
}

static void check_error(struct span text)
{
	autofree char *copy = strndup(text.data, text.size);
	struct error err;

	if (!copy)
		bug("no memory");
	error_at(&err, &(struct place){ copy, 1, 1 }, "%s", copy);
	error_excerpt(&err, text.data, text.size, (unsigned)text.size / 2 + 1,
		      (unsigned)text.size);
	error_wrap(&err, "%s", copy);
	check_printable(span_of(err.text));
	check_printable(span_of(err.where));
	check_printable(span_of(err.excerpt));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const size_t cuts[] = { 0, 3, 4, 8, 9, 64, 512 };
	struct span text = fuzz_span(data, size);
	struct log_quoted quoted = log_quote(text);

	for (size_t i = 0; i < ARRAY_SIZE(cuts); i++)
		check_json(text, cuts[i]);
	check_error(text);
	MUST(strlen(quoted.text) < sizeof(quoted.text));
	for (const char *c = quoted.text; *c; c++)
		MUST(*c >= ' ' && *c < 0x7f);
	return 0;
}
