/* SPDX-License-Identifier: GPL-3.0-or-later */
/* RUN DIR - a private temporary folder for one run's files.
 * It holds a file `lock`, locked while its maker lives. One that a killed maker
 * left behind is removed by the next run of the same user. */
#ifndef SANDBOX_RUN_DIR_H
#define SANDBOX_RUN_DIR_H

#include "base/compiler.h"
#include "base/error.h"
#include "sandbox/identity.h"

struct run_dir {
	char *path; /* NULL: none */
	int lock;   /* -1: none */
};

#define RUN_DIR_INIT ((struct run_dir){ NULL, -1 })

/*
 * Make one under $TMPDIR or /tmp, mode 0700, owned by the user who will write
 * there.
 */
MUST_CHECK int run_dir_make(struct user_ids owner, struct run_dir *out,
			    struct error *err) NONNULL(2, 3);

/* Remove it with the files in it; it holds no folders. */
void run_dir_remove(struct run_dir *dir) NONNULL(1);

#endif
