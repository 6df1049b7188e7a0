/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "proxy/conn_int.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"
#include "base/log.h"
#include "proxy/reply.h"

static const char *const state_name[] = {
	[CONN_HEAD] = "head",         [CONN_RESOLVING] = "resolving",
	[CONN_DIALING] = "dialing",   [CONN_EXCHANGE] = "exchange",
	[CONN_TUNNEL] = "tunnel",     [CONN_SETTLING] = "settling",
	[CONN_DRAINING] = "draining", [CONN_CLOSED] = "closed",
};
static_assert(ARRAY_SIZE(state_name) == CONN_NSTATES, "each has a name");

#define ENDING   (BIT(CONN_DRAINING) | BIT(CONN_CLOSED))
#define ANSWERED (BIT(CONN_SETTLING) | ENDING)

static const unsigned may_enter[CONN_NSTATES] = {
	[CONN_HEAD] = BIT(CONN_RESOLVING) | BIT(CONN_DIALING) | ANSWERED,
	[CONN_RESOLVING] = BIT(CONN_DIALING) | ANSWERED,
	[CONN_DIALING] = BIT(CONN_EXCHANGE) | BIT(CONN_TUNNEL) | ANSWERED,
	[CONN_EXCHANGE] = ANSWERED,
	[CONN_TUNNEL] = BIT(CONN_CLOSED),
	[CONN_SETTLING] = BIT(CONN_HEAD) | ENDING,
	[CONN_DRAINING] = BIT(CONN_CLOSED),
};

/* ---- states ---- */

/* Nothing that was asked for is wanted any more. */
static void drop_upstream(struct conn *conn)
{
	if (conn->lookup)
		lookup_cancel(conn->lookup);
	if (conn->dial)
		dial_cancel(conn->dial);
	if (conn->upstream)
		bufferevent_free(conn->upstream);
	conn->lookup = NULL;
	conn->dial = NULL;
	conn->upstream = NULL;
}

static void conn_free(struct conn *conn)
{
	struct context *context = conn->context;

	drop_upstream(conn);
	relay_free(conn->relay);
	if (conn->client)
		bufferevent_free(conn->client);
	if (conn->deadline)
		event_free(conn->deadline);
	buf_release(&conn->head_up);
	free(conn->path);
	TAILQ_REMOVE(&context->conns, conn, entry);
	if (--context->conn_count == 0)
		event_active(context->idle, EV_TIMEOUT, 1);
	free(conn);
}

void conn_deadline_in(struct conn *conn, uint64_t ms)
{
	const struct timeval wait = {
		.tv_sec = (time_t)(ms / 1000),
		.tv_usec = (suseconds_t)(ms % 1000 * 1000),
	};

	evtimer_add(conn->deadline, &wait);
}

/* Lookups and dials have their own clocks; ours is behind them. */
#define BACKSTOP_MS 1000

void conn_arm(struct conn *conn)
{
	const struct proxy_conf *conf = conn->context->conf;
	bool between = conn->kept && !conn->head_begun;
	const uint64_t limit[CONN_NSTATES] = {
		[CONN_HEAD] =
			between ? conf->limits.idle_ms : conf->limits.head_ms,
		[CONN_RESOLVING] = conf->resolver.timeout_ms + BACKSTOP_MS,
		[CONN_DIALING] = conf->limits.connect_ms + BACKSTOP_MS,
		[CONN_EXCHANGE] = conf->limits.first_byte_ms,
		[CONN_SETTLING] = CONN_FLUSH_MS,
		[CONN_DRAINING] = CONN_FLUSH_MS,
	};

	if (limit[conn->state])
		conn_deadline_in(conn, limit[conn->state]);
	else
		evtimer_del(conn->deadline); /* the relay's, or none */
}

static void settle_start(struct conn *conn);
static void drain_start(struct conn *conn);

void conn_enter(struct conn *conn, enum conn_state next)
{
	if (!(may_enter[conn->state] & BIT(next)))
		bug("conn=%" PRIu64 " cannot go from %s to %s", conn->id,
		    state_name[conn->state], state_name[next]);
	log_debug("conn=%" PRIu64 " state=%s", conn->id, state_name[next]);
	conn->state = next;
	conn_arm(conn);
	if (next == CONN_SETTLING)
		settle_start(conn);
	if (next == CONN_DRAINING)
		drain_start(conn);
}

void conn_end(struct conn *conn, bool cut)
{
	const struct linger reset = { .l_onoff = 1 };

	if (cut && conn->client)
		setsockopt(bufferevent_getfd(conn->client), SOL_SOCKET,
			   SO_LINGER, &reset, sizeof(reset));
	conn_enter(conn, CONN_CLOSED);
}

/* ---- waiting for others ---- */

static void note_eof(struct conn *conn)
{
	conn->client_ended = true;
}

static void client_gone(struct conn *conn)
{
	conn_record_gone(conn, "client lost");
	conn_end(conn, false);
}

static void waiting_late(struct conn *conn)
{
	conn_fail(conn, 504, "timeout");
}

static void refuse_stop(struct conn *conn)
{
	conn_refuse(conn, 503, "shutdown");
}

static void cut(struct conn *conn)
{
	conn_record_gone(conn, "shutdown");
	conn_end(conn, true);
}

static void keep_no_more(struct conn *conn)
{
	conn->keep = false;
}

/* ---- a tunnel ---- */

static void tunnel_over(struct conn *conn, const char *cause)
{
	conn->bytes_up = relay_bytes_up(conn->relay);
	conn->bytes_down = relay_bytes_down(conn->relay);
	conn_record_close(conn, cause);
	conn_end(conn, false);
}

static void tunnel_ended(struct conn *conn)
{
	tunnel_over(conn, relay_end_text(conn->relay_end));
}

static void tunnel_cut(struct conn *conn)
{
	tunnel_over(conn, "shutdown");
}

/* ---- the last bytes ---- */

static struct evbuffer *output(const struct conn *conn)
{
	return bufferevent_get_output(conn->client);
}

/*
 * Everything is sent. Say so, and read on for a moment: closing a socket with
 * unread bytes would reset it, and take the answer from the client.
 */
static void linger(struct conn *conn)
{
	if (conn->client_ended) {
		conn_end(conn, false);
		return;
	}
	shutdown(bufferevent_getfd(conn->client), SHUT_WR);
	conn_deadline_in(conn, CONN_LINGER_MS);
}

static void discard(struct conn *conn)
{
	struct evbuffer *input = bufferevent_get_input(conn->client);
	size_t size = evbuffer_get_length(input);

	conn->drained += size;
	evbuffer_drain(input, size);
	if (conn->drained > CONN_LINGER_BYTES)
		conn_end(conn, false);
}

static void settle_start(struct conn *conn)
{
	drop_upstream(conn);
	bufferevent_setwatermark(conn->client, EV_READ, 0, CONN_BUFFER_MAX);
	bufferevent_setwatermark(conn->client, EV_WRITE, 0, 0);
	conn->drain_left = evbuffer_get_length(output(conn));
	conn_settle(conn);
}

static void drain_start(struct conn *conn)
{
	drop_upstream(conn);
	conn->drained = 0;
	bufferevent_setwatermark(conn->client, EV_WRITE, 0, 0);
	conn->drain_left = evbuffer_get_length(output(conn));
	discard(conn);
	if (conn->state == CONN_DRAINING && conn->drain_left == 0)
		linger(conn);
}

static void drain_written(struct conn *conn)
{
	if (evbuffer_get_length(output(conn)) == 0)
		linger(conn);
}

static void drain_eof(struct conn *conn)
{
	conn->client_ended = true;
	if (evbuffer_get_length(output(conn)) == 0)
		conn_end(conn, false);
}

/* The client took something since the last look. */
static bool output_moves(struct conn *conn)
{
	size_t left = evbuffer_get_length(output(conn));

	if (left == 0 || left >= conn->drain_left)
		return false;
	conn->drain_left = left;
	conn_deadline_in(conn, CONN_FLUSH_MS);
	return true;
}

static void drain_late(struct conn *conn)
{
	if (!output_moves(conn))
		conn_end(conn, evbuffer_get_length(output(conn)) > 0);
}

static void settle_late(struct conn *conn)
{
	if (!output_moves(conn))
		conn_enter(conn, CONN_DRAINING);
}

static void settle_stop(struct conn *conn)
{
	conn_enter(conn, CONN_DRAINING);
}

static void drain_gone(struct conn *conn)
{
	conn_end(conn, false);
}

/* ---- the one door ---- */

typedef void handler_fn(struct conn *conn);

/* What is not named here is of no interest in that state. */
static handler_fn *const handler[CONN_NSTATES][INPUT_NINPUTS] = {
	[CONN_HEAD] = {
		[INPUT_CLIENT_READ] = conn_head_read,
		[INPUT_CLIENT_EOF] = conn_head_eof,
		[INPUT_CLIENT_LOST] = conn_head_lost,
		[INPUT_DEADLINE] = conn_head_late,
		[INPUT_STOP] = conn_head_stop,
		[INPUT_CUT] = cut,
	},
	[CONN_RESOLVING] = {
		[INPUT_CLIENT_EOF] = note_eof,
		[INPUT_CLIENT_LOST] = client_gone,
		[INPUT_LOOKED_UP] = conn_looked_up,
		[INPUT_DEADLINE] = waiting_late,
		[INPUT_STOP] = refuse_stop,
		[INPUT_CUT] = cut,
	},
	[CONN_DIALING] = {
		[INPUT_CLIENT_EOF] = note_eof,
		[INPUT_CLIENT_LOST] = client_gone,
		[INPUT_DIALED] = conn_dialed,
		[INPUT_DEADLINE] = waiting_late,
		[INPUT_STOP] = refuse_stop,
		[INPUT_CUT] = cut,
	},
	[CONN_EXCHANGE] = {
		[INPUT_CLIENT_READ] = conn_pump_up,
		[INPUT_CLIENT_WRITTEN] = conn_pump_down,
		[INPUT_CLIENT_EOF] = conn_exchange_client_eof,
		[INPUT_CLIENT_LOST] = conn_exchange_client_lost,
		[INPUT_UPSTREAM_READ] = conn_pump_down,
		[INPUT_UPSTREAM_WRITTEN] = conn_pump_up,
		[INPUT_UPSTREAM_EOF] = conn_upstream_eof,
		[INPUT_UPSTREAM_LOST] = conn_upstream_lost,
		[INPUT_DEADLINE] = conn_exchange_deadline,
		[INPUT_STOP] = keep_no_more,
		[INPUT_CUT] = conn_exchange_cut,
	},
	[CONN_TUNNEL] = {
		[INPUT_RELAY_ENDED] = tunnel_ended,
		[INPUT_CUT] = tunnel_cut,
	},
	[CONN_SETTLING] = {
		[INPUT_CLIENT_READ] = conn_settle,
		[INPUT_CLIENT_WRITTEN] = conn_settle,
		[INPUT_CLIENT_EOF] = conn_settle_eof,
		[INPUT_CLIENT_LOST] = drain_gone,
		[INPUT_DEADLINE] = settle_late,
		[INPUT_STOP] = settle_stop,
		[INPUT_CUT] = drain_gone,
	},
	[CONN_DRAINING] = {
		[INPUT_CLIENT_READ] = discard,
		[INPUT_CLIENT_WRITTEN] = drain_written,
		[INPUT_CLIENT_EOF] = drain_eof,
		[INPUT_CLIENT_LOST] = drain_gone,
		[INPUT_DEADLINE] = drain_late,
		[INPUT_CUT] = drain_gone,
	},
};

void conn_step(struct conn *conn, enum conn_input input)
{
	handler_fn *handle = handler[conn->state][input];

	if (handle)
		handle(conn);
	if (conn->state == CONN_CLOSED)
		conn_free(conn);
}

static void client_read_cb(struct bufferevent *bev, void *arg)
{
	(void)bev;
	conn_step(arg, INPUT_CLIENT_READ);
}

static void client_write_cb(struct bufferevent *bev, void *arg)
{
	(void)bev;
	conn_step(arg, INPUT_CLIENT_WRITTEN);
}

static void client_event_cb(struct bufferevent *bev, short what, void *arg)
{
	(void)bev;
	conn_step(arg,
		  what & BEV_EVENT_EOF ? INPUT_CLIENT_EOF : INPUT_CLIENT_LOST);
}

static void deadline_cb(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	conn_step(arg, INPUT_DEADLINE);
}

/* ---- starting and stopping ---- */

static struct bufferevent *wrap_client(struct conn *conn, int fd)
{
	struct bufferevent *bev = bufferevent_socket_new(
		conn->context->base, fd,
		BEV_OPT_CLOSE_ON_FREE | BEV_OPT_DEFER_CALLBACKS);

	if (!bev)
		return NULL;
	bufferevent_setcb(bev, client_read_cb, client_write_cb, client_event_cb,
			  conn);
	bufferevent_setwatermark(bev, EV_READ, 0,
				 conn->context->conf->limits.head_bytes);
	return bev;
}

int conn_start(struct context *context, const struct conf_listener *listener,
	       int fd, const struct endpoint *from, struct error *err)
{
	struct conn *conn = calloc(1, sizeof(*conn));

	if (conn) {
		conn->context = context;
		conn->listener = listener;
		conn->judge = listener->judge;
		conn->session = context->session;
		conn->from_addr = from->addr;
		conn->id = ++context->conn_last;
		conn->began_ms = clock_monotonic_ms();
		conn->head_up = BUF_INIT(CONN_HEAD_UP_MAX);
		snprintf(conn->from, sizeof(conn->from), "%s",
			 endpoint_print(from).text);
		conn->deadline = evtimer_new(context->base, deadline_cb, conn);
		conn->client = conn->deadline ? wrap_client(conn, fd) : NULL;
	}
	if (!conn || !conn->client) {
		if (conn && conn->deadline)
			event_free(conn->deadline);
		free(conn);
		return error_set(err, "no memory for a connection");
	}
	TAILQ_INSERT_TAIL(&context->conns, conn, entry);
	context->conn_count++;
	conn_arm(conn);
	bufferevent_enable(conn->client, EV_READ | EV_WRITE);
	return 0;
}

void conn_shed(struct context *context, const struct conf_listener *listener,
	       int fd, const struct endpoint *from)
{
	struct addr_text client = endpoint_print(from);
	const struct audit_event event = {
		.kind = AUDIT_REFUSED,
		.cause = "too many connections",
		.status = 503,
		.client = client.text,
		.session = context->session,
		.policy = judge_name(listener->judge),
	};
	struct reply reply = { .status = 503,
			       .reason = "too many connections" };
	struct buf text = BUF_INIT(4096);
	struct error err;

	if (journal_write(context->journal, &event, &err) < 0)
		log_error("%s", err.text);
	reply_print(&reply, &text);
	/* best effort: a socket this new takes a few hundred bytes */
	if (send(fd, text.data, text.size, MSG_NOSIGNAL) < 0)
		log_debug("a connection too many went unanswered");
	buf_release(&text);
	fd_close(&fd);
}

static void step_all(struct context *context, enum conn_input input)
{
	struct conn *conn = TAILQ_FIRST(&context->conns);

	while (conn) {
		struct conn *next = TAILQ_NEXT(conn, entry);

		conn_step(conn, input);
		conn = next;
	}
}

void conn_stop_all(struct context *context)
{
	step_all(context, INPUT_STOP);
}

void conn_cut_all(struct context *context)
{
	step_all(context, INPUT_CUT);
}
