/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LAUNCH - carry out a plan: one process tree inside a sealed namespace.
 * bubblewrap makes the mounts and the inner namespaces (user, PID, IPC, UTS,
 * cgroup); the network is the seal's. Its arguments and the environment travel
 * by descriptor, because what stands on a command line can be read inside. */
#ifndef SANDBOX_LAUNCH_H
#define SANDBOX_LAUNCH_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/compiler.h"
#include "base/error.h"
#include "sandbox/identity.h"
#include "sandbox/plan.h"
#include "sandbox/seal.h"

struct launch {
	pid_t pid;  /* of the outermost process, our child */
	int pid_fd; /* readable when it has ended */
	int status; /* private: where bubblewrap reports */
};

#define LAUNCH_INIT ((struct launch){ -1, -1, -1 })

/*
 * Start the plan's command with these as its descriptors 0, 1 and 2. terminal
 * says which of them is a terminal that becomes the controlling one of a new
 * session; -1: none is.
 */
MUST_CHECK int launch_start(const struct seal *seal,
			    const struct identity *identity,
			    const struct plan *plan, const int stdio[3],
			    int terminal, struct launch *out, struct error *err)
	NONNULL(1, 2, 3, 4, 6, 7);

/*
 * Wait for the end. The command's exit code, 128 + N where signal N ended it;
 * -1 with an ERROR_BOUNDARY where the sandbox could not be built or was ended
 * from outside. Releases the launch in any case.
 */
MUST_CHECK int launch_wait(struct launch *launch, struct error *err)
	NONNULL(1, 2);

/* End everything inside at once and forget it, instead of waiting. */
void launch_kill(struct launch *launch) NONNULL(1);

/* The path of bubblewrap (static), or an error that names its package. */
const char *launch_engine(struct error *err) MUST_CHECK NONNULL(1);

#endif
