/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "proxy/resolver_cache.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

struct kept {
	struct hostname host;
	enum dns_type type;
	uint64_t until_ms;
	struct dns_answer answer;
	TAILQ_ENTRY(kept) order;
};

TAILQ_HEAD(kept_list, kept);

/* A balanced tree: names are the clients' choice, and hashes can be flooded. */
struct resolver_cache {
	size_t room, count;
	void *tree;
	struct kept_list used; /* the first was asked for last */
};

static int compare(const void *a, const void *b)
{
	const struct kept *first = a, *second = b;

	if (first->type != second->type)
		return first->type < second->type ? -1 : 1;
	return strcmp(first->host.name, second->host.name);
}

struct resolver_cache *resolver_cache_new(size_t room, struct error *err)
{
	struct resolver_cache *cache = calloc(1, sizeof(*cache));

	if (!cache) {
		error_sys(err, "no memory for a cache");
		return NULL;
	}
	cache->room = room;
	TAILQ_INIT(&cache->used);
	return cache;
}

static void drop(struct resolver_cache *cache, struct kept *entry)
{
	tdelete(entry, &cache->tree, compare);
	TAILQ_REMOVE(&cache->used, entry, order);
	cache->count--;
	free(entry);
}

void resolver_cache_free(struct resolver_cache *cache)
{
	struct kept *entry;

	if (!cache)
		return;
	while ((entry = TAILQ_FIRST(&cache->used)))
		drop(cache, entry);
	free(cache);
}

static struct kept *find(const struct resolver_cache *cache,
			 const struct hostname *host, enum dns_type type)
{
	const struct kept wanted = { .host = *host, .type = type };
	struct kept *const *node = tfind(&wanted, &cache->tree, compare);

	return node ? *node : NULL;
}

const struct dns_answer *resolver_cache_find(struct resolver_cache *cache,
					     const struct hostname *host,
					     enum dns_type type,
					     uint64_t now_ms)
{
	struct kept *entry = find(cache, host, type);

	if (!entry)
		return NULL;
	if (now_ms >= entry->until_ms) {
		drop(cache, entry);
		return NULL;
	}
	TAILQ_REMOVE(&cache->used, entry, order);
	TAILQ_INSERT_HEAD(&cache->used, entry, order);
	return &entry->answer;
}

static uint32_t clamp(uint32_t seconds, uint32_t most)
{
	if (seconds < RESOLVER_TTL_LEAST)
		return RESOLVER_TTL_LEAST;
	return seconds < most ? seconds : most;
}

/* 0: not at all. */
static uint32_t seconds_to_keep(const struct dns_answer *answer)
{
	if (answer->truncated ||
	    (answer->rcode != DNS_NOERROR && answer->rcode != DNS_NXDOMAIN))
		return 0;
	if (answer->count > 0)
		return clamp(answer->ttl, RESOLVER_TTL_MOST);
	if (answer->negative_ttl == 0)
		return 0;
	return clamp(answer->negative_ttl, RESOLVER_NEGATIVE_TTL_MOST);
}

static struct kept *add(struct resolver_cache *cache,
			const struct hostname *host, enum dns_type type)
{
	struct kept *entry = calloc(1, sizeof(*entry));

	if (!entry)
		return NULL;
	entry->host = *host;
	entry->type = type;
	if (!tsearch(entry, &cache->tree, compare)) {
		free(entry);
		return NULL;
	}
	TAILQ_INSERT_HEAD(&cache->used, entry, order);
	cache->count++;
	return entry;
}

void resolver_cache_put(struct resolver_cache *cache,
			const struct hostname *host, enum dns_type type,
			const struct dns_answer *answer, uint64_t now_ms)
{
	uint32_t seconds = seconds_to_keep(answer);
	struct kept *entry = find(cache, host, type);

	if (entry)
		drop(cache, entry);
	if (seconds == 0 || cache->room == 0)
		return;
	if (cache->count == cache->room)
		drop(cache, TAILQ_LAST(&cache->used, kept_list));
	entry = add(cache, host, type);
	if (!entry)
		return;
	entry->answer = *answer;
	entry->until_ms = now_ms + seconds * UINT64_C(1000);
}

size_t resolver_cache_count(const struct resolver_cache *cache)
{
	return cache->count;
}
