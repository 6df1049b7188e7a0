/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LINT - entries that say more than was meant, or nothing at all.
 * The policy is right in itself, or it would not have been loaded; this is
 * about what a reader should look at again. */
#ifndef PROXY_LINT_H
#define PROXY_LINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/compiler.h"
#include "base/error.h"
#include "proxy/conf.h"

struct lint_setup {
	const struct proxy_conf *conf;
	const char *const *logs; /* with some, entries that none used are told */
	size_t log_count;
	bool json;
};

/* 0 nothing to say, 1 findings, -1 an error. */
MUST_CHECK int lint_policies(const struct lint_setup *setup, FILE *out,
			     struct error *err) NONNULL(1, 2, 3);

#endif
