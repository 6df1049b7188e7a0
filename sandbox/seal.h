/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SEAL - a network namespace without a way out.
 * Its only link is lo, every address in the world is local to it, and the plan
 * is loaded, read back and compared before anybody else can enter. It lives in
 * the descriptors held here and in the processes inside; when those are gone
 * the kernel removes it, also after SIGKILL of everything. */
#ifndef SANDBOX_SEAL_H
#define SANDBOX_SEAL_H

#include <sys/types.h>

#include "base/addr.h"
#include "base/compiler.h"
#include "base/error.h"
#include "fw/plan.h"
#include "sandbox/identity.h"

/* All close-on-exec; -1 where there is none. */
struct seal {
	int user_ns; /* owns the network namespace */
	int net_ns;
	int proxy_listener; /* TCP, listening on the gateway's proxy port */
	int nft;            /* netlink, inside: counters and read-back */
	struct endpoint proxy;
};

#define SEAL_INIT ((struct seal){ -1, -1, -1, -1, { { 0 }, 0 } })

/* Make the namespace as this user; on failure nothing is left. */
MUST_CHECK int seal_make(struct user_ids owner, const struct fw_sealed *layout,
			 const struct fw_plan *plan, struct seal *out,
			 struct error *err) NONNULL(2, 3, 4, 5);

/*
 * In a forked child: become the owner and step into both namespaces, with every
 * capability over them and none outside.
 */
MUST_CHECK int seal_enter(const struct seal *seal, struct user_ids owner,
			  struct error *err) NONNULL(1, 3);

void seal_release(struct seal *seal) NONNULL(1);

#endif
