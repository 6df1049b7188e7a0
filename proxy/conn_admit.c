/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a parsed request to a connection: judge the name, resolve it once, vet
 * every address, dial exactly those. */
#include "config.h"

#include "proxy/conn_int.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/log.h"
#include "proxy/choice.h"
#include "proxy/credential.h"
#include "proxy/reply.h"

/* RFC 6761, 6.3: never asked of DNS, always loopback. */
static bool is_localhost(const struct hostname *host)
{
	static const struct hostname localhost = { 9, "localhost" };

	return hostname_equal(host, &localhost) ||
	       hostname_under(host, &localhost);
}

/* ---- whose policy ---- */

bool conn_choose(struct conn *conn, const struct fields *fields)
{
	struct credential credential = credential_read(fields);
	struct choice choice = choice_make(conn->context->conf, conn->listener,
					   &conn->from_addr, &credential);

	/* nothing stays of what an earlier request was chosen by */
	conn->judge = choice.judge ? choice.judge : conn->listener->judge;
	conn->session =
		choice.session ? choice.session : conn->context->session;
	if (choice.fault == CHOICE_OK)
		return true;
	conn_refuse(conn, 407, choice_fault_text(choice.fault));
	return false;
}

/* ---- dialing ---- */

static void dialed_cb(const struct dial_result *result, void *arg)
{
	struct conn *conn = arg;

	conn->dial = NULL;
	conn->dialed = result;
	conn_step(conn, INPUT_DIALED);
}

static void dial(struct conn *conn)
{
	struct error err;

	conn->dial = dial_start(conn->context->base, conn->vetted,
				conn->vetted_count, conn->target.port,
				conn->context->conf->limits.connect_ms,
				dialed_cb, conn, &err);
	if (conn->dial)
		conn_enter(conn, CONN_DIALING);
	else
		conn_refuse(conn, 503, "no memory");
}

/* Worst first; the reasons that vetting does not give are not in it. */
static const enum deny_reason by_weight[] = {
	DENY_METADATA,   DENY_LOOPBACK, DENY_OWN_ADDRESS,
	DENY_LINK_LOCAL, DENY_PRIVATE,  DENY_UNSPECIFIED,
	DENY_MULTICAST,  DENY_RESERVED, DENY_DOCUMENTATION,
};

static bool is_worse(enum deny_reason reason, enum deny_reason than)
{
	for (size_t i = 0; i < ARRAY_SIZE(by_weight); i++) {
		if (by_weight[i] == than)
			return false;
		if (by_weight[i] == reason)
			return true;
	}
	return than == DENY_NOT;
}

/*
 * Keep the addresses that may be dialed; where none may, the worst one's reason
 * is the request's, whatever order the answer came in.
 */
static void vet(struct conn *conn, const struct addr *addrs, size_t count)
{
	enum deny_reason worst = DENY_NOT;
	struct error err;

	if (own_addrs_refresh(conn->context->own, &err) < 0) {
		log_error("%s", err.text);
		conn_fail(conn, 503, "addresses cannot be vetted");
		return;
	}
	for (size_t i = 0; i < count; i++) {
		bool own = own_addrs_has(conn->context->own, &addrs[i]);
		enum deny_reason reason =
			judge_vet(conn->judge, &conn->decision, &addrs[i], own);

		if (reason == DENY_NOT) {
			if (conn->vetted_count < DIAL_ADDRS_MAX)
				conn->vetted[conn->vetted_count++] = addrs[i];
		} else if (is_worse(reason, worst)) {
			worst = reason;
			snprintf(conn->addr, sizeof(conn->addr), "%.45s",
				 addr_print(&addrs[i]).text);
		}
	}
	if (conn->vetted_count == 0) {
		conn_deny(conn, worst);
		return;
	}
	conn->addr[0] = '\0';
	dial(conn);
}

/* ---- resolving ---- */

static void looked_up_cb(const struct lookup_result *result, void *arg)
{
	struct conn *conn = arg;

	conn->lookup = NULL;
	conn->looked_up = result;
	conn_step(conn, INPUT_LOOKED_UP);
}

void conn_looked_up(struct conn *conn)
{
	const struct lookup_result *result = conn->looked_up;

	if (result->fault == LOOKUP_OK)
		vet(conn, result->addrs, result->count);
	else
		conn_fail(conn, result->fault == LOOKUP_TIMEOUT ? 504 : 502,
			  lookup_fault_text(result->fault));
}

static void resolve(struct conn *conn)
{
	struct error err;

	conn->lookup = lookup_start(conn->context->resolver, &conn->target.host,
				    looked_up_cb, conn, &err);
	if (conn->lookup)
		conn_enter(conn, CONN_RESOLVING);
	else
		conn_refuse(conn, 503, "no memory");
}

/* A name that is not allowed costs no query. */
void conn_admit(struct conn *conn)
{
	static const struct addr loopback[] = {
		{ 4, { 127, 0, 0, 1 } },
		{ 16, { [15] = 1 } },
	};

	conn->decision = judge_decide(conn->judge, &conn->target);
	if (conn->decision.verdict != VERDICT_ALLOW &&
	    !judge_reports(conn->judge))
		conn_deny(conn, conn->decision.reason);
	else if (conn->target.addr.size)
		vet(conn, &conn->target.addr, 1);
	else if (is_localhost(&conn->target.host))
		vet(conn, loopback, ARRAY_SIZE(loopback));
	else
		resolve(conn);
}

/* ---- connected ---- */

static void relay_done_cb(enum relay_end end, void *arg)
{
	struct conn *conn = arg;

	conn->relay_end = end;
	conn_step(conn, INPUT_RELAY_ENDED);
}

/* The sockets go to the relay, with the bytes that came behind the head. */
static bool start_relay(struct conn *conn, int fd)
{
	struct evbuffer *input = bufferevent_get_input(conn->client);
	size_t early = evbuffer_get_length(input);
	struct relay_setup setup = {
		.base = conn->context->base,
		.client = bufferevent_getfd(conn->client),
		.upstream = fd,
		.to_client = reply_connected,
		.to_upstream = { (const char *)evbuffer_pullup(input, -1),
				 early },
		.idle_ms = conn->context->conf->limits.idle_ms,
		.done = relay_done_cb,
		.arg = conn,
	};
	struct error err;

	bufferevent_disable(conn->client, EV_READ | EV_WRITE);
	conn->relay = relay_start(&setup, &err);
	if (!conn->relay) {
		log_error("%s", err.text);
		bufferevent_enable(conn->client, EV_READ | EV_WRITE);
		return false;
	}
	bufferevent_setfd(conn->client, -1);
	bufferevent_free(conn->client);
	conn->client = NULL;
	return true;
}

/* No byte of the client's has gone up; the record decides whether any does. */
static void open_tunnel(struct conn *conn, int fd)
{
	conn->status = 200;
	if (!conn_record_allow(conn)) {
		fd_close(&fd);
		conn_unrecorded(conn);
		return;
	}
	conn->open = true;
	if (start_relay(conn, fd)) {
		conn_enter(conn, CONN_TUNNEL);
		return;
	}
	fd_close(&fd);
	conn_refuse(conn, 503, "no memory");
}

static void dial_failed(struct conn *conn, int number)
{
	if (number == ETIMEDOUT)
		conn_fail(conn, 504, "connecting took too long");
	else if (number == ECONNREFUSED)
		conn_fail(conn, 502, "connection refused");
	else if (number == EMFILE || number == ENFILE || number == ENOMEM)
		conn_fail(conn, 503, "no resources to connect");
	else
		conn_fail(conn, 502, "unreachable");
}

void conn_dialed(struct conn *conn)
{
	const struct dial_result *result = conn->dialed;

	if (result->fd < 0) {
		dial_failed(conn, result->number);
		return;
	}
	snprintf(conn->addr, sizeof(conn->addr), "%.45s",
		 addr_print(&result->at.addr).text);
	if (conn->connect)
		open_tunnel(conn, result->fd);
	else
		conn_exchange_start(conn, result->fd);
}
