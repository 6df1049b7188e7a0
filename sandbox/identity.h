/* SPDX-License-Identifier: GPL-3.0-or-later */
/* IDENTITY - which user ids the appliance and the agent run as.
 * An ordinary caller: both are the caller. A root caller: two dedicated
 * non-zero ids, because a user namespace made by root would leave the agent as
 * root of the host, and because processes of one id share per-user limits.
 * The users 'cowork-proxy' and 'cowork-agent' where they exist, else two fixed
 * numbers that no distribution hands out. */
#ifndef SANDBOX_IDENTITY_H
#define SANDBOX_IDENTITY_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/compiler.h"
#include "base/error.h"

struct user_ids {
	uid_t uid;
	gid_t gid;
};

struct identity {
	bool from_root; /* the caller is root and drops */
	struct user_ids proxy, agent;
};

MUST_CHECK int identity_find(struct identity *out, struct error *err)
	NONNULL(1, 2);

/*
 * Become these ids for good, without groups or capabilities, and stay
 * traceable by the same id (its /proc files are needed). Does nothing where
 * the process is them already.
 */
MUST_CHECK int identity_become(struct user_ids ids, struct error *err)
	NONNULL(2);

#endif
