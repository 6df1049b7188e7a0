/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "base/log.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

static const char *speaker = "cowork-boundary";
static enum log_level most_level = LOG_LEVEL_NOTICE;

static const char *const level_name[] = {
	[LOG_LEVEL_ERROR] = "error",   [LOG_LEVEL_WARN] = "warning",
	[LOG_LEVEL_NOTICE] = "notice", [LOG_LEVEL_INFO] = "info",
	[LOG_LEVEL_DEBUG] = "debug",
};

void log_open(const char *program, enum log_level most)
{
	speaker = program;
	most_level = most;
}

const char *log_program(void)
{
	return speaker;
}

/* One write a line, so that lines of several processes do not mix. */
PRINTF_LIKE(2, 0)
static void say(enum log_level level, const char *fmt, va_list ap)
{
	int number = errno;
	char text[1024];

	if (level <= most_level) {
		vsnprintf(text, sizeof(text), fmt, ap);
		fprintf(stderr, "%s: %s: %s\n", speaker, level_name[level],
			text);
	}
	errno = number;
}

#define DEFINE_LOG(name, level)         \
	void name(const char *fmt, ...) \
	{                               \
		va_list ap;             \
                                        \
		va_start(ap, fmt);      \
		say(level, fmt, ap);    \
		va_end(ap);             \
	}

DEFINE_LOG(log_error, LOG_LEVEL_ERROR)
DEFINE_LOG(log_warn, LOG_LEVEL_WARN)
DEFINE_LOG(log_notice, LOG_LEVEL_NOTICE)
DEFINE_LOG(log_info, LOG_LEVEL_INFO)
DEFINE_LOG(log_debug, LOG_LEVEL_DEBUG)

struct log_quoted log_quote(struct span bytes)
{
	struct log_quoted out;
	size_t used = 0;

	out.text[used++] = '"';
	for (size_t i = 0; i < bytes.size; i++) {
		unsigned char c = (unsigned char)bytes.data[i];

		if (used + 9 > sizeof(out.text)) {
			out.text[used++] = '.';
			out.text[used++] = '.';
			out.text[used++] = '.';
			break;
		}
		if (c >= ' ' && c < 0x7f && c != '"' && c != '\\')
			out.text[used++] = (char)c;
		else
			used += (size_t)snprintf(out.text + used, 5, "\\x%02x",
						 c);
	}
	out.text[used++] = '"';
	out.text[used] = '\0';
	return out;
}
