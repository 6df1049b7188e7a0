/* SPDX-License-Identifier: GPL-3.0-or-later */
/* OUTSIDE - where the proxy's own connections go: the real network, or the
 * pretend world, a process with a network namespace of its own. */
#ifndef SANDBOX_OUTSIDE_H
#define SANDBOX_OUTSIDE_H

#include <sys/types.h>

#include "base/addr.h"
#include "base/compiler.h"
#include "base/error.h"
#include "sandbox/identity.h"
#include "sandbox/service.h"

enum outside_kind {
	OUTSIDE_PRETEND = 0,
	OUTSIDE_REAL,
};

#define OUTSIDE_ADDRS_MAX 8

struct outside {
	enum outside_kind kind;
	/* The rest only in the pretend world. */
	struct service world;
	int user_ns, net_ns; /* -1: none */
	ino_t net_ns_inode;
	struct addr dns[OUTSIDE_ADDRS_MAX], web[OUTSIDE_ADDRS_MAX];
	size_t dns_count, web_count;
	char *report; /* what reached it; JSON Lines */
	char *ca;     /* its certificate authority, PEM */
};

/*
 * Reach the outside. The pretend world is started as this user and keeps its
 * report and certificate in run_dir. Release it also after a failure.
 */
MUST_CHECK int outside_start(enum outside_kind kind, struct user_ids user,
			     const char *run_dir, struct outside *out,
			     struct error *err) NONNULL(3, 4, 5);

/* In a forked child that became the world's user: step into the world. */
MUST_CHECK int outside_enter(const struct outside *outside, struct error *err)
	NONNULL(1, 2);

/* The CA bundle that clients inside should trust, or NULL. Borrowed. */
const char *outside_ca_bundle(const struct outside *outside) NONNULL(1);

/* Ends the world where it still runs, without a word. */
void outside_release(struct outside *outside) NONNULL(1);

#endif
