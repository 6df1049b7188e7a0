/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON - a thin, checked face over jansson.
 * Duplicate keys, NUL inside strings and trailing bytes are refused. */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/span.h"

#define JSON_SIZE_MAX (4u << 20)

/* A file's one value; the error names line and column. json_decref() it. */
json_t *json_read_file(const char *path, struct error *err) MUST_CHECK
	NONNULL(1, 2);

void json_cleanup(json_t **json);

/* One flat record of a log. Borrowed texts live as long as the row. */
struct json_row;
struct json_row *json_row_parse(struct span line); /* NULL: not an object */
void json_row_free(struct json_row *row);
/* The text under a key; "" where there is none. */
const char *json_row_text(const struct json_row *row, const char *key)
	NONNULL(1, 2);
/* False where there is none or it is not a whole number >= 0. */
bool json_row_u64(const struct json_row *row, const char *key, uint64_t *out)
	NONNULL(1, 2, 3);

#endif
