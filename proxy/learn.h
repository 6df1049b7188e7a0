/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LEARN - the least policy that lets through what logs say was asked for.
 * Only what a missing entry stopped, or would have: what a deny entry or the
 * vetting of an address stopped is listed and left out. A draft for people. */
#ifndef PROXY_LEARN_H
#define PROXY_LEARN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/compiler.h"
#include "base/error.h"

struct learn_setup {
	const char *const *logs;
	size_t log_count;
	bool allowed; /* also what was let through by an entry */
};

MUST_CHECK int learn_policy(const struct learn_setup *setup, FILE *out,
			    struct error *err) NONNULL(1, 2, 3);

#endif
