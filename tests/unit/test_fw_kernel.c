/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans are committed altered in one place and verified unaltered: whatever
 * the place, it must be named. */
#include "config.h"

#include "tests/unit/netns.h"
#include "tests/unit/unit.h"

#include <stdio.h>

#include "base/cleanup.h"
#include "base/netlink.h"

#include "fw/kernel.h"
#include "fw/plan_int.h"

#define autoplan cleanup(fw_plan_cleanup)
#define autolink cleanup(netlink_cleanup)

static struct fw_plan *must_plan(void)
{
	struct fw_sealed sealed = fw_sealed_default();
	struct error err;
	struct fw_plan *plan;

	sealed.gateway_ports[1] = 8080;
	sealed.gateway_port_count = 2;
	plan = fw_plan_sealed(&sealed, &err);
	if (!plan)
		fail_msg("%s", err.text);
	return plan;
}

static struct netlink *must_open(void)
{
	struct error err;
	struct netlink *link = netlink_open(NETLINK_NETFILTER, &err);

	if (!link)
		fail_msg("%s", err.text);
	return link;
}

static void must_commit(struct netlink *link, const struct fw_plan *plan)
{
	struct error err;

	if (fw_commit(link, plan, &err) < 0)
		fail_msg("%s", err.text);
}

static void must_be_plan(struct netlink *link, const struct fw_plan *plan)
{
	struct error err;

	if (fw_verify(link, plan, &err) < 0)
		fail_msg("%s", err.text);
}

static void must_blame(struct netlink *link, const struct fw_plan *plan,
		       const char *name, const char *how)
{
	struct error err = { 0 };

	if (fw_verify(link, plan, &err) == 0)
		fail_msg("'%s' (%s) was not noticed", name, how);
	assert_int_equal(err.kind, ERROR_BOUNDARY);
	if (!strstr(err.text, name) || !strstr(err.text, how))
		fail_msg("'%s' says neither '%s' nor '%s'", err.text, name,
			 how);
}

static struct fw_plan *copy_of(const struct fw_plan *plan)
{
	struct fw_plan *copy = malloc(sizeof(*copy));

	assert_non_null(copy);
	*copy = *plan;
	return copy;
}

/* What is done to the rule in place i of a chain of the committed plan. */
typedef void alter_fn(struct fw_chain *chain, size_t i);

static void take_out(struct fw_chain *chain, size_t i)
{
	chain->rule_count--;
	memmove(&chain->rules[i], &chain->rules[i + 1],
		(chain->rule_count - i) * sizeof(chain->rules[i]));
}

static void change_verdict(struct fw_chain *chain, size_t i)
{
	struct fw_rule *rule = &chain->rules[i];

	rule->verdict = rule->verdict == FW_ACCEPT ? FW_DROP : FW_ACCEPT;
	rule->target = NULL;
}

/* Commit the plan with each rule altered in turn, verify the true one. */
static void alter_each(alter_fn *alter, const char *how)
{
	autoplan struct fw_plan *plan = must_plan();
	autolink struct netlink *link = must_open();

	for (size_t c = 0; c < plan->chain_count; c++)
		for (size_t i = 0; i < plan->chains[c].rule_count; i++) {
			autoplan struct fw_plan *altered = copy_of(plan);

			alter(&altered->chains[c], i);
			must_commit(link, altered);
			must_blame(link, plan, plan->chains[c].rules[i].id,
				   how);
		}
	must_commit(link, plan);
	must_be_plan(link, plan);
}

static void each_missing_rule_is_named(void **state)
{
	(void)state;
	enter_netns();
	alter_each(take_out, "missing");
}

static void each_other_verdict_is_named(void **state)
{
	(void)state;
	enter_netns();
	alter_each(change_verdict, "altered");
}

/* Another value of the same kind. */
static void shift_value(struct fw_match *match)
{
	switch (match->kind) {
	case FW_MARK:
		match->mark ^= 1;
		break;
	case FW_FAMILY:
		match->family = match->family == NFPROTO_IPV4 ? NFPROTO_IPV6
							      : NFPROTO_IPV4;
		break;
	case FW_PROTOCOL:
		match->protocol = IPPROTO_UDP;
		break;
	case FW_SOURCE:
	case FW_TARGET:
		match->net.addr.bytes[match->net.bits / 8 - 1] ^= 1;
		break;
	case FW_TCP_FLAGS:
		match->tcp.mask ^= 1;
		break;
	case FW_PORT:
		match->port ^= 1;
		break;
	default:
		match->differs = !match->differs;
	}
}

enum match_change {
	MATCH_GONE,
	MATCH_NEGATED,
	MATCH_SHIFTED,
	MATCH_NCHANGES
};

static void change_match(struct fw_rule *rule, size_t m,
			 enum match_change change)
{
	switch (change) {
	case MATCH_GONE:
		rule->match_count--;
		memmove(&rule->matches[m], &rule->matches[m + 1],
			(rule->match_count - m) * sizeof(rule->matches[m]));
		break;
	case MATCH_NEGATED:
		rule->matches[m].differs = !rule->matches[m].differs;
		break;
	default:
		shift_value(&rule->matches[m]);
	}
}

static void each_change_of_a_match_is_named(void **state)
{
	autoplan struct fw_plan *plan = must_plan();
	autolink struct netlink *link = NULL;
	size_t changes = 0;

	(void)state;
	enter_netns();
	link = must_open();
	for (size_t c = 0; c < plan->chain_count; c++)
		for (size_t i = 0; i < plan->chains[c].rule_count; i++) {
			const struct fw_rule *rule = &plan->chains[c].rules[i];

			for (size_t m = 0;
			     m < rule->match_count * MATCH_NCHANGES; m++) {
				autoplan struct fw_plan *altered =
					copy_of(plan);

				change_match(&altered->chains[c].rules[i],
					     m / MATCH_NCHANGES,
					     m % MATCH_NCHANGES);
				must_commit(link, altered);
				must_blame(link, plan, rule->id, "altered");
				changes++;
			}
		}
	assert_true(changes > 100);
}

/* A rule of an innocent kind, in every place of every chain. */
static void each_added_rule_is_noticed(void **state)
{
	autoplan struct fw_plan *plan = must_plan();
	autolink struct netlink *link = NULL;

	(void)state;
	enter_netns();
	link = must_open();
	for (size_t c = 0; c < plan->chain_count; c++)
		for (size_t i = 0; i <= plan->chains[c].rule_count; i++) {
			autoplan struct fw_plan *altered = copy_of(plan);
			struct fw_chain *chain = &altered->chains[c];

			memmove(&chain->rules[i + 1], &chain->rules[i],
				(chain->rule_count - i) *
					sizeof(chain->rules[i]));
			chain->rule_count++;
			memset(&chain->rules[i], 0, sizeof(chain->rules[i]));
			strcpy(chain->rules[i].id, "added");
			must_commit(link, altered);
			must_blame(link, plan, chain->name,
				   "not part of the plan");
		}
}

/* The first rule of a pair then stands where the second should. */
static void swapped_rules_are_noticed(void **state)
{
	autoplan struct fw_plan *plan = must_plan();
	autolink struct netlink *link = NULL;

	(void)state;
	enter_netns();
	link = must_open();
	for (size_t c = 0; c < plan->chain_count; c++)
		for (size_t i = 0; i + 1 < plan->chains[c].rule_count; i++) {
			autoplan struct fw_plan *altered = copy_of(plan);
			struct fw_rule *pair = &altered->chains[c].rules[i];
			struct fw_rule first = pair[0];

			pair[0] = pair[1];
			pair[1] = first;
			must_commit(link, altered);
			must_blame(link, plan, first.id, "missing");
		}
}

static void changed_chains_are_named(void **state)
{
	autoplan struct fw_plan *plan = must_plan();
	autolink struct netlink *link = NULL;

	(void)state;
	enter_netns();
	link = must_open();
	for (size_t c = 0; c < plan->chain_count; c++) {
		autoplan struct fw_plan *altered = copy_of(plan);
		struct fw_chain *chain = &altered->chains[c];

		/* The kernel itself refuses to go to a hooked chain. */
		if (!chain->hooked)
			continue;
		chain->hooked = false;
		must_commit(link, altered);
		must_blame(link, plan, chain->name, "another hook");
		chain->hooked = true;
		chain->hook = NF_INET_PRE_ROUTING;
		must_commit(link, altered);
		must_blame(link, plan, chain->name, "another hook");
		chain->hook = plan->chains[c].hook;
		chain->policy = FW_ACCEPT;
		must_commit(link, altered);
		must_blame(link, plan, chain->name, "another policy");
	}
}

static void what_is_not_ours_is_named(void **state)
{
	autoplan struct fw_plan *plan = must_plan();
	autoplan struct fw_plan *foreign = copy_of(plan);
	autoplan struct fw_plan *longer = copy_of(plan);
	autoplan struct fw_plan *shorter = copy_of(plan);
	autolink struct netlink *link = NULL;

	(void)state;
	enter_netns();
	link = must_open();
	must_blame(link, plan, plan->table, "missing");
	foreign->table = "foreign";
	must_commit(link, foreign);
	must_blame(link, plan, "foreign", "not part of the plan");
	must_commit(link, plan);
	must_blame(link, plan, "foreign", "not part of the plan");
	assert_int_equal(fw_remove(link, foreign, &(struct error){ 0 }), 0);
	must_be_plan(link, plan);
	fw_plan_add_chain(longer, "extra");
	must_commit(link, longer);
	must_blame(link, plan, "extra", "not part of the plan");
	shorter->chain_count--;
	must_commit(link, shorter);
	must_blame(link, plan, plan->chains[shorter->chain_count].name,
		   "missing");
}

static void committing_again_replaces(void **state)
{
	autoplan struct fw_plan *plan = must_plan();
	autolink struct netlink *link = NULL;
	struct error err;

	(void)state;
	enter_netns();
	link = must_open();
	for (int i = 0; i < 3; i++) {
		must_commit(link, plan);
		must_be_plan(link, plan);
	}
	assert_int_equal(fw_remove(link, plan, &err), 0);
	assert_int_equal(fw_remove(link, plan, &err), -1);
	assert_non_null(strstr(err.text, plan->table));
}

/* All or nothing: what was there before stays whole. */
static void a_refusal_names_the_rule_and_changes_nothing(void **state)
{
	autoplan struct fw_plan *plan = must_plan();
	autoplan struct fw_plan *bad = copy_of(plan);
	autolink struct netlink *link = NULL;
	struct fw_chain *chain = NULL;
	struct error err;

	(void)state;
	enter_netns();
	link = must_open();
	must_commit(link, plan);
	for (size_t c = 0; c < bad->chain_count; c++)
		if (strcmp(bad->chains[c].name, "input") == 0)
			chain = &bad->chains[c];
	assert_non_null(chain);
	chain->rules[2].verdict = FW_GOTO;
	chain->rules[2].target = "nowhere";
	assert_int_equal(fw_commit(link, bad, &err), -1);
	assert_int_equal(err.number, ENOENT);
	assert_non_null(strstr(err.text, chain->rules[2].id));
	must_be_plan(link, plan);
}

static void without_rights_nothing_is_loaded(void **state)
{
	autoplan struct fw_plan *plan = must_plan();
	autolink struct netlink *link = NULL;
	struct error err;

	(void)state;
	enter_netns();
	link = must_open();
	assert_int_equal(unshare(CLONE_NEWUSER), 0);
	assert_int_equal(fw_commit(link, plan, &err), -1);
	assert_int_equal(err.number, EPERM);
}

static void a_socket_acts_in_its_own_namespace(void **state)
{
	autoplan struct fw_plan *plan = must_plan();
	autolink struct netlink *there = NULL;
	autolink struct netlink *here = NULL;

	(void)state;
	enter_netns();
	there = must_open();
	enter_netns();
	here = must_open();
	must_commit(there, plan);
	must_be_plan(there, plan);
	must_blame(here, plan, plan->table, "missing");
}

static void counters_begin_at_zero_and_are_all_there(void **state)
{
	autoplan struct fw_plan *plan = must_plan();
	autoplan struct fw_plan *without = copy_of(plan);
	autolink struct netlink *link = NULL;
	struct fw_counters counters;
	struct error err;
	size_t rules = 0;

	(void)state;
	enter_netns();
	link = must_open();
	assert_int_equal(fw_counters_read(link, plan, &counters, &err), -1);
	must_commit(link, plan);
	assert_int_equal(fw_counters_read(link, plan, &counters, &err), 0);
	for (size_t c = 0; c < plan->chain_count; c++)
		rules += plan->chains[c].rule_count;
	assert_int_equal(counters.count, rules);
	for (size_t i = 0; i < counters.count; i++)
		assert_int_equal(counters.list[i].packets, 0);
	take_out(&without->chains[1], 3);
	must_commit(link, without);
	assert_int_equal(fw_counters_read(link, plan, &counters, &err), -1);
	assert_non_null(strstr(err.text, plan->chains[1].rules[3].id));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_missing_rule_is_named),
		cmocka_unit_test(each_other_verdict_is_named),
		cmocka_unit_test(each_change_of_a_match_is_named),
		cmocka_unit_test(each_added_rule_is_noticed),
		cmocka_unit_test(swapped_rules_are_noticed),
		cmocka_unit_test(changed_chains_are_named),
		cmocka_unit_test(what_is_not_ours_is_named),
		cmocka_unit_test(committing_again_replaces),
		cmocka_unit_test(a_refusal_names_the_rule_and_changes_nothing),
		cmocka_unit_test(without_rights_nothing_is_loaded),
		cmocka_unit_test(a_socket_acts_in_its_own_namespace),
		cmocka_unit_test(counters_begin_at_zero_and_are_all_there),
	};
	int status;

	if (!enter_sandbox(&status))
		return status;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
