/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPAWN - start a program with exactly the descriptors that are named.
 * Everything else is closed in the child, except that 0, 1 and 2 are ours where
 * they are not named. A failure in the child before its
 * program runs (a hook, exec) is reported to the caller as an error, never as
 * a child that exits with some number. */
#ifndef BASE_SPAWN_H
#define BASE_SPAWN_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/compiler.h"
#include "base/error.h"

#define SPAWN_FDS_MAX 96
#define SPAWN_FD_LAST 126

struct spawn_fd {
	int from; /* ours */
	int to;   /* the child's number, 0 to SPAWN_FD_LAST */
};

struct spawn {
	/*
	 * A path; no search. Opened before the hook runs, so that a hook which
	 * drops rights need not be able to reach it.
	 */
	const char *program;
	const char *const *argv;
	const char *const *environment; /* NULL: ours */
	struct spawn_fd fds[SPAWN_FDS_MAX];
	size_t fd_count;

	/*
	 * Runs in the child when its descriptors are in place, before exec.
	 * May be NULL.
	 */
	int (*prepare)(void *arg, struct error *err);
	void *arg;

	/* Send SIGKILL to the child when the calling thread ends. */
	bool die_with_parent;

	/*
	 * Make the program process 1 of a PID namespace of its own (the hook
	 * must have got the right to): when it ends, everything below it does,
	 * at whatever moment. The child returned is then a keeper without
	 * rights, which waits for the program and ends like it; the program
	 * dies with the keeper, and the keeper with the calling thread.
	 */
	bool own_pids;
};

/* The child's process id, or -1. The caller must wait for it. */
pid_t spawn_start(const struct spawn *spawn, struct error *err) MUST_CHECK
	NONNULL(1, 2);

/* Wait until the child has ended; its status as from waitpid(2). */
int spawn_wait(pid_t pid);

/* "exited with 1", "was killed by signal 9 (Killed)". */
void spawn_describe(int status, char *out, size_t size);

#endif
