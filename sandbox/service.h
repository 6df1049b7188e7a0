/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SERVICE - one of our own long-running programs, started and stopped.
 * It holds the read end of a lifetime pipe and ends when that closes, however
 * its starter went; it writes to its ready descriptor when it serves. */
#ifndef SANDBOX_SERVICE_H
#define SANDBOX_SERVICE_H

#include <sys/types.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/spawn.h"

struct service {
	const char *name; /* for messages; static */
	pid_t pid;
	int pid_fd;   /* readable when it has ended */
	int lifetime; /* closing it asks for the end */
};

#define SERVICE_INIT ((struct service){ NULL, -1, -1, -1 })

/* What a program says when it serves. */
enum service_ready {
	SERVICE_READY_BYTE,
	SERVICE_READY_LINE,
};

#define SERVICE_READY_MS 10000
#define SERVICE_STOP_MS  5000
#define SERVICE_WORD_MAX 1024

/*
 * Start it and wait until it is ready. spawn lacks two descriptors, which are
 * added under these numbers. What the program wrote to its ready descriptor is
 * in word (NUL-terminated). On failure nothing is left running.
 */
MUST_CHECK int service_start(const char *name, struct spawn *spawn,
			     int lifetime_number, int ready_number,
			     enum service_ready says,
			     char word[SERVICE_WORD_MAX], struct service *out,
			     struct error *err) NONNULL(1, 2, 6, 7, 8);

/* Has it ended by itself? */
bool service_ended(const struct service *service) NONNULL(1);

/*
 * Ask it to end, wait, and after SERVICE_STOP_MS kill it. An error says that it
 * did not end well: by a signal, with a code other than 0, or only when killed.
 */
MUST_CHECK int service_stop(struct service *service, struct error *err)
	NONNULL(1, 2);

/* End it at once and forget it; nothing where it is not running. */
void service_kill(struct service *service) NONNULL(1);

#endif
