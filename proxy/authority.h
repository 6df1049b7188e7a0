/* SPDX-License-Identifier: GPL-3.0-or-later */
/* AUTHORITY - the one grammar of "host[:port]", for every place it stands in.
 * A name is what hostname_parse() takes, IPv4 is four plain numbers, brackets
 * hold IPv6 and nothing else; no user, no zone, no escapes. What comes out is
 * what is judged and dialed. */
#ifndef PROXY_AUTHORITY_H
#define PROXY_AUTHORITY_H

#include <stdint.h>

#include "base/buf.h"
#include "base/compiler.h"
#include "base/span.h"
#include "policy/policy.h"

enum authority_fault {
	AUTHORITY_OK = 0,
	AUTHORITY_EMPTY,
	AUTHORITY_NAME,
	AUTHORITY_BRACKETS,
	AUTHORITY_PORT,
	AUTHORITY_NO_PORT,
	AUTHORITY_NFAULTS
};

/*
 * default_port stands in where no port is written; 0: one must be. On a fault
 * *out is empty.
 */
enum authority_fault authority_parse(struct span text, uint16_t default_port,
				     struct target *out) MUST_CHECK NONNULL(3);

const char *authority_fault_text(enum authority_fault fault);

/* "host" or "[v6]", with ":port" unless it is the omitted one. */
void authority_print(const struct target *target, uint16_t omitted,
		     struct buf *out) NONNULL(1, 3);

/* The same host; ports are not looked at. */
bool authority_same_host(const struct target *a, const struct target *b)
	NONNULL(1, 2);

#endif
