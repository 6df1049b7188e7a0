/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tests/unit/unit.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/fd.h"

#include "fw/kernel.h"
#include "fw/plan.h"
#include "fw/plan_int.h"
#include "fw/print.h"

#define autoplan cleanup(fw_plan_cleanup)

static struct fw_plan *must_plan(const struct fw_sealed *sealed)
{
	struct error err;
	struct fw_plan *plan = fw_plan_sealed(sealed, &err);

	if (!plan)
		fail_msg("%s", err.text);
	return plan;
}

/* ---- what is refused ---- */

static const struct {
	const char *member, *value;
	const char *says;
} bad_addrs[] = {
	{ "gateway4", "", "IPv4" },
	{ "gateway4", "fd64::1", "IPv4" },
	{ "gateway6", "100.64.0.1", "IPv6" },
	{ "client6", "", "IPv6" },
	{ "gateway4", "127.0.0.2", "loopback" },
	{ "client4", "127.0.0.1", "loopback" },
	{ "client6", "::1", "loopback" },
	{ "gateway4", "0.0.0.0", "unspecified" },
	{ "gateway6", "::", "unspecified" },
	{ "gateway4", "224.0.0.1", "multicast" },
	{ "gateway4", "255.255.255.255", "multicast" },
	{ "gateway4", "169.254.169.254", "metadata" },
	{ "gateway4", "169.254.1.1", "link-local" },
	{ "client6", "fe80::1", "link-local" },
	{ "gateway4", "8.8.8.8", "global" },
	{ "client4", "1.1.1.1", "global" },
	{ "gateway6", "2606:4700::1111", "global" },
	{ "gateway6", "ff02::1", "multicast" },
	{ "client6", "::ffff:127.0.0.1", "loopback" },
	{ "client4", "100.64.0.1", "one address" },
	{ "client6", "fd64::1", "one address" },
	{ "gateway4", "10.0.0.1", NULL },
	{ "gateway4", "192.0.2.1", NULL },
	{ "gateway6", "2001:db8::1", NULL },
};

static struct addr *member_of(struct fw_sealed *sealed, const char *name)
{
	if (strcmp(name, "gateway4") == 0)
		return &sealed->gateway4;
	if (strcmp(name, "gateway6") == 0)
		return &sealed->gateway6;
	return strcmp(name, "client4") == 0 ? &sealed->client4
					    : &sealed->client6;
}

static void real_hosts_are_no_gateways(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad_addrs); i++) {
		struct fw_sealed sealed = fw_sealed_default();
		struct addr addr = { 0 };
		autoplan struct fw_plan *plan = NULL;
		struct error err = { 0 };

		if (*bad_addrs[i].value)
			assert_true(
				addr_parse(span_of(bad_addrs[i].value), &addr));
		*member_of(&sealed, bad_addrs[i].member) = addr;
		plan = fw_plan_sealed(&sealed, &err);
		if (!plan != !!bad_addrs[i].says)
			fail_msg("%s '%s' was %s: %s", bad_addrs[i].member,
				 bad_addrs[i].value,
				 plan ? "accepted" : "refused", err.text);
		if (plan)
			continue;
		assert_int_equal(err.kind, ERROR_INPUT);
		if (!strstr(err.text, bad_addrs[i].says))
			fail_msg("%s: '%s' does not say '%s'",
				 bad_addrs[i].value, err.text,
				 bad_addrs[i].says);
	}
}

static const struct {
	uint16_t ports[FW_PORTS_MAX];
	size_t count;
	bool good;
} port_cases[] = {
	{ { 0 }, 0, false },
	{ { 0 }, 1, false },
	{ { 80, 80 }, 2, false },
	{ { 3128, 1080 }, 2, false },
	{ { 65535, 0 }, 2, false },
	{ { 1, 2, 3, 4, 5, 6, 7, 8 }, FW_PORTS_MAX + 1, false },
	{ { 1, 65535 }, 2, true },
	{ { 1, 2, 3, 4, 5, 6, 7, 8 }, FW_PORTS_MAX, true },
};

static void ports_ascend_from_one(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(port_cases); i++) {
		struct fw_sealed sealed = fw_sealed_default();
		autoplan struct fw_plan *plan = NULL;
		struct error err;

		memcpy(sealed.gateway_ports, port_cases[i].ports,
		       sizeof(sealed.gateway_ports));
		sealed.gateway_port_count = port_cases[i].count;
		plan = fw_plan_sealed(&sealed, &err);
		if (!plan == port_cases[i].good)
			fail_msg("case %zu was %s", i,
				 plan ? "accepted" : "refused");
	}
}

/* A rule that accepts mark 0 would accept every packet. */
static void there_is_no_mark_zero(void **state)
{
	struct fw_sealed sealed = fw_sealed_default();
	struct error err;

	(void)state;
	sealed.mark = 0;
	assert_null(fw_plan_sealed(&sealed, &err));
}

/* ---- what every plan has ---- */

static bool is_id(const char *id)
{
	if (!isalpha((unsigned char)*id) || strlen(id) > FW_NAME_MAX)
		return false;
	for (; *id; id++)
		if (!isalnum((unsigned char)*id) && !strchr("_.-", *id))
			return false;
	return true;
}

static void ids_are_names_and_unique(void **state)
{
	struct fw_sealed sealed = fw_sealed_default();
	autoplan struct fw_plan *plan = must_plan(&sealed);
	const char *seen[FW_COUNTERS_MAX];
	size_t count = 0;

	(void)state;
	for (size_t c = 0; c < plan->chain_count; c++)
		for (size_t i = 0; i < plan->chains[c].rule_count; i++) {
			const char *id = plan->chains[c].rules[i].id;

			if (!is_id(id))
				fail_msg("'%s' is no id", id);
			for (size_t j = 0; j < count; j++)
				assert_string_not_equal(seen[j], id);
			assert_true(count < ARRAY_SIZE(seen));
			seen[count++] = id;
		}
}

static void every_hook_drops_by_policy(void **state)
{
	static const enum nf_inet_hooks hooks[] = {
		NF_INET_LOCAL_IN,
		NF_INET_FORWARD,
		NF_INET_LOCAL_OUT,
	};
	struct fw_sealed sealed = fw_sealed_default();
	autoplan struct fw_plan *plan = must_plan(&sealed);

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(hooks); i++) {
		size_t found = 0;

		for (size_t c = 0; c < plan->chain_count; c++) {
			const struct fw_chain *chain = &plan->chains[c];

			if (!chain->hooked || chain->hook != hooks[i])
				continue;
			assert_int_equal(chain->policy, FW_DROP);
			found++;
		}
		assert_int_equal(found, 1);
	}
}

static bool same_but_family(const struct fw_rule *four,
			    const struct fw_rule *six)
{
	if (four->verdict != six->verdict ||
	    four->match_count != six->match_count)
		return false;
	for (size_t i = 0; i < four->match_count; i++) {
		const struct fw_match *a = &four->matches[i];
		const struct fw_match *b = &six->matches[i];

		if (a->kind != b->kind || a->differs != b->differs)
			return false;
		if (a->kind == FW_FAMILY &&
		    (a->family != NFPROTO_IPV4 || b->family != NFPROTO_IPV6))
			return false;
		if ((a->kind == FW_SOURCE || a->kind == FW_TARGET) &&
		    (a->net.addr.size != 4 || b->net.addr.size != 16))
			return false;
	}
	return true;
}

static const struct fw_rule *find_rule(const struct fw_plan *plan,
				       const char *id)
{
	for (size_t c = 0; c < plan->chain_count; c++)
		for (size_t i = 0; i < plan->chains[c].rule_count; i++)
			if (strcmp(plan->chains[c].rules[i].id, id) == 0)
				return &plan->chains[c].rules[i];
	return NULL;
}

/* IPv6 left open is the classic hole: no rule of one family stands alone. */
static void every_rule_has_its_twin(void **state)
{
	struct fw_sealed sealed = fw_sealed_default();
	autoplan struct fw_plan *plan = must_plan(&sealed);
	size_t twins = 0;

	(void)state;
	for (size_t c = 0; c < plan->chain_count; c++)
		for (size_t i = 0; i < plan->chains[c].rule_count; i++) {
			const struct fw_rule *rule = &plan->chains[c].rules[i];
			const struct fw_rule *twin;
			char id[FW_NAME_MAX + 1];
			char *digit;

			if (rule->match_count == 0 ||
			    rule->matches[0].kind != FW_FAMILY ||
			    rule->matches[0].family != NFPROTO_IPV4)
				continue;
			strcpy(id, rule->id);
			digit = strchr(id, '4');
			if (strcmp(id, "ip-options") == 0) {
				assert_non_null(
					find_rule(plan, "routing-header"));
				continue;
			}
			assert_non_null(digit);
			*digit = '6';
			twin = find_rule(plan, id);
			if (!twin || !same_but_family(rule, twin))
				fail_msg("'%s' has no twin", rule->id);
			twins++;
		}
	assert_true(twins >= 8);
}

/* ---- golden text ---- */

static char *print(const struct fw_plan *plan)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct error err;

	assert_non_null(out);
	assert_int_equal(fw_print_nft(plan, out, &err), 0);
	fclose(out);
	return text;
}

static void compare_golden(const struct fw_sealed *sealed, const char *name)
{
	autoplan struct fw_plan *plan = must_plan(sealed);
	autofree char *text = print(plan);
	autofree char *golden = NULL;
	char path[4096];
	size_t size;
	struct error err;

	snprintf(path, sizeof(path), "%s/tests/golden/%s",
		 getenv("srcdir") ? getenv("srcdir") : ".", name);
	golden = fd_read_file(path, 1 << 20, &size, &err);
	if (!golden)
		fail_msg("%s", err.text);
	assert_string_equal(text, golden);
}

static void the_text_is_the_golden_one(void **state)
{
	const struct fw_sealed usual = fw_sealed_default();
	const struct fw_sealed other = {
		.gateway4 = addr_v4(10, 20, 30, 1),
		.client4 = addr_v4(10, 20, 30, 2),
		.gateway6 = { 16, { 0x20, 0x01, 0x0d, 0xb8, [15] = 1 } },
		.client6 = { 16, { 0x20, 0x01, 0x0d, 0xb8, [15] = 2 } },
		.gateway_ports = { 53, 1080, 3128 },
		.gateway_port_count = 3,
		.mark = 0xffffffff,
	};

	(void)state;
	compare_golden(&usual, "sealed.nft");
	compare_golden(&other, "sealed-other.nft");
}

static void a_full_disk_is_noticed(void **state)
{
	const struct fw_sealed sealed = fw_sealed_default();
	autoplan struct fw_plan *plan = must_plan(&sealed);
	autofile FILE *full = fopen("/dev/full", "we");
	struct error err;

	(void)state;
	assert_non_null(full);
	assert_int_equal(fw_print_nft(plan, full, &err), -1);
	assert_int_equal(err.number, ENOSPC);
}

/* ---- counters ---- */

static void each_refused_packet_counts_once(void **state)
{
	const struct fw_counters counters = {
		.list = { { "elsewhere", false, 7, 0 },
			  { "refused-tcp", true, 4, 0 },
			  { "refused-other", true, 3, 0 } },
		.count = 3,
	};

	(void)state;
	assert_int_equal(fw_counters_refused(&counters), 7);
	assert_int_equal(fw_counter_of(&counters, "elsewhere"), 7);
	assert_int_equal(fw_counter_of(&counters, "refused"), 0);
	assert_int_equal(fw_counter_of(&counters, ""), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(real_hosts_are_no_gateways),
		cmocka_unit_test(ports_ascend_from_one),
		cmocka_unit_test(there_is_no_mark_zero),
		cmocka_unit_test(ids_are_names_and_unique),
		cmocka_unit_test(every_hook_drops_by_policy),
		cmocka_unit_test(every_rule_has_its_twin),
		cmocka_unit_test(the_text_is_the_golden_one),
		cmocka_unit_test(a_full_disk_is_noticed),
		cmocka_unit_test(each_refused_packet_counts_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
