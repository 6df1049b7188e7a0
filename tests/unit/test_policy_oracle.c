/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tests/unit/policies.h"

#include "base/clock.h"

/* ---- the index against a slow and plain reading of the rules ---- */

#define ORACLE_RULES 12

struct oracle_rule {
	bool denies;
	char kind; /* 'h'ost, 'z'one, '*', 'c'idr */
	char name[32];
	uint8_t net[4];
	unsigned bits;
	unsigned low, high; /* 0: 80 and 443 */
};

static bool oracle_names(const struct oracle_rule *r, const char *host,
			 const uint8_t *addr)
{
	size_t hn = strlen(host), rn = strlen(r->name);
	unsigned differ = 0;

	if (r->kind == 'c') {
		for (unsigned i = 0; addr && i < r->bits; i++)
			differ |=
				(addr[i / 8] ^ r->net[i / 8]) & (128u >> i % 8);
		return addr && !differ;
	}
	if (addr)
		return false;
	if (r->kind == 'h')
		return strcmp(host, r->name) == 0;
	return r->kind == '*' || (hn > rn + 1 && host[hn - rn - 1] == '.' &&
				  strcmp(host + hn - rn, r->name) == 0);
}

static bool oracle_ports(const struct oracle_rule *r, unsigned port)
{
	return r->low ? port >= r->low && port <= r->high
		      : port == 80 || port == 443;
}

static enum deny_reason oracle(const struct oracle_rule *rules, size_t count,
			       const char *host, const uint8_t *addr,
			       unsigned port)
{
	bool named = false, allowed = false;

	for (size_t i = 0; i < count; i++) {
		if (!oracle_names(&rules[i], host, addr))
			continue;
		if (rules[i].denies && oracle_ports(&rules[i], port))
			return DENY_LISTED;
		named |= !rules[i].denies;
		allowed |= !rules[i].denies && oracle_ports(&rules[i], port);
	}
	if (allowed)
		return DENY_NOT;
	return named ? DENY_PORT : addr ? DENY_LITERAL : DENY_NOT_LISTED;
}

/* xorshift32: the same cases on every machine. */
static uint32_t dice = 20240229;

static unsigned roll(unsigned sides)
{
	dice ^= dice << 13;
	dice ^= dice >> 17;
	dice ^= dice << 5;
	return dice % sides;
}

/* One to four labels of a tiny alphabet, so that names meet often. */
static void roll_name(char *out)
{
	static const char *const labels[] = { "a", "b", "ab", "ba", "a-b" };
	unsigned count = roll(4);

	*out = '\0';
	for (unsigned i = 0; i < count; i++) {
		strcat(out, labels[roll(ARRAY_SIZE(labels))]);
		strcat(out, ".");
	}
	strcat(out, roll(8) ? "zz" : "azz");
}

static void roll_addr(uint8_t addr[4])
{
	for (int i = 0; i < 4; i++)
		addr[i] = (uint8_t)(8 + roll(3));
}

static void roll_rule(struct oracle_rule *r, char text[64])
{
	static const unsigned ports[] = { 22, 80, 81, 443 };
	size_t used;

	*r = (struct oracle_rule){ .denies = roll(4) == 0,
				   .kind = "hhhzzz*ccc"[roll(10)] };
	roll_name(r->name);
	roll_addr(r->net);
	r->bits = roll(33);
	for (unsigned i = r->bits; i < 32; i++)
		r->net[i / 8] &= (uint8_t) ~(128u >> i % 8);
	if (r->kind == 'c') {
		snprintf(text, 64, "%u.%u.%u.%u/%u", r->net[0], r->net[1],
			 r->net[2], r->net[3], r->bits);
		return;
	}
	snprintf(text, 64, "%s%s", r->kind == 'h' ? "" : "*",
		 r->kind == 'z' ? "." : "");
	if (r->kind != '*')
		strcat(text, r->name);
	used = strlen(text);
	if (roll(2)) {
		r->low = ports[roll(4)];
		r->high = r->low + roll(3);
		snprintf(text + used, 64 - used, ":%u-%u", r->low, r->high);
	}
}

static void compare_with_oracle(const struct policy *policy,
				const struct oracle_rule *rules, size_t count)
{
	static const unsigned ports[] = { 21, 22, 23, 80, 81, 443, 444 };

	for (int i = 0; i < 40; i++) {
		struct target target = { 0 };
		char host[32] = "";
		bool literal = roll(4) == 0;
		enum deny_reason want;
		struct decision got;

		target.port = (uint16_t)ports[roll(ARRAY_SIZE(ports))];
		if (literal) {
			target.addr.size = 4;
			roll_addr(target.addr.bytes);
		} else {
			roll_name(host);
			assert_int_equal(
				hostname_parse(span_of(host), &target.host), 0);
		}
		want = oracle(rules, count, host,
			      literal ? target.addr.bytes : NULL, target.port);
		got = policy_decide(policy, &target);
		if (got.reason != want ||
		    (got.verdict == VERDICT_ALLOW) != (want == DENY_NOT))
			fail_msg("%s%s:%u: %s, the oracle says %s", host,
				 addr_print(&target.addr).text, target.port,
				 deny_reason_text(got.reason),
				 deny_reason_text(want));
	}
}

static void policy_decides_like_the_oracle(void **state)
{
	(void)state;
	for (int round = 0; round < 1000; round++) {
		autopolicy struct policy *policy = must_new();
		struct oracle_rule rules[ORACLE_RULES];
		size_t count = roll(ORACLE_RULES + 1);

		for (size_t i = 0; i < count; i++) {
			char text[80], entry[64];

			roll_rule(&rules[i], entry);
			snprintf(text, sizeof(text), "%s %s",
				 rules[i].denies ? "deny" : "allow", entry);
			must_add(policy, text);
		}
		compare_with_oracle(policy, rules, count);
	}
}

/* One of 50,000 rules, by shape. */
static const char *shape_text(unsigned shape, unsigned i)
{
	static char text[64];

	switch (shape) {
	case 0:
		snprintf(text, sizeof(text), "host%u.test", i);
		break;
	case 1:
		snprintf(text, sizeof(text), "*.zone%u.test", i);
		break;
	case 2:
		snprintf(text, sizeof(text), "one.test:%u", i);
		break;
	case 3:
		snprintf(text, sizeof(text), "*:%u", i);
		break;
	default:
		snprintf(text, sizeof(text), "%u.%u.%u.0/24", 11 + i % 100,
			 i / 256 % 256, i % 256);
	}
	return text;
}

/* Takes about a second; where loading is quadratic, minutes. */
static void policy_loads_many_rules(void **state)
{
	uint64_t start = clock_monotonic_ms();

	(void)state;
	for (unsigned shape = 0; shape < 5; shape++) {
		autopolicy struct policy *policy = must_new();
		struct target target = must_target("x.none", 60000);

		for (unsigned i = 1; i <= 50000; i++) {
			struct error err;
			unsigned column;

			assert_int_equal(policy_allow(policy,
						      shape_text(shape, i),
						      "test", &column, &err),
					 0);
		}
		assert_int_equal(policy_rule_count(policy), 50000);
		assert_int_equal(policy_decide(policy, &target).verdict,
				 VERDICT_DENY);
	}
	assert_in_range(clock_monotonic_ms() - start, 0, 60000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(policy_decides_like_the_oracle),
		cmocka_unit_test(policy_loads_many_rules),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
