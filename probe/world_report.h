/* SPDX-License-Identifier: GPL-3.0-or-later */
/* WORLD REPORT - what reached the pretend world, read back.
 * Negative probes stand on this, so nothing in it is ever guessed: a line that
 * is not a whole record of a known kind, a last line without its end, and an
 * overflow are errors, never "nothing was seen". */
#ifndef PROBE_WORLD_REPORT_H
#define PROBE_WORLD_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/addr.h"
#include "base/compiler.h"
#include "base/error.h"

enum world_kind {
	WORLD_DNS,  /* a question: name, type */
	WORLD_TCP,  /* an accepted connection: addr, port */
	WORLD_TLS,  /* a ClientHello: name, "" without SNI */
	WORLD_HTTP, /* a request: name, method, path */
	WORLD_UDP,  /* a datagram: addr, port, size */
	WORLD_NKINDS
};

/* Texts belong to the report; "" where the kind has none. */
struct world_row {
	enum world_kind kind;
	const char *
		name; /* in lower case, as hostname.h writes it, if it is one */
	const char *type, *method, *path;
	struct addr addr; /* of size 0 where the kind has none */
	uint16_t port;
	uint64_t size, ts;
};

struct world_report {
	struct world_row *rows;
	size_t count;
	void *memory; /* private */
};

/* A missing file is an error, an empty one is a world that nothing reached. */
MUST_CHECK int world_report_read(const char *path, struct world_report *report,
				 struct error *err) NONNULL(1, 2, 3);
void world_report_release(struct world_report *report) NONNULL(1);

/* Was exactly this name asked for, named in a ClientHello or in a request? */
bool world_report_saw_name(const struct world_report *report, const char *name)
	NONNULL(1, 2);
/* Did a connection or a datagram go there? port 0: to any port. */
bool world_report_saw_addr(const struct world_report *report,
			   const struct addr *addr, uint16_t port)
	NONNULL(1, 2);
size_t world_report_count(const struct world_report *report,
			  enum world_kind kind) NONNULL(1);

#endif
