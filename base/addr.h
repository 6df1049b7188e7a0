/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ADDR - IP addresses, prefixes and ports in their one strict spelling.
 * IPv4 is four decimal numbers without leading zeros (RFC 6943, 3.1.1 "strict
 * form"); IPv6 is RFC 4291 text without a zone. Nothing here resolves names. */
#ifndef BASE_ADDR_H
#define BASE_ADDR_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include "base/compiler.h"
#include "base/span.h"

struct addr {
	uint8_t size;      /* 4 or 16; 0 is "no address" */
	uint8_t bytes[16]; /* network order */
};

struct cidr {
	struct addr addr;
	uint8_t bits;
};

struct endpoint {
	struct addr addr;
	uint16_t port;
};

#define ADDR_TEXT_MAX     46
#define ENDPOINT_TEXT_MAX (ADDR_TEXT_MAX + 8)

struct addr_text {
	char text[ENDPOINT_TEXT_MAX];
};

/* True if the text is an address and nothing else. */
bool addr_parse(struct span text, struct addr *out) MUST_CHECK NONNULL(2);

/*
 * "ADDRESS/BITS" with no bit set behind the prefix. A bare address is not a
 * prefix.
 */
bool cidr_parse(struct span text, struct cidr *out) MUST_CHECK NONNULL(2);
bool cidr_contains(const struct cidr *cidr, const struct addr *addr)
	NONNULL(1, 2);

/* Digits only, 1 to 65535, no sign, no leading zero. */
bool port_parse(struct span text, uint16_t *out) MUST_CHECK NONNULL(2);

/* "ADDRESS:PORT", IPv6 in brackets. */
bool endpoint_parse(struct span text, struct endpoint *out) MUST_CHECK
	NONNULL(2);

bool addr_equal(const struct addr *a, const struct addr *b) NONNULL(1, 2);
struct addr addr_v4(uint8_t a, uint8_t b, uint8_t c, uint8_t d);

struct addr_text addr_print(const struct addr *addr) NONNULL(1);
struct addr_text endpoint_print(const struct endpoint *endpoint) NONNULL(1);

/* To and from the kernel's form; from: false for other families. */
socklen_t endpoint_to_sockaddr(const struct endpoint *endpoint,
			       struct sockaddr_storage *out) NONNULL(1, 2);
bool endpoint_from_sockaddr(const struct sockaddr *from, struct endpoint *out)
	NONNULL(1, 2);

#endif
