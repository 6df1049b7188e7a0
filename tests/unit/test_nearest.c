/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tests/unit/unit.h"

#include "policy/nearest.h"

static const char *const entries[] = {
	"api.first.test:443", "*.zone.test",       "second.test",
	"10.1.2.0/24",        "[2001:db8::1]:443", "db.second.test:5432",
};

static const struct {
	const char *host;
	uint16_t port;
	enum nearest_why why;
	const char *rule; /* NULL: none */
} cases[] = {
	{ "api.first.test", 80, NEAREST_PORT, "api.first.test:443" },
	{ "db.second.test", 443, NEAREST_PORT, "db.second.test:5432" },
	{ "a.b.zone.test", 22, NEAREST_PORT, "*.zone.test" },
	{ "zone.test", 443, NEAREST_ZONE, "*.zone.test" },
	{ "www.second.test", 443, NEAREST_PARENT, "second.test" },
	{ "x.api.first.test", 443, NEAREST_PARENT, "api.first.test:443" },
	{ "app.first.test", 443, NEAREST_SIBLING, "api.first.test:443" },
	{ "first.test", 443, NEAREST_SIBLING, "api.first.test:443" },
	{ "secund.test", 443, NEAREST_SPELLING, "second.test" },
	{ "elsewhere.example", 443, NEAREST_NONE, NULL },
	{ "10.1.2.9", 22, NEAREST_PORT, "10.1.2.0/24" },
	{ "10.1.3.9", 443, NEAREST_PREFIX, "10.1.2.0/24" },
	{ "192.0.2.1", 443, NEAREST_NONE, NULL },
	{ "2001:db8::1", 80, NEAREST_PORT, "[2001:db8::1]:443" },
	{ "2001:db8::2", 443, NEAREST_PREFIX, "[2001:db8::1]:443" },
	{ "fd00::1", 443, NEAREST_NONE, NULL },
};

static struct target target_of(const char *host, uint16_t port)
{
	struct target target = { .port = port };

	if (!addr_parse(span_of(host), &target.addr))
		assert_int_equal(hostname_parse(span_of(host), &target.host),
				 HOSTNAME_OK);
	return target;
}

static void the_nearest_miss_is_named(void **state)
{
	struct error err;
	struct policy *policy = policy_new(&err);
	unsigned column;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(entries); i++)
		assert_int_equal(policy_allow(policy, entries[i], "t", &column,
					      &err),
				 0);
	/* what is denied by name is no near miss */
	assert_int_equal(policy_deny(policy, "elsewhere.example:1", "t",
				     &column, &err),
			 0);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct target target = target_of(cases[i].host, cases[i].port);
		struct nearest nearest = policy_nearest(policy, &target);

		assert_int_equal(policy_decide(policy, &target).verdict,
				 VERDICT_DENY);
		if (nearest.why != cases[i].why)
			fail_msg("%s: %s", cases[i].host,
				 nearest_text(nearest.why));
		if (cases[i].rule)
			assert_string_equal(nearest.rule->text, cases[i].rule);
		else
			assert_null(nearest.rule);
	}
	policy_free(policy);
}

static void a_star_is_near_to_no_address(void **state)
{
	struct error err;
	struct policy *policy = policy_new(&err);
	struct target target = target_of("192.0.2.1", 443);

	(void)state;
	assert_int_equal(policy_nearest(policy, &target).why, NEAREST_NONE);
	assert_int_equal(policy_set_unrestricted(policy, "t", &err), 0);
	assert_int_equal(policy_nearest(policy, &target).why, NEAREST_NOT_NAME);
	target = target_of("a.test", 22);
	assert_int_equal(policy_nearest(policy, &target).why, NEAREST_PORT);
	policy_free(policy);
}

/* ---- entries compared ---- */

static const struct {
	const char *wide, *narrow;
	bool covers;
} pairs[] = {
	{ "a.test", "a.test", true },
	{ "a.test", "A.test.:80", true },
	{ "a.test:1-100", "a.test:80", true },
	{ "a.test:1-100", "a.test:1-100", true },
	{ "a.test:1-500", "a.test", true },
	{ "*.a.test", "b.a.test", true },
	{ "*.a.test", "*.b.a.test", true },
	{ "*.a.test", "*.a.test:443", true },
	{ "*", "*.a.test", true },
	{ "*", "a.test:443", true },
	{ "*", "*", true },
	{ "10.0.0.0/8", "10.1.0.0/16", true },
	{ "10.0.0.0/8", "10.1.2.3", true },
	{ "10.1.2.3:1-9", "10.1.2.3:9", true },
	{ "a.test:80", "a.test", false },
	{ "a.test:443", "a.test:80", false },
	{ "a.test", "a.test:80-443", false },
	{ "a.test", "a.test:22", false },
	{ "a.test:1-442", "a.test", false },
	{ "a.test:5-9", "a.test:4-9", false },
	{ "a.test", "b.a.test", false },
	{ "a.test", "*.a.test", false },
	{ "*.a.test", "a.test", false },
	{ "*.b.a.test", "*.a.test", false },
	{ "*.a.test", "*.ba.test", false },
	{ "*.a.test", "*", false },
	{ "*", "10.1.2.3", false },
	{ "*", "a.test:22", false },
	{ "10.1.0.0/16", "10.0.0.0/8", false },
	{ "10.1.0.0/16", "10.2.0.0/24", false },
	{ "0.0.0.0/0", "[::1]", false },
	{ "10.0.0.0/8", "10.1.2.3:22", false },
};

static struct entry entry_of(const char *text)
{
	struct entry entry;
	struct error err;
	unsigned column;

	if (entry_parse(span_of(text), &entry, &column, &err) < 0)
		fail_msg("'%s': %s", text, err.text);
	return entry;
}

static void entries_are_compared(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(pairs); i++) {
		struct entry wide = entry_of(pairs[i].wide);
		struct entry narrow = entry_of(pairs[i].narrow);

		if (entry_covers_entry(&wide, &narrow) != pairs[i].covers)
			fail_msg("'%s' and '%s'", pairs[i].wide,
				 pairs[i].narrow);
	}
}

/* Of the private section alone: those of the other are refused at load. */
static void shared_zones_are_known(void **state)
{
	static const char *const own[] = { "github.io", "*.x.github.io",
					   "*.github.com", "*.a.test", "*" };
	struct entry entry = entry_of("*.github.io:443");

	(void)state;
	assert_true(entry_over_shared_zone(&entry));
	entry = entry_of("*.blogspot.com");
	assert_true(entry_over_shared_zone(&entry));
	for (size_t i = 0; i < ARRAY_SIZE(own); i++) {
		entry = entry_of(own[i]);
		assert_false(entry_over_shared_zone(&entry));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_nearest_miss_is_named),
		cmocka_unit_test(a_star_is_near_to_no_address),
		cmocka_unit_test(entries_are_compared),
		cmocka_unit_test(shared_zones_are_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
