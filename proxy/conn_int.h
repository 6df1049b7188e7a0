/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CONN INT - the parts of a connection, for the files of its family:
 * conn.c (states, client, end), conn_head.c (one request after another),
 * conn_admit.c (judging, resolving, dialing), conn_exchange.c (one plain HTTP
 * exchange), conn_record.c (audit, replies). */
#ifndef PROXY_CONN_INT_H
#define PROXY_CONN_INT_H

#include <event2/buffer.h>
#include <event2/bufferevent.h>

#include "base/audit.h"
#include "base/buf.h"
#include "proxy/body.h"
#include "proxy/conn.h"
#include "proxy/dial.h"
#include "proxy/fields.h"
#include "proxy/head.h"
#include "proxy/relay.h"
#include "proxy/resolver.h"

#define CONN_BUFFER_MAX   65536 /* waiting in one direction of an exchange */
#define CONN_BUFFER_LOW   16384 /* below which more is taken in */
#define CONN_HEAD_UP_MAX  (4 * CONN_BUFFER_MAX)
#define CONN_INTERIMS_MAX 16      /* 1xx answers before the real one */
#define CONN_LINGER_MS    1000    /* for a client to read its last answer */
#define CONN_LINGER_BYTES 1048576 /* of a request, behind its answer */
#define CONN_FLUSH_MS     5000    /* in which a client must read something */

enum conn_state {
	CONN_HEAD = 0,  /* reading the request's head; no upstream */
	CONN_RESOLVING, /* name allowed, lookup in flight */
	CONN_DIALING,   /* addresses vetted, connects in flight */
	CONN_EXCHANGE,  /* plain HTTP, both sides in buffers */
	CONN_TUNNEL,    /* CONNECT, both sockets are the relay's */
	CONN_SETTLING,  /* answered; what is left of the request is dropped */
	CONN_DRAINING,  /* no upstream; the client reads its last bytes */
	CONN_CLOSED,    /* freed by conn_step() before the loop resumes */
	CONN_NSTATES
};

enum conn_input {
	INPUT_CLIENT_READ = 0,
	INPUT_CLIENT_WRITTEN, /* what waited for the client is little again */
	INPUT_CLIENT_EOF,
	INPUT_CLIENT_LOST,
	INPUT_LOOKED_UP,
	INPUT_DIALED,
	INPUT_UPSTREAM_READ,
	INPUT_UPSTREAM_WRITTEN,
	INPUT_UPSTREAM_EOF,
	INPUT_UPSTREAM_LOST,
	INPUT_RELAY_ENDED,
	INPUT_DEADLINE,
	INPUT_STOP, /* refuse what is not through yet */
	INPUT_CUT,  /* end now */
	INPUT_NINPUTS
};

struct conn {
	TAILQ_ENTRY(conn) entry;
	struct context *context;
	const struct conf_listener *listener;
	const struct judge *judge; /* the listener's, until one is chosen */
	const char *session;       /* NULL: none was named */
	uint64_t id;
	uint64_t began_ms;
	enum conn_state state;
	struct event *deadline;
	struct bufferevent *client; /* NULL once the relay has its socket */
	bool client_ended;          /* sent its end of file */
	struct addr from_addr;
	bool kept; /* a request was answered before */
	char from[ENDPOINT_TEXT_MAX];

	/*
	 * From here on all is one request's, and zero again for the next.
	 * What was asked for; empty until a head was read.
	 */
	size_t head_seen;
	bool head_begun; /* its first byte is there */
	bool keep;       /* another request may follow the answer */
	bool awaits_continue;
	struct target target;
	char method[METHOD_MAX + 1];
	bool connect;
	unsigned minor;
	char *path; /* for records, without the query */

	/* What became of it. */
	struct decision decision;
	struct addr vetted[DIAL_ADDRS_MAX];
	size_t vetted_count;
	char addr[ADDR_TEXT_MAX]; /* dialed, or refused */
	struct lookup *lookup;
	struct dial *dial;
	const struct lookup_result *looked_up; /* during INPUT_LOOKED_UP */
	const struct dial_result *dialed;      /* during INPUT_DIALED */
	int status;                            /* told to the client */
	bool open;                             /* a close record is owed */
	uint64_t bytes_up, bytes_down;

	/* CONN_TUNNEL */
	struct relay *relay;
	enum relay_end relay_end;

	/* CONN_EXCHANGE */
	struct bufferevent *upstream;
	bool upstream_ended;
	struct buf head_up; /* written anew, ready to be sent */
	struct body body_up, body_down;
	size_t response_seen;
	unsigned interims;
	bool reached;   /* an answer began: the allow record is written */
	bool answering; /* its final head went to the client */
	uint64_t active_ms;

	/* CONN_SETTLING, CONN_DRAINING */
	size_t drain_left, drained;
};

/* ---- conn.c ---- */

/* The only way into a live connection; the only caller of conn_free(). */
void conn_step(struct conn *conn, enum conn_input input) NONNULL(1);
void conn_enter(struct conn *conn, enum conn_state next) NONNULL(1);
void conn_deadline_in(struct conn *conn, uint64_t ms) NONNULL(1);
/* Set the deadline of the state that it is in. */
void conn_arm(struct conn *conn) NONNULL(1);
/* Close at once; cut: so that the client does not take it for an end. */
void conn_end(struct conn *conn, bool cut) NONNULL(1);

/* ---- conn_head.c ---- */

void conn_head_read(struct conn *conn) NONNULL(1);
void conn_head_eof(struct conn *conn) NONNULL(1);
void conn_head_lost(struct conn *conn) NONNULL(1);
void conn_head_late(struct conn *conn) NONNULL(1);
void conn_head_stop(struct conn *conn) NONNULL(1);
/* Before an answer's head: say in it whether the connection may stay. */
void conn_decide_keep(struct conn *conn) NONNULL(1);
/* The answer is in the client's buffer: settle, or drain and close. */
void conn_answered(struct conn *conn) NONNULL(1);
void conn_settle(struct conn *conn) NONNULL(1);
void conn_settle_eof(struct conn *conn) NONNULL(1);

/* ---- conn_admit.c ---- */

/* By the credential and who the client is; false: refused, with 407. */
MUST_CHECK bool conn_choose(struct conn *conn, const struct fields *fields)
	NONNULL(1, 2);
void conn_admit(struct conn *conn) NONNULL(1);
void conn_looked_up(struct conn *conn) NONNULL(1);
void conn_dialed(struct conn *conn) NONNULL(1);

/* ---- conn_exchange.c ---- */

/* The first contiguous run of an input; no data: no memory. */
struct span conn_first_run(struct evbuffer *from) NONNULL(1);
/* Takes fd, also on failure. */
void conn_exchange_start(struct conn *conn, int fd) NONNULL(1);
void conn_pump_up(struct conn *conn) NONNULL(1);
void conn_pump_down(struct conn *conn) NONNULL(1);
void conn_upstream_eof(struct conn *conn) NONNULL(1);
void conn_upstream_lost(struct conn *conn) NONNULL(1);
void conn_exchange_client_eof(struct conn *conn) NONNULL(1);
void conn_exchange_client_lost(struct conn *conn) NONNULL(1);
void conn_exchange_deadline(struct conn *conn) NONNULL(1);
void conn_exchange_cut(struct conn *conn) NONNULL(1);

/* ---- conn_record.c ---- */

/* False: it is not in the log, and nothing may be acted on. */
MUST_CHECK bool conn_record_allow(struct conn *conn) NONNULL(1);
MUST_CHECK bool conn_record_request(struct conn *conn) NONNULL(1);
/* The end of a tunnel or an exchange; once. */
void conn_record_close(struct conn *conn, const char *cause) NONNULL(1, 2);

/*
 * Record why nothing goes on, tell the client and drain. Where the record
 * cannot be written the client hears 503 and no reason.
 */
void conn_deny(struct conn *conn, enum deny_reason reason) NONNULL(1);
void conn_refuse(struct conn *conn, int status, const char *cause)
	NONNULL(1, 3);
void conn_fail(struct conn *conn, int status, const char *cause) NONNULL(1, 3);
/* 503 after a record that was not written. */
void conn_unrecorded(struct conn *conn) NONNULL(1);
/* A record without a reply: the client has gone. */
void conn_record_gone(struct conn *conn, const char *cause) NONNULL(1, 2);

#endif
