/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "proxy/relay.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/fd.h"

static const char *const end_text[] = {
	[RELAY_CLIENT_CLOSED] = "client closed",
	[RELAY_UPSTREAM_CLOSED] = "upstream closed",
	[RELAY_CLIENT_LOST] = "client lost",
	[RELAY_UPSTREAM_LOST] = "upstream lost",
	[RELAY_IDLE] = "idle",
};
static_assert(ARRAY_SIZE(end_text) == RELAY_NENDS, "each end has a text");

const char *relay_end_text(enum relay_end end)
{
	return end_text[end];
}

enum side {
	CLIENT,
	UPSTREAM,
};

/* One direction; its source is sides[from], its target the other side. */
struct way {
	struct relay *relay;
	enum side from;
	struct event *readable; /* of the source */
	struct event *writable; /* of the target */
	struct buf pending;     /* read, and not yet taken by the target */
	uint64_t bytes;
	bool ended;   /* the source said end of file */
	bool stopped; /* and the target was told */
};

struct relay {
	int fds[2];
	struct way ways[2]; /* by their source */
	struct event *tell; /* the idle limit, and the end */
	uint64_t idle_ms, active_at;
	uint64_t greeting; /* our own bytes to the client, not counted */
	bool over;
	enum relay_end end;
	relay_done_fn *done;
	void *arg;
};

static const enum relay_end lost_end[] = {
	[CLIENT] = RELAY_CLIENT_LOST,
	[UPSTREAM] = RELAY_UPSTREAM_LOST,
};
static const enum relay_end closed_end[] = {
	[CLIENT] = RELAY_CLIENT_CLOSED,
	[UPSTREAM] = RELAY_UPSTREAM_CLOSED,
};

static enum side other(enum side side)
{
	return side == CLIENT ? UPSTREAM : CLIENT;
}

/* Stop everything; the caller hears of it from the loop. */
static void finish(struct relay *relay, enum relay_end end)
{
	if (relay->over)
		return;
	relay->over = true;
	relay->end = end;
	for (size_t i = 0; i < 2; i++) {
		event_del(relay->ways[i].readable);
		event_del(relay->ways[i].writable);
	}
	event_active(relay->tell, EV_TIMEOUT, 1);
}

static void arm(struct way *way)
{
	bool waits = way->pending.size > 0;
	struct event *on = waits ? way->writable : way->readable;
	struct event *off = waits ? way->readable : way->writable;

	event_del(off);
	if (way->relay->over || (!waits && way->ended))
		event_del(on);
	else if (event_add(on, NULL) < 0)
		finish(way->relay, lost_end[way->from]);
}

/* The end of file goes on once everything before it has. */
static void pass_end(struct way *way)
{
	struct relay *relay = way->relay;

	if (!way->ended || way->stopped || way->pending.size > 0)
		return;
	way->stopped = true;
	shutdown(relay->fds[other(way->from)], SHUT_WR);
	if (relay->ways[other(way->from)].stopped)
		finish(relay, closed_end[way->from]);
}

/* How much the target took; -1 when it is lost. */
static ssize_t send_some(struct way *way, struct span bytes)
{
	struct relay *relay = way->relay;
	enum side to = other(way->from);
	ssize_t n;

	do
		n = send(relay->fds[to], bytes.data, bytes.size, MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	if (n < 0 && errno != EAGAIN) {
		finish(relay, lost_end[to]);
		return -1;
	}
	if (n < 0)
		return 0;
	way->bytes += (uint64_t)n;
	relay->active_at = clock_monotonic_ms();
	return n;
}

static void deliver(struct way *way, struct span bytes)
{
	ssize_t n = send_some(way, bytes);

	if (n < 0)
		return;
	buf_add(&way->pending, span_skip(bytes, (size_t)n));
	if (buf_failed(&way->pending))
		finish(way->relay, lost_end[way->from]);
}

static void readable_cb(evutil_socket_t fd, short what, void *arg)
{
	char bytes[RELAY_PENDING_MAX];
	struct way *way = arg;
	ssize_t n = recv(fd, bytes, sizeof(bytes), 0);

	(void)what;
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n < 0)
		finish(way->relay, lost_end[way->from]);
	else if (n == 0)
		way->ended = true;
	else
		deliver(way, (struct span){ bytes, (size_t)n });
	pass_end(way);
	arm(way);
}

static void writable_cb(evutil_socket_t fd, short what, void *arg)
{
	struct way *way = arg;
	ssize_t n = send_some(way, buf_span(&way->pending));

	(void)fd;
	(void)what;
	if (n > 0)
		buf_consume(&way->pending, (size_t)n);
	if (way->pending.size == 0)
		buf_release(&way->pending);
	pass_end(way);
	arm(way);
}

static void arm_idle(struct relay *relay, uint64_t ms)
{
	const struct timeval wait = {
		.tv_sec = (time_t)(ms / 1000),
		.tv_usec = (suseconds_t)(ms % 1000 * 1000),
	};

	evtimer_add(relay->tell, &wait);
}

static void tell_cb(evutil_socket_t fd, short what, void *arg)
{
	struct relay *relay = arg;
	uint64_t quiet = clock_monotonic_ms() - relay->active_at;

	(void)fd;
	(void)what;
	if (!relay->over && quiet < relay->idle_ms) {
		arm_idle(relay, relay->idle_ms - quiet);
		return;
	}
	finish(relay, RELAY_IDLE);
	event_del(relay->tell);
	relay->done(relay->end, relay->arg);
}

static int way_init(struct relay *relay, enum side from, struct span first,
		    const struct relay_setup *setup)
{
	struct way *way = &relay->ways[from];
	int target = from == CLIENT ? setup->upstream : setup->client;

	way->relay = relay;
	way->from = from;
	way->pending = BUF_INIT(RELAY_PENDING_MAX);
	buf_add(&way->pending, first);
	way->readable =
		event_new(setup->base,
			  from == CLIENT ? setup->client : setup->upstream,
			  EV_READ | EV_PERSIST, readable_cb, way);
	way->writable = event_new(setup->base, target, EV_WRITE | EV_PERSIST,
				  writable_cb, way);
	return way->readable && way->writable && !buf_failed(&way->pending)
		       ? 0
		       : -1;
}

struct relay *relay_start(const struct relay_setup *setup, struct error *err)
{
	struct relay *relay = calloc(1, sizeof(*relay));

	if (!relay) {
		error_set(err, "no memory for a tunnel");
		return NULL;
	}
	relay->fds[CLIENT] = relay->fds[UPSTREAM] = -1;
	relay->idle_ms = setup->idle_ms;
	relay->active_at = clock_monotonic_ms();
	relay->greeting = setup->to_client.size;
	relay->done = setup->done;
	relay->arg = setup->arg;
	relay->tell = evtimer_new(setup->base, tell_cb, relay);
	if (!relay->tell ||
	    way_init(relay, CLIENT, setup->to_upstream, setup) < 0 ||
	    way_init(relay, UPSTREAM, setup->to_client, setup) < 0) {
		relay_free(relay);
		error_set(err, "no memory for a tunnel");
		return NULL;
	}
	relay->fds[CLIENT] = setup->client;
	relay->fds[UPSTREAM] = setup->upstream;
	arm_idle(relay, relay->idle_ms);
	arm(&relay->ways[CLIENT]);
	arm(&relay->ways[UPSTREAM]);
	return relay;
}

uint64_t relay_bytes_up(const struct relay *relay)
{
	return relay->ways[CLIENT].bytes;
}

uint64_t relay_bytes_down(const struct relay *relay)
{
	uint64_t sent = relay->ways[UPSTREAM].bytes;

	return sent > relay->greeting ? sent - relay->greeting : 0;
}

/* A cut tunnel must not look like one that ended. */
static void close_side(struct relay *relay, enum side side)
{
	const struct linger reset = { .l_onoff = 1 };
	bool cut = !relay->ways[other(side)].stopped;

	if (relay->fds[side] >= 0 && cut)
		setsockopt(relay->fds[side], SOL_SOCKET, SO_LINGER, &reset,
			   sizeof(reset));
	fd_close(&relay->fds[side]);
}

void relay_free(struct relay *relay)
{
	if (!relay)
		return;
	for (size_t i = 0; i < 2; i++) {
		struct way *way = &relay->ways[i];

		if (way->readable)
			event_free(way->readable);
		if (way->writable)
			event_free(way->writable);
		buf_release(&way->pending);
	}
	close_side(relay, CLIENT);
	close_side(relay, UPSTREAM);
	if (relay->tell)
		event_free(relay->tell);
	free(relay);
}
