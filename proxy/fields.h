/* SPDX-License-Identifier: GPL-3.0-or-later */
/* FIELDS - the lines of an HTTP/1 head, for requests and responses alike.
 * RFC 9112 without any of its leniencies: every line ends in CR LF, no folding,
 * no space around a name, no control bytes. Spans borrow from the input;
 * nothing here does I/O. A head with one fault is refused whole. */
#ifndef PROXY_FIELDS_H
#define PROXY_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/compiler.h"
#include "base/span.h"

#define FIELDS_MAX 128 /* the most that limits.headers can ask for */

enum head_fault {
	HEAD_OK = 0,
	HEAD_TOO_LARGE,
	HEAD_TOO_MANY,
	HEAD_LINE_END,
	HEAD_CONTROL,
	HEAD_FOLDED,
	HEAD_START_LINE,
	HEAD_METHOD,
	HEAD_FORM,
	HEAD_AUTHORITY,
	HEAD_PATH,
	HEAD_VERSION,
	HEAD_FIELD_NAME,
	HEAD_HOST_MISSING,
	HEAD_HOST_REPEATED,
	HEAD_HOST_MALFORMED,
	HEAD_HOST_OTHER,
	HEAD_LENGTH,
	HEAD_LENGTH_REPEATED,
	HEAD_CODING,
	HEAD_CODING_AND_LENGTH,
	HEAD_CODING_OLD,
	HEAD_CONNECTION,
	HEAD_NOMINATED,
	HEAD_EXPECT,
	HEAD_CONNECT_BODY,
	HEAD_STATUS,
	HEAD_SWITCHED,
	HEAD_NFAULTS
};

/* One phrase for a record: "a line does not end in CR LF". */
const char *head_fault_text(enum head_fault fault);

/*
 * Look for the end of a head in bytes that still grow. *seen remembers what was
 * looked at, from 0; *end becomes the size of the head with its empty line, and
 * stays 0 while that is not there. Bytes that no head can hold are a fault at
 * once, so that nobody waits for the rest of them.
 */
enum head_fault head_scan(struct span bytes, size_t *seen,
			  size_t *end) MUST_CHECK NONNULL(2, 3);

/* Take the first line, without its CR LF. The bytes passed head_scan(). */
struct span head_take_line(struct span *rest) NONNULL(1);

struct field {
	struct span name, value;
};

struct fields {
	size_t count;
	struct field list[FIELDS_MAX];
};

/* The lines behind the start line, up to and with the empty one. */
enum head_fault fields_parse(struct span lines, size_t most,
			     struct fields *out) MUST_CHECK NONNULL(3);

/* RFC 9110, 5.6.2: one or more token characters. */
bool is_token(struct span text);

/* How many fields have the name; *value is the first one's. */
size_t fields_find(const struct fields *fields, struct span name,
		   struct span *value) NONNULL(1, 3);

#endif
