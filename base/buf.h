/* SPDX-License-Identifier: GPL-3.0-or-later */
/* BUF - a growing run of bytes with a hard limit.
 * Always NUL-terminated behind its size. Once an append does not fit (limit or
 * memory) the buffer is "failed": later appends do nothing, and buf_failed()
 * says so, so that a long row of appends needs one check. */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/span.h"

struct buf {
	char *data;
	size_t size;
	size_t room;
	size_t limit;
	bool failed;
};

#define BUF_INIT(max) ((struct buf){ .limit = (max) })

void buf_release(struct buf *buf) NONNULL(1);
void buf_clear(struct buf *buf) NONNULL(1);
bool buf_failed(const struct buf *buf) NONNULL(1);
struct span buf_span(const struct buf *buf) NONNULL(1);

void buf_add(struct buf *buf, struct span bytes) NONNULL(1);
void buf_add_text(struct buf *buf, const char *text) NONNULL(1, 2);
void buf_add_byte(struct buf *buf, char byte) NONNULL(1);
void buf_add_u64(struct buf *buf, uint64_t value) NONNULL(1);
PRINTF_LIKE(2, 3)
void buf_addf(struct buf *buf, const char *fmt, ...) NONNULL(1, 2);

/* Drop bytes at the front; n is at most the size. */
void buf_consume(struct buf *buf, size_t n) NONNULL(1);

/*
 * Append as a quoted JSON string (RFC 8259) that is safe to print: what is not
 * printable (utf8.h) is escaped and a byte that is not UTF-8 becomes U+FFFD.
 */
void buf_add_json(struct buf *buf, struct span text) NONNULL(1);

/*
 * The same with at most max bytes (3 or more) between the quotes. Where that is
 * not enough the text is cut, never inside an escape or a character, and "..."
 * stands at its end.
 */
void buf_add_json_cut(struct buf *buf, struct span text, size_t max) NONNULL(1);

#endif
