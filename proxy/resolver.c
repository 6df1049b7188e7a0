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
	struct event *event;
	ares_socket_t fd;
};

struct resolver {
	struct event_base *base;
	struct ares_addr_port_node *servers;
	struct timeval deadline;
	int try_ms; /* for the first of two tries */
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

LIST_HEAD(lookup_list, lookup);

/*
 * A name that is being asked for, on a channel of its own. So each has a port
 * that nobody can guess from others (RFC 5452, 9.2), and a server that fails
 * one name by resetting its connection fails no other: the library would end
 * all that a channel has in flight there.
 */
struct query {
	struct resolver *resolver;
	struct hostname host;
	ares_channel channel;
	struct event *timer; /* the library's own retries */
	struct watch *watches;
	struct lookup_list waiters;
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

static void rearm(struct query *query)
{
	struct timeval room, *next = ares_timeout(query->channel, NULL, &room);

	if (next)
		evtimer_add(query->timer, next);
	else
		evtimer_del(query->timer);
}

/* Ends a query that is of no more use, which no callback of its may do. */
static void query_settle(struct query *query);

static void process(struct query *query, ares_socket_t read,
		    ares_socket_t write)
{
	ares_process_fd(query->channel, read, write);
	rearm(query);
	query_settle(query);
}

static void timer_cb(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	process(arg, ARES_SOCKET_BAD, ARES_SOCKET_BAD);
}

static void socket_cb(evutil_socket_t fd, short what, void *arg)
{
	process(arg, what & EV_READ ? fd : ARES_SOCKET_BAD,
		what & EV_WRITE ? fd : ARES_SOCKET_BAD);
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
static void watch_add(struct query *query, ares_socket_t fd, short what)
{
	struct watch *watch = calloc(1, sizeof(*watch));

	if (!watch)
		return;
	watch->fd = fd;
	watch->event = event_new(query->resolver->base, fd, what | EV_PERSIST,
				 socket_cb, query);
	watch->next = query->watches;
	query->watches = watch;
	if (!watch->event || event_add(watch->event, NULL) < 0)
		watch_drop(&query->watches);
}

static void state_cb(void *arg, ares_socket_t fd, int readable, int writable)
{
	struct query *query = arg;
	short what =
		(short)((readable ? EV_READ : 0) | (writable ? EV_WRITE : 0));
	struct watch **at = &query->watches;

	while (*at && (*at)->fd != fd)
		at = &(*at)->next;
	if (*at)
		watch_drop(at);
	if (what)
		watch_add(query, fd, what);
}

static struct timeval to_timeval(uint64_t ms)
{
	return (struct timeval){
		.tv_sec = (time_t)(ms / 1000),
		.tv_usec = (suseconds_t)(ms % 1000 * 1000),
	};
}

/* ---- starting ---- */

static int fail(struct error *err, int status)
{
	return error_set(err, "cannot set the name servers: %s",
			 ares_strerror(status));
}

static int set_servers(ares_channel channel, const struct endpoint *servers,
		       size_t count, struct error *err)
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
	status = ares_set_servers_ports(channel, nodes);
	return status == ARES_SUCCESS ? 0 : fail(err, status);
}

/* Those of the setup, or what the library finds in the system's files. */
static int find_servers(struct resolver *resolver,
			const struct resolver_setup *setup, struct error *err)
{
	ares_channel channel;
	int status = ares_init(&channel);

	if (status != ARES_SUCCESS)
		return fail(err, status);
	if (setup->server_count &&
	    set_servers(channel, setup->servers, setup->server_count, err) < 0)
		status = ARES_ENOMEM;
	else
		status = ares_get_servers_ports(channel, &resolver->servers);
	ares_destroy(channel);
	return status == ARES_SUCCESS ? 0 : fail(err, status);
}

/*
 * "b" alone: never the hosts file. Aliases from a file are off as well. With
 * all of these given the library reads no file and no variable.
 */
static int open_channel(struct query *query)
{
	char lookups[] = "b";
	struct in_addr none = { 0 };
	struct ares_options options = {
		.flags = ARES_FLAG_NOSEARCH | ARES_FLAG_NOALIASES,
		.timeout = query->resolver->try_ms,
		.tries = 2,
		.ndots = 1,
		.servers = &none,
		.nservers = 1,
		.lookups = lookups,
		.sock_state_cb = state_cb,
		.sock_state_cb_data = query,
	};
	const int given = ARES_OPT_FLAGS | ARES_OPT_TIMEOUTMS | ARES_OPT_TRIES |
			  ARES_OPT_NDOTS | ARES_OPT_SERVERS | ARES_OPT_DOMAINS |
			  ARES_OPT_LOOKUPS | ARES_OPT_SORTLIST |
			  ARES_OPT_NOROTATE | ARES_OPT_SOCK_STATE_CB;

	if (ares_init_options(&query->channel, &options, given) !=
	    ARES_SUCCESS) {
		query->channel = NULL;
		return -1;
	}
	return ares_set_servers_ports(query->channel,
				      query->resolver->servers) == ARES_SUCCESS
		       ? 0
		       : -1;
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
	/* two tries with doubling waits fit into the time of one lookup */
	resolver->try_ms = (int)(setup->timeout_ms * 3 / 10);
	resolver->cache = resolver_cache_new(setup->cache, err);
	if (resolver->cache && find_servers(resolver, setup, err) == 0)
		return resolver;
	resolver_free(resolver);
	return NULL;
}

static void query_free(struct query *query);

void resolver_free(struct resolver *resolver)
{
	if (!resolver)
		return;
	while (resolver->queries)
		query_free(*(struct query **)resolver->queries);
	if (resolver->servers)
		ares_free_data(resolver->servers);
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

/* What is still in flight is called back, and finds nobody waiting. */
static void query_free(struct query *query)
{
	struct resolver *resolver = query->resolver;

	tdelete(query, &resolver->queries, compare);
	resolver->query_count--;
	if (query->channel)
		ares_destroy(query->channel);
	while (query->watches)
		watch_drop(&query->watches);
	if (query->timer)
		event_free(query->timer);
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

/*
 * A family that is late may go on while nobody waits, for the cache; a name of
 * which nothing is known costs nothing any more.
 */
static void query_settle(struct query *query)
{
	if (LIST_EMPTY(&query->waiters) &&
	    (query->asked == 0 || !has_addrs(query)))
		query_free(query);
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
	for (lookup = LIST_FIRST(&query->waiters); lookup;
	     lookup = LIST_NEXT(lookup, entry))
		lookup_hurry(lookup);
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
	query->timer = evtimer_new(resolver->base, timer_cb, query);
	if (query->timer)
		return query;
	query_free(query);
	return NULL;
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

static void share_ask(struct share *share)
{
	struct query *query = share->query;

	if (query->channel)
		ares_query(query->channel, query->host.name, 1, share->type,
			   answer_cb, share);
	else
		answer_cb(share, ARES_ENOMEM, 0, NULL, 0);
}

/*
 * All that will be asked is counted before anything is: a question that is
 * answered at once must not look like the last.
 */
static void query_ask(struct query *query)
{
	bool known[FAMILIES];

	for (size_t i = 0; i < FAMILIES; i++) {
		known[i] = share_known(&query->shares[i]);
		query->asked += !known[i];
	}
	if (query->asked == 0)
		return;
	if (open_channel(query) < 0 && query->channel) {
		ares_destroy(query->channel);
		query->channel = NULL;
	}
	for (size_t i = FAMILIES; i-- > 0;)
		if (!known[i])
			share_ask(&query->shares[i]);
	if (query->channel)
		rearm(query);
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
