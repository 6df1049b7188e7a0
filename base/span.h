/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPAN - a borrowed run of bytes: not terminated, may hold NUL. */
#ifndef BASE_SPAN_H
#define BASE_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

struct span {
	const char *data;
	size_t size;
};

#define SPAN(literal) ((struct span){ literal, sizeof(literal) - 1 })

static inline struct span span_of(const char *text)
{
	return (struct span){ text, strlen(text) };
}

static inline bool span_equal(struct span a, struct span b)
{
	return a.size == b.size &&
	       (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

/* ASCII only; the locale is never set in this project. */
static inline bool span_equal_nocase(struct span a, struct span b)
{
	return a.size == b.size &&
	       (a.size == 0 || strncasecmp(a.data, b.data, a.size) == 0);
}

static inline bool span_starts(struct span a, struct span prefix)
{
	return a.size >= prefix.size &&
	       memcmp(a.data, prefix.data, prefix.size) == 0;
}

/* The rest after n bytes; n is at most the size. */
static inline struct span span_skip(struct span a, size_t n)
{
	return (struct span){ a.data + n, a.size - n };
}

static inline struct span span_head(struct span a, size_t n)
{
	return (struct span){ a.data, n };
}

/* Where the byte first stands, or the size. */
static inline size_t span_find(struct span a, char byte)
{
	const char *at = a.size ? memchr(a.data, byte, a.size) : NULL;

	return at ? (size_t)(at - a.data) : a.size;
}

#endif
