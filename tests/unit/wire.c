/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tests/unit/unit.h"

#include "tests/unit/wire.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/addr.h"
#include "base/audit_read.h"
#include "base/buf.h"
#include "base/fd.h"
#include "base/spawn.h"
#include "tests/unit/wire_dns.h"

#define PATIENCE_MS 20000 /* a hang, not a slow machine */
#define PROXY_FDS   3
#define LOG_ROOM    600 /* bytes: the start record, and no other */

static struct {
	char folder[64], config[96], log[96];
	char *program;
	int dns, origin, closed; /* sockets */
	uint16_t dns_port, origin_port, closed_port;
	/* one proxy; one that many cases share, and its log before this one */
	bool shared;
	size_t rows_before;
	int listening, lifetime;
	struct endpoint at;
	pid_t pid;
	const struct wire_case *wire;
	/* one origin connection at a time */
	int peer;
	struct span answer, answers_left, expected_left;
	size_t expected_size; /* up to this connection's end */
	struct buf got, reply, expected;
	bool answered;
	struct wire_result result;
} w;

/* ---- sockets ---- */

static int make_socket(int type, uint16_t *port)
{
	struct sockaddr_in at = { .sin_family = AF_INET };
	socklen_t size = sizeof(at);
	int fd = socket(AF_INET, type | SOCK_CLOEXEC, 0);

	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	assert_true(fd >= 0);
	assert_int_equal(bind(fd, (struct sockaddr *)&at, size), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&at, &size), 0);
	*port = ntohs(at.sin_port);
	return fd;
}

int wire_setup(void **state)
{
	struct error err;

	(void)state;
	signal(SIGPIPE, SIG_IGN);
	snprintf(w.folder, sizeof(w.folder), "/tmp/wire-XXXXXX");
	assert_non_null(mkdtemp(w.folder));
	snprintf(w.config, sizeof(w.config), "%s/proxy.yaml", w.folder);
	snprintf(w.log, sizeof(w.log), "%s/egress.log", w.folder);
	assert_true(asprintf(&w.program, "%s/coworkproxy",
			     getenv("builddir") ? getenv("builddir") : ".") >
		    0);
	w.dns = make_socket(SOCK_DGRAM, &w.dns_port);
	w.origin = make_socket(SOCK_STREAM, &w.origin_port);
	w.closed = make_socket(SOCK_STREAM, &w.closed_port);
	assert_int_equal(listen(w.origin, 64), 0);
	assert_int_equal(fd_set_nonblocking(w.dns, &err), 0);
	assert_int_equal(fd_set_nonblocking(w.origin, &err), 0);
	w.listening = w.lifetime = w.peer = -1;
	w.got = w.reply = w.expected = BUF_INIT(16u << 20);
	return 0;
}

int wire_teardown(void **state)
{
	(void)state;
	unlink(w.config);
	unlink(w.log);
	rmdir(w.folder);
	fd_close(&w.dns);
	fd_close(&w.origin);
	fd_close(&w.closed);
	buf_release(&w.got);
	buf_release(&w.reply);
	buf_release(&w.expected);
	free(w.program);
	return 0;
}

/* "{P}" and "{C}" become ports. */
void wire_expand(struct span text, struct buf *out)
{
	while (text.size > 0) {
		if (span_starts(text, SPAN("{P}")))
			buf_add_u64(out, w.origin_port);
		else if (span_starts(text, SPAN("{C}")))
			buf_add_u64(out, w.closed_port);
		else
			buf_add_byte(out, text.data[0]);
		text = span_skip(text, text.size >= 3 && text.data[0] == '{' &&
						       text.data[2] == '}'
					       ? 3
					       : 1);
	}
}

/* ---- the origin ---- */

static struct span take_part(struct span *left)
{
	size_t end = span_find(*left, WIRE_NEXT[0]);
	struct span part = span_head(*left, end);

	*left = span_skip(*left, end < left->size ? end + 1 : end);
	return part;
}

/* Its part of the bytes that are expected, and of the answers. */
static void origin_next(void)
{
	buf_clear(&w.expected);
	wire_expand(take_part(&w.expected_left), &w.expected);
	w.expected_size += w.expected.size;
	w.answered = false;
	if (w.answers_left.size > 0)
		w.answer = take_part(&w.answers_left);
}

static void origin_answer(void)
{
	const struct wire_case *wire = w.wire;
	const struct linger reset = { .l_onoff = 1 };
	struct buf text = BUF_INIT(16u << 20);
	struct error err;

	if (w.answered || wire->flags & WIRE_ORIGIN_MUTE)
		return;
	if (!(wire->flags & WIRE_ORIGIN_FIRST) && w.got.size < w.expected_size)
		return;
	w.answered = true;
	wire_expand(w.answer, &text);
	if (text.size > 0)
		assert_int_equal(
			fd_write_all(w.peer, text.data, text.size, &err), 0);
	buf_release(&text);
	if (wire->flags & WIRE_ORIGIN_RESET) {
		setsockopt(w.peer, SOL_SOCKET, SO_LINGER, &reset,
			   sizeof(reset));
		fd_close(&w.peer);
	} else if (!(wire->flags & WIRE_ORIGIN_OPEN)) {
		shutdown(w.peer, SHUT_WR);
	}
}

static void origin_accept(void)
{
	struct sockaddr_storage from;
	socklen_t size = sizeof(from);
	struct error err;
	int fd;

	if (w.peer >= 0)
		return; /* its turn comes */
	fd = accept4(w.origin, (struct sockaddr *)&from, &size, SOCK_CLOEXEC);
	if (fd < 0)
		return;
	w.result.connections++;
	w.peer = fd;
	origin_next();
	if (w.wire->greeting)
		assert_int_equal(fd_write_all(fd, w.wire->greeting,
					      strlen(w.wire->greeting), &err),
				 0);
	if (w.wire->flags & WIRE_ORIGIN_FIRST)
		origin_answer();
}

static void origin_read(void)
{
	char bytes[65536];
	ssize_t n = read(w.peer, bytes, sizeof(bytes));

	if (n <= 0) {
		/* its end of file may be what the answer waits for */
		origin_answer();
		fd_close(&w.peer);
		return;
	}
	buf_add(&w.got, (struct span){ bytes, (size_t)n });
	origin_answer();
}

/* ---- the client ---- */

int wire_connect(void)
{
	struct sockaddr_storage to;
	socklen_t size = endpoint_to_sockaddr(&w.at, &to);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_true(fd >= 0);
	assert_int_equal(connect(fd, (struct sockaddr *)&to, size), 0);
	return fd;
}

static void send_by_bytes(int fd, struct span text)
{
	for (size_t i = 0; i < text.size; i++)
		if (send(fd, text.data + i, 1, MSG_NOSIGNAL) < 0)
			return;
}

/* A proxy that refuses may close before everything was sent. */
void wire_send(int fd, struct span text)
{
	struct buf out = BUF_INIT(16u << 20);
	size_t sent = 0;

	wire_expand(text, &out);
	if (w.wire && w.wire->flags & WIRE_ONE_BYTE) {
		send_by_bytes(fd, buf_span(&out));
		sent = out.size;
	}
	while (sent < out.size) {
		ssize_t n = send(fd, out.data + sent, out.size - sent,
				 MSG_NOSIGNAL);

		if (n < 0)
			break;
		sent += (size_t)n;
	}
	buf_release(&out);
}

/* Serve everybody until one of them, or the client, has something. */
static void turn(struct pollfd *client)
{
	struct pollfd fds[] = {
		*client,
		{ w.dns, POLLIN, 0 },
		{ w.peer < 0 ? w.origin : -1, POLLIN, 0 },
		{ w.peer, POLLIN, 0 },
	};

	if (poll(fds, ARRAY_SIZE(fds), PATIENCE_MS) <= 0)
		fail_msg("%s: nothing happens any more",
			 w.wire ? w.wire->id : "?");
	if (fds[1].revents)
		wire_dns_serve(w.dns, &w.result.queries);
	if (fds[3].revents)
		origin_read();
	if (fds[2].revents)
		origin_accept();
	client->revents = fds[0].revents;
}

void wire_wait_readable(int fd)
{
	struct pollfd client = { fd, POLLIN, 0 };

	while (!client.revents)
		turn(&client);
}

static void send_late(int fd, const struct wire_case *wire)
{
	wire_send(fd, wire->late);
	if (wire->flags & WIRE_HALF_CLOSE)
		shutdown(fd, SHUT_WR);
}

/* Until the origin has heard the end as well. */
static void wait_for_peer(void)
{
	struct pollfd nobody = { -1, 0, 0 };

	origin_accept();
	while (w.peer >= 0)
		turn(&nobody);
}

static void client_read(int fd, const struct wire_case *wire)
{
	bool at_end = wire->flags & WIRE_LATE_AT_END;
	bool late_sent = wire->late.size == 0;
	char bytes[65536];
	ssize_t n;

	buf_clear(&w.reply);
	do {
		wire_wait_readable(fd);
		n = read(fd, bytes, sizeof(bytes));
		if (n < 0)
			w.result.reset = errno == ECONNRESET;
		if (n > 0)
			buf_add(&w.reply, (struct span){ bytes, (size_t)n });
		if (!late_sent && (at_end ? n == 0 : n > 0)) {
			send_late(fd, wire);
			late_sent = true;
		}
	} while (n > 0);
	if (at_end)
		wait_for_peer();
}

struct span wire_read_all(int fd)
{
	static const struct wire_case nothing = { .id = "read" };

	client_read(fd, &nothing);
	close(fd);
	return buf_span(&w.reply);
}

/* ---- the proxy ---- */

static const char config_text[] = "policies:\n"
				  "  default:\n"
				  "    allow:\n"
				  "      - ok.test:{P}\n"
				  "      - ok.test:{C}\n"
				  "      - \"*.wild.test:{P}\"\n"
				  "      - \"*.addr.test:{P}\"\n"
				  "      - mixed.test:{P}\n"
				  "      - allbad.test:{P}\n"
				  "      - nx.test:{P}\n"
				  "      - empty.test:{P}\n"
				  "      - servfail.test:{P}\n"
				  "      - alias.test:{P}\n"
				  "      - inward.test:{P}\n"
				  "      - loop.test:{P}\n"
				  "      - silent.test:{P}\n"
				  "      - rebind.test:{P}\n"
				  "      - db:{P}\n"
				  "      - bücher.test:{P}\n"
				  "      - localhost:{P}\n"
				  "      - \"*.localhost:{P}\"\n"
				  "      - 127.0.0.1:{P}\n"
				  "      - \"[::ffff:127.0.0.1]:{P}\"\n"
				  "      - 169.254.169.254:{P}\n"
				  "      - 0.0.0.0:{P}\n"
				  "    deny: [ \"no.wild.test:{P}\" ]\n";

static void write_config(const struct wire_case *wire)
{
	struct buf text = BUF_INIT(16384);
	FILE *file = fopen(w.config, "w");

	buf_addf(&text, "listen: [ { kind: proxy, fd: proxy%s } ]\n",
		 wire->listener ? wire->listener : "");
	wire_expand(SPAN(config_text), &text);
	if (wire->policy)
		buf_addf(&text, "    %s\n", wire->policy);
	if (!(wire->flags & WIRE_NO_PERMIT))
		buf_add_text(&text, "    permit_addresses: [ 127.0.0.1 ]\n");
	buf_addf(&text,
		 "resolver: { servers: [ \"127.0.0.1:%u\" ], timeout_ms: %s, "
		 "cache: none }\n"
		 "audit: { path: %s, sync: none }\n",
		 w.dns_port,
		 wire->limits && strstr(wire->limits, "#dns") ? "100" : "15000",
		 w.log);
	if (wire->limits)
		buf_addf(&text, "%s\n", wire->limits);
	assert_non_null(file);
	assert_int_equal(fwrite(text.data, 1, text.size, file), text.size);
	assert_int_equal(fclose(file), 0);
	buf_release(&text);
}

/* In the child. */
static int prepare(void *arg, struct error *err)
{
	const struct wire_case *wire = arg;
	const struct rlimit room = { LOG_ROOM, LOG_ROOM };
	const struct rlimit files = { 24, 24 };
	char pid[16];

	(void)err;
	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	setenv("LISTEN_PID", pid, 1);
	setenv("LISTEN_FDS", "3", 1);
	setenv("LISTEN_FDNAMES", "proxy:lifetime:ready", 1);
	setenv("RES_OPTIONS", "ndots:5", 1);
	setenv("LOCALDOMAIN", "search.test", 1);
	if (wire->flags & WIRE_LOG_FULL)
		setrlimit(RLIMIT_FSIZE, &room);
	if (wire->limits && strstr(wire->limits, "#few"))
		setrlimit(RLIMIT_NOFILE, &files);
	return 0;
}

static void launch(const struct wire_case *wire, int lifetime, int ready)
{
	const char *const argv[] = { "coworkproxy", "serve",     "--config",
				     w.config,      "--session", "s1",
				     NULL };
	const struct spawn spawn = {
		.program = w.program,
		.argv = argv,
		.fds = { { 2, 2 },
			 { w.listening, PROXY_FDS },
			 { lifetime, PROXY_FDS + 1 },
			 { ready, PROXY_FDS + 2 } },
		.fd_count = 4,
		.prepare = prepare,
		.arg = (void *)wire,
		.die_with_parent = true,
	};
	struct error err;

	w.pid = spawn_start(&spawn, &err);
	if (w.pid < 0)
		fail_msg("%s", err.text);
}

static void begin(const struct wire_case *wire)
{
	w.wire = wire;
	w.result = (struct wire_result){ 0 };
	w.answered = false;
	buf_clear(&w.got);
	w.expected_size = 0;
	w.answer = (struct span){ "", 0 };
	w.answers_left = wire->answer ? span_of(wire->answer) : w.answer;
	w.expected_left = wire->origin ? span_of(wire->origin) : w.answer;
}

void wire_start(const struct wire_case *wire)
{
	int lifetime[2], ready[2];
	struct sockaddr_in at;
	socklen_t size = sizeof(at);
	uint16_t port;
	char byte;

	wire_end_table();
	begin(wire);
	w.rows_before = 0;
	unlink(w.log);
	write_config(wire);
	w.listening = make_socket(SOCK_STREAM, &port);
	assert_int_equal(listen(w.listening, 64), 0);
	assert_int_equal(
		getsockname(w.listening, (struct sockaddr *)&at, &size), 0);
	assert_true(endpoint_from_sockaddr((struct sockaddr *)&at, &w.at));
	assert_int_equal(pipe2(lifetime, O_CLOEXEC), 0);
	assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
	launch(wire, lifetime[0], ready[1]);
	close(lifetime[0]);
	close(ready[1]);
	w.lifetime = lifetime[1];
	fd_close(&w.listening);
	if (read(ready[0], &byte, 1) != 1)
		fail_msg("%s: the proxy did not start", wire->id);
	close(ready[0]);
}

const char *wire_log(void)
{
	return w.log;
}

int wire_pid(void)
{
	return (int)w.pid;
}

/* The log is whole, framed by start and stop, its seq without a gap. */
static void read_log(bool stopped)
{
	bool full = w.wire->flags & WIRE_LOG_FULL;
	struct audit_log log;
	struct error err;

	assert_int_equal(audit_log_read(w.log, &log, &err), 0);
	assert_true(log.count >= 1);
	assert_string_equal(log.rows[0].kind, "start");
	assert_true(full || log.malformed == 0);
	if (stopped && !full)
		assert_string_equal(log.rows[log.count - 1].kind, "stop");
	for (size_t i = 0; i < log.count; i++) {
		assert_int_equal(log.rows[i].seq, i + 1);
		if (i >= w.rows_before)
			wire_add_row(w.result.rows, sizeof(w.result.rows),
				     &log.rows[i]);
	}
	w.rows_before = log.count;
	audit_log_release(&log);
}

const struct wire_result *wire_wait(void)
{
	struct error err;

	w.result.rows[0] = '\0';
	w.result.status = spawn_wait(w.pid);
	if (w.peer >= 0) {
		/* the proxy is gone: what is left ends by itself */
		shutdown(w.peer, SHUT_WR);
		while (w.peer >= 0)
			origin_read();
	}
	assert_int_equal(fd_set_nonblocking(w.origin, &err), 0);
	origin_accept();
	fd_close(&w.peer);
	fd_close(&w.lifetime);
	read_log(true);
	w.result.reply = buf_span(&w.reply);
	w.result.origin = buf_span(&w.got);
	return &w.result;
}

const struct wire_result *wire_stop(void)
{
	fd_close(&w.lifetime);
	return wire_wait();
}

/* ---- a case ---- */

static void exchange(const struct wire_case *wire)
{
	int fd = wire_connect();

	wire_send(fd, wire->send);
	if (wire->flags & WIRE_HALF_CLOSE && wire->late.size == 0)
		shutdown(fd, SHUT_WR);
	client_read(fd, wire);
	close(fd);
}

const struct wire_result *wire_run(const struct wire_case *wire)
{
	wire_start(wire);
	exchange(wire);
	return wire_stop();
}

/*
 * Does the end of both connections say that the last record is written? A
 * tunnel's sides end before it; and a case may need a proxy of its own.
 */
static bool may_share(const struct wire_case *wire)
{
	return !wire->limits && !wire->listener && !wire->policy &&
	       !(wire->flags &
		 (WIRE_LOG_FULL | WIRE_NO_PERMIT | WIRE_ORIGIN_MUTE)) &&
	       !strstr(wire->reply, "Connection established");
}

const struct wire_result *wire_run_shared(const struct wire_case *wire)
{
	if (!may_share(wire))
		return wire_run(wire);
	if (!w.shared)
		wire_start(wire);
	w.shared = true;
	begin(wire);
	exchange(wire);
	wait_for_peer();
	read_log(false);
	w.result.reply = buf_span(&w.reply);
	w.result.origin = buf_span(&w.got);
	return &w.result;
}

void wire_end_table(void)
{
	if (!w.shared)
		return;
	w.shared = false;
	wire_stop();
	assert_true(WIFEXITED(w.result.status));
	assert_int_equal(WEXITSTATUS(w.result.status), 0);
	assert_string_equal(w.result.rows, "");
}
