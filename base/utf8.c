/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "base/utf8.h"

#include <string.h>

/* By length: the lead byte's pattern, and the least code that needs it. */
static const struct {
	unsigned char mask, lead;
	uint32_t least;
} forms[] = {
	{ 0x80, 0x00, 0 },
	{ 0xe0, 0xc0, 0x80 },
	{ 0xf0, 0xe0, 0x800 },
	{ 0xf8, 0xf0, 0x10000 },
};

size_t utf8_decode(struct span text, uint32_t *code)
{
	const unsigned char *b = (const unsigned char *)text.data;

	if (text.size == 0)
		return 0;
	for (size_t more = 0; more < ARRAY_SIZE(forms); more++) {
		uint32_t value;

		if ((b[0] & forms[more].mask) != forms[more].lead)
			continue;
		if (text.size <= more)
			return 0;
		value = b[0] & (unsigned char)~forms[more].mask;
		for (size_t i = 1; i <= more; i++) {
			if ((b[i] & 0xc0) != 0x80)
				return 0;
			value = value << 6 | (b[i] & 0x3f);
		}
		if (value < forms[more].least || value > 0x10ffff ||
		    (value >= 0xd800 && value <= 0xdfff))
			return 0;
		*code = value;
		return more + 1;
	}
	return 0;
}

static const struct {
	uint32_t first, last;
} unprintable[] = {
	{ 0, 0x1f },        { 0x7f, 0x9f },     /* C0, DEL, C1 */
	{ 0x200e, 0x200f }, { 0x2028, 0x202e }, /* marks, separators, bidi */
	{ 0x2066, 0x2069 }, { 0xfeff, 0xfeff }, /* isolates; BOM */
};

bool utf8_printable(uint32_t code)
{
	if (code >= ' ' && code < 0x7f) /* nearly always */
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(unprintable); i++)
		if (code >= unprintable[i].first && code <= unprintable[i].last)
			return false;
	return true;
}

void utf8_make_printable(char *text, char mark)
{
	struct span rest = span_of(text);
	char *out = text;

	while (rest.size > 0) {
		uint32_t code;
		size_t n = utf8_decode(rest, &code);

		if (n > 0 && utf8_printable(code)) {
			memmove(out, rest.data, n);
			out += n;
		} else {
			*out++ = mark;
		}
		rest = span_skip(rest, n > 0 ? n : 1);
	}
	*out = '\0';
}
