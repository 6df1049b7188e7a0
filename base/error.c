/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/span.h"
#include "base/utf8.h"

/* Columns kept in front of a mark that the whole line has no room for. */
#define EXCERPT_LEAD 30

void bug_at(const char *file, int line, const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "bug at %s:%d: ", file, line);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	abort();
}

/*
 * Everything printed later passes through here: one line, UTF-8 only, nothing
 * that a terminal would act on.
 */
static void clean(char *text)
{
	utf8_make_printable(text, '?');
}

PRINTF_LIKE(4, 0)
static void fill(struct error *err, enum error_kind kind, int number,
		 const char *fmt, va_list ap)
{
	memset(err, 0, sizeof(*err));
	err->kind = kind;
	err->number = number;
	vsnprintf(err->text, sizeof(err->text), fmt, ap);
	clean(err->text);
}

int error_set(struct error *err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fill(err, ERROR_INTERNAL, 0, fmt, ap);
	va_end(ap);
	return -1;
}

int error_kind_set(struct error *err, enum error_kind kind, const char *fmt,
		   ...)
{
	va_list ap;

	va_start(ap, fmt);
	fill(err, kind, 0, fmt, ap);
	va_end(ap);
	return -1;
}

int error_sys(struct error *err, const char *fmt, ...)
{
	int number = errno;
	size_t used;
	va_list ap;

	va_start(ap, fmt);
	fill(err, ERROR_SYSTEM, number, fmt, ap);
	va_end(ap);
	used = strlen(err->text);
	snprintf(err->text + used, sizeof(err->text) - used, ": %s",
		 strerror(number));
	errno = number;
	return -1;
}

int error_at(struct error *err, const struct place *place, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fill(err, ERROR_INPUT, 0, fmt, ap);
	va_end(ap);
	if (place->file && place->line)
		snprintf(err->where, sizeof(err->where), "%s:%u:%u",
			 place->file, place->line, place->column);
	else if (place->file)
		snprintf(err->where, sizeof(err->where), "%s", place->file);
	clean(err->where);
	return -1;
}

/*
 * Fill the excerpt from the skip-th column on, each character in one column;
 * returns how many columns were filled. *cut: some did not fit.
 */
static unsigned show_line(struct error *err, struct span line, unsigned skip,
			  bool *cut)
{
	unsigned column = 0;
	size_t used = 0;

	*cut = false;
	while (line.size > 0) {
		uint32_t code;
		size_t n = utf8_decode(line, &code);
		bool plain = n > 0 && utf8_printable(code);
		struct span shown = plain ? span_head(line, n) : SPAN(" ");

		if (column >= skip) {
			*cut = used + shown.size >= sizeof(err->excerpt);
			if (*cut)
				break;
			memcpy(err->excerpt + used, shown.data, shown.size);
			used += shown.size;
		}
		column++;
		line = span_skip(line, n > 0 ? n : 1);
	}
	err->excerpt[used] = '\0';
	return column > skip ? column - skip : 0;
}

void error_excerpt(struct error *err, const char *line, size_t length,
		   unsigned column, unsigned marked)
{
	struct span whole = { line, length };
	unsigned shown, skip = 0;
	bool cut;

	shown = show_line(err, whole, skip, &cut);
	if (cut && column > shown) {
		skip = column - EXCERPT_LEAD;
		shown = show_line(err, whole, skip, &cut);
	}
	column -= skip;
	if (column > shown + 1) /* behind the end of the line is one place */
		column = shown + 1;
	if (column > shown)
		marked = 1;
	else if (marked > shown - column + 1)
		marked = shown - column + 1;
	err->caret = column;
	err->caret_len = marked ? marked : 1;
}

int error_wrap(struct error *err, const char *fmt, ...)
{
	char inner[sizeof(err->text)];
	size_t used;
	va_list ap;

	memcpy(inner, err->text, sizeof(inner));
	va_start(ap, fmt);
	vsnprintf(err->text, sizeof(err->text), fmt, ap);
	va_end(ap);
	used = strlen(err->text);
	snprintf(err->text + used, sizeof(err->text) - used, ": %s", inner);
	clean(err->text);
	return -1;
}

void error_print(FILE *out, const char *program, const struct error *err)
{
	if (err->where[0])
		fprintf(out, "%s: %s: %s\n", program, err->where, err->text);
	else
		fprintf(out, "%s: %s\n", program, err->text);
	if (!err->excerpt[0] || !err->caret)
		return;
	fprintf(out, "  %s\n  %*s^", err->excerpt, (int)err->caret - 1, "");
	for (unsigned i = 1; i < err->caret_len; i++)
		fputc('~', out);
	fputc('\n', out);
}
