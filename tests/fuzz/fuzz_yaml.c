/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A tree that was loaded is plain and knows its places; an error has one. */
#include "config.h"

#include "tests/fuzz/fuzz.h"

#include <stdio.h>

#include "base/utf8.h"
#include "base/yaml.h"

static void check_text(const char *text)
{
	struct span rest = span_of(text);

	while (rest.size > 0) {
		uint32_t code;
		size_t n = utf8_decode(rest, &code);

		MUST(n > 0);
		rest = span_skip(rest, n);
	}
}

static void check_node(const struct yaml_node *node, unsigned depth)
{
	struct place place = yaml_place(node);

	MUST(depth <= YAML_DEPTH_MAX);
	MUST(place.line >= 1 && place.column >= 1 && place.file);
	check_text(yaml_text(node));
	for (size_t i = 0; i < yaml_count(node); i++) {
		check_node(yaml_item(node, i), depth + 1);
		if (yaml_kind(node) != YAML_MAP)
			continue;
		check_node(yaml_key(node, i), depth + 1);
		/* no key twice: the first one found is this one */
		MUST(yaml_get(node, yaml_text(yaml_key(node, i))) ==
		     yaml_item(node, i));
	}
}

static void check_error(const struct error *err)
{
	unsigned columns = 0;

	MUST(err->kind == ERROR_INPUT && err->text[0] && err->where[0]);
	for (const char *c = err->excerpt; *c; c++)
		columns += ((unsigned char)*c & 0xc0) != 0x80;
	check_text(err->text);
	check_text(err->excerpt);
	MUST(err->caret >= 1 && err->caret <= columns + 1);
	MUST(err->caret_len >= 1 && err->caret + err->caret_len <= columns + 2);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct error err = { 0 };
	struct yaml_doc *doc = yaml_load_text("f", fuzz_span(data, size), &err);

	if (doc) {
		check_node(yaml_root(doc), 1);
		yaml_error(&err, yaml_root(doc), "%s", "x");
	}
	check_error(&err);
	yaml_doc_free(doc);
	return 0;
}
