/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loading a document from libyaml's events; the tree itself is yaml_tree.c's. */
#include "config.h"

#include "base/yaml.h"

#include <stdlib.h>
#include <string.h>

#include <yaml.h>

#include "base/cleanup.h"
#include "base/fd.h"
#include "base/yaml_int.h"

static void doc_cleanup(struct yaml_doc **doc)
{
	yaml_doc_free(*doc);
}

static void node_cleanup(struct yaml_node **node)
{
	yaml_node_free(*node);
}

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
	if (p->context && strcmp(p->context, "while scanning an alias") == 0)
		return yaml_fail_at(err, load->doc,
				    (unsigned)p->context_mark.line + 1,
				    (unsigned)p->context_mark.column + 1, 1,
				    "a text that begins with '*' needs quotes");
	problem = p->problem ? p->problem : "not YAML";
	return yaml_fail_at(err, load->doc, (unsigned)p->problem_mark.line + 1,
			    (unsigned)p->problem_mark.column + 1, 1, problem);
}

static int fail_event(struct error *err, struct loader *load,
		      const yaml_event_t *event, const char *text)
{
	return yaml_fail_at(err, load->doc,
			    (unsigned)event->start_mark.line + 1,
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
		yaml_node_free(node);
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
				  struct error *err)
{
	if (event->type == YAML_SCALAR_EVENT)
		return load_node(load, event, err);
	fail_event(err, load, event, "a key must be a plain word");
	return NULL;
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
			return yaml_check_keys(node, err) == 0 ? steal(node)
							       : NULL;
		key = load_key(load, &first, err);
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

	if (yaml_check_source(doc, err) < 0)
		return -1;
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
