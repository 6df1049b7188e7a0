/* SPDX-License-Identifier: GPL-3.0-or-later */
/* WORLD PORTS - the sockets that the pretend world listens on.
 * Bound to every address of both families, so that whatever destination is
 * dialed counts; the destination is recorded with each connection and datagram.
 * Ports without a service are sinks: a connection is recorded and closed, a
 * datagram recorded. */
#ifndef PROBE_WORLD_PORTS_H
#define PROBE_WORLD_PORTS_H

#include <event2/event.h>

#include "base/compiler.h"
#include "base/error.h"

#include "probe/world_conn.h"
#include "probe/world_service.h"

struct world_ports;

/* In the caller's network namespace. Everything is borrowed. */
struct world_ports *world_ports_open(struct event_base *base,
				     const struct world_context *context,
				     struct world_conns *conns,
				     struct error *err) MUST_CHECK
	NONNULL(1, 2, 3, 4);
void world_ports_close(struct world_ports *ports);

#endif
