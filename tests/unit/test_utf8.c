/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tests/unit/unit.h"

#include <stdio.h>

#include "base/utf8.h"

#define BAD(text)                                \
	{                                        \
		{ text, sizeof(text) - 1 }, 0, 0 \
	}
#define GOOD(text, size, code)                         \
	{                                              \
		{ text, sizeof(text) - 1 }, size, code \
	}

static const struct {
	struct span text;
	size_t size;
	uint32_t code;
} cases[] = {
	BAD(""),
	BAD("\x80"), /* a continuation alone */
	BAD("\xbf"),
	BAD("\xc2"), /* cut */
	BAD("\xe2\x80"),
	BAD("\xf0\x9f\x98"),
	BAD("\xc2 "), /* no continuation */
	BAD("\xe2\x80 "),
	BAD("\xe2 \x80"),
	BAD("\xc0\x80"), /* overlong NUL */
	BAD("\xc1\xbf"),
	BAD("\xe0\x9f\xbf"),
	BAD("\xf0\x8f\xbf\xbf"),
	BAD("\xed\xa0\x80"), /* surrogates */
	BAD("\xed\xbf\xbf"),
	BAD("\xf4\x90\x80\x80"), /* beyond U+10FFFF */
	BAD("\xf8\x88\x80\x80\x80"),
	BAD("\xfe"),
	BAD("\xff"),
	GOOD("\0", 1, 0),
	GOOD("ab", 1, 'a'),
	GOOD("\x7f", 1, 0x7f),
	GOOD("\xc2\x80", 2, 0x80),
	GOOD("\xdf\xbf", 2, 0x7ff),
	GOOD("\xe0\xa0\x80", 3, 0x800),
	GOOD("\xed\x9f\xbf", 3, 0xd7ff),
	GOOD("\xee\x80\x80", 3, 0xe000),
	GOOD("\xef\xbf\xbd", 3, 0xfffd),
	GOOD("\xf0\x90\x80\x80", 4, 0x10000),
	GOOD("\xf4\x8f\xbf\xbf", 4, 0x10ffff),
};

static void utf8_is_strict(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		uint32_t code = 0;

		if (utf8_decode(cases[i].text, &code) != cases[i].size ||
		    code != cases[i].code)
			fail_msg("case %zu", i);
	}
}

static void utf8_printable_drives_no_terminal(void **state)
{
	static const uint32_t bad[] = {
		0,      0x07,   0x0a,   0x0d,   0x1b,   0x1f,   0x7f,
		0x80,   0x85,   0x9b,   0x9f,   0x2028, 0x2029, 0x200e,
		0x200f, 0x202a, 0x202e, 0x2066, 0x2069, 0xfeff,
	};
	static const uint32_t good[] = {
		' ',    'a',    '~',    0xa0,   0xe4,
		0x2027, 0x2030, 0x4e00, 0xfffd, 0x1f600
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		if (utf8_printable(bad[i]))
			fail_msg("U+%04x", (unsigned)bad[i]);
	for (size_t i = 0; i < ARRAY_SIZE(good); i++)
		if (!utf8_printable(good[i]))
			fail_msg("U+%04x", (unsigned)good[i]);
}

static void utf8_make_printable_keeps_text(void **state)
{
	static const struct {
		const char *text, *shown;
	} texts[] = {
		{ "", "" },
		{ "plain", "plain" },
		{ "gr\xc3\xbc\xc3\x9f", "gr\xc3\xbc\xc3\x9f" },
		{ "\x1b[31m\r\n", ".[31m.." },
		{ "\xc2\x9b"
		  "31m",
		  ".31m" },
		{ "\xe2\x80\xae", "." },
		{ "\xff\xe2\x80", "..." },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		char text[40];

		snprintf(text, sizeof(text), "%s", texts[i].text);
		utf8_make_printable(text, '.');
		assert_string_equal(text, texts[i].shown);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(utf8_is_strict),
		cmocka_unit_test(utf8_printable_drives_no_terminal),
		cmocka_unit_test(utf8_make_printable_keeps_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
