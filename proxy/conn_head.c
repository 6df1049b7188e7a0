/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From bytes to a request, and from an answered request to the next one. Each
 * is read, judged and recorded as if it were alone; nothing of one is left when
 * the next one's head is looked at. */
#include "config.h"

#include "proxy/conn_int.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"

static struct evbuffer *input_of(const struct conn *conn)
{
	return bufferevent_get_input(conn->client);
}

static bool said_nothing(const struct conn *conn)
{
	return evbuffer_get_length(input_of(conn)) == 0;
}

/* ---- reading the head ---- */

/* For records: a copy that outlives the input. */
static void keep_request(struct conn *conn, const struct head *head)
{
	size_t size = head->method.size;

	memcpy(conn->method, head->method.size ? head->method.data : "", size);
	conn->method[size] = '\0';
	conn->target = head->target;
	conn->connect = head->connect;
	conn->minor = head->minor;
}

/*
 * What follows a CONNECT was meant for its tunnel, and HTTP/1.0 ends with its
 * answer: the next request is only looked for behind a plain 1.1 one.
 */
static void prepare_exchange(struct conn *conn, const struct head *head)
{
	conn->path = head->path.size ? strndup(head->path.data, head->path.size)
				     : strdup("/");
	conn->keep = head->minor >= 1 &&
		     !nominated_has(&head->nominated, SPAN("close"));
	conn->awaits_continue = head->expects_continue;
	head_print(head, &conn->head_up);
	body_init(&conn->body_up, &head->framing);
}

static void take_head(struct conn *conn, struct span bytes)
{
	struct head head;
	enum head_fault fault =
		head_parse(bytes, conn->context->conf->limits.headers, &head);

	keep_request(conn, &head);
	if (fault != HEAD_OK) {
		conn_refuse(conn, head_fault_status(fault),
			    head_fault_text(fault));
		return;
	}
	if (!conn_choose(conn, &head.fields))
		return;
	if (!head.connect)
		prepare_exchange(conn, &head);
	if (buf_failed(&conn->head_up) || (!head.connect && !conn->path)) {
		conn_refuse(conn, 503, "no memory");
		return;
	}
	evbuffer_drain(input_of(conn), bytes.size);
	conn_admit(conn);
}

/* The clock of a request runs from its first byte. */
static void begin_head(struct conn *conn)
{
	if (conn->head_begun)
		return;
	conn->head_begun = true;
	if (conn->kept)
		conn->began_ms = clock_monotonic_ms();
	conn_arm(conn);
}

/* Several requests may be waiting: only the limit's worth is looked at. */
static struct span head_bytes(const struct conn *conn)
{
	size_t size = evbuffer_get_length(input_of(conn));
	size_t most = conn->context->conf->limits.head_bytes;

	if (size > most)
		size = most;
	return (struct span){ (const char *)evbuffer_pullup(input_of(conn),
							    (ev_ssize_t)size),
			      size };
}

void conn_head_read(struct conn *conn)
{
	struct span bytes = head_bytes(conn);
	enum head_fault fault;
	size_t end;

	if (bytes.size == 0 || !bytes.data)
		return;
	begin_head(conn);
	fault = head_scan(bytes, &conn->head_seen, &end);
	if (fault == HEAD_OK && end > 0) {
		take_head(conn, span_head(bytes, end));
		return;
	}
	if (fault == HEAD_OK &&
	    bytes.size == conn->context->conf->limits.head_bytes)
		fault = HEAD_TOO_LARGE;
	if (fault != HEAD_OK)
		conn_refuse(conn, head_fault_status(fault),
			    head_fault_text(fault));
	else if (conn->client_ended)
		conn_refuse(conn, 400, "the head is incomplete");
}

/*
 * A connection without a word leaves no record; whole requests may still be
 * waiting in one that has ended.
 */
void conn_head_eof(struct conn *conn)
{
	conn->client_ended = true;
	if (said_nothing(conn))
		conn_end(conn, false);
	else
		conn_head_read(conn);
}

void conn_head_lost(struct conn *conn)
{
	if (!said_nothing(conn))
		conn_record_gone(conn, "client lost");
	conn_end(conn, false);
}

void conn_head_late(struct conn *conn)
{
	if (said_nothing(conn))
		conn_end(conn, false);
	else
		conn_refuse(conn, 408, "the head took too long");
}

void conn_head_stop(struct conn *conn)
{
	if (said_nothing(conn))
		conn_end(conn, false);
	else
		conn_refuse(conn, 503, "shutdown");
}

/* ---- behind an answer ---- */

/*
 * May another request follow this answer? Only where it is sure where this one
 * ends: a client that waits for 100 sends its body or does not (RFC 9110,
 * 10.1.1), and what is left of it must be little enough to be read and dropped.
 */
void conn_decide_keep(struct conn *conn)
{
	const struct body *body = &conn->body_up;

	if (body->ended)
		return;
	if (conn->awaits_continue ||
	    (body->kind == BODY_LENGTH && body->left > CONN_LINGER_BYTES))
		conn->keep = false;
}

void conn_answered(struct conn *conn)
{
	conn_enter(conn, conn->keep ? CONN_SETTLING : CONN_DRAINING);
}

/* False: its end cannot be found, or not soon enough. */
static bool drop_body(struct conn *conn)
{
	struct evbuffer *input = input_of(conn);

	while (!conn->body_up.ended && evbuffer_get_length(input) > 0) {
		struct span run = conn_first_run(input);
		struct body_step step;

		if (!run.data)
			return false;
		step = body_take(&conn->body_up, run);
		if (step.verdict == BODY_BROKEN)
			return false;
		evbuffer_drain(input, step.taken);
		conn->drained += step.taken;
		if (conn->drained > CONN_LINGER_BYTES)
			return false;
	}
	return conn->body_up.ended || !conn->client_ended;
}

/*
 * The next head is looked at from the loop, not from here: a client may have
 * sent a thousand requests at once.
 */
static void next_request(struct conn *conn)
{
	free(conn->path);
	buf_release(&conn->head_up);
	memset((char *)conn + offsetof(struct conn, head_seen), 0,
	       sizeof(*conn) - offsetof(struct conn, head_seen));
	conn->head_up = BUF_INIT(CONN_HEAD_UP_MAX);
	conn->kept = true;
	bufferevent_setwatermark(conn->client, EV_READ, 0,
				 conn->context->conf->limits.head_bytes);
	conn_enter(conn, CONN_HEAD);
	if (!said_nothing(conn))
		bufferevent_trigger(conn->client, EV_READ,
				    BEV_TRIG_DEFER_CALLBACKS);
}

/* Done when the request is over and its answer is with the client. */
void conn_settle(struct conn *conn)
{
	if (!drop_body(conn)) {
		conn_enter(conn, CONN_DRAINING);
		return;
	}
	if (!conn->body_up.ended ||
	    evbuffer_get_length(bufferevent_get_output(conn->client)) > 0)
		return;
	if (conn->client_ended && said_nothing(conn))
		conn_end(conn, false);
	else
		next_request(conn);
}

void conn_settle_eof(struct conn *conn)
{
	conn->client_ended = true;
	conn_settle(conn);
}
