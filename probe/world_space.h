/* SPDX-License-Identifier: GPL-3.0-or-later */
/* WORLD SPACE - the namespaces that the pretend world lives in.
 * A user and a network namespace of its own, made without any privilege. In it
 * every address there is leads to lo, so that whatever is dialed arrives at the
 * world and nothing can leave the machine. A process of the same user can enter
 * it through /proc/PID/ns. */
#ifndef PROBE_WORLD_SPACE_H
#define PROBE_WORLD_SPACE_H

#include <stddef.h>
#include <stdint.h>

#include "base/addr.h"
#include "base/compiler.h"
#include "base/error.h"

/*
 * Move the calling process, which must have one thread, there, and give lo the
 * addresses. On failure the process is of no further use.
 */
MUST_CHECK int world_space_enter(const struct addr *own, size_t count,
				 struct error *err) NONNULL(3);

/* The inode that names the caller's network namespace. */
MUST_CHECK int world_space_inode(uint64_t *inode, struct error *err)
	NONNULL(1, 2);

#endif
