/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SESSION - the session file: what a run may use beyond the baseline.
 * Every key of the format is known by name and its type is checked; unknown
 * keys are errors. Acted on are the keys with an accessor below; the others are
 * remembered by name, so that a caller can say that they have no effect.
 * A session only widens. Immutable once loaded; every text is borrowed. */
#ifndef SANDBOX_SESSION_H
#define SANDBOX_SESSION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/span.h"

struct session;

/* An error is ERROR_INPUT at file:line:col. On failure *out is NULL. */
MUST_CHECK int session_load(const char *path, struct session **out,
			    struct error *err) NONNULL(1, 2, 3);
/* The same for a text; name stands for the file. Both are copied. */
MUST_CHECK int session_parse(const char *name, struct span text,
			     struct session **out, struct error *err)
	NONNULL(1, 3, 4);
void session_free(struct session *session);

/*
 * egress.extra_allow: valid policy entries, and where each was written, as
 * "file:line:col".
 */
size_t session_allow_count(const struct session *session) NONNULL(1);
const char *session_allow(const struct session *session, size_t i,
			  const char **origin) NONNULL(1, 3);

/* egress.unrestricted: where it was switched on, or NULL if it was not. */
const char *session_unrestricted(const struct session *session) NONNULL(1);

/* Keys that are present but not used, dotted: "plugins.enabled". */
size_t session_unused_count(const struct session *session) NONNULL(1);
const char *session_unused(const struct session *session, size_t i) NONNULL(1);

#endif
