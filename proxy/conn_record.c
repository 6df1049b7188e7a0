/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "proxy/conn_int.h"

#include <inttypes.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "proxy/reply.h"

/* What the request was about, as far as it is known. */
static struct audit_event about(const struct conn *conn, enum audit_kind kind)
{
	struct audit_event event = {
		.kind = kind,
		.host = conn->target.host.size ? conn->target.host.name : NULL,
		.port = conn->target.port,
		.method = conn->method[0] ? conn->method : NULL,
		.addr = conn->addr[0] ? conn->addr : NULL,
		.client = conn->from,
		.session = conn->session,
		.policy = judge_name(conn->judge),
		.status = conn->status,
		.conn = conn->id,
	};

	if (conn->path)
		event.path = span_of(conn->path);
	if (conn->method[0])
		event.via = conn->connect ? "connect" : "http";
	if (conn->decision.rule) {
		event.rule = conn->decision.rule->text;
		event.origin = conn->decision.rule->origin;
	}
	return event;
}

/* A literal's text is made for the moment of the record. */
static bool put(struct conn *conn, struct audit_event *event)
{
	struct addr_text literal = target_print_addr(&conn->target);
	struct error err;

	if (!event->host && conn->target.addr.size)
		event->host = literal.text;
	if (journal_write(conn->context->journal, event, &err) == 0)
		return true;
	log_error("conn=%" PRIu64 " %s record: %s", conn->id,
		  audit_kind_name(event->kind), err.text);
	return false;
}

bool conn_record_allow(struct conn *conn)
{
	struct audit_event event = about(conn, AUDIT_DECISION);

	event.decision = "allow";
	event.reason = deny_reason_text(conn->decision.reason);
	if (conn->decision.verdict != VERDICT_ALLOW)
		event.would = "deny"; /* the policy only reports */
	return put(conn, &event);
}

bool conn_record_request(struct conn *conn)
{
	struct audit_event event = about(conn, AUDIT_REQUEST);

	return put(conn, &event);
}

void conn_record_close(struct conn *conn, const char *cause)
{
	struct audit_event event = about(conn, AUDIT_CLOSE);

	if (!conn->open)
		return;
	conn->open = false;
	event.cause = cause;
	event.bytes_up = conn->bytes_up;
	event.bytes_down = conn->bytes_down;
	event.duration_ms = clock_monotonic_ms() - conn->began_ms;
	/* on failure the gap record tells of it; nothing is left to refuse */
	put(conn, &event);
}

void conn_record_gone(struct conn *conn, const char *cause)
{
	struct audit_event event = about(conn, AUDIT_REFUSED);

	event.cause = cause;
	put(conn, &event);
}

/* ---- records with a reply ---- */

static void tell(struct conn *conn, const char *reason, const char *incident)
{
	struct addr_text literal = target_print_addr(&conn->target);
	struct buf text = BUF_INIT(16384);
	struct reply reply = {
		.status = conn->status,
		.host = conn->target.host.size   ? conn->target.host.name
			: conn->target.addr.size ? literal.text
						 : NULL,
		.port = conn->target.port,
		.reason = reason,
		.rule = conn->decision.rule ? conn->decision.rule->text : NULL,
		.incident = incident,
		.to_head = strcmp(conn->method, "HEAD") == 0,
	};

	conn_decide_keep(conn);
	reply.keep = conn->keep;
	reply_print(&reply, &text);
	if (bufferevent_write(conn->client, text.data, text.size) < 0)
		log_error("conn=%" PRIu64 " no memory for a reply", conn->id);
	buf_release(&text);
	conn_answered(conn);
}

void conn_unrecorded(struct conn *conn)
{
	conn->status = 503;
	conn->keep = false;
	conn_record_close(conn, "audit log");
	tell(conn, "the audit log cannot be written", NULL);
}

static void conclude(struct conn *conn, enum audit_kind kind, int status,
		     const char *decision, const char *reason)
{
	char incident[AUDIT_INCIDENT_MAX];
	struct audit_event event;

	conn->status = status;
	journal_incident(conn->context->journal, incident);
	event = about(conn, kind);
	event.decision = decision;
	event.reason = reason;
	event.cause = reason;
	event.incident = incident;
	if (!put(conn, &event)) {
		conn_unrecorded(conn);
		return;
	}
	conn_record_close(conn, reason);
	tell(conn, reason, incident);
}

void conn_deny(struct conn *conn, enum deny_reason reason)
{
	conclude(conn, AUDIT_DECISION, 403, "deny", deny_reason_text(reason));
}

/* Malformed, too much, too late, too long: where it ends is not known. */
void conn_refuse(struct conn *conn, int status, const char *cause)
{
	conn->keep = false;
	conclude(conn, AUDIT_REFUSED, status, NULL, cause);
}

void conn_fail(struct conn *conn, int status, const char *cause)
{
	conclude(conn, AUDIT_ERROR, status, NULL, cause);
}
