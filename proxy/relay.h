/* SPDX-License-Identifier: GPL-3.0-or-later */
/* RELAY - the bytes of a tunnel, both ways, until both ways have ended.
 * What one side sends the other gets, unread and in order. An end of file is
 * passed on as one and leaves the other direction open; an error on either side
 * ends both, with a reset. At most RELAY_PENDING_MAX bytes wait in a direction,
 * and while some wait, no more are read. */
#ifndef PROXY_RELAY_H
#define PROXY_RELAY_H

#include <stdint.h>

#include <event2/event.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/span.h"

#define RELAY_PENDING_MAX 65536

enum relay_end {
	RELAY_CLIENT_CLOSED = 0, /* the client's end of file came last */
	RELAY_UPSTREAM_CLOSED,
	RELAY_CLIENT_LOST,
	RELAY_UPSTREAM_LOST,
	RELAY_IDLE,
	RELAY_NENDS
};

const char *relay_end_text(enum relay_end end);

struct relay;

typedef void relay_done_fn(enum relay_end end, void *arg);

struct relay_setup {
	struct event_base *base;
	int client, upstream;               /* non-blocking */
	struct span to_client, to_upstream; /* to be delivered first */
	uint64_t idle_ms;
	relay_done_fn *done;
	void *arg;
};

/*
 * On success the sockets belong to the relay; on failure the caller keeps them.
 * done fires once, from the loop, never before this returns; relay_free() then
 * is the caller's. The first bytes are at most RELAY_PENDING_MAX each way.
 */
struct relay *relay_start(const struct relay_setup *setup,
			  struct error *err) MUST_CHECK NONNULL(1, 2);

/* Bytes that were delivered, without to_client. */
uint64_t relay_bytes_up(const struct relay *relay) NONNULL(1);
uint64_t relay_bytes_down(const struct relay *relay) NONNULL(1);

/* Close both sides; with a reset unless both had ended. */
void relay_free(struct relay *relay);

#endif
