/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "proxy/dial.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/fd.h"

struct attempt {
	struct dial *dial;
	struct event *event; /* NULL: not tried, or over */
	int fd;
};

struct dial {
	struct event_base *base;
	struct event *deadline;
	struct event *next; /* the next attempt, now or after the stagger */
	dial_done_fn *done;
	void *arg;
	int number;
	size_t count, started, pending;
	struct endpoint ends[DIAL_ADDRS_MAX];
	struct attempt attempts[DIAL_ADDRS_MAX];
};

static void attempt_end(struct attempt *attempt)
{
	if (!attempt->event)
		return;
	event_free(attempt->event);
	attempt->event = NULL;
	fd_close(&attempt->fd);
	attempt->dial->pending--;
}

static void dial_free(struct dial *dial)
{
	for (size_t i = 0; i < dial->started; i++)
		attempt_end(&dial->attempts[i]);
	if (dial->deadline)
		event_free(dial->deadline);
	if (dial->next)
		event_free(dial->next);
	free(dial);
}

void dial_cancel(struct dial *dial)
{
	dial_free(dial);
}

/* The end: everything else is closed before anybody hears of it. */
static void finish(struct dial *dial, const struct dial_result *result)
{
	dial_done_fn *done = dial->done;
	void *arg = dial->arg;

	dial_free(dial);
	done(result, arg);
}

static void finish_failed(struct dial *dial, int number)
{
	finish(dial, &(struct dial_result){ .fd = -1, .number = number });
}

static void deadline_cb(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	finish_failed(arg, ETIMEDOUT);
}

/*
 * TCP's simultaneous open can connect a socket to itself, where a port of ours
 * is the target and nobody listens.
 */
static bool talks_to_itself(int fd)
{
	struct sockaddr_storage ours = { 0 }, theirs = { 0 };
	socklen_t our_size = sizeof(ours), their_size = sizeof(theirs);

	return getsockname(fd, (struct sockaddr *)&ours, &our_size) < 0 ||
	       getpeername(fd, (struct sockaddr *)&theirs, &their_size) < 0 ||
	       (our_size == their_size &&
		memcmp(&ours, &theirs, our_size) == 0);
}

static int outcome(int fd)
{
	int number = 0;
	socklen_t size = sizeof(number);

	if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &number, &size) < 0)
		return errno;
	if (number == 0 && talks_to_itself(fd))
		return ECONNREFUSED;
	return number;
}

static void hurry(struct dial *dial)
{
	event_active(dial->next, EV_TIMEOUT, 1);
}

/* Nothing in flight: go on at once, or give up. */
static void after_failure(struct dial *dial)
{
	if (dial->started < dial->count)
		hurry(dial);
	else if (dial->pending == 0)
		finish_failed(dial, dial->number);
}

static void writable_cb(evutil_socket_t fd, short what, void *arg)
{
	struct attempt *attempt = arg;
	struct dial *dial = attempt->dial;
	struct dial_result result;
	int number = outcome(fd);

	(void)what;
	if (number != 0) {
		dial->number = number;
		attempt_end(attempt);
		after_failure(dial);
		return;
	}
	result = (struct dial_result){
		.fd = fd, .at = dial->ends[attempt - dial->attempts]
	};
	attempt->fd = -1;
	finish(dial, &result);
}

static int connect_socket(const struct endpoint *to)
{
	struct sockaddr_storage at;
	socklen_t size = endpoint_to_sockaddr(to, &at);
	int on = 1;
	int fd = socket(at.ss_family,
			SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd < 0)
		return -1;
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	if (connect(fd, (struct sockaddr *)&at, size) < 0 &&
	    errno != EINPROGRESS)
		fd_close(&fd);
	return fd;
}

static bool attempt_start(struct dial *dial)
{
	struct attempt *attempt = &dial->attempts[dial->started];
	int fd = connect_socket(&dial->ends[dial->started]);

	*attempt = (struct attempt){ .dial = dial, .fd = fd };
	dial->started++;
	if (fd < 0) {
		dial->number = errno;
		return false;
	}
	attempt->event =
		event_new(dial->base, fd, EV_WRITE, writable_cb, attempt);
	if (!attempt->event || event_add(attempt->event, NULL) < 0) {
		if (attempt->event)
			event_free(attempt->event);
		attempt->event = NULL;
		fd_close(&attempt->fd);
		dial->number = ENOMEM;
		return false;
	}
	dial->pending++;
	return true;
}

static void next_cb(evutil_socket_t fd, short what, void *arg)
{
	static const struct timeval stagger = { .tv_usec = DIAL_STAGGER_MS *
							   1000 };
	struct dial *dial = arg;

	(void)fd;
	(void)what;
	while (dial->started < dial->count && !attempt_start(dial))
		;
	if (dial->started < dial->count)
		evtimer_add(dial->next, &stagger);
	else if (dial->pending == 0)
		finish_failed(dial, dial->number);
}

/* The first one's family first, then turn about, each in the order given. */
static void interleave(struct dial *dial, const struct addr *addrs,
		       size_t count, uint16_t port)
{
	size_t at[2] = { 0, 0 };
	uint8_t size = count > 0 ? addrs[0].size : 0;

	for (unsigned idle = 0; idle < 2 && dial->count < DIAL_ADDRS_MAX;
	     size = size == 16 ? 4 : 16) {
		size_t *i = &at[size == 4];

		while (*i < count && addrs[*i].size != size)
			++*i;
		if (*i == count) {
			idle++;
			continue;
		}
		idle = 0;
		dial->ends[dial->count++] =
			(struct endpoint){ addrs[(*i)++], port };
	}
}

struct dial *dial_start(struct event_base *base, const struct addr *addrs,
			size_t count, uint16_t port, uint64_t timeout_ms,
			dial_done_fn *done, void *arg, struct error *err)
{
	const struct timeval limit = {
		.tv_sec = (time_t)(timeout_ms / 1000),
		.tv_usec = (suseconds_t)(timeout_ms % 1000 * 1000),
	};
	struct dial *dial = calloc(1, sizeof(*dial));

	if (dial) {
		dial->base = base;
		dial->done = done;
		dial->arg = arg;
		dial->number = EHOSTUNREACH;
		interleave(dial, addrs, count, port);
		dial->deadline = evtimer_new(base, deadline_cb, dial);
		dial->next = evtimer_new(base, next_cb, dial);
		if (dial->deadline && dial->next &&
		    evtimer_add(dial->deadline, &limit) == 0) {
			hurry(dial);
			return dial;
		}
		dial_free(dial);
	}
	error_set(err, "no memory for a connection");
	return NULL;
}
