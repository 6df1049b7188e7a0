/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "probe/world_conn.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/queue.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/fd.h"

#include "probe/world_tls.h"

#define CHUNK     4096
#define STEPS_MAX 32 /* without going back to the loop */

enum conn_state {
	CONN_GREETING, /* TLS is being set up; nothing else moves */
	CONN_READING,  /* the input grows */
	CONN_WRITING,  /* the output goes out; nothing is read */
	CONN_DRAINING, /* our side is closed; what comes is thrown away */
	CONN_CLOSED,   /* freed by conn_step() before the loop resumes */
	CONN_NSTATES
};

static const unsigned char may_enter[CONN_NSTATES] = {
	[CONN_GREETING] = BIT(CONN_READING) | BIT(CONN_CLOSED),
	[CONN_READING] = BIT(CONN_WRITING) | BIT(CONN_CLOSED),
	[CONN_WRITING] =
		BIT(CONN_READING) | BIT(CONN_DRAINING) | BIT(CONN_CLOSED),
	[CONN_DRAINING] = BIT(CONN_CLOSED),
};
static_assert(CONN_NSTATES <= 8, "may_enter holds one bit per state");

struct conn {
	struct world_conns *conns;
	const struct world_service *service;
	enum conn_state state;
	int fd;
	struct world_session *session; /* NULL: plain */
	struct event *ready, *deadline;
	struct buf in, out;
	size_t sent; /* of out */
	bool last;   /* out ends the conversation */
	LIST_ENTRY(conn) entry;
};

struct world_conns {
	struct event_base *base;
	const struct world_context *context;
	size_t count;
	LIST_HEAD(, conn) list;
};

static void conn_free(struct conn *conn)
{
	LIST_REMOVE(conn, entry);
	conn->conns->count--;
	if (conn->ready)
		event_free(conn->ready);
	if (conn->deadline)
		event_free(conn->deadline);
	world_session_free(conn->session);
	fd_close(&conn->fd);
	buf_release(&conn->in);
	buf_release(&conn->out);
	free(conn);
}

static void conn_enter(struct conn *conn, enum conn_state next)
{
	if (!(may_enter[conn->state] & BIT(next)))
		bug("a connection cannot go from %d to %d", conn->state, next);
	conn->state = next;
}

/* ---- bytes in, bytes out ---- */

static enum world_io plain_outcome(ssize_t n)
{
	if (n > 0)
		return WORLD_IO_DONE;
	return n < 0 && errno == EINTR ? WORLD_IO_DONE : WORLD_IO_OVER;
}

static bool would_block(ssize_t n)
{
	return n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
}

static enum world_io plain_read(int fd, void *data, size_t room, size_t *size)
{
	ssize_t n = recv(fd, data, room, 0);

	*size = n > 0 ? (size_t)n : 0;
	return would_block(n) ? WORLD_IO_WANT_READ : plain_outcome(n);
}

static enum world_io plain_write(int fd, struct span data, size_t *size)
{
	ssize_t n = send(fd, data.data, data.size, MSG_NOSIGNAL);

	*size = n > 0 ? (size_t)n : 0;
	return would_block(n) ? WORLD_IO_WANT_WRITE : plain_outcome(n);
}

/* ---- states: each does one bounded thing ---- */

static enum world_io greet(struct conn *conn)
{
	enum world_io io = world_session_greet(conn->session);

	if (io == WORLD_IO_DONE)
		conn_enter(conn, CONN_READING);
	return io;
}

/* What is there may be whole already: DNS questions come one behind another. */
static enum world_io serve(struct conn *conn)
{
	const struct world_service *service = conn->service;
	enum world_next next = service->serve(
		conn->conns->context, service->tls, &conn->in, &conn->out);

	if (next == WORLD_READ_ON && conn->in.size < WORLD_INPUT_MAX)
		return WORLD_IO_WANT_READ;
	if (next == WORLD_READ_ON || next == WORLD_DROP ||
	    buf_failed(&conn->out))
		return WORLD_IO_OVER;
	conn->last = next == WORLD_REPLY_LAST;
	conn_enter(conn, CONN_WRITING);
	return WORLD_IO_DONE;
}

static enum world_io read_some(struct conn *conn)
{
	char chunk[CHUNK];
	size_t room = WORLD_INPUT_MAX - conn->in.size, size = 0;
	enum world_io io;

	io = serve(conn);
	if (io != WORLD_IO_WANT_READ)
		return io;
	if (room > sizeof(chunk))
		room = sizeof(chunk);
	io = conn->session
		     ? world_session_read(conn->session, chunk, room, &size)
		     : plain_read(conn->fd, chunk, room, &size);
	if (io == WORLD_IO_DONE)
		buf_add(&conn->in, (struct span){ chunk, size });
	return buf_failed(&conn->in) ? WORLD_IO_OVER : io;
}

static enum world_io write_some(struct conn *conn)
{
	struct span rest = span_skip(buf_span(&conn->out), conn->sent);
	size_t size = 0;
	enum world_io io;

	io = conn->session ? world_session_write(conn->session, rest, &size)
			   : plain_write(conn->fd, rest, &size);
	conn->sent += size;
	if (conn->sent < conn->out.size)
		return io;
	conn->sent = 0;
	buf_clear(&conn->out);
	if (!conn->last) {
		conn_enter(conn, CONN_READING);
		return WORLD_IO_DONE;
	}
	if (conn->session)
		world_session_finish(conn->session);
	shutdown(conn->fd, SHUT_WR);
	conn_enter(conn, CONN_DRAINING);
	return WORLD_IO_DONE;
}

/*
 * Closing with unread bytes would send a reset, which can overtake the answer.
 */
static enum world_io drain(struct conn *conn)
{
	char chunk[CHUNK];
	size_t size;

	return plain_read(conn->fd, chunk, sizeof(chunk), &size);
}

static enum world_io (*const handler[CONN_NSTATES])(struct conn *conn) = {
	[CONN_GREETING] = greet,
	[CONN_READING] = read_some,
	[CONN_WRITING] = write_some,
	[CONN_DRAINING] = drain,
};

/* ---- the loop's side ---- */

static void conn_step(struct conn *conn);

static void ready_cb(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	conn_step(arg);
}

static void deadline_cb(evutil_socket_t fd, short what, void *arg)
{
	struct conn *conn = arg;

	(void)fd;
	(void)what;
	conn_enter(conn, CONN_CLOSED);
	conn_step(conn);
}

/* Come back when the socket is ready, or, with DONE, after the others. */
static bool conn_await(struct conn *conn, enum world_io io)
{
	short what = io == WORLD_IO_WANT_WRITE ? EV_WRITE : EV_READ;

	if (io == WORLD_IO_DONE) {
		event_active(conn->ready, EV_READ, 0);
		return true;
	}
	event_del(conn->ready);
	return event_assign(conn->ready, conn->conns->base, conn->fd, what,
			    ready_cb, conn) == 0 &&
	       event_add(conn->ready, NULL) == 0;
}

/*
 * The only way into a live connection, and where it ends. Bounded, so that one
 * busy peer does not hold up the loop.
 */
static void conn_step(struct conn *conn)
{
	enum world_io io = WORLD_IO_DONE;

	for (int i = 0;
	     i < STEPS_MAX && io == WORLD_IO_DONE && conn->state != CONN_CLOSED;
	     i++)
		io = handler[conn->state](conn);
	if (conn->state != CONN_CLOSED &&
	    (io == WORLD_IO_OVER || !conn_await(conn, io)))
		conn_enter(conn, CONN_CLOSED);
	if (conn->state == CONN_CLOSED)
		conn_free(conn);
}

static bool conn_arm(struct conn *conn, const struct endpoint *to)
{
	static const struct timeval life = { .tv_sec = WORLD_CONN_SECONDS };
	struct world_conns *conns = conn->conns;

	conn->ready = event_new(conns->base, conn->fd, EV_READ, ready_cb, conn);
	conn->deadline = evtimer_new(conns->base, deadline_cb, conn);
	if (!conn->ready || !conn->deadline ||
	    evtimer_add(conn->deadline, &life) < 0)
		return false;
	if (!conn->service->tls)
		return true;
	conn->session =
		world_session_new(conns->context->tls, conn->fd, &to->addr);
	return conn->session != NULL;
}

void world_conns_add(struct world_conns *conns, int fd,
		     const struct endpoint *to,
		     const struct world_service *service)
{
	struct conn *conn = NULL;

	if (conns->count < WORLD_CONNS_MAX)
		conn = calloc(1, sizeof(*conn));
	if (!conn) {
		fd_close(&fd);
		return;
	}
	conn->conns = conns;
	conn->service = service;
	conn->state = service->tls ? CONN_GREETING : CONN_READING;
	conn->fd = fd;
	conn->in = BUF_INIT(WORLD_INPUT_MAX);
	conn->out = BUF_INIT(WORLD_OUTPUT_MAX);
	LIST_INSERT_HEAD(&conns->list, conn, entry);
	conns->count++;
	if (conn_arm(conn, to))
		conn_step(conn);
	else
		conn_free(conn);
}

struct world_conns *world_conns_new(struct event_base *base,
				    const struct world_context *context,
				    struct error *err)
{
	struct world_conns *conns = calloc(1, sizeof(*conns));

	if (!conns) {
		error_sys(err, "no memory for connections");
		return NULL;
	}
	conns->base = base;
	conns->context = context;
	LIST_INIT(&conns->list);
	return conns;
}

void world_conns_free(struct world_conns *conns)
{
	if (!conns)
		return;
	while (!LIST_EMPTY(&conns->list))
		conn_free(LIST_FIRST(&conns->list));
	free(conns);
}
