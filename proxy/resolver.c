/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "proxy/resolver.h"

#include <stdlib.h>
#include <string.h>

#include <ares.h>

#include "base/cleanup.h"
#include "base/log.h"

static const char *const fault_text[] = {
	[LOOKUP_OK] = "resolved",
	[LOOKUP_NO_NAME] = "the name does not exist",
	[LOOKUP_EMPTY] = "the name has no addresses",
	[LOOKUP_FAILED] = "the name servers failed",
	[LOOKUP_MALFORMED] = "the DNS answer is malformed",
	[LOOKUP_TIMEOUT] = "the name servers did not answer in time",
};
static_assert(ARRAY_SIZE(fault_text) == LOOKUP_NFAULTS, "each has a text");

const char *lookup_fault_text(enum lookup_fault fault)
{
	return fault_text[fault];
}

/* A socket of the library's, watched for it. */
struct watch {
	struct watch *next;
	struct resolver *resolver;
	struct event *event;
	ares_socket_t fd;
};

struct resolver {
	struct event_base *base;
	ares_channel channel;
	struct event *timer; /* the library's own retries */
	struct watch *watches;
	struct timeval deadline;
};

/*
 * The library may answer before ares_query() returns and cannot forget a single
 * query, so a lookup lives until both its answers are in, whoever still waits:
 * `event` tells the caller from the loop, and is the deadline as well.
 */
struct lookup {
	struct hostname host;
	struct event *event;
	lookup_done_fn *done; /* NULL: told or cancelled */
	void *arg;
	unsigned waiting; /* answers that are not in */
	enum lookup_fault fault;
	size_t count;
	struct addr addrs[LOOKUP_ADDRS_MAX];
};

/* ---- the library and the loop ---- */

static void rearm(struct resolver *resolver)
{
	struct timeval room,
		*next = ares_timeout(resolver->channel, NULL, &room);

	if (next)
		evtimer_add(resolver->timer, next);
	else
		evtimer_del(resolver->timer);
}

static void timer_cb(evutil_socket_t fd, short what, void *arg)
{
	struct resolver *resolver = arg;

	(void)fd;
	(void)what;
	ares_process_fd(resolver->channel, ARES_SOCKET_BAD, ARES_SOCKET_BAD);
	rearm(resolver);
}

static void socket_cb(evutil_socket_t fd, short what, void *arg)
{
	struct resolver *resolver = arg;

	ares_process_fd(resolver->channel,
			what & EV_READ ? fd : ARES_SOCKET_BAD,
			what & EV_WRITE ? fd : ARES_SOCKET_BAD);
	rearm(resolver);
}

static void watch_drop(struct watch **at)
{
	struct watch *watch = *at;

	*at = watch->next;
	if (watch->event)
		event_free(watch->event);
	free(watch);
}

/* Without memory the socket goes unwatched: the lookup then times out. */
static void watch_add(struct resolver *resolver, ares_socket_t fd, short what)
{
	struct watch *watch = calloc(1, sizeof(*watch));

	if (!watch)
		return;
	watch->fd = fd;
	watch->event = event_new(resolver->base, fd, what | EV_PERSIST,
				 socket_cb, resolver);
	watch->next = resolver->watches;
	resolver->watches = watch;
	if (!watch->event || event_add(watch->event, NULL) < 0)
		watch_drop(&resolver->watches);
}

static void state_cb(void *arg, ares_socket_t fd, int readable, int writable)
{
	struct resolver *resolver = arg;
	short what =
		(short)((readable ? EV_READ : 0) | (writable ? EV_WRITE : 0));
	struct watch **at = &resolver->watches;

	while (*at && (*at)->fd != fd)
		at = &(*at)->next;
	if (*at)
		watch_drop(at);
	if (what)
		watch_add(resolver, fd, what);
}

/* ---- starting ---- */

static int set_servers(struct resolver *resolver,
		       const struct endpoint *servers, size_t count,
		       struct error *err)
{
	autofree struct ares_addr_port_node *nodes =
		calloc(count + 1, sizeof(*nodes));
	int status;

	if (!nodes)
		return error_sys(err, "cannot set the name servers");
	for (size_t i = 0; i < count; i++) {
		const struct addr *addr = &servers[i].addr;

		nodes[i].next = i + 1 < count ? &nodes[i + 1] : NULL;
		nodes[i].family = addr->size == 4 ? AF_INET : AF_INET6;
		memcpy(&nodes[i].addr, addr->bytes, addr->size);
		nodes[i].udp_port = nodes[i].tcp_port = servers[i].port;
	}
	status = ares_set_servers_ports(resolver->channel, nodes);
	return status == ARES_SUCCESS
		       ? 0
		       : error_set(err, "cannot set the name servers: %s",
				   ares_strerror(status));
}

/*
 * Two tries with doubling waits fit into the time of one lookup. "b" alone:
 * never the hosts file. Aliases from a file are off as well.
 */
static int open_channel(struct resolver *resolver, uint64_t timeout_ms,
			struct error *err)
{
	char lookups[] = "b";
	struct ares_options options = {
		.flags = ARES_FLAG_NOSEARCH | ARES_FLAG_NOALIASES,
		.timeout = (int)(timeout_ms * 3 / 10),
		.tries = 2,
		.lookups = lookups,
		.sock_state_cb = state_cb,
		.sock_state_cb_data = resolver,
	};
	int status =
		ares_init_options(&resolver->channel, &options,
				  ARES_OPT_FLAGS | ARES_OPT_TIMEOUTMS |
					  ARES_OPT_TRIES | ARES_OPT_LOOKUPS |
					  ARES_OPT_SOCK_STATE_CB);

	if (status == ARES_SUCCESS)
		return 0;
	resolver->channel = NULL;
	return error_set(err, "cannot start the resolver: %s",
			 ares_strerror(status));
}

struct resolver *resolver_new(struct event_base *base,
			      const struct endpoint *servers, size_t count,
			      uint64_t timeout_ms, struct error *err)
{
	struct resolver *resolver = calloc(1, sizeof(*resolver));
	int status = ares_library_init(ARES_LIB_INIT_ALL);

	if (!resolver || status != ARES_SUCCESS) {
		error_set(err, "cannot start the resolver");
		free(resolver);
		return NULL;
	}
	resolver->base = base;
	resolver->deadline.tv_sec = (time_t)(timeout_ms / 1000);
	resolver->deadline.tv_usec = (suseconds_t)(timeout_ms % 1000 * 1000);
	resolver->timer = evtimer_new(base, timer_cb, resolver);
	if (!resolver->timer)
		error_set(err, "no memory for a timer");
	if (!resolver->timer || open_channel(resolver, timeout_ms, err) < 0 ||
	    (count && set_servers(resolver, servers, count, err) < 0)) {
		resolver_free(resolver);
		return NULL;
	}
	return resolver;
}

void resolver_free(struct resolver *resolver)
{
	if (!resolver)
		return;
	if (resolver->channel)
		ares_destroy(resolver->channel);
	while (resolver->watches)
		watch_drop(&resolver->watches);
	if (resolver->timer)
		event_free(resolver->timer);
	free(resolver);
	ares_library_cleanup();
}

/* ---- one lookup ---- */

static void lookup_free(struct lookup *lookup)
{
	if (lookup->event)
		event_free(lookup->event);
	free(lookup);
}

/* Nobody waits for it, and it waits for nothing. */
static void lookup_forget(struct lookup *lookup)
{
	lookup->done = NULL;
	event_del(lookup->event);
	if (lookup->waiting == 0)
		lookup_free(lookup);
}

static void tell_cb(evutil_socket_t fd, short what, void *arg)
{
	struct lookup *lookup = arg;
	lookup_done_fn *done = lookup->done;
	void *waiter = lookup->arg;
	struct addr addrs[LOOKUP_ADDRS_MAX];
	struct lookup_result result = { .addrs = addrs };

	(void)fd;
	(void)what;
	if (!done)
		return;
	result.count = lookup->count;
	memcpy(addrs, lookup->addrs, lookup->count * sizeof(*addrs));
	if (lookup->count == 0)
		result.fault = lookup->waiting ? LOOKUP_TIMEOUT : lookup->fault;
	lookup_forget(lookup);
	done(&result, waiter);
}

/* What an answer without addresses says. */
static enum lookup_fault judge_empty(const struct dns_answer *answer)
{
	if (answer->truncated)
		return LOOKUP_MALFORMED;
	if (answer->rcode == DNS_NXDOMAIN)
		return LOOKUP_NO_NAME;
	return answer->rcode == DNS_NOERROR ? LOOKUP_EMPTY : LOOKUP_FAILED;
}

static enum lookup_fault judge_status(int status)
{
	return status == ARES_ETIMEOUT ? LOOKUP_TIMEOUT : LOOKUP_FAILED;
}

static enum lookup_fault take_message(struct lookup *lookup, enum dns_type type,
				      struct span message)
{
	struct dns_answer answer;

	if (dns_read_answer(message, &lookup->host, type, &answer) != DNS_OK)
		return LOOKUP_MALFORMED;
	if (answer.truncated || answer.count == 0)
		return judge_empty(&answer);
	memcpy(&lookup->addrs[lookup->count], answer.addrs,
	       answer.count * sizeof(*answer.addrs));
	lookup->count += answer.count;
	return LOOKUP_OK;
}

/* Of two faults the one that says more: the greater. */
static void take_answer(struct lookup *lookup, enum dns_type type, int status,
			struct span message)
{
	enum lookup_fault fault = message.size
					  ? take_message(lookup, type, message)
					  : judge_status(status);

	if (fault > lookup->fault)
		lookup->fault = fault;
	if (--lookup->waiting > 0)
		return;
	if (lookup->done)
		event_active(lookup->event, EV_TIMEOUT, 1);
	else
		lookup_free(lookup);
}

static void a_cb(void *arg, int status, int timeouts, unsigned char *data,
		 int size)
{
	(void)timeouts;
	take_answer(arg, DNS_A, status,
		    (struct span){ (char *)data, data ? (size_t)size : 0 });
}

static void aaaa_cb(void *arg, int status, int timeouts, unsigned char *data,
		    int size)
{
	(void)timeouts;
	take_answer(arg, DNS_AAAA, status,
		    (struct span){ (char *)data, data ? (size_t)size : 0 });
}

struct lookup *lookup_start(struct resolver *resolver,
			    const struct hostname *host, lookup_done_fn *done,
			    void *arg, struct error *err)
{
	struct lookup *lookup = calloc(1, sizeof(*lookup));

	if (lookup)
		lookup->event = evtimer_new(resolver->base, tell_cb, lookup);
	if (!lookup || !lookup->event ||
	    evtimer_add(lookup->event, &resolver->deadline) < 0) {
		if (lookup)
			lookup_free(lookup);
		error_set(err, "no memory for a lookup");
		return NULL;
	}
	lookup->host = *host;
	lookup->done = done;
	lookup->arg = arg;
	lookup->waiting = 2;
	ares_query(resolver->channel, host->name, 1, DNS_A, a_cb, lookup);
	ares_query(resolver->channel, host->name, 1, DNS_AAAA, aaaa_cb, lookup);
	rearm(resolver);
	return lookup;
}

void lookup_cancel(struct lookup *lookup)
{
	lookup_forget(lookup);
}
