/* SPDX-License-Identifier: GPL-3.0-or-later */
/* YAML - strict documents with places, read through tables.
 * A document is an immutable tree that remembers where everything stands and
 * owns all text; nodes are borrowed from it. Refused while loading, with file,
 * line and column: duplicate keys, keys that are not scalars, anchors, aliases,
 * tags, a second document, NUL, bytes that are not UTF-8, characters that do
 * not show and line ends that do not look like one, depth beyond
 * YAML_DEPTH_MAX, files beyond YAML_SIZE_MAX. Parsing does no I/O beyond reading the one file. */
#ifndef BASE_YAML_H
#define BASE_YAML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/span.h"

#define YAML_SIZE_MAX  (4u << 20)
#define YAML_DEPTH_MAX 32

enum yaml_kind {
	YAML_NULL = 0, /* nothing, ~ or null, unquoted */
	YAML_SCALAR,
	YAML_LIST,
	YAML_MAP,
};

struct yaml_doc;
struct yaml_node;

struct yaml_doc *yaml_load_file(const char *path, struct error *err) MUST_CHECK
	NONNULL(1, 2);

/* name stands for the file in messages; the text is copied. */
struct yaml_doc *yaml_load_text(const char *name, struct span text,
				struct error *err) MUST_CHECK NONNULL(1, 3);
void yaml_doc_free(struct yaml_doc *doc);

const struct yaml_node *yaml_root(const struct yaml_doc *doc) NONNULL(1);
enum yaml_kind yaml_kind(const struct yaml_node *node) NONNULL(1);
struct place yaml_place(const struct yaml_node *node) NONNULL(1);

/* A scalar's text, NUL-terminated and without NUL inside. */
const char *yaml_text(const struct yaml_node *scalar) NONNULL(1);
/* Was the scalar quoted? 'true' and true are different things. */
bool yaml_quoted(const struct yaml_node *scalar) NONNULL(1);

/* Items of a list, or pairs of a map. */
size_t yaml_count(const struct yaml_node *node) NONNULL(1);
const struct yaml_node *yaml_item(const struct yaml_node *node, size_t i)
	NONNULL(1);
const struct yaml_node *yaml_key(const struct yaml_node *map, size_t i)
	NONNULL(1);
/* The value under a key, or NULL. */
const struct yaml_node *yaml_get(const struct yaml_node *map, const char *key)
	NONNULL(1, 2);

/* "file:line:col: text" with the line and a mark under the node. */
PRINTF_LIKE(3, 4)
int yaml_error(struct error *err, const struct yaml_node *node, const char *fmt,
	       ...) NONNULL(1, 2, 3);

/*
 * One key of a map: its name, who reads its value, and where in the caller's
 * structure the value goes. min and max are the reader's: the range of a
 * number, the length of a list.
 */
struct yaml_field {
	const char *name;
	int (*read)(const struct yaml_field *field,
		    const struct yaml_node *value, void *where,
		    struct error *err);
	size_t offset;
	bool required;
	uint64_t min, max;
	const void *more; /* the reader's own: choices, a nested table */
};

/*
 * Read a map by its table. An unknown key is an error that names the nearest
 * known one; a missing required key is an error at the map.
 */
MUST_CHECK int yaml_read_map(const struct yaml_node *node,
			     const struct yaml_field *fields, size_t count,
			     void *out, struct error *err) NONNULL(1, 2, 5);

/* Readers. */
int yaml_read_bool(const struct yaml_field *, const struct yaml_node *,
		   void *where, struct error *); /* bool */
int yaml_read_u64(const struct yaml_field *, const struct yaml_node *,
		  void *where, struct error *); /* uint64_t */
int yaml_read_text(const struct yaml_field *, const struct yaml_node *,
		   void *where, struct error *); /* char *, a copy */
/* int: the index in more, a NULL-terminated const char *const []. */
int yaml_read_choice(const struct yaml_field *, const struct yaml_node *,
		     void *where, struct error *);
/* A key that is part of the contract but not of this build: always an error. */
int yaml_read_not_built(const struct yaml_field *, const struct yaml_node *,
			void *where, struct error *);
/* A key that is known and checked elsewhere, or by nobody yet: accepted. */
int yaml_read_nothing(const struct yaml_field *, const struct yaml_node *,
		      void *where, struct error *);

#endif
