/* SPDX-License-Identifier: GPL-3.0-or-later */
/* RESOLVER CACHE - DNS answers for as long as they may be kept.
 * One entry is one name and one type. What it holds was read from a message and
 * judged by nobody: addresses are vetted whenever they are used. Only what a
 * name server really said is kept, for a time within the bounds below; failures
 * never are. Full, it forgets what was not asked for the longest. Pure: the
 * clock is the caller's. */
#ifndef PROXY_RESOLVER_CACHE_H
#define PROXY_RESOLVER_CACHE_H

#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/dns.h"
#include "base/error.h"
#include "base/hostname.h"

#define RESOLVER_CACHE_MAX 65536 /* answers */

/* Seconds. A TTL of 0 counts as the least: one name asked for in a burst. */
#define RESOLVER_TTL_LEAST         1
#define RESOLVER_TTL_MOST          300
#define RESOLVER_NEGATIVE_TTL_MOST 60

struct resolver_cache;

/* Room for so many answers; 0: nothing is ever kept. */
struct resolver_cache *resolver_cache_new(size_t room,
					  struct error *err) MUST_CHECK
	NONNULL(2);
void resolver_cache_free(struct resolver_cache *cache);

/* Borrowed until the next put. NULL: not there, or too old. */
const struct dns_answer *resolver_cache_find(struct resolver_cache *cache,
					     const struct hostname *host,
					     enum dns_type type,
					     uint64_t now_ms) MUST_CHECK
	NONNULL(1, 2);

/*
 * Keep an answer, instead of an older one. Ignored: one that is truncated or a
 * failure, one without addresses and without an SOA (RFC 2308, 5), and, best
 * effort, any where memory is short.
 */
void resolver_cache_put(struct resolver_cache *cache,
			const struct hostname *host, enum dns_type type,
			const struct dns_answer *answer, uint64_t now_ms)
	NONNULL(1, 2, 4);

size_t resolver_cache_count(const struct resolver_cache *cache) NONNULL(1);

#endif
