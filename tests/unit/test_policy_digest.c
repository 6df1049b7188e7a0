/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tests/unit/policies.h"

static const struct {
	const char *a, *b;
	bool same;
} digest_cases[] = {
	/* what does not matter */
	{ "", "", true },
	{ "allow a.test|allow b.test", "allow b.test|allow a.test", true },
	{ "allow a.test|deny b.test", "deny b.test|allow a.test", true },
	{ "allow a.test", "allow a.test|allow a.test", true },
	{ "allow a.test", "allow A.TEST.", true },
	{ "allow *.a.test", "allow *.A.test.", true },
	{ "allow b\xc3\xbc"
	  "cher.test",
	  "allow xn--bcher-kva.test", true },
	{ "allow 1.2.3.4", "allow 1.2.3.4/32", true },
	{ "allow [2001:DB8::1]", "allow 2001:db8:0::1/128", true },
	{ "allow a.test:80", "allow a.test:80-80", true },
	{ "permit 10.0.0.1", "permit 10.0.0.1/32", true },
	{ "permit 10.0.0.1|permit 10.0.0.2", "permit 10.0.0.2|permit 10.0.0.1",
	  true },
	{ "permit 10.0.0.1|permit 10.0.0.1", "permit 10.0.0.1", true },
	/* what does */
	{ "", "allow a.test", false },
	{ "", "deny a.test", false },
	{ "", "permit 10.0.0.1", false },
	{ "", "allow *", false },
	{ "allow a.test", "deny a.test", false },
	{ "allow a.test", "allow b.test", false },
	{ "allow a.test", "allow *.a.test", false },
	{ "allow *.a.test", "allow *.b.a.test", false },
	{ "allow *", "allow *.a.test", false },
	{ "allow a.test", "allow a.test:443", false },
	{ "allow a.test:80", "allow a.test:81", false },
	{ "allow a.test:80", "allow a.test:80-81", false },
	{ "allow *", "allow *:443", false },
	{ "allow 1.2.3.4", "allow 1.2.3.5", false },
	{ "allow 1.2.3.4", "allow 1.2.3.4:443", false },
	{ "allow 10.0.0.0/8", "allow 10.0.0.0/9", false },
	{ "allow 10.0.0.1", "permit 10.0.0.1", false },
	{ "allow 1.2.3.4", "allow ::ffff:1.2.3.4/128", false },
	{ "allow a.test", "allow a.test|allow b.test", false },
	{ "allow a.test|deny b.test", "allow b.test|deny a.test", false },
	{ "permit 10.0.0.0/8", "permit 10.0.0.0/9", false },
	{ "allow a.test|allow b.test", "allow a.test|deny b.test", false },
};

static void must_digest(const char *rules, char hex[DIGEST_HEX + 1])
{
	autopolicy struct policy *policy = must_new();
	struct error err;

	must_add(policy, rules);
	assert_int_equal(policy_digest(policy, hex, &err), 0);
	assert_int_equal(strlen(hex), DIGEST_HEX);
}

static void policy_digest_means_the_rules(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(digest_cases); i++) {
		char a[DIGEST_HEX + 1], b[DIGEST_HEX + 1];

		must_digest(digest_cases[i].a, a);
		must_digest(digest_cases[i].b, b);
		if ((strcmp(a, b) == 0) != digest_cases[i].same)
			fail_msg("'%s' and '%s'", digest_cases[i].a,
				 digest_cases[i].b);
	}
}

static void policy_digest_ignores_origin(void **state)
{
	autopolicy struct policy *one = must_new(), *two = must_new();
	char a[DIGEST_HEX + 1], b[DIGEST_HEX + 1];
	struct error err;
	unsigned column;

	(void)state;
	assert_int_equal(policy_set_unrestricted(one, "session", &err), 0);
	assert_int_equal(policy_allow(two, "*", "f:1:1", &column, &err), 0);
	assert_int_equal(policy_digest(one, a, &err), 0);
	assert_int_equal(policy_digest(two, b, &err), 0);
	assert_string_equal(a, b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(policy_digest_means_the_rules),
		cmocka_unit_test(policy_digest_ignores_origin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
