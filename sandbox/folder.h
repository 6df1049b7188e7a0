/* SPDX-License-Identifier: GPL-3.0-or-later */
/* FOLDER - the caller's folders on their way into the sandbox.
 * A folder that holds sockets, FIFOs or devices is refused: through a mount
 * they would still lead to the process on the host that serves them. */
#ifndef SANDBOX_FOLDER_H
#define SANDBOX_FOLDER_H

#include "base/compiler.h"
#include "base/error.h"
#include "sandbox/identity.h"

/*
 * The folder's absolute path, free of symbolic links, after the checks: it is a
 * folder, not '/', and holds nothing but files, folders and links. The caller
 * frees it.
 */
char *folder_check(const char *path, struct error *err) MUST_CHECK
	NONNULL(1, 2);

/*
 * A root caller's folder as a detached mount on which the ids of the folder's
 * owner appear as the agent's: the agent works on the owner's files without
 * ever having the owner's id. A descriptor; needs Linux 5.12 and a file system
 * that supports idmapped mounts.
 */
MUST_CHECK int folder_map(const char *path, struct user_ids agent,
			  struct error *err) NONNULL(1, 3);

#endif
