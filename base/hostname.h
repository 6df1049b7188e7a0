/* SPDX-License-Identifier: GPL-3.0-or-later */
/* HOSTNAME - a name in the one form that is judged, resolved and dialed.
 * Lower case, A-labels, no trailing dot, at most 253 bytes in labels of 1 to 63
 * from a-z 0-9 '-' '_' that neither begin nor end with '-' (RFC 1123, RFC 1035;
 * '_' because such names exist). The last label is never a number, so that no
 * name can be taken for an IPv4 address (WHATWG URL, "ends in a number"). */
#ifndef BASE_HOSTNAME_H
#define BASE_HOSTNAME_H

#include <stdbool.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/span.h"

#define HOSTNAME_MAX       253
#define HOSTNAME_LABEL_MAX 63

struct hostname {
	uint8_t size;
	char name[HOSTNAME_MAX + 1]; /* NUL-terminated */
};

enum hostname_fault {
	HOSTNAME_OK = 0,
	HOSTNAME_EMPTY,
	HOSTNAME_TOO_LONG,
	HOSTNAME_LABEL_EMPTY,
	HOSTNAME_LABEL_TOO_LONG,
	HOSTNAME_LABEL_HYPHEN,
	HOSTNAME_CHARACTER,
	HOSTNAME_NUMERIC,
	HOSTNAME_IDN,
	HOSTNAME_NFAULTS
};

/*
 * The only constructor for bytes from the wire: ASCII of either case, one
 * trailing dot allowed. Anything else, and any byte above 0x7f, is a fault.
 * On a fault *out is empty.
 */
enum hostname_fault hostname_parse(struct span text,
				   struct hostname *out) MUST_CHECK NONNULL(2);

/*
 * For names that people write into policies: also U-labels, where the A-label
 * made of them reads back as the same text (IDNA2008 by libidn2).
 */
enum hostname_fault hostname_parse_written(struct span text,
					   struct hostname *out) MUST_CHECK
	NONNULL(2);

/* One phrase for a message: "a label is longer than 63 bytes". */
const char *hostname_fault_text(enum hostname_fault fault);

/* Is the host a proper subdomain of the zone? Never the zone itself. */
bool hostname_under(const struct hostname *host, const struct hostname *zone)
	NONNULL(1, 2);
bool hostname_equal(const struct hostname *a, const struct hostname *b)
	NONNULL(1, 2);

#endif
