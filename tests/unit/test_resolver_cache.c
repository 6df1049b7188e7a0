/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The clock is ours: every time below is in milliseconds of it. */
#include "config.h"

#include "tests/unit/unit.h"

#include <stdio.h>

#include "proxy/resolver_cache.h"

#define NOW UINT64_C(1000000)

static struct hostname host(const char *text)
{
	struct hostname name;

	assert_int_equal(hostname_parse(span_of(text), &name), HOSTNAME_OK);
	return name;
}

static struct resolver_cache *cache_of(size_t room)
{
	struct error err;
	struct resolver_cache *cache = resolver_cache_new(room, &err);

	assert_non_null(cache);
	return cache;
}

/* One address whose last byte tells answers apart. */
static struct dns_answer answer_of(uint8_t last, uint32_t ttl)
{
	return (struct dns_answer){
		.addrs = { addr_v4(192, 0, 2, last) },
		.count = 1,
		.ttl = ttl,
	};
}

static void put(struct resolver_cache *cache, const char *name, uint8_t last)
{
	struct hostname key = host(name);
	struct dns_answer answer = answer_of(last, 60);

	resolver_cache_put(cache, &key, DNS_A, &answer, NOW);
}

/* The last byte of what is kept for a name; 0: nothing. */
static unsigned kept(struct resolver_cache *cache, const char *name,
		     enum dns_type type, uint64_t now)
{
	struct hostname key = host(name);
	const struct dns_answer *answer =
		resolver_cache_find(cache, &key, type, now);

	return answer ? answer->addrs[0].bytes[3] : 0;
}

/* seconds: for how long it is kept; 0: not at all. */
static const struct {
	struct dns_answer answer;
	uint32_t seconds;
} lives[] = {
	/* what is never kept */
	{ { .rcode = DNS_SERVFAIL, .negative_ttl = 60 }, 0 },
	{ { .rcode = DNS_REFUSED, .negative_ttl = 60 }, 0 },
	{ { .rcode = DNS_FORMERR, .negative_ttl = 60 }, 0 },
	{ { .rcode = DNS_NOTIMP, .negative_ttl = 60 }, 0 },
	{ { .rcode = DNS_SERVFAIL, .count = 1, .ttl = 60 }, 0 },
	{ { .truncated = true, .count = 1, .ttl = 60 }, 0 },
	{ { .truncated = true, .negative_ttl = 60 }, 0 },
	{ { .rcode = DNS_NXDOMAIN }, 0 }, /* no SOA: RFC 2308, 5 */
	{ { .rcode = DNS_NOERROR }, 0 },
	/* the bounds */
	{ { .rcode = DNS_NXDOMAIN, .negative_ttl = 1 }, 1 },
	{ { .rcode = DNS_NXDOMAIN, .negative_ttl = 59 }, 59 },
	{ { .rcode = DNS_NXDOMAIN, .negative_ttl = 61 }, 60 },
	{ { .rcode = DNS_NOERROR, .negative_ttl = UINT32_MAX }, 60 },
	{ { .count = 1, .ttl = 0 }, 1 },
	{ { .count = 1, .ttl = 1 }, 1 },
	{ { .count = 1, .ttl = 60 }, 60 },
	{ { .count = 1, .ttl = 299 }, 299 },
	{ { .count = 1, .ttl = 301 }, 300 },
	{ { .count = 1, .ttl = UINT32_MAX }, 300 },
};

static void an_answer_lives_within_bounds(void **state)
{
	const struct hostname name = host("a.test");

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(lives); i++) {
		struct resolver_cache *cache = cache_of(4);
		uint64_t end = NOW + lives[i].seconds * UINT64_C(1000);

		resolver_cache_put(cache, &name, DNS_A, &lives[i].answer, NOW);
		if (resolver_cache_count(cache) != (lives[i].seconds > 0))
			fail_msg("case %zu: %zu kept", i,
				 resolver_cache_count(cache));
		if (lives[i].seconds > 0 &&
		    !resolver_cache_find(cache, &name, DNS_A, end - 1))
			fail_msg("case %zu: gone too soon", i);
		if (resolver_cache_find(cache, &name, DNS_A, end))
			fail_msg("case %zu: kept for too long", i);
		assert_int_equal(resolver_cache_count(cache), 0);
		resolver_cache_free(cache);
	}
}

static void only_the_same_question_is_answered(void **state)
{
	struct resolver_cache *cache = cache_of(4);

	(void)state;
	put(cache, "a.test", 1);
	assert_int_equal(kept(cache, "a.test", DNS_AAAA, NOW), 0);
	assert_int_equal(kept(cache, "b.test", DNS_A, NOW), 0);
	assert_int_equal(kept(cache, "a.test.test", DNS_A, NOW), 0);
	assert_int_equal(kept(cache, "a.tes", DNS_A, NOW), 0);
	assert_int_equal(kept(cache, "x.a.test", DNS_A, NOW), 0);
	assert_int_equal(kept(cache, "A.test", DNS_A, NOW), 1);
	resolver_cache_free(cache);
}

/* What failed now says that the older answer is of no use either. */
static void the_newest_answer_counts(void **state)
{
	const struct dns_answer failed = { .rcode = DNS_SERVFAIL };
	const struct hostname name = host("a.test");
	struct resolver_cache *cache = cache_of(4);

	(void)state;
	put(cache, "a.test", 1);
	put(cache, "a.test", 2);
	assert_int_equal(resolver_cache_count(cache), 1);
	assert_int_equal(kept(cache, "a.test", DNS_A, NOW), 2);
	resolver_cache_put(cache, &name, DNS_A, &failed, NOW);
	assert_int_equal(kept(cache, "a.test", DNS_A, NOW), 0);
	resolver_cache_free(cache);
}

static void a_full_cache_forgets_the_idlest(void **state)
{
	struct resolver_cache *cache = cache_of(3);

	(void)state;
	put(cache, "a.test", 1);
	put(cache, "b.test", 2);
	put(cache, "c.test", 3);
	assert_int_equal(kept(cache, "a.test", DNS_A, NOW), 1);
	put(cache, "d.test", 4);
	assert_int_equal(resolver_cache_count(cache), 3);
	assert_int_equal(kept(cache, "b.test", DNS_A, NOW), 0);
	assert_int_equal(kept(cache, "a.test", DNS_A, NOW), 1);
	assert_int_equal(kept(cache, "c.test", DNS_A, NOW), 3);
	assert_int_equal(kept(cache, "d.test", DNS_A, NOW), 4);
	resolver_cache_free(cache);
}

/* A name under an allowed wildcard costs an attacker nothing. */
static void a_flood_stays_within_its_room(void **state)
{
	struct resolver_cache *cache = cache_of(16);
	char name[32];

	(void)state;
	for (int i = 0; i < 10000; i++) {
		snprintf(name, sizeof(name), "n%d.wild.test", i);
		put(cache, name, (uint8_t)(i % 200 + 1));
		assert_true(resolver_cache_count(cache) <= 16);
	}
	assert_int_equal(kept(cache, "n9983.wild.test", DNS_A, NOW), 0);
	assert_int_equal(kept(cache, "n9984.wild.test", DNS_A, NOW), 185);
	assert_int_equal(kept(cache, name, DNS_A, NOW), 200);
	resolver_cache_free(cache);
}

static void no_room_keeps_nothing(void **state)
{
	struct resolver_cache *cache = cache_of(0);

	(void)state;
	put(cache, "a.test", 1);
	assert_int_equal(resolver_cache_count(cache), 0);
	assert_int_equal(kept(cache, "a.test", DNS_A, NOW), 0);
	resolver_cache_free(cache);
	resolver_cache_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_answer_lives_within_bounds),
		cmocka_unit_test(only_the_same_question_is_answered),
		cmocka_unit_test(the_newest_answer_counts),
		cmocka_unit_test(a_full_cache_forgets_the_idlest),
		cmocka_unit_test(a_flood_stays_within_its_room),
		cmocka_unit_test(no_room_keeps_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
