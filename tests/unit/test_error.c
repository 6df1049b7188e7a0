/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tests/unit/unit.h"

#include <errno.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/error.h"

static void error_set_fills_everything(void **state)
{
	struct error err;

	(void)state;
	memset(&err, 'x', sizeof(err));
	assert_int_equal(error_set(&err, "no %s", "way"), -1);
	assert_int_equal(err.kind, ERROR_INTERNAL);
	assert_int_equal(err.number, 0);
	assert_string_equal(err.where, "");
	assert_string_equal(err.text, "no way");
	assert_string_equal(err.excerpt, "");
	assert_int_equal(error_kind_set(&err, ERROR_BOUNDARY, "x"), -1);
	assert_int_equal(err.kind, ERROR_BOUNDARY);
}

static void error_sys_tells_and_keeps_errno(void **state)
{
	struct error err;

	(void)state;
	errno = ENOENT;
	assert_int_equal(error_sys(&err, "cannot open '%s'", "x"), -1);
	assert_int_equal(errno, ENOENT);
	assert_int_equal(err.kind, ERROR_SYSTEM);
	assert_int_equal(err.number, ENOENT);
	assert_string_equal(err.text,
			    "cannot open 'x': No such file or directory");
}

static void error_wrap_puts_a_frame_in_front(void **state)
{
	struct error err;

	(void)state;
	errno = EPERM;
	error_sys(&err, "inner");
	assert_int_equal(error_wrap(&err, "outer %d", 1), -1);
	assert_string_equal(err.text,
			    "outer 1: inner: Operation not permitted");
	assert_int_equal(err.kind, ERROR_SYSTEM);
	assert_int_equal(err.number, EPERM);
}

static void error_at_names_the_place(void **state)
{
	static const struct {
		struct place place;
		const char *where;
	} cases[] = {
		{ { NULL, 0, 0 }, "" },
		{ { NULL, 3, 4 }, "" },
		{ { "f.yaml", 0, 0 }, "f.yaml" },
		{ { "f.yaml", 14, 3 }, "f.yaml:14:3" },
	};
	struct error err;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_int_equal(error_at(&err, &cases[i].place, "bad"), -1);
		assert_int_equal(err.kind, ERROR_INPUT);
		assert_string_equal(err.where, cases[i].where);
	}
}

/* What error_print() says of an excerpt and its mark. */
static const struct {
	const char *line;
	unsigned column, marked;
	const char *printed;
} print_cases[] = {
	{ "key: 1", 1, 3, "p: f:1:1: bad\n  key: 1\n  ^~~\n" },
	{ "key: 1", 6, 1, "p: f:1:1: bad\n  key: 1\n       ^\n" },
	{ "key: 1", 7, 1, "p: f:1:1: bad\n  key: 1\n        ^\n" },
	{ "key: 1", 6, 0, "p: f:1:1: bad\n  key: 1\n       ^\n" },
	{ "\tkey: 1", 2, 3, "p: f:1:1: bad\n   key: 1\n   ^~~\n" },
	{ "key: 1", 4000000, 9, "p: f:1:1: bad\n  key: 1\n        ^\n" },
	{ "", 1, 1, "p: f:1:1: bad\n" },
	{ "key: 1", 0, 0, "p: f:1:1: bad\n" },
};

static void check_print(const struct error *err, const char *expected)
{
	autofree char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	error_print(out, "p", err);
	fclose(out);
	assert_string_equal(text, expected);
}

static void error_print_marks_the_place(void **state)
{
	const struct place place = { "f", 1, 1 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(print_cases); i++) {
		struct error err;

		error_at(&err, &place, "bad");
		error_excerpt(&err, print_cases[i].line,
			      strlen(print_cases[i].line),
			      print_cases[i].column, print_cases[i].marked);
		check_print(&err, print_cases[i].printed);
	}
}

static void error_print_without_a_place(void **state)
{
	struct error err;

	(void)state;
	error_set(&err, "bad");
	check_print(&err, "p: bad\n");
}

static void error_text_is_bounded(void **state)
{
	char long_text[5000];
	struct error err;

	(void)state;
	memset(long_text, 'a', sizeof(long_text) - 1);
	long_text[sizeof(long_text) - 1] = '\0';
	error_set(&err, "%s", long_text);
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
	error_wrap(&err, "%s", long_text);
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
	error_at(&err, &(struct place){ long_text, 1, 1 }, "x");
	assert_int_equal(strlen(err.where), sizeof(err.where) - 1);
	error_excerpt(&err, long_text, strlen(long_text), 1, 10000);
	assert_int_equal(strlen(err.excerpt), sizeof(err.excerpt) - 1);
}

/* A terminal must see no control, whichever door it came in by. */
static const struct {
	const char *bytes, *shown;
} hostile_cases[] = {
	{ "a\x1b[31mb", "a?[31mb" },
	{ "a\r\nb", "a??b" },
	{ "a\tb", "a?b" },
	{ "a\x7f\x07\x08", "a???" },
	{ "a\xc2\x9b"
	  "31m",
	  "a?31m" }, /* CSI as C1 */
	{ "a\xc2\x85", "a?" },
	{ "a\x9b"
	  "31m",
	  "a?31m" }, /* not UTF-8 */
	{ "a\xff\xfe", "a??" },
	{ "a\xe2\x80\xa8z", "a?z" }, /* line separator */
	{ "a\xe2\x80\xaez", "a?z" }, /* right to left override */
	{ "a\xe2\x80", "a??" },      /* cut */
	{ "gr\xc3\xbc\xc3\x9f", "gr\xc3\xbc\xc3\x9f" },
};

static void error_text_drives_no_terminal(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(hostile_cases); i++) {
		const char *bytes = hostile_cases[i].bytes;
		const char *shown = hostile_cases[i].shown;
		struct error err;
		char framed[64], blanked[64];

		error_set(&err, "%s", bytes);
		assert_string_equal(err.text, shown);
		error_at(&err, &(struct place){ bytes, 0, 0 }, "%s", bytes);
		assert_string_equal(err.where, shown);
		assert_string_equal(err.text, shown);
		error_wrap(&err, "%s", bytes);
		snprintf(framed, sizeof(framed), "%s: %s", shown, shown);
		assert_string_equal(err.text, framed);
		error_excerpt(&err, bytes, strlen(bytes), 1, 1);
		snprintf(blanked, sizeof(blanked), "%s", shown);
		for (char *c = blanked; *c; c++)
			if (*c == '?')
				*c = ' ';
		assert_string_equal(err.excerpt, blanked);
	}
}

static void error_cut_inside_a_character_stays_text(void **state)
{
	char text[700];
	struct error err;

	(void)state;
	for (size_t i = 0; i + 1 < sizeof(text); i += 2)
		memcpy(text + i, "\xc3\xbc", 2);
	text[698] = '\0';
	error_set(&err, "%s", text);
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
	assert_int_equal(err.text[sizeof(err.text) - 2], '?');
}

/* The mark stands under its character, however long the line is. */
static void error_excerpt_follows_the_mark(void **state)
{
	static const struct {
		const char *filler;
		size_t count; /* of fillers in front of "X", and behind it */
	} cases[] = {
		{ "a", 10 },
		{ "a", 157 },
		{ "a", 158 },
		{ "a", 159 },
		{ "a", 4000 },
		{ "\xc3\xbc", 100 },
		{ "\xe4\xb8\x80", 50 },
		{ "\xf0\x9f\x98\x80", 3000 },
		{ "\xff", 500 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		autofree char *line = calloc(1, cases[i].count * 8 + 2);
		struct error err = { 0 };
		char *at, *end;
		unsigned before = 0;

		assert_non_null(line);
		end = line;
		for (size_t k = 0; k < cases[i].count; k++)
			end = stpcpy(end, cases[i].filler);
		end = stpcpy(end, "X");
		for (size_t k = 0; k < cases[i].count; k++)
			end = stpcpy(end, cases[i].filler);
		error_excerpt(&err, line, (size_t)(end - line),
			      (unsigned)cases[i].count + 1, 100000);
		at = strchr(err.excerpt, 'X');
		if (!at)
			fail_msg("case %zu: the mark is not in it", i);
		for (char *c = err.excerpt; c < at; c++)
			before += (*c & 0xc0) != 0x80;
		if (err.caret != before + 1)
			fail_msg("case %zu: mark at %u, not %u", i, err.caret,
				 before + 1);
		assert_in_range(err.caret_len, 1, sizeof(err.excerpt));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(error_set_fills_everything),
		cmocka_unit_test(error_sys_tells_and_keeps_errno),
		cmocka_unit_test(error_wrap_puts_a_frame_in_front),
		cmocka_unit_test(error_at_names_the_place),
		cmocka_unit_test(error_print_marks_the_place),
		cmocka_unit_test(error_print_without_a_place),
		cmocka_unit_test(error_text_is_bounded),
		cmocka_unit_test(error_text_drives_no_terminal),
		cmocka_unit_test(error_cut_inside_a_character_stays_text),
		cmocka_unit_test(error_excerpt_follows_the_mark),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
