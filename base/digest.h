/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DIGEST - SHA-256 (FIPS 180-4), in hexadecimal where people see it. */
#ifndef BASE_DIGEST_H
#define BASE_DIGEST_H

#include <stdbool.h>

#include "base/compiler.h"
#include "base/span.h"

#define DIGEST_SIZE 32
#define DIGEST_HEX  (2 * DIGEST_SIZE)

/* 64 lower-case digits and a NUL. Aborts only where OpenSSL has no SHA-256. */
void digest_hex(struct span bytes, char hex[DIGEST_HEX + 1]) NONNULL(2);

/* In a time that does not tell where they differ. */
bool digest_equal(const char a[DIGEST_HEX + 1], const char b[DIGEST_HEX + 1])
	NONNULL(1, 2);

#endif
