/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tree of a document: its messages, its checks, and looking at it. */
#include "config.h"

#include "base/yaml_int.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/utf8.h"

void yaml_node_free(struct yaml_node *node)
{
	if (!node)
		return;
	for (size_t i = 0; i < node->count; i++) {
		if (node->keys)
			yaml_node_free(node->keys[i]);
		yaml_node_free(node->items[i]);
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
	yaml_node_free(doc->root);
	free(doc->source);
	free(doc->name);
	free(doc);
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

int yaml_fail_at(struct error *err, const struct yaml_doc *doc, unsigned line,
		 unsigned column, unsigned marked, const char *text)
{
	struct place place = { doc->name, line, column };
	struct span source = source_line(doc, line);

	error_at(err, &place, "%s", text);
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
	return yaml_fail_at(err, node->doc, node->line, node->column,
			    node->marked, text);
}

/* ---- checks ---- */

/*
 * Why a code point may not stand in a document, or NULL. YAML 1.1 ends lines,
 * and with them comments, where an editor may not.
 */
static const char *source_fault(uint32_t code, struct span behind)
{
	bool half = code == '\r' && behind.size > 0 && behind.data[0] == '\n';

	if (code == '\n' || code == '\t' || half)
		return NULL;
	if (code == '\r' || code == 0x85 || code == 0x2028 || code == 0x2029)
		return "a line ends here in YAML, though it may not look so";
	if (!utf8_printable(code))
		return "a character that does not show is not accepted here; "
		       "write it as \\u and four digits in double quotes";
	return NULL;
}

int yaml_check_source(struct yaml_doc *doc, struct error *err)
{
	static const struct span bom = SPAN("\xef\xbb\xbf");
	struct span rest = { doc->source, doc->size };
	unsigned line = 1, column = 1;

	if (span_starts(rest, bom)) {
		doc->size -= bom.size;
		memmove(doc->source, doc->source + bom.size, doc->size + 1);
		rest.size = doc->size;
	}
	while (rest.size > 0) {
		uint32_t code;
		size_t n = utf8_decode(rest, &code);
		const char *fault = "not UTF-8";

		rest = span_skip(rest, n);
		if (n > 0)
			fault = source_fault(code, rest);
		if (fault)
			return yaml_fail_at(err, doc, line, column, 1, fault);
		line += code == '\n';
		column = code == '\n' ? 1 : column + 1;
	}
	return 0;
}

static int by_text_and_place(const void *a, const void *b)
{
	const struct yaml_node *x = *(struct yaml_node *const *)a;
	const struct yaml_node *y = *(struct yaml_node *const *)b;
	int order = strcmp(x->text, y->text);

	if (order == 0)
		order = (x->line > y->line) - (x->line < y->line);
	if (order == 0)
		order = (x->column > y->column) - (x->column < y->column);
	return order;
}

static bool stands_before(const struct yaml_node *a, const struct yaml_node *b)
{
	return a->line < b->line ||
	       (a->line == b->line && a->column < b->column);
}

int yaml_check_keys(const struct yaml_node *map, struct error *err)
{
	autofree struct yaml_node **keys = NULL;
	const struct yaml_node *first = NULL, *again = NULL;

	if (map->count < 2)
		return 0;
	keys = reallocarray(NULL, map->count, sizeof(struct yaml_node *));
	if (!keys)
		return error_sys(err, "cannot load a document");
	memcpy(keys, map->keys, map->count * sizeof(struct yaml_node *));
	qsort(keys, map->count, sizeof(struct yaml_node *), by_text_and_place);
	for (size_t i = 1; i < map->count; i++)
		if (strcmp(keys[i]->text, keys[i - 1]->text) == 0 &&
		    (!again || stands_before(keys[i], again))) {
			first = keys[i - 1];
			again = keys[i];
		}
	if (!again)
		return 0;
	return yaml_error(err, again, "key '%s' given twice (first in line %u)",
			  again->text, first->line);
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
