/* SPDX-License-Identifier: GPL-3.0-or-later */
/* UTF8 - strict decoding (RFC 3629): no overlong forms, no surrogates. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

#include "base/span.h"

/* Decode the first code point; how many bytes it took, 0 if malformed. */
size_t utf8_decode(struct span text, uint32_t *code);

#endif
