/* SPDX-License-Identifier: GPL-3.0-or-later */
/* EXPLAIN - what each policy makes of a target, and why.
 * Nothing is resolved or dialed. */
#ifndef PROXY_EXPLAIN_H
#define PROXY_EXPLAIN_H

#include <stdio.h>

#include "base/compiler.h"
#include "base/error.h"
#include "proxy/conf.h"

/*
 * subject: HOST[:PORT], port 443 where none is given. policy: only that one;
 * NULL: all. Returns 0 where all of them allow it, 1 where one does not.
 */
MUST_CHECK int explain_target(const struct proxy_conf *conf,
			      const char *subject, const char *policy,
			      FILE *out, struct error *err) NONNULL(1, 2, 4, 5);

#endif
