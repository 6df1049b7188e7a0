/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tree of a YAML document, shared by the loader and the readers. */
#ifndef BASE_YAML_INT_H
#define BASE_YAML_INT_H

#include "base/yaml.h"

struct yaml_node {
	const struct yaml_doc *doc;
	enum yaml_kind kind;
	bool quoted;
	unsigned line, column; /* from 1 */
	unsigned marked;       /* bytes to mark, at least 1 */
	char *text;
	struct yaml_node **keys; /* maps only */
	struct yaml_node **items;
	size_t count, room;
};

struct yaml_doc {
	char *name;
	char *source;
	size_t size;
	struct yaml_node *root;
};

void yaml_node_free(struct yaml_node *node);

/* An error at a place in the document, with its line. Returns -1. */
int yaml_fail_at(struct error *err, const struct yaml_doc *doc, unsigned line,
		 unsigned column, unsigned marked, const char *text)
	NONNULL(1, 2, 6);

/*
 * Is the source the plain UTF-8 that a person sees in an editor? Drops a byte
 * order mark.
 */
MUST_CHECK int yaml_check_source(struct yaml_doc *doc, struct error *err)
	NONNULL(1, 2);

/* No key twice; its cost is that of sorting the keys. */
MUST_CHECK int yaml_check_keys(const struct yaml_node *map, struct error *err)
	NONNULL(1, 2);

#endif
