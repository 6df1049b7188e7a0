/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CREDENTIAL - the token that a client sends in Proxy-Authorization.
 * Bearer (RFC 6750), or the password of Basic (RFC 7617), whose user is
 * ignored. Only its SHA-256 leaves this file: the token itself is wiped, never
 * compared and never recorded. */
#ifndef PROXY_CREDENTIAL_H
#define PROXY_CREDENTIAL_H

#include <stdbool.h>

#include "base/compiler.h"
#include "base/digest.h"
#include "base/error.h"
#include "proxy/fields.h"

#define CREDENTIAL_MAX 512 /* bytes of a token */

enum credential_kind {
	CREDENTIAL_NONE = 0,
	CREDENTIAL_MALFORMED, /* also: given twice, or in another scheme */
	CREDENTIAL_TOKEN,
};

struct credential {
	enum credential_kind kind;
	char sha256[DIGEST_HEX + 1];
};

struct credential credential_read(const struct fields *fields) NONNULL(1);

/*
 * The SHA-256 of a token that stands in a file of its own, one line. Refused:
 * anything but a regular file, one that others may read or write, and tokens
 * that can be guessed by their length.
 */
MUST_CHECK int credential_load(const char *path, char sha256[DIGEST_HEX + 1],
			       struct error *err) NONNULL(1, 2, 3);

#endif
