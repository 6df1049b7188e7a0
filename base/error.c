/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

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

/* Everything printed later passes through here: one line, no control bytes. */
PRINTF_LIKE(4, 0)
static void fill(struct error *err, enum error_kind kind, int number,
		 const char *fmt, va_list ap)
{
	memset(err, 0, sizeof(*err));
	err->kind = kind;
	err->number = number;
	vsnprintf(err->text, sizeof(err->text), fmt, ap);
	for (char *c = err->text; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = '?';
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
	return -1;
}

void error_excerpt(struct error *err, const char *line, size_t length,
		   unsigned column, unsigned marked)
{
	if (length >= sizeof(err->excerpt))
		length = sizeof(err->excerpt) - 1;
	memcpy(err->excerpt, line, length);
	err->excerpt[length] = '\0';
	for (char *c = err->excerpt; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = ' ';
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
