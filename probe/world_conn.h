/* SPDX-License-Identifier: GPL-3.0-or-later */
/* WORLD CONN - the TCP connections that are being served.
 * At most WORLD_CONNS_MAX at a time, each for WORLD_CONN_SECONDS at most and
 * with bounded buffers. A connection frees itself at its end; those that are
 * left are closed with the set. */
#ifndef PROBE_WORLD_CONN_H
#define PROBE_WORLD_CONN_H

#include <event2/event.h>

#include "base/addr.h"
#include "base/compiler.h"
#include "base/error.h"

#include "probe/world_service.h"

#define WORLD_CONNS_MAX    256
#define WORLD_CONN_SECONDS 10

struct world_conns;

/* The loop and the context are borrowed and must outlive it. */
struct world_conns *world_conns_new(struct event_base *base,
				    const struct world_context *context,
				    struct error *err) MUST_CHECK
	NONNULL(1, 2, 3);
void world_conns_free(struct world_conns *conns);

/*
 * Serve an accepted, non-blocking socket that was dialed as `to`. Takes fd,
 * also where it is closed at once because there are too many.
 */
void world_conns_add(struct world_conns *conns, int fd,
		     const struct endpoint *to,
		     const struct world_service *service) NONNULL(1, 3, 4);

#endif
