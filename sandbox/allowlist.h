/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ALLOWLIST - the policy of one run, put together from its three sources.
 * The baseline's hosts, then what the session adds, then the command line; each
 * rule keeps its origin. Nothing here narrows: denials live in policy files. */
#ifndef SANDBOX_ALLOWLIST_H
#define SANDBOX_ALLOWLIST_H

#include <stddef.h>

#include "base/compiler.h"
#include "base/error.h"

#include "policy/policy.h"

#include "baselines/baseline.h"

#include "sandbox/session.h"

/*
 * session may be NULL; extra holds count entries as given to --allow. On
 * success the caller frees *out, on failure it is NULL. An entry that cannot be
 * parsed is ERROR_INPUT, with a mark under the character.
 */
MUST_CHECK int allowlist_build(const struct baseline *baseline,
			       const struct session *session,
			       const char *const *extra, size_t count,
			       struct policy **out, struct error *err)
	NONNULL(1, 5, 6);

#endif
