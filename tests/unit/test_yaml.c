/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tests/unit/scratch.h"

#include "base/buf.h"
#include "base/clock.h"
#include "base/yaml.h"

static void doc_cleanup(struct yaml_doc **doc)
{
	yaml_doc_free(*doc);
}

#define autodoc cleanup(doc_cleanup)

static struct yaml_doc *must_load(struct span text)
{
	struct error err;
	struct yaml_doc *doc = yaml_load_text("f.yaml", text, &err);

	if (!doc)
		fail_msg("%s: %s", err.where, err.text);
	return doc;
}

/* Every refusal of the loader: where, what, and what stands over the mark. */
static const struct {
	struct span text;
	const char *where, *says;
	const char *excerpt;
	unsigned caret, caret_len;
} bad_cases[] = {
	{ SPAN("a: 1\nb: 2\na: 3\n"), "f.yaml:3:1",
	  "key 'a' given twice (first in line 1)", "a: 3", 1, 1 },
	{ SPAN("m:\n  key: 1\n  other: 2\n  key: 3\n"), "f.yaml:4:3",
	  "key 'key' given twice (first in line 2)", "  key: 3", 3, 3 },
	{ SPAN("a: 1\n\"a\": 2\n"), "f.yaml:2:1", "given twice", "\"a\": 2", 1,
	  3 },
	{ SPAN("{a: 1, b: 2, a: 3}"), "f.yaml:1:14", "given twice",
	  "{a: 1, b: 2, a: 3}", 14, 1 },
	{ SPAN("[a]: 1\n"), "f.yaml:1:1", "a key must be a plain word",
	  "[a]: 1", 1, 1 },
	{ SPAN("{a: 1}: 1\n"), "f.yaml:1:1", "a key must be a plain word",
	  "{a: 1}: 1", 1, 1 },
	{ SPAN("? [a]\n: 1\n"), "f.yaml:1:3", "a key must be a plain word",
	  "? [a]", 3, 1 },
	{ SPAN("a: &x 1\n"), "f.yaml:1:4", "anchors, aliases and tags",
	  "a: &x 1", 4, 1 },
	{ SPAN("a: [&x 1]\n"), "f.yaml:1:5", "anchors, aliases and tags",
	  "a: [&x 1]", 5, 1 },
	{ SPAN("a: &x [1]\n"), "f.yaml:1:4", "anchors, aliases and tags",
	  "a: &x [1]", 4, 1 },
	{ SPAN("a: &x {b: 1}\n"), "f.yaml:1:4", "anchors, aliases and tags",
	  "a: &x {b: 1}", 4, 1 },
	{ SPAN("&x a: 1\n"), "f.yaml:1:1", "anchors, aliases and tags",
	  "&x a: 1", 1, 1 },
	{ SPAN("a: *x\n"), "f.yaml:1:4", "anchors, aliases and tags", "a: *x",
	  4, 1 },
	{ SPAN("a: *.wild.test\n"), "f.yaml:1:4",
	  "a text that begins with '*' needs quotes", "a: *.wild.test", 4, 1 },
	{ SPAN("a: !!str 1\n"), "f.yaml:1:4", "anchors, aliases and tags",
	  "a: !!str 1", 4, 1 },
	{ SPAN("a: !x [1]\n"), "f.yaml:1:4", "anchors, aliases and tags",
	  "a: !x [1]", 4, 1 },
	{ SPAN("a: !x {b: 1}\n"), "f.yaml:1:4", "anchors, aliases and tags",
	  "a: !x {b: 1}", 4, 1 },
	{ SPAN("a: ! x\n"), "f.yaml:1:4", "anchors, aliases and tags", "a: ! x",
	  4, 1 },
	{ SPAN("!!map {a: 1}\n"), "f.yaml:1:1", "anchors, aliases and tags",
	  "!!map {a: 1}", 1, 1 },
	{ SPAN("a: 1\n---\nb: 2\n"), "f.yaml:2:1", "a second document", "---",
	  1, 1 },
	{ SPAN("a: 1\n...\n---\nb: 2\n"), "f.yaml:3:1", "a second document",
	  "---", 1, 1 },
	{ SPAN("a: \"x\\0y\"\n"), "f.yaml:1:4", "NUL", "a: \"x\\0y\"", 4, 1 },
	{ SPAN("\"a\\0\": 1\n"), "f.yaml:1:1", "NUL", "\"a\\0\": 1", 1, 1 },
	{ SPAN("a: [1\n"), "f.yaml:2:1", "expected ',' or ']'", "", 1, 1 },
	{ SPAN("a: {b: 1\n"), "f.yaml:2:1", "expected ',' or '}'", "", 1, 1 },
	{ SPAN("a: 'x\n"), "f.yaml:2:1", "unexpected end of stream", "", 1, 1 },
	{ SPAN("a: b: c\n"), "f.yaml:1:5", "mapping values", "a: b: c", 5, 1 },
	{ SPAN("a: 1\n b: 2\n"), "f.yaml:2:3", "mapping values", " b: 2", 3,
	  1 },
	{ SPAN("a: @x\n"), "f.yaml:1:4", "cannot start", "a: @x", 4, 1 },
	{ SPAN("a: `x\n"), "f.yaml:1:4", "cannot start", "a: `x", 4, 1 },
	{ SPAN("a:\n\tb: 1\n"), "f.yaml:2:1", "cannot start", " b: 1", 1, 1 },
	{ SPAN("\ta: 1\n"), "f.yaml:1:1", "cannot start", " a: 1", 1, 1 },
	{ SPAN("a: %x\n"), "f.yaml:1:4", "cannot start", "a: %x", 4, 1 },
	{ SPAN("%YAML 9.9\n---\na: 1\n"), "f.yaml:1:1", "incompatible",
	  "%YAML 9.9", 1, 1 },
	{ SPAN("}"), "f.yaml:1:1", "did not find expected node content", "}", 1,
	  1 },
	/* what does not show, or ends a line where no editor does */
	{ SPAN("a: 1\nb: \xff\n"), "f.yaml:2:4", "not UTF-8", "b:  ", 4, 1 },
	{ SPAN("a: \xc3"), "f.yaml:1:4", "not UTF-8", "a:  ", 4, 1 },
	{ SPAN("a: \xc0\x80\n"), "f.yaml:1:4", "not UTF-8", "a:   ", 4, 1 },
	{ SPAN("a: x\0y\n"), "f.yaml:1:5", "does not show", "a: x y", 5, 1 },
	{ SPAN("# x\0\na: 1\n"), "f.yaml:1:4", "does not show", "# x ", 4, 1 },
	{ SPAN("a: \x1b[31m\n"), "f.yaml:1:4", "does not show", "a:  [31m", 4,
	  1 },
	{ SPAN("\xc3\xbc: \x7f\n"), "f.yaml:1:4", "does not show",
	  "\xc3\xbc:  ", 4, 1 },
	{ SPAN("a: \xc2\x9b\n"), "f.yaml:1:4", "does not show", "a:  ", 4, 1 },
	{ SPAN("a: x\xe2\x80\xaey\n"), "f.yaml:1:5", "does not show", "a: x y",
	  5, 1 },
	{ SPAN("a: x\xef\xbb\xbfy\n"), "f.yaml:1:5", "does not show", "a: x y",
	  5, 1 },
	{ SPAN("# note\xe2\x80\xa8"
	       "allow: ['*']\n"),
	  "f.yaml:1:7", "a line ends here in YAML", "# note allow: ['*']", 7,
	  1 },
	{ SPAN("# note\xe2\x80\xa9x: 1\n"), "f.yaml:1:7",
	  "a line ends here in YAML", "# note x: 1", 7, 1 },
	{ SPAN("# note\xc2\x85x: 1\n"), "f.yaml:1:7",
	  "a line ends here in YAML", "# note x: 1", 7, 1 },
	{ SPAN("# note\rx: 1\n"), "f.yaml:1:7", "a line ends here in YAML",
	  "# note x: 1", 7, 1 },
	{ SPAN("a: 1\r"), "f.yaml:1:5", "a line ends here in YAML", "a: 1 ", 5,
	  1 },
	/* UTF-16 */
	{ SPAN("\xff\xfe"
	       "a\0:\0"),
	  "f.yaml:1:1", "not UTF-8", "  a : ", 1, 1 },
	{ SPAN("- a\nb: 1\n"), "f.yaml:2:1", "expected", "b: 1", 1, 1 },
};

static void yaml_refuses_and_points(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad_cases); i++) {
		struct error err = { 0 };
		struct yaml_doc *doc =
			yaml_load_text("f.yaml", bad_cases[i].text, &err);

		if (doc)
			fail_msg("case %zu was accepted", i);
		assert_int_equal(err.kind, ERROR_INPUT);
		if (!strstr(err.text, bad_cases[i].says) ||
		    strcmp(err.where, bad_cases[i].where) != 0 ||
		    strcmp(err.excerpt, bad_cases[i].excerpt) != 0 ||
		    err.caret != bad_cases[i].caret ||
		    err.caret_len != bad_cases[i].caret_len)
			fail_msg("case %zu: %s: %s\n  '%s' %u+%u", i, err.where,
				 err.text, err.excerpt, err.caret,
				 err.caret_len);
	}
}

/* A hostile file must not cost minutes. */
static void yaml_big_maps_load_fast(void **state)
{
	cleanup(buf_release) struct buf text = BUF_INIT(YAML_SIZE_MAX);
	uint64_t start = clock_monotonic_ms();
	struct yaml_doc *doc;
	struct error err;

	(void)state;
	for (unsigned i = 0; i < 200000; i++)
		buf_addf(&text, "key%u: %u\n", i * 7919 % 200000, i);
	doc = yaml_load_text("f", buf_span(&text), &err);
	assert_non_null(doc);
	assert_int_equal(yaml_count(yaml_root(doc)), 200000);
	yaml_doc_free(doc);
	buf_addf(&text, "x: 1\nkey0: 2\nx: 1\n");
	assert_null(yaml_load_text("f", buf_span(&text), &err));
	assert_string_equal(err.where, "f:200002:1");
	assert_string_equal(err.text,
			    "key 'key0' given twice (first in line 1)");
	assert_in_range(clock_monotonic_ms() - start, 0, 60000);
}

static void yaml_depth_is_bounded(void **state)
{
	char text[3000];

	(void)state;
	for (unsigned depth = 1; depth < 100; depth++) {
		struct error err;
		struct yaml_doc *doc;

		memset(text, '[', depth);
		memset(text + depth, ']', depth);
		doc = yaml_load_text(
			"f", (struct span){ text, 2 * (size_t)depth }, &err);
		assert_int_equal(doc != NULL, depth <= YAML_DEPTH_MAX);
		if (!doc)
			assert_string_equal(err.text, "nested too deeply");
		yaml_doc_free(doc);
	}
}

static void yaml_size_is_bounded(void **state)
{
	autofree char *text = malloc(YAML_SIZE_MAX + 1);
	autoscratch struct scratch scratch = scratch_new();
	struct yaml_doc *doc;
	struct error err;

	(void)state;
	assert_non_null(text);
	memset(text, '#', YAML_SIZE_MAX + 1);
	assert_null(yaml_load_text(
		"f", (struct span){ text, YAML_SIZE_MAX + 1 }, &err));
	assert_int_equal(err.kind, ERROR_INPUT);
	scratch_write(&scratch, "f", (struct span){ text, YAML_SIZE_MAX + 1 });
	assert_null(yaml_load_file(scratch.path, &err));
	assert_int_equal(err.kind, ERROR_INPUT);
	doc = yaml_load_text("f", (struct span){ text, YAML_SIZE_MAX }, &err);
	assert_non_null(doc);
	yaml_doc_free(doc);
}

/* What holds nothing is a document of nothing; it is for the reader to say. */
static void yaml_empty_is_null(void **state)
{
	static const struct span cases[] = {
		SPAN(""),
		SPAN("\n\n"),
		SPAN("# only\n# comments\n"),
		SPAN("---\n"),
		SPAN("--- \n...\n"),
		SPAN("~"),
		SPAN("null\n"),
		SPAN("   \n"),
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		autodoc struct yaml_doc *doc = must_load(cases[i]);

		assert_int_equal(yaml_kind(yaml_root(doc)), YAML_NULL);
		assert_int_equal(yaml_count(yaml_root(doc)), 0);
		assert_null(yaml_get(yaml_root(doc), "a"));
	}
}

static void yaml_tree_is_what_was_written(void **state)
{
	autodoc struct yaml_doc *doc =
		must_load(SPAN("a: one\n"
			       "b: ['two', \"three\", ~, '~']\n"
			       "c:\n"
			       "  d: |\n"
			       "    four\n"
			       "  \"e f\": yes\n"));
	const struct yaml_node *root = yaml_root(doc), *b, *c;

	(void)state;
	assert_int_equal(yaml_kind(root), YAML_MAP);
	assert_int_equal(yaml_count(root), 3);
	assert_string_equal(yaml_text(yaml_key(root, 2)), "c");
	assert_string_equal(yaml_text(yaml_get(root, "a")), "one");
	assert_false(yaml_quoted(yaml_get(root, "a")));
	assert_null(yaml_get(root, "d"));
	b = yaml_get(root, "b");
	assert_int_equal(yaml_kind(b), YAML_LIST);
	assert_true(yaml_quoted(yaml_item(b, 0)));
	assert_string_equal(yaml_text(yaml_item(b, 1)), "three");
	assert_int_equal(yaml_kind(yaml_item(b, 2)), YAML_NULL);
	assert_int_equal(yaml_kind(yaml_item(b, 3)), YAML_SCALAR);
	c = yaml_get(root, "c");
	assert_string_equal(yaml_text(yaml_get(c, "d")), "four\n");
	assert_true(yaml_quoted(yaml_get(c, "d")));
	assert_string_equal(yaml_text(yaml_get(c, "e f")), "yes");
	assert_int_equal(yaml_place(yaml_get(c, "e f")).line, 6);
	assert_int_equal(yaml_place(yaml_get(c, "e f")).column, 10);
	assert_string_equal(yaml_place(c).file, "f.yaml");
}

/* A byte order mark and Windows line ends mean nothing. */
static void yaml_ignores_bom_and_crlf(void **state)
{
	static const struct span cases[] = {
		SPAN("a: b\nc: [d]\n"),
		SPAN("a: b\r\nc: [d]\r\n"),
		SPAN("\xef\xbb\xbf"
		     "a: b\nc: [d]\n"),
		SPAN("a: b\nc: [d]"),
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		autodoc struct yaml_doc *doc = must_load(cases[i]);
		const struct yaml_node *c = yaml_get(yaml_root(doc), "c");

		assert_string_equal(yaml_text(yaml_get(yaml_root(doc), "a")),
				    "b");
		assert_non_null(c);
		assert_string_equal(yaml_text(yaml_item(c, 0)), "d");
		assert_int_equal(yaml_place(c).line, 2);
	}
}

static void yaml_load_file_reads_a_file(void **state)
{
	autoscratch struct scratch scratch = scratch_new();
	autodoc struct yaml_doc *doc = NULL;
	struct error err;

	(void)state;
	assert_null(yaml_load_file("no/such/file", &err));
	assert_int_equal(err.kind, ERROR_SYSTEM);
	assert_null(yaml_load_file(scratch.folder, &err));
	doc = yaml_load_file(scratch_write(&scratch, "f", SPAN("a: 1\n")),
			     &err);
	assert_non_null(doc);
	assert_string_equal(yaml_place(yaml_root(doc)).file, scratch.path);
	yaml_doc_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(yaml_refuses_and_points),
		cmocka_unit_test(yaml_big_maps_load_fast),
		cmocka_unit_test(yaml_depth_is_bounded),
		cmocka_unit_test(yaml_size_is_bounded),
		cmocka_unit_test(yaml_empty_is_null),
		cmocka_unit_test(yaml_tree_is_what_was_written),
		cmocka_unit_test(yaml_ignores_bom_and_crlf),
		cmocka_unit_test(yaml_load_file_reads_a_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
