/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ERROR - what went wrong, where, and whose fault it is.
 * A value of fixed size that the caller owns; nothing here allocates or fails.
 * Functions that fill one return -1, so that "return error_set(...)" reads
 * well. An error is either returned or reported, never both. Text from outside
 * may go into any of them: what is kept is one line of printable UTF-8. */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <stdio.h>

#include "base/compiler.h"

enum error_kind {
	ERROR_INTERNAL = 0, /* nothing more precise is known */
	ERROR_INPUT,        /* what the user wrote: usage, a file's text */
	ERROR_SYSTEM,       /* the kernel or another program said no */
	ERROR_BOUNDARY,     /* the boundary could not be built, or broke */
	ERROR_UNSUPPORTED,  /* known by name, but not in this build */
};

/* A place in a text file. Lines and columns count from 1; 0 means "none". */
struct place {
	const char *file; /* borrowed; NULL where there is no file */
	unsigned line;
	unsigned column;
};

struct error {
	enum error_kind kind;
	int number;         /* errno, or 0 */
	char where[256];    /* "file:line:col", or empty */
	char text[640];     /* one line, no trailing full stop */
	char excerpt[160];  /* the offending line, or empty */
	unsigned caret;     /* column of the mark under excerpt, from 1 */
	unsigned caret_len; /* how much is marked */
};

PRINTF_LIKE(2, 3)
int error_set(struct error *err, const char *fmt, ...) NONNULL(1, 2);
PRINTF_LIKE(3, 4)
int error_kind_set(struct error *err, enum error_kind kind, const char *fmt,
		   ...) NONNULL(1, 3);

/* With errno: "text: No such file or directory". */
PRINTF_LIKE(2, 3)
int error_sys(struct error *err, const char *fmt, ...) NONNULL(1, 2);

/* At a place in a file; an ERROR_INPUT. */
PRINTF_LIKE(3, 4)
int error_at(struct error *err, const struct place *place, const char *fmt, ...)
	NONNULL(1, 2, 3);

/*
 * Adds the source line and the mark under it. length is in bytes; column and
 * marked are in characters. Of a long line the part around the mark is kept.
 */
void error_excerpt(struct error *err, const char *line, size_t length,
		   unsigned column, unsigned marked) NONNULL(1, 2);

/* Put a frame in front: "frame: text". Keeps kind, number and place. */
PRINTF_LIKE(2, 3)
int error_wrap(struct error *err, const char *fmt, ...) NONNULL(1, 2);

/* "program: where: text", then the excerpt and its mark. */
void error_print(FILE *out, const char *program, const struct error *err)
	NONNULL(1, 2, 3);

#endif
