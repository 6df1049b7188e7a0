/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A whole connection, between a client and origins that may say anything: the
 * first two bytes are the size of what the client says, the rest is what every
 * origin says. Sockets, log, DNS and dialing are replaced by what is in here.
 * It always ends; the requests are those that a plain reader finds, each with
 * one reply; and nothing reaches an origin but one well-formed request that has
 * a record. */
#include "config.h"

#include "tests/fuzz/fuzz.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/buf.h"
#include "proxy/body.h"
#include "proxy/conn.h"
#include "proxy/dial.h"
#include "proxy/head.h"
#include "proxy/response.h"

#define BYTES_MAX 32768 /* a socket's buffer takes it at once */
#define TURNS_MAX 1000000
#define ASKED_MAX 4096
#define PATH_KEPT 64
#define HEAD_MOST 16384 /* as limits.head_bytes */
#define ROOM      (16u << 20)

/* A request, as the log or as a plain reader has it. */
struct asked {
	bool to_head;
	char path[PATH_KEPT];
};

static struct {
	struct proxy_conf *conf;
	struct context context;
	struct span says; /* every origin */
	/* one origin at a time, and all that it got */
	int origin;
	struct buf got;
	/* what the log says: who is owed a reply, and which is to a HEAD */
	size_t asked, requests;
	struct asked list[ASKED_MAX];
	bool open;      /* a request went up and is not closed */
	bool concluded; /* and has its reply */
	bool cut, tunneled;
} f;

/* ---- in the log's place ---- */

static struct asked asked_for(struct span method, struct span path)
{
	struct asked asked = { .to_head = span_equal(method, SPAN("HEAD")) };

	if (path.size >= PATH_KEPT)
		path.size = PATH_KEPT - 1;
	if (path.size > 0)
		memcpy(asked.path, path.data, path.size);
	return asked;
}

static void ask(const struct audit_event *event)
{
	MUST(f.asked < ASKED_MAX);
	f.list[f.asked++] = asked_for(
		span_of(event->method ? event->method : ""), event->path);
}

static void conclude(const struct audit_event *event)
{
	if (!f.open)
		ask(event);
	f.concluded = true;
}

static void note_request(const struct audit_event *event)
{
	MUST(!f.open && !f.tunneled);
	ask(event);
	f.requests++;
	f.open = true;
	f.concluded = false;
}

static void note_decision(const struct audit_event *event)
{
	if (strcmp(event->decision, "deny") == 0)
		conclude(event);
	else if (strcmp(event->via, "connect") == 0)
		f.tunneled = true;
	else
		MUST(f.open && !f.concluded);
}

static void note_close(const struct audit_event *event)
{
	MUST(f.open || f.tunneled);
	if (!f.concluded && strcmp(event->cause, "complete") != 0 &&
	    strcmp(event->cause, "upstream closed") != 0)
		f.cut = true;
	f.open = false;
}

static void (*const note[AUDIT_NKINDS])(const struct audit_event *) = {
	[AUDIT_REQUEST] = note_request, [AUDIT_DECISION] = note_decision,
	[AUDIT_REFUSED] = conclude,     [AUDIT_ERROR] = conclude,
	[AUDIT_CLOSE] = note_close,
};

int journal_write(struct journal *journal, const struct audit_event *event,
		  struct error *err)
{
	(void)journal;
	(void)err;
	MUST(note[event->kind]);
	note[event->kind](event);
	return 0;
}

void journal_incident(struct journal *journal, char out[AUDIT_INCIDENT_MAX])
{
	(void)journal;
	snprintf(out, AUDIT_INCIDENT_MAX, "i-0");
}

/* ---- in the place of DNS, of this host, and of the network ---- */

int own_addrs_refresh(struct own_addrs *own, struct error *err)
{
	(void)own;
	(void)err;
	return 0;
}

bool own_addrs_has(const struct own_addrs *own, const struct addr *addr)
{
	(void)own;
	(void)addr;
	return false;
}

/* Both answer from the loop, and can be cancelled. */
struct later {
	struct event *event;
	void *arg;
	lookup_done_fn *looked_up;
	dial_done_fn *dialed;
};

static struct later later;

static void later_cancel(void)
{
	event_free(later.event);
	later.event = NULL;
}

static void later_start(event_callback_fn cb, void *arg)
{
	MUST(!later.event);
	later.event = event_new(f.context.base, -1, 0, cb, NULL);
	MUST(later.event);
	later.arg = arg;
	event_active(later.event, EV_TIMEOUT, 0);
}

static void lookup_cb(evutil_socket_t fd, short what, void *arg)
{
	static const struct addr addr = { 4, { 1, 1, 1, 1 } };
	const struct lookup_result result = { LOOKUP_OK, &addr, 1 };

	(void)fd;
	(void)what;
	(void)arg;
	later_cancel();
	later.looked_up(&result, later.arg);
}

const char *lookup_fault_text(enum lookup_fault fault)
{
	(void)fault;
	return "";
}

struct lookup *lookup_start(struct resolver *resolver,
			    const struct hostname *host, lookup_done_fn *done,
			    void *arg, struct error *err)
{
	(void)resolver;
	(void)host;
	(void)err;
	later.looked_up = done;
	later_start(lookup_cb, arg);
	return (struct lookup *)&later;
}

void lookup_cancel(struct lookup *lookup)
{
	(void)lookup;
	later_cancel();
}

static void send_whole(int fd, struct span bytes)
{
	MUST(send(fd, bytes.data, bytes.size, MSG_NOSIGNAL) ==
	     (ssize_t)bytes.size);
	shutdown(fd, SHUT_WR);
}

static void make_pair(int fds[2])
{
	MUST(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds) == 0);
}

/*
 * An origin got nothing, or the beginning of one request: a whole head with one
 * reading, and no byte behind its body.
 */
static void check_origin(void)
{
	struct span bytes = buf_span(&f.got), lines;
	static struct fields fields;
	struct framing framing;
	struct body body;
	size_t seen = 0, end;

	if (bytes.size == 0)
		return;
	MUST(f.requests > 0 || f.tunneled);
	if (f.tunneled)
		return;
	MUST(head_scan(bytes, &seen, &end) == HEAD_OK && end > 0);
	lines = span_head(bytes, end);
	head_take_line(&lines);
	MUST(fields_parse(lines, FIELDS_MAX, &fields) == HEAD_OK);
	MUST(framing_read(&fields, 1, &framing) == HEAD_OK);
	bytes = span_skip(bytes, end);
	body_init(&body, &framing);
	while (!body.ended && bytes.size > 0) {
		struct body_step step = body_take(&body, bytes);

		MUST(step.verdict != BODY_BROKEN);
		bytes = span_skip(bytes, step.taken);
	}
	MUST(bytes.size == 0);
}

static void read_some(int fd, struct buf *out)
{
	char bytes[65536];
	ssize_t n;

	while ((n = read(fd, bytes, sizeof(bytes))) > 0)
		buf_add(out, (struct span){ bytes, (size_t)n });
	MUST(!buf_failed(out));
}

static void end_origin(void)
{
	if (f.origin < 0)
		return;
	read_some(f.origin, &f.got);
	close(f.origin);
	f.origin = -1;
	check_origin();
	buf_clear(&f.got);
}

static void dial_cb(evutil_socket_t fd, short what, void *arg)
{
	static const struct dial_result refused = { .fd = -1,
						    .number = ECONNREFUSED };
	struct dial_result result = { .at = { { 4, { 1, 1, 1, 1 } }, 80 } };
	int fds[2];

	(void)fd;
	(void)what;
	(void)arg;
	later_cancel();
	end_origin();
	if (f.says.size == 0) {
		later.dialed(&refused, later.arg);
		return;
	}
	make_pair(fds);
	f.origin = fds[0];
	send_whole(f.origin, f.says);
	result.fd = fds[1];
	later.dialed(&result, later.arg);
}

struct dial *dial_start(struct event_base *base, const struct addr *addrs,
			size_t count, uint16_t port, uint64_t timeout_ms,
			dial_done_fn *done, void *arg, struct error *err)
{
	(void)base;
	(void)addrs;
	(void)timeout_ms;
	(void)err;
	MUST(count == 1 && (port == 80 || port == 443));
	later.dialed = done;
	later_start(dial_cb, arg);
	return (struct dial *)&later;
}

void dial_cancel(struct dial *dial)
{
	(void)dial;
	later_cancel();
}

/* ---- the client ---- */

/* False: the reply was cut, as the log says. */
static bool check_payload(struct span *bytes, const struct response *response)
{
	struct body body;

	body_init(&body, &response->framing);
	while (!body.ended && bytes->size > 0) {
		struct body_step step = body_take(&body, *bytes);

		MUST(step.verdict != BODY_BROKEN);
		*bytes = span_skip(*bytes, step.taken);
	}
	MUST(body_may_stop(&body) || f.cut);
	return body_may_stop(&body);
}

static void check_replies(struct span bytes)
{
	static struct response response;
	size_t replies = 0;

	while (bytes.size > 0) {
		size_t seen = 0, end;

		MUST(replies < f.asked);
		MUST(head_scan(bytes, &seen, &end) == HEAD_OK);
		MUST(end > 0 || f.cut);
		if (end == 0)
			return;
		MUST(response_parse(span_head(bytes, end), FIELDS_MAX,
				    f.list[replies].to_head,
				    &response) == HEAD_OK);
		bytes = span_skip(bytes, end);
		replies += !response_is_interim(&response);
		if (!check_payload(&bytes, &response))
			return;
	}
	MUST(replies == f.asked || f.cut);
}

/*
 * What a reader without a network finds next in the client's bytes; true where
 * it is sure what follows. The proxy may stop earlier, and must find the same.
 */
static bool read_request(struct span *bytes, struct asked *asked)
{
	static struct head head;
	struct body body;
	size_t seen = 0, end;

	*asked = (struct asked){ .to_head = false };
	if (head_scan(*bytes, &seen, &end) != HEAD_OK || end == 0 ||
	    end > HEAD_MOST)
		return false;
	if (head_parse(span_head(*bytes, end), 100, &head) != HEAD_OK) {
		*asked = asked_for(head.method, (struct span){ "", 0 });
		return false;
	}
	*asked = asked_for(head.method, head.connect || head.path.size
						? head.path
						: SPAN("/"));
	*bytes = span_skip(*bytes, end);
	body_init(&body, &head.framing);
	while (!body.ended && !body.broken && bytes->size > 0)
		*bytes = span_skip(*bytes, body_take(&body, *bytes).taken);
	return body.ended && !head.connect && head.minor == 1 &&
	       !nominated_has(&head.nominated, SPAN("close"));
}

static void check_asked(struct span bytes)
{
	bool sure = true;

	for (size_t i = 0; i < f.asked; i++) {
		struct asked asked;

		MUST(sure && bytes.size > 0);
		sure = read_request(&bytes, &asked);
		MUST(asked.to_head == f.list[i].to_head);
		MUST(strcmp(asked.path, f.list[i].path) == 0);
	}
}

/* ---- once, and each time ---- */

static void idle_cb(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	(void)arg;
}

static void set_up(void)
{
	static const char text[] =
		"listen: [ { kind: proxy, address: \"127.0.0.1:3128\" } ]\n"
		"policies: { default: { allow: [ ok.test, 1.1.1.1 ] } }\n"
		"audit: { path: none }\n";
	struct error err;

	f.conf = conf_load_text("fuzz", SPAN(text), &err);
	if (!f.conf)
		bug("%s", err.text);
	f.context.conf = f.conf;
	f.context.base = event_base_new();
	f.context.idle = event_new(f.context.base, -1, 0, idle_cb, NULL);
	/* nobody looks behind these here */
	f.context.journal = (struct journal *)&f;
	f.context.resolver = (struct resolver *)&f;
	f.context.own = (struct own_addrs *)&f;
	TAILQ_INIT(&f.context.conns);
	f.got = BUF_INIT(ROOM);
	f.origin = -1;
}

static void serve(int client, struct buf *replies)
{
	size_t turns = 0;

	while (f.context.conn_count > 0) {
		MUST(++turns < TURNS_MAX);
		event_base_loop(f.context.base, EVLOOP_NONBLOCK);
		read_some(client, replies);
		if (f.origin >= 0)
			read_some(f.origin, &f.got);
	}
	read_some(client, replies);
	end_origin();
	MUST(!later.event);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct endpoint from = { { 4, { 127, 0, 0, 1 } }, 1 };
	struct buf replies = BUF_INIT(ROOM);
	struct error err;
	size_t first;
	int fds[2];

	if (size < 2 || size > BYTES_MAX)
		return 0;
	if (!f.conf)
		set_up();
	first = (size_t)data[0] << 8 | data[1];
	if (first > size - 2)
		first = size - 2;
	f.says = fuzz_span(data + 2 + first, size - 2 - first);
	f.asked = f.requests = 0;
	f.open = f.concluded = f.cut = f.tunneled = false;
	make_pair(fds);
	send_whole(fds[0], fuzz_span(data + 2, first));
	MUST(conn_start(&f.context, &f.conf->listeners[0], fds[1], &from,
			&err) == 0);
	serve(fds[0], &replies);
	MUST(!f.open);
	if (!f.tunneled) {
		check_asked(fuzz_span(data + 2, first));
		check_replies(buf_span(&replies));
	}
	close(fds[0]);
	buf_release(&replies);
	return 0;
}
