/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "base/yaml.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <yaml.h>

#include "base/cleanup.h"
#include "base/fd.h"

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

static void node_free(struct yaml_node *node)
{
	if (!node)
		return;
	for (size_t i = 0; i < node->count; i++) {
		if (node->keys)
			node_free(node->keys[i]);
		node_free(node->items[i]);
	}
	free(node->keys);
	free(node->items);
	free(node->text);
	free(node);
}

void yaml_doc_free(struct yaml_doc *doc)
{
	if (!doc)
		return;
	node_free(doc->root);
	free(doc->source);
	free(doc->name);
	free(doc);
}

static void doc_cleanup(struct yaml_doc **doc)
{
	yaml_doc_free(*doc);
}

static void node_cleanup(struct yaml_node **node)
{
	node_free(*node);
}

/* ---- messages ---- */

/* The text of a line of the source, without its end. */
static struct span source_line(const struct yaml_doc *doc, unsigned line)
{
	struct span rest = { doc->source, doc->size };

	for (unsigned i = 1; i < line; i++) {
		size_t end = span_find(rest, '\n');

		if (end == rest.size)
			return span_head(rest, 0);
		rest = span_skip(rest, end + 1);
	}
	return span_head(rest, span_find(rest, '\n'));
}

static int fail_at(struct error *err, const struct yaml_doc *doc, unsigned line,
		   unsigned column, unsigned marked, const char *text)
{
	struct place place = { doc->name, line, column };
	struct span source = source_line(doc, line);

	error_at(err, &place, "%s", text);
	if (column > source.size)
		marked = 1;
	else if (marked > source.size - column + 1)
		marked = (unsigned)(source.size - column + 1);
	error_excerpt(err, source.data, source.size, column, marked);
	return -1;
}

int yaml_error(struct error *err, const struct yaml_node *node, const char *fmt,
	       ...)
{
	char text[sizeof(err->text)];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return fail_at(err, node->doc, node->line, node->column, node->marked,
		       text);
}

/* ---- loading: libyaml's events, one function each ---- */

struct loader {
	yaml_parser_t parser;
	struct yaml_doc *doc;
	unsigned depth;
};

static int next_event(struct loader *load, yaml_event_t *event,
		      struct error *err)
{
	const yaml_parser_t *p = &load->parser;
	const char *problem;

	if (yaml_parser_parse(&load->parser, event))
		return 0;
	problem = p->problem ? p->problem : "not YAML";
	return fail_at(err, load->doc, (unsigned)p->problem_mark.line + 1,
		       (unsigned)p->problem_mark.column + 1, 1, problem);
}

static int fail_event(struct error *err, struct loader *load,
		      const yaml_event_t *event, const char *text)
{
	return fail_at(err, load->doc, (unsigned)event->start_mark.line + 1,
		       (unsigned)event->start_mark.column + 1, 1, text);
}

static struct yaml_node *node_new(struct loader *load,
				  const yaml_event_t *event,
				  enum yaml_kind kind)
{
	struct yaml_node *node = calloc(1, sizeof(*node));
	const yaml_mark_t *from = &event->start_mark, *to = &event->end_mark;

	if (!node)
		return NULL;
	node->doc = load->doc;
	node->kind = kind;
	node->line = (unsigned)from->line + 1;
	node->column = (unsigned)from->column + 1;
	node->marked = 1;
	if (to->line == from->line && to->column > from->column)
		node->marked = (unsigned)(to->column - from->column);
	return node;
}

static int node_append(struct yaml_node *node, struct yaml_node **key,
		       struct yaml_node **item)
{
	if (node->count == node->room) {
		size_t room = node->room ? node->room * 2 : 8;
		void *items, *keys;

		items = reallocarray(node->items, room, sizeof(*node->items));
		if (!items)
			return -1;
		node->items = items;
		if (key) {
			keys = reallocarray(node->keys, room,
					    sizeof(*node->keys));
			if (!keys)
				return -1;
			node->keys = keys;
		}
		node->room = room;
	}
	if (key)
		node->keys[node->count] = steal(*key);
	node->items[node->count++] = steal(*item);
	return 0;
}

static bool plain_null(const char *text)
{
	return !*text || strcmp(text, "~") == 0 || strcmp(text, "null") == 0;
}

static struct yaml_node *load_scalar(struct loader *load, yaml_event_t *event,
				     struct error *err)
{
	const char *value = (const char *)event->data.scalar.value;
	struct yaml_node *node;

	if (strlen(value) != event->data.scalar.length) {
		fail_event(err, load, event, "NUL is not allowed in a value");
		return NULL;
	}
	node = node_new(load, event, YAML_SCALAR);
	if (!node || !(node->text = strdup(value))) {
		error_sys(err, "cannot load a document");
		node_free(node);
		return NULL;
	}
	node->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
	if (!node->quoted && plain_null(value))
		node->kind = YAML_NULL;
	return node;
}

static struct yaml_node *load_node(struct loader *load, yaml_event_t *event,
				   struct error *err);

static struct yaml_node *load_list(struct loader *load, yaml_event_t *event,
				   struct error *err)
{
	cleanup(node_cleanup) struct yaml_node *node =
		node_new(load, event, YAML_LIST);

	if (!node) {
		error_sys(err, "cannot load a document");
		return NULL;
	}
	for (;;) {
		cleanup(node_cleanup) struct yaml_node *item = NULL;
		cleanup(yaml_event_delete) yaml_event_t next = { 0 };

		if (next_event(load, &next, err) < 0)
			return NULL;
		if (next.type == YAML_SEQUENCE_END_EVENT)
			return steal(node);
		item = load_node(load, &next, err);
		if (!item)
			return NULL;
		if (node_append(node, NULL, &item) < 0) {
			error_sys(err, "cannot load a document");
			return NULL;
		}
	}
}

static struct yaml_node *load_key(struct loader *load, yaml_event_t *event,
				  const struct yaml_node *map,
				  struct error *err)
{
	cleanup(node_cleanup) struct yaml_node *key = NULL;

	if (event->type != YAML_SCALAR_EVENT) {
		fail_event(err, load, event, "a key must be a plain word");
		return NULL;
	}
	key = load_node(load, event, err);
	if (!key)
		return NULL;
	for (size_t i = 0; i < map->count; i++)
		if (strcmp(map->keys[i]->text, key->text) == 0) {
			yaml_error(err, key,
				   "key '%s' given twice (first in "
				   "line %u)",
				   key->text, map->keys[i]->line);
			return NULL;
		}
	return steal(key);
}

static struct yaml_node *load_map(struct loader *load, yaml_event_t *event,
				  struct error *err)
{
	cleanup(node_cleanup) struct yaml_node *node =
		node_new(load, event, YAML_MAP);

	if (!node) {
		error_sys(err, "cannot load a document");
		return NULL;
	}
	for (;;) {
		cleanup(node_cleanup) struct yaml_node *key = NULL;
		cleanup(node_cleanup) struct yaml_node *item = NULL;
		cleanup(yaml_event_delete) yaml_event_t first = { 0 };
		cleanup(yaml_event_delete) yaml_event_t second = { 0 };

		if (next_event(load, &first, err) < 0)
			return NULL;
		if (first.type == YAML_MAPPING_END_EVENT)
			return steal(node);
		key = load_key(load, &first, node, err);
		if (!key || next_event(load, &second, err) < 0)
			return NULL;
		item = load_node(load, &second, err);
		if (!item)
			return NULL;
		if (node_append(node, &key, &item) < 0) {
			error_sys(err, "cannot load a document");
			return NULL;
		}
	}
}

/* Anchors and tags hide what a file says from the person who reads it. */
static bool decorated(const yaml_event_t *event)
{
	switch (event->type) {
	case YAML_SCALAR_EVENT:
		return event->data.scalar.anchor || event->data.scalar.tag;
	case YAML_SEQUENCE_START_EVENT:
		return event->data.sequence_start.anchor ||
		       event->data.sequence_start.tag;
	case YAML_MAPPING_START_EVENT:
		return event->data.mapping_start.anchor ||
		       event->data.mapping_start.tag;
	default:
		return event->type == YAML_ALIAS_EVENT;
	}
}

static struct yaml_node *load_node(struct loader *load, yaml_event_t *event,
				   struct error *err)
{
	struct yaml_node *node;

	if (decorated(event)) {
		fail_event(err, load, event,
			   "anchors, aliases and tags are not accepted");
		return NULL;
	}
	if (load->depth == YAML_DEPTH_MAX) {
		fail_event(err, load, event, "nested too deeply");
		return NULL;
	}
	load->depth++;
	if (event->type == YAML_SCALAR_EVENT)
		node = load_scalar(load, event, err);
	else if (event->type == YAML_SEQUENCE_START_EVENT)
		node = load_list(load, event, err);
	else
		node = load_map(load, event, err);
	load->depth--;
	return node;
}

/* An empty file is a document that holds nothing. */
static int load_root(struct loader *load, struct error *err)
{
	cleanup(yaml_event_delete) yaml_event_t start = { 0 };
	cleanup(yaml_event_delete) yaml_event_t first = { 0 };
	cleanup(yaml_event_delete) yaml_event_t root = { 0 };
	cleanup(yaml_event_delete) yaml_event_t end = { 0 };
	cleanup(yaml_event_delete) yaml_event_t last = { 0 };

	if (next_event(load, &start, err) < 0 ||
	    next_event(load, &first, err) < 0)
		return -1;
	if (first.type == YAML_STREAM_END_EVENT) {
		load->doc->root = node_new(load, &first, YAML_NULL);
		return load->doc->root ? 0 : error_sys(err, "cannot load");
	}
	if (next_event(load, &root, err) < 0)
		return -1;
	load->doc->root = load_node(load, &root, err);
	if (!load->doc->root || next_event(load, &end, err) < 0 ||
	    next_event(load, &last, err) < 0)
		return -1;
	if (last.type != YAML_STREAM_END_EVENT)
		return fail_event(err, load, &last,
				  "a second document is not accepted");
	return 0;
}

static int doc_parse(struct yaml_doc *doc, struct error *err)
{
	struct loader load = { .doc = doc };
	int result;

	if (!yaml_parser_initialize(&load.parser))
		return error_sys(err, "cannot load '%s'", doc->name);
	yaml_parser_set_input_string(
		&load.parser, (const unsigned char *)doc->source, doc->size);
	yaml_parser_set_encoding(&load.parser, YAML_UTF8_ENCODING);
	result = load_root(&load, err);
	yaml_parser_delete(&load.parser);
	return result;
}

/* Takes the source, also on failure. */
static struct yaml_doc *doc_load(const char *name, char *source, size_t size,
				 struct error *err)
{
	cleanup(doc_cleanup) struct yaml_doc *doc = calloc(1, sizeof(*doc));

	if (!doc) {
		free(source);
		error_sys(err, "cannot load '%s'", name);
		return NULL;
	}
	doc->source = source;
	doc->size = size;
	doc->name = strdup(name);
	if (!doc->name) {
		error_sys(err, "cannot load '%s'", name);
		return NULL;
	}
	if (doc_parse(doc, err) < 0)
		return NULL;
	return steal(doc);
}

struct yaml_doc *yaml_load_text(const char *name, struct span text,
				struct error *err)
{
	char *copy;

	if (text.size > YAML_SIZE_MAX) {
		error_kind_set(err, ERROR_INPUT, "'%s' is larger than %u bytes",
			       name, YAML_SIZE_MAX);
		return NULL;
	}
	copy = malloc(text.size + 1);
	if (!copy) {
		error_sys(err, "cannot load '%s'", name);
		return NULL;
	}
	if (text.size)
		memcpy(copy, text.data, text.size);
	copy[text.size] = '\0';
	return doc_load(name, copy, text.size, err);
}

struct yaml_doc *yaml_load_file(const char *path, struct error *err)
{
	size_t size;
	char *source = fd_read_file(path, YAML_SIZE_MAX, &size, err);

	return source ? doc_load(path, source, size, err) : NULL;
}

/* ---- looking ---- */

const struct yaml_node *yaml_root(const struct yaml_doc *doc)
{
	return doc->root;
}

enum yaml_kind yaml_kind(const struct yaml_node *node)
{
	return node->kind;
}

struct place yaml_place(const struct yaml_node *node)
{
	return (struct place){ node->doc->name, node->line, node->column };
}

const char *yaml_text(const struct yaml_node *scalar)
{
	return scalar->text ? scalar->text : "";
}

bool yaml_quoted(const struct yaml_node *scalar)
{
	return scalar->quoted;
}

size_t yaml_count(const struct yaml_node *node)
{
	return node->count;
}

const struct yaml_node *yaml_item(const struct yaml_node *node, size_t i)
{
	if (i >= node->count)
		bug("item %zu of %zu", i, node->count);
	return node->items[i];
}

const struct yaml_node *yaml_key(const struct yaml_node *map, size_t i)
{
	if (i >= map->count || !map->keys)
		bug("key %zu of %zu", i, map->count);
	return map->keys[i];
}

const struct yaml_node *yaml_get(const struct yaml_node *map, const char *key)
{
	for (size_t i = 0; map->keys && i < map->count; i++)
		if (strcmp(map->keys[i]->text, key) == 0)
			return map->items[i];
	return NULL;
}
