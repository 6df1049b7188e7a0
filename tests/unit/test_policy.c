/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tests/unit/policies.h"

#define OK_WILD "allow ok.test|allow *.wild.test"

static const struct {
	const char *rules, *host;
	uint16_t port;
	enum deny_reason reason; /* DENY_NOT: allowed */
	const char *rule;        /* which decided */
} decide_cases[] = {
	/* H1: nothing listed, nothing allowed */
	{ "", "ok.test", 443, DENY_NOT_LISTED, NULL },
	{ "", "1.2.3.4", 443, DENY_LITERAL, NULL },
	{ "deny bad.test", "ok.test", 443, DENY_NOT_LISTED, NULL },
	/* A4: suffix confusion */
	{ OK_WILD, "evilwild.test", 443, DENY_NOT_LISTED, NULL },
	{ OK_WILD, "notok.test", 443, DENY_NOT_LISTED, NULL },
	{ OK_WILD, "ok.test.evil.test", 443, DENY_NOT_LISTED, NULL },
	{ OK_WILD, "wild.test", 443, DENY_NOT_LISTED, NULL },
	{ OK_WILD, "wild.test.evil.test", 443, DENY_NOT_LISTED, NULL },
	{ OK_WILD, "a.wild.test.evil.test", 443, DENY_NOT_LISTED, NULL },
	{ OK_WILD, "a.ok.test", 443, DENY_NOT_LISTED, NULL },
	{ OK_WILD, "ok.tes", 443, DENY_NOT_LISTED, NULL },
	{ OK_WILD, "test", 443, DENY_NOT_LISTED, NULL },
	{ OK_WILD, "k.test", 443, DENY_NOT_LISTED, NULL },
	{ OK_WILD, "localhost", 443, DENY_NOT_LISTED, NULL }, /* A12 */
	{ OK_WILD, "metadata", 80, DENY_NOT_LISTED, NULL },
	{ OK_WILD, "metadata.google.internal", 80, DENY_NOT_LISTED, NULL },
	{ OK_WILD, "_x.ok.test", 443, DENY_NOT_LISTED, NULL },
	{ OK_WILD, "ok.test", 443, DENY_NOT, "ok.test" },
	{ OK_WILD, "OK.test.", 80, DENY_NOT, "ok.test" }, /* A1, A2 */
	{ OK_WILD, "a.wild.test", 443, DENY_NOT, "*.wild.test" },
	{ OK_WILD, "a.b.c.wild.test", 443, DENY_NOT, "*.wild.test" },
	/* A1: a deny entry with a dot is one without */
	{ "allow *|deny bad.test.", "bad.test", 443, DENY_LISTED, "bad.test." },
	{ "allow *|deny BAD.test", "bad.test.", 443, DENY_LISTED, "BAD.test" },
	/* E14: ports */
	{ OK_WILD, "ok.test", 22, DENY_PORT, NULL },
	{ OK_WILD, "ok.test", 8080, DENY_PORT, NULL },
	{ OK_WILD, "ok.test", 6379, DENY_PORT, NULL },
	{ OK_WILD, "a.wild.test", 25, DENY_PORT, NULL },
	{ OK_WILD, "no.test", 22, DENY_NOT_LISTED, NULL },
	{ "allow ok.test:22", "ok.test", 443, DENY_PORT, NULL },
	{ "allow ok.test:22", "ok.test", 22, DENY_NOT, "ok.test:22" },
	{ "allow ok.test:22|allow ok.test:25", "ok.test", 25, DENY_NOT,
	  "ok.test:25" },
	{ "allow ok.test:22|allow *.test:25", "ok.test", 25, DENY_NOT,
	  "*.test:25" },
	{ "allow *:8080", "ok.test", 443, DENY_PORT, NULL },
	{ "allow *:8080|allow *:9090", "ok.test", 9090, DENY_NOT, "*:9090" },
	{ "allow 1.2.3.4", "1.2.3.4", 22, DENY_PORT, NULL },
	{ "allow 1.2.3.4:22", "1.2.3.4", 22, DENY_NOT, "1.2.3.4:22" },
	{ "allow 1.2.3.4:25|allow 1.2.3.0/24", "1.2.3.4", 443, DENY_NOT,
	  "1.2.3.0/24" },
	/* a denied port says nothing about the others */
	{ "allow ok.test|deny ok.test:80", "ok.test", 80, DENY_LISTED,
	  "ok.test:80" },
	{ "allow ok.test|deny ok.test:80", "ok.test", 443, DENY_NOT,
	  "ok.test" },
	{ "deny ok.test:80", "ok.test", 443, DENY_NOT_LISTED, NULL },
	/* H6: deny beats allow, however specific either is */
	{ "allow ok.test|deny ok.test", "ok.test", 443, DENY_LISTED,
	  "ok.test" },
	{ "deny ok.test|allow ok.test", "ok.test", 443, DENY_LISTED,
	  "ok.test" },
	{ "allow a.ok.test|deny *.ok.test", "a.ok.test", 443, DENY_LISTED,
	  "*.ok.test" },
	{ "allow a.b.ok.test|deny *.ok.test", "a.b.ok.test", 443, DENY_LISTED,
	  "*.ok.test" },
	{ "allow *.b.ok.test|deny *.ok.test", "a.b.ok.test", 443, DENY_LISTED,
	  "*.ok.test" },
	{ "allow *|deny a.ok.test", "a.ok.test", 443, DENY_LISTED,
	  "a.ok.test" },
	{ "allow *|deny a.ok.test", "b.ok.test", 443, DENY_NOT, "*" },
	{ "allow ok.test|allow *.ok.test|deny *", "ok.test", 443, DENY_LISTED,
	  "*" },
	{ "allow *.ok.test|deny *.ok.test", "ok.test", 443, DENY_NOT_LISTED,
	  NULL },
	{ "allow 1.2.3.4|deny 1.2.0.0/16", "1.2.3.4", 443, DENY_LISTED,
	  "1.2.0.0/16" },
	{ "allow 0.0.0.0/0|deny 1.2.3.4", "1.2.3.4", 443, DENY_LISTED,
	  "1.2.3.4" },
	{ "allow 0.0.0.0/0|deny 1.2.3.4", "1.2.3.5", 443, DENY_NOT,
	  "0.0.0.0/0" },
	/* B11: literals need entries of their own; '*' is names */
	{ "allow *", "140.82.114.4", 443, DENY_LITERAL, NULL },
	{ "allow *", "2606::1", 443, DENY_LITERAL, NULL },
	{ OK_WILD, "140.82.114.4", 443, DENY_LITERAL, NULL },
	{ "allow 0.0.0.0/0", "2606::1", 443, DENY_LITERAL, NULL },
	{ "allow ::/0", "1.2.3.4", 443, DENY_LITERAL, NULL },
	{ "allow ::ffff:0:0/96", "1.2.3.4", 443, DENY_LITERAL, NULL },
	{ "allow 1.2.3.4", "::ffff:1.2.3.4", 443, DENY_LITERAL, NULL },
	{ "allow 1.2.3.4", "1.2.3.5", 443, DENY_LITERAL, NULL },
	{ "allow 0.0.0.0/0", "ok.test", 443, DENY_NOT_LISTED, NULL },
	{ "allow 1.2.3.4|deny *", "1.2.3.4", 443, DENY_NOT, "1.2.3.4" },
	{ "allow [2606::1]:22", "2606::1", 22, DENY_NOT, "[2606::1]:22" },
	/* the most specific allow is the one that is named */
	{ "allow *|allow *.test|allow ok.test", "ok.test", 443, DENY_NOT,
	  "ok.test" },
	{ "allow *|allow *.test|allow *.a.test", "x.a.test", 443, DENY_NOT,
	  "*.a.test" },
	{ "allow 0.0.0.0/0|allow 1.0.0.0/8|allow 1.2.3.4", "1.2.3.4", 443,
	  DENY_NOT, "1.2.3.4" },
	{ "allow 0.0.0.0/0|allow 1.0.0.0/8|allow 1.2.3.4", "1.2.3.5", 443,
	  DENY_NOT, "1.0.0.0/8" },
	{ "allow ::/0|allow 2606::/16|allow 2606:1::/33", "2606:1:8000::", 80,
	  DENY_NOT, "2606::/16" },
	{ "allow ok.test|allow ok.test:443", "ok.test", 443, DENY_NOT,
	  "ok.test" },
};

static void check_decision(const char *what, struct decision got,
			   enum deny_reason reason, const char *rule)
{
	if (got.reason != reason ||
	    got.verdict != (reason == DENY_NOT ? VERDICT_ALLOW : VERDICT_DENY))
		fail_msg("%s: %s instead of %s", what,
			 deny_reason_text(got.reason),
			 deny_reason_text(reason));
	if ((rule == NULL) != (got.rule == NULL))
		fail_msg("%s: %s rule", what, rule ? "no" : "an unexpected");
	if (rule)
		assert_string_equal(got.rule->text, rule);
}

static void policy_decides(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(decide_cases); i++) {
		autopolicy struct policy *policy = must_new();
		struct target target =
			must_target(decide_cases[i].host, decide_cases[i].port);
		char what[300];

		must_add(policy, decide_cases[i].rules);
		snprintf(what, sizeof(what), "case %zu, '%s', %s:%u", i,
			 decide_cases[i].rules, decide_cases[i].host,
			 decide_cases[i].port);
		check_decision(what, policy_decide(policy, &target),
			       decide_cases[i].reason, decide_cases[i].rule);
	}
}

static void policy_denies_a_target_of_nothing(void **state)
{
	autopolicy struct policy *policy = must_new();
	const struct target nothing = { .port = 443 };
	struct decision decision;

	(void)state;
	must_add(policy, "allow *|allow 0.0.0.0/0|allow ::/0");
	decision = policy_decide(policy, &nothing);
	check_decision("nothing", decision, DENY_NOT_LISTED, NULL);
}

static void policy_unrestricted_is_names_on_two_ports(void **state)
{
	static const struct {
		const char *host;
		uint16_t port;
		enum deny_reason reason;
	} cases[] = {
		{ "x.test", 22, DENY_PORT },
		{ "bad.test", 443, DENY_LISTED },
		{ "93.184.216.34", 443, DENY_LITERAL },
		{ "x.test", 443, DENY_NOT },
		{ "localhost", 80, DENY_NOT }, /* its address is vetted */
	};
	autopolicy struct policy *policy = must_new();
	struct error err;

	(void)state;
	must_add(policy, "deny bad.test");
	assert_int_equal(
		policy_set_unrestricted(policy, "--unrestricted", &err), 0);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct target target =
			must_target(cases[i].host, cases[i].port);

		assert_int_equal(policy_decide(policy, &target).reason,
				 cases[i].reason);
	}
	assert_int_equal(policy_vet(policy,
				    &(struct addr){ 4, { 127, 0, 0, 1 } },
				    false),
			 DENY_LOOPBACK);
}

static void policy_refuses_a_bad_entry_and_stays(void **state)
{
	autopolicy struct policy *policy = must_new();
	struct error err;
	unsigned column = 0;

	(void)state;
	assert_int_equal(
		policy_allow(policy, "a.test,*", "here", &column, &err), -1);
	assert_int_equal(column, 7);
	assert_int_equal(policy_deny(policy, "*.com", "here", &column, &err),
			 -1);
	assert_int_equal(column, 1);
	assert_int_equal(err.kind, ERROR_INPUT);
	assert_int_equal(policy_rule_count(policy), 0);
}

static void policy_lists_its_rules(void **state)
{
	autopolicy struct policy *policy = must_new();
	struct error err;
	unsigned column;
	bool denies;

	(void)state;
	assert_int_equal(policy_allow(policy, "A.test", "f:1:2", &column, &err),
			 0);
	assert_int_equal(policy_deny(policy, "b.test", "f:2:2", &column, &err),
			 0);
	must_add(policy, "permit 10.0.0.0/8");
	assert_int_equal(policy_rule_count(policy), 2);
	assert_string_equal(policy_rule(policy, 0, &denies)->text, "b.test");
	assert_true(denies);
	assert_string_equal(policy_rule(policy, 1, &denies)->text, "A.test");
	assert_string_equal(policy_rule(policy, 1, &denies)->origin, "f:1:2");
	assert_false(denies);
	assert_int_equal(policy_permit_count(policy), 1);
	assert_int_equal(policy_permit_at(policy, 0).bits, 8);
}

/* ---- vetting ---- */

static const struct {
	const char *permits, *addr;
	bool own;
	enum deny_reason reason;
} vet_cases[] = {
	{ "", "127.0.0.1", false, DENY_LOOPBACK },
	{ "", "127.8.8.8", false, DENY_LOOPBACK }, /* B6 */
	{ "", "::1", false, DENY_LOOPBACK },
	{ "", "0.0.0.0", false, DENY_UNSPECIFIED }, /* B5 */
	{ "", "::", false, DENY_UNSPECIFIED },
	{ "", "169.254.169.254", false, DENY_METADATA }, /* B7 */
	{ "", "fd00:ec2::254", false, DENY_METADATA },
	{ "", "169.254.1.1", false, DENY_LINK_LOCAL },
	{ "", "fe80::1", false, DENY_LINK_LOCAL },
	{ "", "224.0.0.1", false, DENY_MULTICAST },
	{ "", "255.255.255.255", false, DENY_MULTICAST },
	{ "", "240.0.0.1", false, DENY_RESERVED },
	{ "", "64:ff9b::5db8:d822", false, DENY_RESERVED },
	{ "", "::ffff:93.184.216.34", false, DENY_RESERVED },
	{ "", "192.0.2.1", false, DENY_DOCUMENTATION },
	{ "", "10.1.2.3", false, DENY_PRIVATE },
	{ "", "100.64.0.1", false, DENY_PRIVATE },
	{ "", "fd00::1", false, DENY_PRIVATE },
	{ "", "93.184.216.34", false, DENY_NOT },
	{ "", "2606:2800::1", false, DENY_NOT },
	/* B9: this host's own addresses, of whatever class */
	{ "", "93.184.216.34", true, DENY_OWN_ADDRESS },
	{ "", "10.1.2.3", true, DENY_OWN_ADDRESS },
	{ "", "127.0.0.1", true, DENY_LOOPBACK },
	{ "permit 10.0.0.0/8", "10.1.2.3", true, DENY_OWN_ADDRESS },
	{ "permit 10.1.2.3", "10.1.2.3", true, DENY_NOT },
	{ "permit 93.184.216.34", "93.184.216.34", true, DENY_NOT },
	{ "permit 127.0.0.1", "127.0.0.1", true, DENY_NOT },
	/* a wide permit opens private addresses, and nothing in between */
	{ "permit 10.1.2.0/24", "10.1.3.1", false, DENY_PRIVATE },
	{ "permit 10.1.2.0/24", "172.16.0.1", false, DENY_PRIVATE },
	{ "permit 10.1.2.0/24", "10.1.2.1", false, DENY_NOT },
	{ "permit 100.64.0.0/10", "100.100.100.200", false, DENY_METADATA },
	{ "permit 100.100.100.0/24", "100.100.100.200", false, DENY_METADATA },
	{ "permit 100.64.0.0/10", "100.100.100.201", false, DENY_NOT },
	{ "permit fc00::/7", "fd00:ec2::254", false, DENY_METADATA },
	{ "permit fd00:ec2::/32", "fd00:ec2::23", false, DENY_METADATA },
	{ "permit fc00::/7", "fd00::5efe:127.0.0.1", false, DENY_LOOPBACK },
	{ "permit fc00::/7", "fd00::1", false, DENY_NOT },
	{ "permit 10.0.0.0/8", "::ffff:10.0.0.1", false, DENY_RESERVED },
	{ "permit 10.0.0.0/8", "2002:a00:1::", false, DENY_RESERVED },
	/* an exact one opens that address, of any class */
	{ "permit 127.0.0.1", "127.0.0.2", false, DENY_LOOPBACK },
	{ "permit 127.0.0.1", "::1", false, DENY_LOOPBACK },
	{ "permit 127.0.0.1", "::ffff:127.0.0.1", false, DENY_LOOPBACK },
	{ "permit 127.0.0.1", "127.0.0.1", false, DENY_NOT },
	{ "permit 127.0.0.1/32", "127.0.0.1", false, DENY_NOT },
	{ "permit ::1", "::1", false, DENY_NOT },
	{ "permit 169.254.169.254", "169.254.169.254", false, DENY_NOT },
	{ "permit 100.64.0.0/10|permit 100.100.100.200", "100.100.100.200",
	  false, DENY_NOT },
	{ "permit 192.0.2.7", "192.0.2.7", false, DENY_NOT },
	{ "permit 192.0.2.7", "192.0.2.8", false, DENY_DOCUMENTATION },
};

static void policy_vets_addresses(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(vet_cases); i++) {
		autopolicy struct policy *policy = must_new();
		struct addr addr;
		enum deny_reason reason;

		must_add(policy, vet_cases[i].permits);
		assert_true(addr_parse(span_of(vet_cases[i].addr), &addr));
		reason = policy_vet(policy, &addr, vet_cases[i].own);
		if (reason != vet_cases[i].reason)
			fail_msg("'%s', %s%s: %s", vet_cases[i].permits,
				 vet_cases[i].addr,
				 vet_cases[i].own ? " (own)" : "",
				 deny_reason_text(reason));
	}
}

static void policy_vets_no_address_away(void **state)
{
	autopolicy struct policy *policy = must_new();
	const struct addr none = { 0 };

	(void)state;
	must_add(policy, "permit 10.0.0.0/8|permit ::");
	assert_int_equal(policy_vet(policy, &none, false), DENY_RESERVED);
}

static void policy_refuses_wide_permits(void **state)
{
	static const char *const cases[] = {
		"0.0.0.0/0",
		"::/0",
		"127.0.0.0/8",
		"127.0.0.0/31",
		"169.254.0.0/16",
		"169.254.169.254/31",
		"8.0.0.0/7",
		"10.0.0.0/7",
		"172.16.0.0/11",
		"172.0.0.0/8",
		"192.168.0.0/15",
		"192.0.0.0/8",
		"100.64.0.0/9",
		"fc00::/6",
		"fe80::/10",
		"::1/127",
		"93.184.216.0/24",
		"2606:2800::/32",
		"::ffff:10.0.0.0/104",
		"64:ff9b::/96",
		"10.0.0.1/24",
		"10.0.0.0/33",
		"10.0.0.0/",
		"ok.test",
		"*",
		"",
		"10.0.0",
		"10.0.0.1:80",
		"[::1]",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		autopolicy struct policy *policy = must_new();
		struct error err;

		if (policy_permit(policy, cases[i], &err) == 0)
			fail_msg("'%s' was permitted", cases[i]);
		assert_int_equal(err.kind, ERROR_INPUT);
		assert_int_equal(policy_permit_count(policy), 0);
	}
}

static void reasons_are_a_closed_list(void **state)
{
	(void)state;
	for (int i = 0; i < DENY_NREASONS; i++)
		for (int k = 0; k < i; k++)
			assert_string_not_equal(deny_reason_text(i),
						deny_reason_text(k));
	assert_string_equal(deny_reason_text(DENY_NOT_LISTED),
			    "not on allowlist");
}

static void targets_print_their_literal(void **state)
{
	struct target literal = must_target("2001:db8::1", 443);
	struct target name = must_target("ok.test", 443);

	(void)state;
	assert_string_equal(target_print_addr(&literal).text, "2001:db8::1");
	assert_string_equal(target_print_addr(&name).text, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(policy_decides),
		cmocka_unit_test(policy_denies_a_target_of_nothing),
		cmocka_unit_test(policy_unrestricted_is_names_on_two_ports),
		cmocka_unit_test(policy_refuses_a_bad_entry_and_stays),
		cmocka_unit_test(policy_lists_its_rules),
		cmocka_unit_test(policy_vets_addresses),
		cmocka_unit_test(policy_vets_no_address_away),
		cmocka_unit_test(policy_refuses_wide_permits),
		cmocka_unit_test(reasons_are_a_closed_list),
		cmocka_unit_test(targets_print_their_literal),
	};

	policy_free(NULL);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
