/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "proxy/resolver.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

#include <ares.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "proxy/resolver_cache.h"

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
	struct resolver_cache *cache;
	void *queries; /* a tree of those in flight, by name */
	size_t query_count;
};

/* IPv6 first: so are the addresses of a result. */
static const enum dns_type families[] = { DNS_AAAA, DNS_A };

#define FAMILIES ARRAY_SIZE(families)

/* One family's share of a query: what the library calls back with. */
struct share {
	struct query *query;
	enum dns_type type;
	struct dns_answer answer; /* without addresses until it is in */
};

/*
 * A name that is being asked for. The library may answer before ares_query()
 * returns and cannot forget a single query, so this lives until all answers are
 * in and nobody waits any more.
 */
struct query {
	struct resolver *resolver;
	struct hostname host;
	LIST_HEAD(, lookup) waiters;
	unsigned asked; /* answers that are not in */
	enum lookup_fault fault;
	struct share shares[FAMILIES];
};

/* One who waits. The event tells him from the loop; it is the deadline too. */
struct lookup {
	LIST_ENTRY(lookup) entry;
	struct query *query;
	struct event *event;
	lookup_done_fn *done;
	void *arg;
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

static struct timeval to_timeval(uint64_t ms)
{
	return (struct timeval){
		.tv_sec = (time_t)(ms / 1000),
		.tv_usec = (suseconds_t)(ms % 1000 * 1000),
	};
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

static int open_all(struct resolver *resolver,
		    const struct resolver_setup *setup, struct error *err)
{
	resolver->timer = evtimer_new(resolver->base, timer_cb, resolver);
	if (!resolver->timer)
		return error_set(err, "no memory for a timer");
	resolver->cache = resolver_cache_new(setup->cache, err);
	if (!resolver->cache ||
	    open_channel(resolver, setup->timeout_ms, err) < 0)
		return -1;
	return setup->server_count ? set_servers(resolver, setup->servers,
						 setup->server_count, err)
				   : 0;
}

struct resolver *resolver_new(struct event_base *base,
			      const struct resolver_setup *setup,
			      struct error *err)
{
	struct resolver *resolver = calloc(1, sizeof(*resolver));
	int status = ares_library_init(ARES_LIB_INIT_ALL);

	if (!resolver || status != ARES_SUCCESS) {
		error_set(err, "cannot start the resolver");
		free(resolver);
		return NULL;
	}
	resolver->base = base;
	resolver->deadline = to_timeval(setup->timeout_ms);
	if (open_all(resolver, setup, err) == 0)
		return resolver;
	resolver_free(resolver);
	return NULL;
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
	resolver_cache_free(resolver->cache);
	free(resolver);
	ares_library_cleanup();
}

/* ---- one name ---- */

static int compare(const void *a, const void *b)
{
	const struct query *first = a, *second = b;

	return strcmp(first->host.name, second->host.name);
}

static struct query *query_find(const struct resolver *resolver,
				const struct hostname *host)
{
	const struct query wanted = { .host = *host };
	struct query *const *node = tfind(&wanted, &resolver->queries, compare);

	return node ? *node : NULL;
}

/* Nobody waits for it, and it waits for nothing. */
static void query_settle(struct query *query)
{
	struct resolver *resolver = query->resolver;

	if (query->asked > 0 || !LIST_EMPTY(&query->waiters))
		return;
	tdelete(query, &resolver->queries, compare);
	resolver->query_count--;
	free(query);
}

static size_t query_collect(const struct query *query,
			    struct addr addrs[LOOKUP_ADDRS_MAX])
{
	size_t count = 0;

	for (size_t i = 0; i < FAMILIES; i++) {
		const struct dns_answer *answer = &query->shares[i].answer;

		memcpy(&addrs[count], answer->addrs,
		       answer->count * sizeof(*addrs));
		count += answer->count;
	}
	return count;
}

static bool has_addrs(const struct query *query)
{
	for (size_t i = 0; i < FAMILIES; i++)
		if (query->shares[i].answer.count > 0)
			return true;
	return false;
}

/* Tell him now where all is known, and soon where something is. */
static void lookup_hurry(struct lookup *lookup)
{
	static const struct timeval delay = { .tv_usec =
						      LOOKUP_DELAY_MS * 1000 };

	if (lookup->query->asked == 0)
		event_active(lookup->event, EV_TIMEOUT, 1);
	else if (has_addrs(lookup->query))
		evtimer_add(lookup->event, &delay);
}

/* ---- answers ---- */

/* What a message says, in one word. */
static enum lookup_fault judge_answer(const struct dns_answer *answer)
{
	if (answer->truncated)
		return LOOKUP_MALFORMED;
	if (answer->rcode == DNS_NXDOMAIN)
		return LOOKUP_NO_NAME;
	if (answer->rcode != DNS_NOERROR)
		return LOOKUP_FAILED;
	return answer->count > 0 ? LOOKUP_OK : LOOKUP_EMPTY;
}

static enum lookup_fault judge_status(int status)
{
	return status == ARES_ETIMEOUT ? LOOKUP_TIMEOUT : LOOKUP_FAILED;
}

/* Of two faults the one that says more: the greater. */
static void note_fault(struct query *query, enum lookup_fault fault)
{
	if (fault > query->fault)
		query->fault = fault;
}

static enum lookup_fault take_message(struct share *share, struct span message)
{
	struct query *query = share->query;
	struct dns_answer answer;

	if (dns_read_answer(message, &query->host, share->type, &answer) !=
	    DNS_OK)
		return LOOKUP_MALFORMED;
	resolver_cache_put(query->resolver->cache, &query->host, share->type,
			   &answer, clock_monotonic_ms());
	share->answer = answer;
	return judge_answer(&answer);
}

static void answer_cb(void *arg, int status, int timeouts, unsigned char *data,
		      int size)
{
	struct share *share = arg;
	struct query *query = share->query;
	const struct span message = { (char *)data, data ? (size_t)size : 0 };
	struct lookup *lookup;

	(void)timeouts;
	note_fault(query, message.size ? take_message(share, message)
				       : judge_status(status));
	query->asked--;
	LIST_FOREACH(lookup, &query->waiters, entry)
	lookup_hurry(lookup);
	query_settle(query);
}

/* ---- asking ---- */

static struct query *query_new(struct resolver *resolver,
			       const struct hostname *host)
{
	struct query *query = calloc(1, sizeof(*query));

	if (!query)
		return NULL;
	query->resolver = resolver;
	query->host = *host;
	LIST_INIT(&query->waiters);
	for (size_t i = 0; i < FAMILIES; i++) {
		query->shares[i].query = query;
		query->shares[i].type = families[i];
	}
	if (!tsearch(query, &resolver->queries, compare)) {
		free(query);
		return NULL;
	}
	resolver->query_count++;
	return query;
}

/* From the cache where it is there. */
static bool share_known(struct share *share)
{
	struct query *query = share->query;
	const struct dns_answer *kept =
		resolver_cache_find(query->resolver->cache, &query->host,
				    share->type, clock_monotonic_ms());

	if (!kept)
		return false;
	share->answer = *kept;
	note_fault(query, judge_answer(kept));
	return true;
}

/*
 * All that will be asked is counted before anything is: a question that is
 * answered at once must not look like the last.
 */
static void query_ask(struct query *query)
{
	ares_channel channel = query->resolver->channel;
	bool known[FAMILIES];

	for (size_t i = 0; i < FAMILIES; i++) {
		known[i] = share_known(&query->shares[i]);
		query->asked += !known[i];
	}
	for (size_t i = FAMILIES; i-- > 0;)
		if (!known[i])
			ares_query(channel, query->host.name, 1, families[i],
				   answer_cb, &query->shares[i]);
	rearm(query->resolver);
}

/* ---- waiting ---- */

static void lookup_free(struct lookup *lookup)
{
	event_free(lookup->event);
	free(lookup);
}

void lookup_cancel(struct lookup *lookup)
{
	LIST_REMOVE(lookup, entry);
	query_settle(lookup->query);
	lookup_free(lookup);
}

static void tell_cb(evutil_socket_t fd, short what, void *arg)
{
	struct lookup *lookup = arg;
	const struct query *query = lookup->query;
	lookup_done_fn *done = lookup->done;
	void *waiter = lookup->arg;
	struct addr addrs[LOOKUP_ADDRS_MAX];
	struct lookup_result result = { .addrs = addrs };

	(void)fd;
	(void)what;
	result.count = query_collect(query, addrs);
	if (result.count == 0)
		result.fault = query->asked ? LOOKUP_TIMEOUT : query->fault;
	lookup_cancel(lookup);
	done(&result, waiter);
}

static struct lookup *lookup_new(struct resolver *resolver,
				 lookup_done_fn *done, void *arg)
{
	struct lookup *lookup = calloc(1, sizeof(*lookup));

	if (!lookup)
		return NULL;
	lookup->done = done;
	lookup->arg = arg;
	lookup->event = evtimer_new(resolver->base, tell_cb, lookup);
	if (lookup->event &&
	    evtimer_add(lookup->event, &resolver->deadline) == 0)
		return lookup;
	if (lookup->event)
		event_free(lookup->event);
	free(lookup);
	return NULL;
}

struct lookup *lookup_start(struct resolver *resolver,
			    const struct hostname *host, lookup_done_fn *done,
			    void *arg, struct error *err)
{
	struct lookup *lookup = lookup_new(resolver, done, arg);
	struct query *query = query_find(resolver, host);
	bool fresh = !query;

	if (lookup && fresh && resolver->query_count < LOOKUP_NAMES_MAX)
		query = query_new(resolver, host);
	if (!lookup || !query) {
		if (lookup)
			lookup_free(lookup);
		error_set(err, "no memory for a lookup");
		return NULL;
	}
	lookup->query = query;
	LIST_INSERT_HEAD(&query->waiters, lookup, entry);
	if (fresh)
		query_ask(query);
	lookup_hurry(lookup);
	return lookup;
}
