/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TERMINAL - a terminal of its own for what runs inside.
 * The user's terminal is never handed in: a process could type into it. A
 * pseudo-terminal stands in its place, and bytes and sizes are carried over. */
#ifndef SANDBOX_TERMINAL_H
#define SANDBOX_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

#include "base/compiler.h"
#include "base/error.h"

struct terminal {
	int master;
	int slave;   /* for the child; terminal_started() closes ours */
	int resized; /* signals that the user's terminal changed its size */
	struct termios before;
	bool raw;
	char pending[16384]; /* typed, and not yet taken by the program */
	size_t pending_from, pending_to;
};

#define TERMINAL_INIT \
	((struct terminal){ .master = -1, .slave = -1, .resized = -1 })

/* Are standard input and output both a terminal? */
bool terminal_wanted(void);

MUST_CHECK int terminal_open(struct terminal *terminal, struct error *err)
	NONNULL(1, 2);

/* The child has its end: switch the user's terminal to raw. */
MUST_CHECK int terminal_started(struct terminal *terminal, struct error *err)
	NONNULL(1, 2);

/*
 * Carry bytes both ways until one of the descriptors in ends (count of them, -1
 * ignored) is readable, then what is left towards the user.
 */
void terminal_relay(struct terminal *terminal, const int *ends, size_t count)
	NONNULL(1, 2);

/* Restores the user's terminal. */
void terminal_close(struct terminal *terminal) NONNULL(1);

#endif
