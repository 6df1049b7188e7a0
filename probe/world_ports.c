/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "probe/world_ports.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>
#include <sys/socket.h>

#include "base/dns.h"
#include "base/fd.h"

#include "probe/world_datagram.h"
#include "probe/world_dns.h"

#define BACKLOG   128
#define BATCH_MAX 32 /* accepted or received before the loop goes on */
#define LATE_MAX  64 /* datagrams that wait for their time */

/* NULL: a sink. Sinks stand where exfiltration is tried first. */
static const struct port {
	uint16_t number;
	const struct world_service *service;
} tcp_ports[] = {
	{ 22, NULL },
	{ 25, NULL },
	{ 53, &world_dns_service },
	{ 80, &world_http_service },
	{ 443, &world_https_service },
	{ 587, NULL },
	{ 853, NULL },
	{ 1080, NULL },
	{ 3128, NULL },
	{ 5432, NULL },
	{ 8080, NULL },
	{ 8443, NULL },
	{ 9999, NULL },
};

/* UDP: a port is a sink unless it is DNS. */
static const uint16_t udp_ports[] = { 53, 123, 443, 853, 9999 };

static const int families[] = { AF_INET, AF_INET6 };

#define SOCKETS_MAX \
	((ARRAY_SIZE(tcp_ports) + ARRAY_SIZE(udp_ports)) * ARRAY_SIZE(families))

struct socket {
	struct world_ports *ports;
	int fd, family, type;
	uint16_t number;
	const struct world_service *service; /* TCP */
	struct event *event;
};

LIST_HEAD(late_list, late);

struct world_ports {
	struct event_base *base;
	const struct world_context *context;
	struct world_conns *conns;
	struct socket sockets[SOCKETS_MAX];
	size_t count;
	size_t late_count;
	struct late_list late;
};

/* A datagram that goes out later. */
struct late {
	LIST_ENTRY(late) entry;
	struct socket *socket;
	struct event *event;
	struct world_datagram question;
	struct buf message;
};

static void late_free(struct late *late)
{
	LIST_REMOVE(late, entry);
	late->socket->ports->late_count--;
	if (late->event)
		event_free(late->event);
	buf_release(&late->message);
	free(late);
}

void world_ports_close(struct world_ports *ports)
{
	if (!ports)
		return;
	while (!LIST_EMPTY(&ports->late))
		late_free(LIST_FIRST(&ports->late));
	for (size_t i = 0; i < ports->count; i++) {
		if (ports->sockets[i].event)
			event_free(ports->sockets[i].event);
		fd_close(&ports->sockets[i].fd);
	}
	free(ports);
}

/* ---- TCP ---- */

static bool dialed_as(int fd, struct endpoint *to)
{
	struct sockaddr_storage name;
	socklen_t size = sizeof(name);

	return getsockname(fd, (struct sockaddr *)&name, &size) == 0 &&
	       endpoint_from_sockaddr((struct sockaddr *)&name, to);
}

/* Every connection is recorded, also one that there is no room for. */
static void take_connection(struct socket *socket, int fd)
{
	const struct world_context *context = socket->ports->context;
	struct endpoint to;

	if (!dialed_as(fd, &to) || !world_record_tcp(context->recorder, &to) ||
	    !socket->service)
		fd_close(&fd);
	else
		world_conns_add(socket->ports->conns, fd, &to, socket->service);
}

static void accept_cb(evutil_socket_t listener, short what, void *arg)
{
	(void)what;
	for (int i = 0; i < BATCH_MAX; i++) {
		int fd = accept4((int)listener, NULL, NULL,
				 SOCK_NONBLOCK | SOCK_CLOEXEC);

		if (fd >= 0)
			take_connection(arg, fd);
		else if (errno != EINTR && errno != ECONNABORTED)
			return;
	}
}

/* ---- UDP ---- */

static void late_cb(evutil_socket_t fd, short what, void *arg)
{
	struct late *late = arg;

	(void)fd;
	(void)what;
	world_datagram_answer(late->socket->fd, &late->question,
			      buf_span(&late->message));
	late_free(late);
}

/* Best effort, as UDP is. */
static void send_later(struct socket *socket,
		       const struct world_datagram *question,
		       struct span message, unsigned ms)
{
	const struct timeval delay = { .tv_sec = ms / 1000,
				       .tv_usec = ms % 1000 * 1000 };
	struct world_ports *ports = socket->ports;
	struct late *late =
		ports->late_count < LATE_MAX ? calloc(1, sizeof(*late)) : NULL;

	if (!late)
		return;
	late->socket = socket;
	late->question = *question;
	late->message = BUF_INIT(DNS_MESSAGE_MAX);
	buf_add(&late->message, message);
	late->event = evtimer_new(ports->base, late_cb, late);
	LIST_INSERT_HEAD(&ports->late, late, entry);
	ports->late_count++;
	if (buf_failed(&late->message) || !late->event ||
	    evtimer_add(late->event, &delay) < 0)
		late_free(late);
}

/* A socket of the same family, at another port. */
static int other_port(const struct socket *socket)
{
	const struct world_ports *ports = socket->ports;

	for (size_t i = 0; i < ports->count; i++) {
		const struct socket *other = &ports->sockets[i];

		if (other->type == SOCK_DGRAM &&
		    other->family == socket->family &&
		    other->number != socket->number)
			return other->fd;
	}
	return -1;
}

struct asked {
	struct socket *socket;
	const struct world_datagram *question;
};

static void send_datagram(const struct world_send *send, struct span message,
			  void *arg)
{
	const struct asked *asked = arg;
	struct world_datagram question = *asked->question;
	int fd = asked->socket->fd;

	if (send->delay_ms > 0) {
		send_later(asked->socket, &question, message, send->delay_ms);
		return;
	}
	if (send->from == WORLD_FROM_ADDR && question.to.size > 0)
		question.to.bytes[question.to.size - 1] ^= 1;
	if (send->from == WORLD_FROM_PORT)
		fd = other_port(asked->socket);
	world_datagram_answer(fd, &question, message);
}

static void take_datagram(struct socket *socket,
			  const struct world_datagram *datagram)
{
	const struct world_context *context = socket->ports->context;
	const struct endpoint to = { datagram->to, socket->number };
	struct asked asked = { socket, datagram };

	if (to.addr.size == 0 ||
	    !world_record_udp(context->recorder, &to, datagram->size))
		return;
	if (socket->number == 53)
		world_dns_datagrams(context->zone, context->recorder,
				    world_datagram_bytes(datagram),
				    send_datagram, &asked);
}

static void datagram_cb(evutil_socket_t fd, short what, void *arg)
{
	struct world_datagram datagram;

	(void)what;
	for (int i = 0; i < BATCH_MAX; i++) {
		if (!world_datagram_receive((int)fd, &datagram))
			return;
		take_datagram(arg, &datagram);
	}
}

/* ---- opening ---- */

static int bind_to_any(int fd, int family, uint16_t number)
{
	const struct sockaddr_in v4 = {
		.sin_family = AF_INET,
		.sin_port = htons(number),
	};
	const struct sockaddr_in6 v6 = {
		.sin6_family = AF_INET6,
		.sin6_port = htons(number),
	};
	const int on = 1;

	if (family == AF_INET)
		return bind(fd, (const struct sockaddr *)&v4, sizeof(v4));
	if (setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof(on)) < 0)
		return -1;
	return bind(fd, (const struct sockaddr *)&v6, sizeof(v6));
}

/* A place in the list owns the descriptor from here on. */
static int open_socket(struct world_ports *ports, int family, int type,
		       uint16_t number, struct error *err)
{
	struct socket *place = &ports->sockets[ports->count];
	event_callback_fn callback =
		type == SOCK_STREAM ? accept_cb : datagram_cb;

	place->ports = ports;
	place->number = number;
	place->family = family;
	place->type = type;
	place->fd = socket(family, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	ports->count++;
	if (place->fd < 0)
		return error_sys(err, "cannot make a socket");
	if (type == SOCK_DGRAM &&
	    world_datagram_prepare(place->fd, family, err) < 0)
		return -1;
	if (bind_to_any(place->fd, family, number) < 0 ||
	    (type == SOCK_STREAM && listen(place->fd, BACKLOG) < 0))
		return error_sys(err, "cannot listen on port %u", number);
	place->event = event_new(ports->base, place->fd, EV_READ | EV_PERSIST,
				 callback, place);
	if (!place->event || event_add(place->event, NULL) < 0)
		return error_set(err, "cannot watch port %u", number);
	return 0;
}

static int open_all(struct world_ports *ports, struct error *err)
{
	for (size_t f = 0; f < ARRAY_SIZE(families); f++) {
		for (size_t i = 0; i < ARRAY_SIZE(tcp_ports); i++) {
			ports->sockets[ports->count].service =
				tcp_ports[i].service;
			if (open_socket(ports, families[f], SOCK_STREAM,
					tcp_ports[i].number, err) < 0)
				return -1;
		}
		for (size_t i = 0; i < ARRAY_SIZE(udp_ports); i++)
			if (open_socket(ports, families[f], SOCK_DGRAM,
					udp_ports[i], err) < 0)
				return -1;
	}
	return 0;
}

struct world_ports *world_ports_open(struct event_base *base,
				     const struct world_context *context,
				     struct world_conns *conns,
				     struct error *err)
{
	struct world_ports *ports = calloc(1, sizeof(*ports));

	if (!ports) {
		error_sys(err, "no memory for ports");
		return NULL;
	}
	LIST_INIT(&ports->late);
	ports->base = base;
	ports->context = context;
	ports->conns = conns;
	if (open_all(ports, err) == 0)
		return ports;
	world_ports_close(ports);
	return NULL;
}
