/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One plain HTTP exchange. Both bodies are freed of their framing and framed
 * anew; neither side ever sees the other's framing bytes. */
#include "config.h"

#include "proxy/conn_int.h"

#include <inttypes.h>
#include <string.h>

#include "base/clock.h"
#include "base/fd.h"
#include "base/log.h"
#include "proxy/response.h"

static struct evbuffer *input_of(struct bufferevent *bev)
{
	return bufferevent_get_input(bev);
}

static struct evbuffer *output_of(struct bufferevent *bev)
{
	return bufferevent_get_output(bev);
}

static void note_activity(struct conn *conn)
{
	conn->active_ms = clock_monotonic_ms();
}

/* ---- ways to end ---- */

/* Everything was delivered: let the client have it. */
static void finish(struct conn *conn, const char *cause)
{
	conn_record_close(conn, cause);
	conn_answered(conn);
}

/* Too late for a status: the client must not take this for a whole answer. */
static void break_off(struct conn *conn, const char *cause)
{
	conn_record_close(conn, cause);
	conn_end(conn, true);
}

static void fail(struct conn *conn, int status, const char *cause)
{
	if (conn->answering)
		break_off(conn, cause);
	else
		conn_fail(conn, status, cause);
}

static void fail_client(struct conn *conn, int status, const char *cause)
{
	if (conn->answering)
		break_off(conn, cause);
	else
		conn_refuse(conn, status, cause);
}

/* ---- one run of a body ---- */

static bool put(struct evbuffer *to, const void *data, size_t size)
{
	return evbuffer_add(to, data, size) == 0;
}

static bool put_payload(struct evbuffer *to, struct span data, bool chunked)
{
	if (data.size == 0)
		return true;
	if (!chunked)
		return put(to, data.data, data.size);
	return evbuffer_add_printf(to, "%zx\r\n", data.size) > 0 &&
	       put(to, data.data, data.size) && put(to, "\r\n", 2);
}

struct span conn_first_run(struct evbuffer *from)
{
	size_t size = evbuffer_get_contiguous_space(from);

	return (struct span){
		(const char *)evbuffer_pullup(from, (ev_ssize_t)size), size
	};
}

enum move {
	MOVE_WAIT,  /* for bytes, or for room */
	MOVE_ENDED, /* the body is through, with its last chunk */
	MOVE_BROKEN,
	MOVE_NO_MEMORY,
};

static enum move move_body(struct body *body, struct evbuffer *from,
			   struct evbuffer *to, bool chunked, uint64_t *bytes)
{
	if (body->ended)
		return MOVE_ENDED;
	while (evbuffer_get_length(from) > 0 &&
	       evbuffer_get_length(to) < CONN_BUFFER_MAX) {
		struct span run = conn_first_run(from);
		struct body_step step;

		if (!run.data)
			return MOVE_NO_MEMORY;
		step = body_take(body, run);
		if (step.verdict == BODY_BROKEN)
			return MOVE_BROKEN;
		if (!put_payload(to, step.data, chunked))
			return MOVE_NO_MEMORY;
		*bytes += step.data.size;
		evbuffer_drain(from, step.taken);
		if (step.verdict != BODY_ENDED)
			continue;
		if (chunked && !put(to, "0\r\n\r\n", 5))
			return MOVE_NO_MEMORY;
		return MOVE_ENDED;
	}
	return MOVE_WAIT;
}

/* ---- up ---- */

void conn_pump_up(struct conn *conn)
{
	bool chunked = conn->body_up.kind == BODY_CHUNKED;

	if (conn->body_up.ended)
		return; /* what follows waits for its turn */
	note_activity(conn);
	switch (move_body(&conn->body_up, input_of(conn->client),
			  output_of(conn->upstream), chunked,
			  &conn->bytes_up)) {
	case MOVE_BROKEN:
		fail_client(conn, 400, "the request's body is malformed");
		break;
	case MOVE_NO_MEMORY:
		fail_client(conn, 503, "no memory");
		break;
	case MOVE_WAIT:
		if (conn->client_ended &&
		    evbuffer_get_length(input_of(conn->client)) == 0)
			fail_client(conn, 400,
				    "the request's body is incomplete");
		break;
	case MOVE_ENDED:
		break;
	}
}

void conn_exchange_client_eof(struct conn *conn)
{
	conn->client_ended = true;
	conn_pump_up(conn);
}

void conn_exchange_client_lost(struct conn *conn)
{
	break_off(conn, "client lost");
}

/* ---- down: heads ---- */

static bool may_chunk(const struct conn *conn)
{
	return conn->minor >= 1;
}

static bool print_down(struct conn *conn, const struct response *response)
{
	struct buf head = BUF_INIT(CONN_HEAD_UP_MAX);
	bool ok;

	response_print(response, may_chunk(conn), conn->keep, &head);
	ok = !buf_failed(&head) &&
	     bufferevent_write(conn->client, head.data, head.size) == 0;
	buf_release(&head);
	return ok;
}

/* RFC 9110, 15.2: HTTP/1.0 knows no interim answers. */
static void take_interim(struct conn *conn, const struct response *response)
{
	if (++conn->interims > CONN_INTERIMS_MAX) {
		fail(conn, 502, "too many interim answers");
		return;
	}
	if (!may_chunk(conn))
		return;
	conn->awaits_continue &= response->status != 100;
	if (!print_down(conn, response))
		fail(conn, 503, "no memory");
}

static void take_final(struct conn *conn, const struct response *response)
{
	conn->answering = true;
	conn_decide_keep(conn);
	if (!print_down(conn, response)) {
		break_off(conn, "no memory");
		return;
	}
	body_init(&conn->body_down, &response->framing);
}

/* The upstream was really reached: that is what an allow record says. */
static void take_response(struct conn *conn, const struct response *response)
{
	if (!response_is_interim(response))
		conn->status = (int)response->status;
	if (!conn->reached) {
		if (!conn_record_allow(conn)) {
			conn_unrecorded(conn);
			return;
		}
		conn->reached = true;
	}
	if (response_is_interim(response))
		take_interim(conn, response);
	else
		take_final(conn, response);
}

/* True where a head was taken, so that there may be more to take. */
static bool read_response(struct conn *conn)
{
	struct evbuffer *input = input_of(conn->upstream);
	size_t size = evbuffer_get_length(input), end;
	const char *data = (const char *)evbuffer_pullup(input, -1);
	const struct conf_limits *limits = &conn->context->conf->limits;
	struct response response;
	enum head_fault fault;

	if (size == 0 || !data)
		return false;
	fault = head_scan((struct span){ data, size }, &conn->response_seen,
			  &end);
	if (fault == HEAD_OK && end == 0 && size < limits->head_bytes)
		return false;
	if (fault == HEAD_OK)
		fault = end ? response_parse((struct span){ data, end },
					     limits->headers,
					     strcmp(conn->method, "HEAD") == 0,
					     &response)
			    : HEAD_TOO_LARGE;
	if (fault != HEAD_OK) {
		log_info("conn=%" PRIu64 " malformed answer: %s", conn->id,
			 head_fault_text(fault));
		fail(conn, 502, "the answer is malformed");
		return false;
	}
	take_response(conn, &response);
	if (conn->state != CONN_EXCHANGE)
		return false;
	evbuffer_drain(input, end);
	conn->response_seen = 0;
	return true;
}

/* ---- down: the body ---- */

static bool chunked_down(const struct conn *conn)
{
	return may_chunk(conn) && (conn->body_down.kind == BODY_CHUNKED ||
				   conn->body_down.kind == BODY_UNTIL_CLOSE);
}

/* The end of the connection was the body's: in chunks it must be said. */
static void end_body_down(struct conn *conn)
{
	if (!body_may_stop(&conn->body_down))
		break_off(conn, "the answer's body is incomplete");
	else if (chunked_down(conn) &&
		 !put(output_of(conn->client), "0\r\n\r\n", 5))
		break_off(conn, "no memory");
	else
		finish(conn, "upstream closed");
}

static void pump_body_down(struct conn *conn)
{
	bool chunked = chunked_down(conn);

	switch (move_body(&conn->body_down, input_of(conn->upstream),
			  output_of(conn->client), chunked,
			  &conn->bytes_down)) {
	case MOVE_BROKEN:
		break_off(conn, "the answer's body is malformed");
		break;
	case MOVE_NO_MEMORY:
		break_off(conn, "no memory");
		break;
	case MOVE_ENDED:
		finish(conn, "complete");
		break;
	case MOVE_WAIT:
		if (conn->upstream_ended &&
		    evbuffer_get_length(input_of(conn->upstream)) == 0)
			end_body_down(conn);
		break;
	}
}

void conn_pump_down(struct conn *conn)
{
	note_activity(conn);
	while (!conn->answering && read_response(conn))
		;
	if (conn->state != CONN_EXCHANGE)
		return;
	if (conn->answering)
		pump_body_down(conn);
	else if (conn->upstream_ended)
		fail(conn, 502, "upstream closed without an answer");
}

void conn_upstream_eof(struct conn *conn)
{
	conn->upstream_ended = true;
	conn_pump_down(conn);
}

/* What it said before counts: an early answer to an upload looks like this. */
void conn_upstream_lost(struct conn *conn)
{
	conn_pump_down(conn);
	if (conn->state == CONN_EXCHANGE)
		fail(conn, 502, "upstream lost");
}

/* ---- time ---- */

/* Is it the client that everybody waits for? */
static bool waits_for_client(const struct conn *conn)
{
	return !conn->body_up.ended &&
	       evbuffer_get_length(output_of(conn->upstream)) == 0;
}

void conn_exchange_deadline(struct conn *conn)
{
	const struct conf_limits *limits = &conn->context->conf->limits;
	uint64_t limit =
		conn->answering ? limits->idle_ms : limits->first_byte_ms;
	uint64_t quiet = clock_monotonic_ms() - conn->active_ms;

	if (quiet < limit)
		conn_deadline_in(conn, limit - quiet);
	else if (waits_for_client(conn))
		fail_client(conn, 408, "the request's body took too long");
	else
		fail(conn, 504, "upstream is silent");
}

void conn_exchange_cut(struct conn *conn)
{
	break_off(conn, "shutdown");
}

/* ---- starting ---- */

static void upstream_read_cb(struct bufferevent *bev, void *arg)
{
	(void)bev;
	conn_step(arg, INPUT_UPSTREAM_READ);
}

static void upstream_write_cb(struct bufferevent *bev, void *arg)
{
	(void)bev;
	conn_step(arg, INPUT_UPSTREAM_WRITTEN);
}

/*
 * A refused write is not the end: an origin may answer an upload early and
 * close, and its answer is still to be read. Reading ends in its own way.
 */
static void upstream_event_cb(struct bufferevent *bev, short what, void *arg)
{
	(void)bev;
	if (what & BEV_EVENT_WRITING)
		return;
	conn_step(arg, what & BEV_EVENT_EOF ? INPUT_UPSTREAM_EOF
					    : INPUT_UPSTREAM_LOST);
}

static bool wrap_upstream(struct conn *conn, int fd)
{
	conn->upstream = bufferevent_socket_new(
		conn->context->base, fd,
		BEV_OPT_CLOSE_ON_FREE | BEV_OPT_DEFER_CALLBACKS);
	if (!conn->upstream) {
		fd_close(&fd);
		return false;
	}
	/* not before its record */
	bufferevent_disable(conn->upstream, EV_WRITE);
	bufferevent_setcb(conn->upstream, upstream_read_cb, upstream_write_cb,
			  upstream_event_cb, conn);
	bufferevent_setwatermark(conn->upstream, EV_READ, 0, CONN_BUFFER_MAX);
	bufferevent_setwatermark(conn->upstream, EV_WRITE, CONN_BUFFER_LOW, 0);
	bufferevent_setwatermark(conn->client, EV_READ, 0, CONN_BUFFER_MAX);
	bufferevent_setwatermark(conn->client, EV_WRITE, CONN_BUFFER_LOW, 0);
	return true;
}

/* The record comes before the first byte; nothing has gone up yet. */
static void open_upstream(struct conn *conn)
{
	if (!conn_record_request(conn)) {
		conn_unrecorded(conn);
		return;
	}
	conn->open = true;
	bufferevent_enable(conn->upstream, EV_READ | EV_WRITE);
}

/*
 * What has come of the body is read first, so that a malformed one leaves no
 * record of a request that was never sent.
 */
void conn_exchange_start(struct conn *conn, int fd)
{
	if (!wrap_upstream(conn, fd)) {
		conn_refuse(conn, 503, "no memory");
		return;
	}
	if (bufferevent_write(conn->upstream, conn->head_up.data,
			      conn->head_up.size) < 0) {
		conn_refuse(conn, 503, "no memory");
		return;
	}
	buf_release(&conn->head_up);
	conn_enter(conn, CONN_EXCHANGE);
	conn_pump_up(conn);
	if (conn->state == CONN_EXCHANGE)
		open_upstream(conn);
}
