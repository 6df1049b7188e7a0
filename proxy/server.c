/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "proxy/server.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fd.h"
#include "base/log.h"
#include "proxy/conn.h"
#include "proxy/context.h"
#include "proxy/listener.h"

static const int stop_signals[] = { SIGTERM, SIGINT };
static const int later_signals[] = { SIGHUP, SIGUSR1 };

#define LISTENERS_MAX (CONF_LISTENERS_MAX + LISTEN_FDS_MAX)

struct server {
	struct context context;
	struct listener *listeners[LISTENERS_MAX];
	size_t listener_count;
	struct event *signals[ARRAY_SIZE(stop_signals)];
	struct event *later[ARRAY_SIZE(
		later_signals)]; /* signals whose use is not built */
	int lifetime, ready;
	struct event *lifetime_ended;
	struct event *drained; /* the time for open tunnels is over */
	const char *why;       /* we stop; NULL: we do not */
};

/* ---- stopping ---- */

static void stop_listening(struct server *server)
{
	for (size_t i = 0; i < server->listener_count; i++)
		listener_free(server->listeners[i]);
	server->listener_count = 0;
}

/* Asked a second time, nothing is waited for. */
static void stop(struct server *server, const char *why)
{
	static const struct timeval drain = {
		.tv_sec = SERVER_DRAIN_MS / 1000,
		.tv_usec = SERVER_DRAIN_MS % 1000 * 1000,
	};
	struct context *context = &server->context;

	if (server->why) {
		conn_cut_all(context);
		return;
	}
	server->why = why;
	stop_listening(server);
	if (context->conn_count == 0)
		event_active(context->idle, EV_TIMEOUT, 1);
	if (evtimer_add(server->drained, &drain) < 0)
		conn_cut_all(context);
	conn_stop_all(context);
}

static void signal_cb(evutil_socket_t number, short what, void *arg)
{
	(void)what;
	stop(arg, number == SIGINT ? "SIGINT" : "SIGTERM");
}

static void later_cb(evutil_socket_t number, short what, void *arg)
{
	(void)what;
	(void)arg;
	log_warn("signal %d (%s) has no effect: reloading and reopening are "
		 "not built in this version; restart instead",
		 (int)number, strsignal((int)number));
}

static void drained_cb(evutil_socket_t fd, short what, void *arg)
{
	struct server *server = arg;

	(void)fd;
	(void)what;
	conn_cut_all(&server->context);
}

static void idle_cb(evutil_socket_t fd, short what, void *arg)
{
	struct server *server = arg;

	(void)fd;
	(void)what;
	if (server->why && server->context.conn_count == 0)
		event_base_loopbreak(server->context.base);
}

/* Only its end means anything; what is written into it is dropped. */
static void lifetime_cb(evutil_socket_t fd, short what, void *arg)
{
	struct server *server = arg;
	char bytes[64];
	ssize_t n = read(fd, bytes, sizeof(bytes));

	(void)what;
	if (n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR)))
		return;
	event_del(server->lifetime_ended);
	stop(server, "lifetime");
}

/* ---- starting ---- */

static int add_listener(struct server *server, const struct conf_listener *conf,
			int fd, struct error *err)
{
	struct listener *listener;

	if (server->listener_count == LISTENERS_MAX)
		listener = NULL;
	else
		listener = listener_start(&server->context, conf, fd, err);
	if (!listener) {
		fd_close(&fd);
		return -1;
	}
	server->listeners[server->listener_count++] = listener;
	return 0;
}

/* Several descriptors may carry one name: one for each address family. */
static int open_handed_in(struct server *server,
			  const struct conf_listener *conf,
			  struct listen_fds *fds, struct error *err)
{
	size_t before = server->listener_count;
	int fd;

	if (strcmp(conf->fd, listen_fd_name(LISTEN_FD_PROXY)) != 0)
		return error_kind_set(err, ERROR_INPUT,
				      "listen: fd '%s' is not a name of a "
				      "proxy socket ('%s')",
				      conf->fd,
				      listen_fd_name(LISTEN_FD_PROXY));
	while ((fd = listen_fds_take(fds, LISTEN_FD_PROXY)) >= 0)
		if (add_listener(server, conf, fd, err) < 0)
			return -1;
	if (server->listener_count == before)
		return error_kind_set(err, ERROR_INPUT,
				      "listen: no descriptor '%s' was handed "
				      "in",
				      conf->fd);
	return 0;
}

static int open_listeners(struct server *server,
			  const struct server_setup *setup, struct error *err)
{
	const struct proxy_conf *conf = setup->conf;
	int unused;

	for (size_t i = 0; i < conf->listener_count; i++) {
		const struct conf_listener *listener = &conf->listeners[i];
		int fd;

		if (listener->fd) {
			if (open_handed_in(server, listener, setup->fds, err) <
			    0)
				return -1;
			continue;
		}
		fd = listener_bind(&listener->at, err);
		if (fd < 0 || add_listener(server, listener, fd, err) < 0)
			return -1;
	}
	unused = listen_fds_take(setup->fds, LISTEN_FD_PROXY);
	if (unused < 0)
		return 0;
	fd_close(&unused);
	return error_kind_set(err, ERROR_INPUT,
			      "a socket was handed in that no listener uses");
}

static int watch_signals(struct server *server, struct error *err)
{
	struct event_base *base = server->context.base;

	/* writing to a socket or a file that refuses is an error, no death */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	for (size_t i = 0; i < ARRAY_SIZE(stop_signals); i++) {
		server->signals[i] =
			evsignal_new(base, stop_signals[i], signal_cb, server);
		if (!server->signals[i] ||
		    event_add(server->signals[i], NULL) < 0)
			return error_set(err, "cannot watch a signal");
	}
	/* Unwatched, they would end the proxy without its last record. */
	for (size_t i = 0; i < ARRAY_SIZE(later_signals); i++) {
		server->later[i] =
			evsignal_new(base, later_signals[i], later_cb, server);
		if (!server->later[i] || event_add(server->later[i], NULL) < 0)
			return error_set(err, "cannot watch a signal");
	}
	return 0;
}

static int watch_lifetime(struct server *server, struct listen_fds *fds,
			  struct error *err)
{
	server->lifetime = listen_fds_take(fds, LISTEN_FD_LIFETIME);
	server->ready = listen_fds_take(fds, LISTEN_FD_READY);
	if (server->lifetime < 0)
		return 0;
	server->lifetime_ended =
		event_new(server->context.base, server->lifetime,
			  EV_READ | EV_PERSIST, lifetime_cb, server);
	if (!server->lifetime_ended ||
	    event_add(server->lifetime_ended, NULL) < 0)
		return error_set(err, "cannot watch the lifetime pipe");
	return 0;
}

static int open_context(struct server *server, const struct server_setup *setup,
			struct error *err)
{
	struct context *context = &server->context;
	const struct proxy_conf *conf = setup->conf;
	const struct resolver_setup names = {
		.servers = conf->resolver.servers,
		.server_count = conf->resolver.server_count,
		.timeout_ms = conf->resolver.timeout_ms,
		.cache = conf->resolver.cache,
	};

	TAILQ_INIT(&context->conns);
	context->conf = conf;
	context->session = setup->session;
	context->base = event_base_new();
	if (!context->base)
		return error_set(err, "cannot make an event loop");
	context->idle = evtimer_new(context->base, idle_cb, server);
	server->drained = evtimer_new(context->base, drained_cb, server);
	if (!context->idle || !server->drained)
		return error_set(err, "no memory for a timer");
	context->own = own_addrs_new(err);
	if (!context->own)
		return -1;
	context->resolver = resolver_new(context->base, &names, err);
	return context->resolver ? 0 : -1;
}

static int record_start(struct server *server, struct error *err)
{
	struct context *context = &server->context;
	char digest[DIGEST_HEX + 1];
	struct audit_event event = {
		.kind = AUDIT_START,
		.version = PACKAGE_VERSION,
		.digest = digest,
		.generation = 1,
		.session = context->session,
	};

	if (conf_digest(context->conf, digest, err) < 0)
		return -1;
	context->journal =
		journal_open(context->base, context->conf->audit.path,
			     (enum conf_sync)context->conf->audit.sync, err);
	if (!context->journal)
		return -1;
	event.last = journal_last(context->journal);
	return journal_write(context->journal, &event, err);
}

static void record_stop(struct server *server)
{
	const struct audit_event event = {
		.kind = AUDIT_STOP,
		.cause = server->why,
	};
	struct error err;

	if (journal_write(server->context.journal, &event, &err) < 0)
		log_error("stop record: %s", err.text);
}

static void event_drop(struct event *event)
{
	if (event)
		event_free(event);
}

static void server_release(struct server *server)
{
	struct context *context = &server->context;

	conn_cut_all(context);
	stop_listening(server);
	resolver_free(context->resolver);
	own_addrs_free(context->own);
	journal_close(context->journal);
	for (size_t i = 0; i < ARRAY_SIZE(stop_signals); i++)
		event_drop(server->signals[i]);
	for (size_t i = 0; i < ARRAY_SIZE(server->later); i++)
		event_drop(server->later[i]);
	event_drop(server->lifetime_ended);
	event_drop(server->drained);
	event_drop(context->idle);
	fd_close(&server->lifetime);
	fd_close(&server->ready);
	if (context->base)
		event_base_free(context->base);
}

/* Sockets accept from here on; whoever waits for us may know. */
static int announce(struct server *server, struct error *err)
{
	if (server->ready >= 0 && fd_write_all(server->ready, "\n", 1, err) < 0)
		return error_wrap(err, "cannot say that we are ready");
	fd_close(&server->ready);
	return 0;
}

int server_run(const struct server_setup *setup, struct error *err)
{
	cleanup(server_release) struct server server = { .lifetime = -1,
							 .ready = -1 };

	if (open_context(&server, setup, err) < 0 ||
	    watch_signals(&server, err) < 0 ||
	    watch_lifetime(&server, setup->fds, err) < 0 ||
	    open_listeners(&server, setup, err) < 0 ||
	    record_start(&server, err) < 0 || announce(&server, err) < 0)
		return -1;
	if (event_base_dispatch(server.context.base) < 0)
		return error_set(err, "the event loop failed");
	record_stop(&server);
	return 0;
}
