/* SPDX-License-Identifier: GPL-3.0-or-later */
/* COMPILER - the few attributes and macros that every file may use. */
#ifndef BASE_COMPILER_H
#define BASE_COMPILER_H

#include <assert.h>
#include <stddef.h>

#define ARRAY_SIZE(a)        (sizeof(a) / sizeof((a)[0]))
#define BIT(n)               (1u << (n))
#define MUST_CHECK           __attribute__((warn_unused_result))
#define NONNULL(...)         __attribute__((nonnull(__VA_ARGS__)))
#define NORETURN             __attribute__((noreturn))
#define PRINTF_LIKE(fmt, at) __attribute__((format(printf, fmt, at)))
#define UNUSED               __attribute__((unused))

/*
 * A programmer's mistake, never something that a peer, a file, the kernel or a
 * child can cause: prints where and why, then aborts.
 */
#define bug(...) bug_at(__FILE__, __LINE__, __VA_ARGS__)
NORETURN PRINTF_LIKE(3, 4) void bug_at(const char *file, int line,
				       const char *fmt, ...);

#endif
