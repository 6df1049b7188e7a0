/* SPDX-License-Identifier: GPL-3.0-or-later */
/* BASELINE - what one release of the desktop app does, read from its snapshot.
 * Strict in the members that something acts on (appVersion and
 * network.allowDomains), tolerant of everything else, so that a newer snapshot
 * still loads. Immutable once loaded; every text is borrowed from it. */
#ifndef BASELINES_BASELINE_H
#define BASELINES_BASELINE_H

#include <stddef.h>

#include "base/compiler.h"
#include "base/error.h"

struct baseline;

/*
 * Which one: "latest" (the highest version among the shipped files), a version
 * such as "1.37937.1", a shipped file's bare name "desktop-1.37937.1.json", or,
 * with a '/' in it, any path. A bare name never leaves the shipped folder. On
 * failure *out is NULL.
 */
MUST_CHECK int baseline_load(const char *name_or_path, struct baseline **out,
			     struct error *err) NONNULL(1, 2, 3);
void baseline_free(struct baseline *baseline);

/* The file's name without its folder: "desktop-1.37937.1.json". */
const char *baseline_name(const struct baseline *baseline) NONNULL(1);
const char *baseline_app_version(const struct baseline *baseline) NONNULL(1);
/* NULL where the snapshot does not say. */
const char *baseline_agent_version(const struct baseline *baseline) NONNULL(1);

/* network.allowDomains, at least one; each is a valid policy entry. */
size_t baseline_domain_count(const struct baseline *baseline) NONNULL(1);
const char *baseline_domain(const struct baseline *baseline, size_t i)
	NONNULL(1);

/*
 * Order of versions: dotted segments compared as numbers of any size, a segment
 * that is no number counts as 0, a missing one too. 1.9 < 1.10, 1.9 == 1.9.0.
 */
int baseline_version_compare(const char *a, const char *b) NONNULL(1, 2);

#endif
