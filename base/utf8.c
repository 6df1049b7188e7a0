/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "base/utf8.h"

#include "base/compiler.h"

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
