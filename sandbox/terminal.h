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
	int input;   /* the user's terminal to read from, -1: none */
	int output;  /* the user's terminal to write to */
	bool replaces[3]; /* which of descriptors 0 to 2 the slave stands for */
	struct termios before;
	bool raw;
	struct terminal_bytes {
		char bytes[16384];
		size_t from, to;
	} typed, shown; /* on their way, not yet taken by the other side */
};

#define TERMINAL_INIT                      \
	((struct terminal){ .master = -1,  \
			    .slave = -1,   \
			    .resized = -1, \
			    .input = -1,   \
			    .output = -1 })

/* Is any of standard input, output and error a terminal? */
bool terminal_wanted(void);

MUST_CHECK int terminal_open(struct terminal *terminal, struct error *err)
	NONNULL(1, 2);

/*
 * The child has its end: switch the user's terminal to raw, where both input
 * and output are terminals.
 */
MUST_CHECK int terminal_started(struct terminal *terminal, struct error *err)
	NONNULL(1, 2);

/*
 * Carry bytes both ways until one of the descriptors in ends (count of them, -1
 * ignored) is readable, then what is left towards the user. A user's terminal
 * that is stopped holds up its own bytes and nothing else.
 */
void terminal_relay(struct terminal *terminal, const int *ends, size_t count)
	NONNULL(1, 2);

/* Restores the user's terminal. */
void terminal_close(struct terminal *terminal) NONNULL(1);

#endif
