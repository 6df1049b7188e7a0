/* SPDX-License-Identifier: GPL-3.0-or-later */
/* UTF8 - strict decoding (RFC 3629): no overlong forms, no surrogates. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/span.h"

/* Decode the first code point; how many bytes it took, 0 if malformed. */
size_t utf8_decode(struct span text, uint32_t *code);

/*
 * May it be shown on a terminal and in a line of a log? Not a control (C0, DEL,
 * C1), a line or paragraph separator, a byte order mark, or a character that
 * changes the direction of what follows.
 */
bool utf8_printable(uint32_t code);

/* Put the mark for each byte or character that is not printable UTF-8. */
void utf8_make_printable(char *text, char mark) NONNULL(1);

#endif
