/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "proxy/listener.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fd.h"
#include "base/log.h"
#include "proxy/conn.h"

struct listener {
	struct context *context;
	const struct conf_listener *conf;
	int fd;
	struct event *readable;
	struct event *rest;
};

int listener_bind(const struct endpoint *at, struct error *err)
{
	struct sockaddr_storage to;
	socklen_t size = endpoint_to_sockaddr(at, &to);
	autoclose int fd = socket(
		to.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	int on = 1;

	if (fd < 0)
		return error_sys(err, "cannot make a socket");
	if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) < 0 ||
	    (to.ss_family == AF_INET6 &&
	     setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof(on)) < 0))
		return error_sys(err, "cannot set up a socket");
	if (bind(fd, (struct sockaddr *)&to, size) < 0 ||
	    listen(fd, SOMAXCONN) < 0)
		return error_sys(err, "cannot listen on %s",
				 endpoint_print(at).text);
	return steal_fd(&fd);
}

static void rest(struct listener *listener)
{
	static const struct timeval wait = { .tv_usec =
						     LISTENER_REST_MS * 1000 };

	event_del(listener->readable);
	evtimer_add(listener->rest, &wait);
}

static void rested_cb(evutil_socket_t fd, short what, void *arg)
{
	struct listener *listener = arg;

	(void)fd;
	(void)what;
	if (event_add(listener->readable, NULL) < 0)
		rest(listener);
}

static void serve(struct listener *listener, int fd,
		  const struct endpoint *from)
{
	struct context *context = listener->context;
	struct error err;

	if (context->conn_count >= context->conf->limits.connections) {
		conn_shed(context, listener->conf, fd, from);
	} else if (conn_start(context, listener->conf, fd, from, &err) < 0) {
		log_error("%s", err.text);
		fd_close(&fd);
	}
}

/* False: nothing more for now. */
static bool accept_one(struct listener *listener)
{
	struct sockaddr_storage at = { 0 };
	socklen_t size = sizeof(at);
	int fd = accept4(listener->fd, (struct sockaddr *)&at, &size,
			 SOCK_CLOEXEC | SOCK_NONBLOCK);
	struct endpoint from;

	if (fd >= 0) {
		if (!endpoint_from_sockaddr((struct sockaddr *)&at, &from))
			log_debug("a client without an internet address");
		serve(listener, fd, &from);
		return true;
	}
	if (errno == EAGAIN)
		return false;
	/* accept(2): errors of the connection that was next in line */
	if (errno == EINTR || errno == ECONNABORTED || errno == EPROTO ||
	    errno == EPERM)
		return true;
	log_warn("cannot accept a connection: %s", strerror(errno));
	rest(listener);
	return false;
}

static void readable_cb(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	for (unsigned i = 0; i < LISTENER_BURST && accept_one(arg); i++)
		;
}

struct listener *listener_start(struct context *context,
				const struct conf_listener *conf, int fd,
				struct error *err)
{
	struct listener *listener = calloc(1, sizeof(*listener));
	int on = 1;

	if (!listener) {
		error_set(err, "no memory for a listener");
		return NULL;
	}
	listener->fd = -1;
	listener->context = context;
	listener->conf = conf;
	/* accepted sockets inherit it; it is a matter of speed alone */
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	listener->readable = event_new(context->base, fd, EV_READ | EV_PERSIST,
				       readable_cb, listener);
	listener->rest = evtimer_new(context->base, rested_cb, listener);
	if (!listener->readable || !listener->rest ||
	    event_add(listener->readable, NULL) < 0) {
		listener_free(listener);
		error_set(err, "cannot watch a listening socket");
		return NULL;
	}
	listener->fd = fd;
	return listener;
}

void listener_free(struct listener *listener)
{
	if (!listener)
		return;
	if (listener->readable)
		event_free(listener->readable);
	if (listener->rest)
		event_free(listener->rest);
	fd_close(&listener->fd);
	free(listener);
}
