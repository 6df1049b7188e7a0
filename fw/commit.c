/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "fw/kernel.h"

#include <linux/netfilter/nf_tables.h>

#include "base/cleanup.h"

#include "fw/batch.h"
#include "fw/compile.h"
#include "fw/mutant.h"

#define autobatch cleanup(fw_batch_cleanup)

static int no_memory(struct error *err)
{
	return error_sys(err, "cannot build the ruleset");
}

static int add_table(struct fw_batch *batch, const struct fw_plan *plan,
		     struct error *err)
{
	/* Made so that it can be removed, so that it is new in any case. */
	static const struct {
		uint16_t type, flags;
		const char *doing;
	} steps[] = {
		{ NFT_MSG_NEWTABLE, NLM_F_CREATE, "to make room for" },
		{ NFT_MSG_DELTABLE, 0, "to remove the old" },
		{ NFT_MSG_NEWTABLE, NLM_F_CREATE | NLM_F_EXCL, "to make" },
	};
	cleanup(fw_table_cleanup) struct nftnl_table *table =
		fw_compile_table(plan);

	if (!table)
		return no_memory(err);
	for (size_t i = 0; i < ARRAY_SIZE(steps); i++)
		nftnl_table_nlmsg_build_payload(
			fw_batch_add(batch, steps[i].type, steps[i].flags,
				     "%s table '%s'", steps[i].doing,
				     plan->table),
			table);
	return 0;
}

static int add_chain(struct fw_batch *batch, const struct fw_plan *plan,
		     const struct fw_chain *chain, struct error *err)
{
	cleanup(fw_chain_cleanup) struct nftnl_chain *made =
		fw_compile_chain(plan, chain);

	if (!made)
		return no_memory(err);
	nftnl_chain_nlmsg_build_payload(fw_batch_add(batch, NFT_MSG_NEWCHAIN,
						     NLM_F_CREATE, "chain '%s'",
						     chain->name),
					made);
	return 0;
}

static int add_counter(struct fw_batch *batch, const struct fw_plan *plan,
		       const struct fw_rule *rule, struct error *err)
{
	cleanup(fw_obj_cleanup) struct nftnl_obj *counter =
		fw_compile_counter(plan, rule);

	if (!counter)
		return no_memory(err);
	nftnl_obj_nlmsg_build_payload(fw_batch_add(batch, NFT_MSG_NEWOBJ,
						   NLM_F_CREATE, "counter '%s'",
						   rule->id),
				      counter);
	return 0;
}

static int add_rule(struct fw_batch *batch, const struct fw_plan *plan,
		    const struct fw_chain *chain, const struct fw_rule *rule,
		    struct error *err)
{
	cleanup(fw_rule_cleanup) struct nftnl_rule *made =
		fw_compile_rule(plan, chain, rule);

	if (!made)
		return no_memory(err);
	nftnl_rule_nlmsg_build_payload(fw_batch_add(batch, NFT_MSG_NEWRULE,
						    NLM_F_CREATE | NLM_F_APPEND,
						    "rule '%s' of chain '%s'",
						    rule->id, chain->name),
				       made);
	return 0;
}

/* All chains come before any rule, because rules go to chains. */
static int add_rules(struct fw_batch *batch, const struct fw_plan *plan,
		     const struct fw_chain *chain, struct error *err)
{
	for (size_t i = 0; i < chain->rule_count; i++) {
		const struct fw_rule *rule = &chain->rules[i];

		if (add_counter(batch, plan, rule, err) < 0)
			return -1;
		if (mutant_leaves_out(rule->id))
			continue;
		if (add_rule(batch, plan, chain, rule, err) < 0)
			return -1;
	}
	return 0;
}

int fw_commit(struct netlink *link, const struct fw_plan *plan,
	      struct error *err)
{
	autobatch struct fw_batch *batch = fw_batch_new();

	if (!batch)
		return no_memory(err);
	if (mutant_loads_nothing())
		return 0;
	if (add_table(batch, plan, err) < 0)
		return -1;
	for (size_t i = 0; i < plan->chain_count; i++)
		if (add_chain(batch, plan, &plan->chains[i], err) < 0)
			return -1;
	for (size_t i = 0; i < plan->chain_count; i++)
		if (add_rules(batch, plan, &plan->chains[i], err) < 0)
			return -1;
	return fw_batch_send(batch, link, err);
}

int fw_remove(struct netlink *link, const struct fw_plan *plan,
	      struct error *err)
{
	autobatch struct fw_batch *batch = fw_batch_new();
	cleanup(fw_table_cleanup) struct nftnl_table *table =
		fw_compile_table(plan);

	if (!batch || !table)
		return no_memory(err);
	nftnl_table_nlmsg_build_payload(fw_batch_add(batch, NFT_MSG_DELTABLE, 0,
						     "to remove table '%s'",
						     plan->table),
					table);
	return fw_batch_send(batch, link, err);
}
