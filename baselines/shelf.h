/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SHELF - the folder of shipped baselines, and which file a name means. */
#ifndef BASELINES_SHELF_H
#define BASELINES_SHELF_H

#include "base/compiler.h"
#include "base/error.h"

/*
 * The path that "latest", a version, a bare file name or a path stands for; it
 * holds a '/'. A path is not looked at. The caller frees it.
 */
char *shelf_find(const char *name_or_path, struct error *err) MUST_CHECK
	NONNULL(1, 2);

#endif
