/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LOG - for operators: lines on stderr, lossy, never evidence.
 * "program: level: text". Bytes from outside pass log_quote() first. Every
 * function keeps errno. */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include "base/compiler.h"
#include "base/error.h"
#include "base/span.h"

enum log_level {
	LOG_LEVEL_ERROR = 0,
	LOG_LEVEL_WARN,
	LOG_LEVEL_NOTICE,
	LOG_LEVEL_INFO,
	LOG_LEVEL_DEBUG,
};

/* Who speaks and how much; call once, first thing in main(). */
void log_open(const char *program, enum log_level most) NONNULL(1);
const char *log_program(void);

PRINTF_LIKE(1, 2) void log_error(const char *fmt, ...) NONNULL(1);
PRINTF_LIKE(1, 2) void log_warn(const char *fmt, ...) NONNULL(1);
PRINTF_LIKE(1, 2) void log_notice(const char *fmt, ...) NONNULL(1);
PRINTF_LIKE(1, 2) void log_info(const char *fmt, ...) NONNULL(1);
PRINTF_LIKE(1, 2) void log_debug(const char *fmt, ...) NONNULL(1);

/* Room for what log_quote() makes of a value. */
struct log_quoted {
	char text[160];
};

/* Quoted, escaped and cut to fit: nothing in it can forge a line. */
struct log_quoted log_quote(struct span bytes);

#endif
