/* SPDX-License-Identifier: GPL-3.0-or-later */
/* WORLD - the pretend outside: everything put together and run.
 * It enters namespaces of its own, listens, says that it is ready, and serves
 * until it is told to end: by SIGTERM or SIGINT, or because whoever holds the
 * other end of the lifetime pipe is gone. */
#ifndef PROBE_WORLD_H
#define PROBE_WORLD_H

#include <stddef.h>

#include "base/compiler.h"
#include "base/error.h"

/* All from the documentation ranges (RFC 5737, RFC 3849). */
#define WORLD_DNS4 "192.0.2.53"
#define WORLD_DNS6 "2001:db8::53"
#define WORLD_WEB4 "192.0.2.80"
#define WORLD_WEB6 "2001:db8::80"

struct world_options {
	const char *const *records; /* as --record takes them */
	size_t record_count;
	const char *report; /* NULL: none is kept */
	const char *ca;     /* NULL: not written */
	int ready_fd;       /* -1: none; closed once it has been written */
	int lifetime_fd;    /* -1: none */
};

/*
 * Serve to the end. 0: it was told to end; -1: it could not begin, or could no
 * longer record what reached it. The process cannot go back to its former
 * namespaces.
 */
MUST_CHECK int world_run(const struct world_options *options, struct error *err)
	NONNULL(1, 2);

#endif
