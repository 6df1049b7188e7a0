/* SPDX-License-Identifier: GPL-3.0-or-later */
/* FRAMING - where a message ends, and which of its fields end here.
 * One reading only: Content-Length once in plain digits, or Transfer-Encoding
 * exactly "chunked" once in HTTP/1.1, or neither; everything else is a fault.
 * The fields that describe one connection (RFC 9110, 7.6.1) never go on. */
#ifndef PROXY_FRAMING_H
#define PROXY_FRAMING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/compiler.h"
#include "base/span.h"
#include "proxy/fields.h"

#define NOMINATED_MAX 32

enum body_kind {
	BODY_NONE = 0,
	BODY_LENGTH,
	BODY_CHUNKED,
	BODY_UNTIL_CLOSE, /* responses only */
};

struct framing {
	enum body_kind kind;
	uint64_t length; /* BODY_LENGTH; at most INT64_MAX */
};

/* minor is the version's, 0 or 1. Neither field: BODY_NONE. */
enum head_fault framing_read(const struct fields *fields, unsigned minor,
			     struct framing *out) MUST_CHECK NONNULL(1, 3);

/* The fields that Connection names; they go no further. */
struct nominated {
	size_t count;
	struct span names[NOMINATED_MAX];
};

enum head_fault nominated_read(const struct fields *fields,
			       struct nominated *out) MUST_CHECK NONNULL(1, 2);

/* Does Connection name it? */
bool nominated_has(const struct nominated *nominated, struct span name)
	NONNULL(1);

/*
 * Write every field that goes on to the other side. Host, Expect and the
 * framing are left out as well: whoever writes the head writes those.
 */
void fields_forward(const struct fields *fields,
		    const struct nominated *nominated, struct buf *out)
	NONNULL(1, 2, 3);

/*
 * RFC 9110, 7.6.3: a proxy says that it was there, behind those before it.
 * minor is the version's of the message as it came.
 */
void via_print(unsigned minor, struct buf *out) NONNULL(2);

/* "Content-Length: N" or "Transfer-Encoding: chunked", or nothing. */
void framing_print(const struct framing *framing, struct buf *out)
	NONNULL(1, 2);

#endif
