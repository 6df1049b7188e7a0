/* SPDX-License-Identifier: GPL-3.0-or-later */
/* RUN DIR - a private temporary folder for one run's files. */
#ifndef SANDBOX_RUN_DIR_H
#define SANDBOX_RUN_DIR_H

#include "base/compiler.h"
#include "base/error.h"
#include "sandbox/identity.h"

/*
 * Make one under $TMPDIR or /tmp, mode 0700, owned by the user who will write
 * there. The caller frees the path.
 */
char *run_dir_make(struct user_ids owner, struct error *err) MUST_CHECK
	NONNULL(2);

/* Remove it with the files in it; it holds no folders. NULL is fine. */
void run_dir_remove(const char *path);

#endif
