/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "fw/plan.h"

#include <stdlib.h>
#include <string.h>

#include "fw/plan_int.h"

void fw_plan_free(struct fw_plan *plan)
{
	free(plan);
}

void fw_plan_cleanup(struct fw_plan **plan)
{
	fw_plan_free(*plan);
}

struct fw_chain *fw_plan_add_chain(struct fw_plan *plan, const char *name)
{
	struct fw_chain *chain;

	if (plan->chain_count == FW_CHAINS_MAX)
		bug("no room for chain '%s'", name);
	chain = &plan->chains[plan->chain_count++];
	chain->name = name;
	return chain;
}

struct fw_chain *fw_plan_add_hook(struct fw_plan *plan, const char *name,
				  enum nf_inet_hooks hook)
{
	struct fw_chain *chain = fw_plan_add_chain(plan, name);

	chain->hooked = true;
	chain->hook = hook;
	chain->policy = FW_DROP;
	return chain;
}

void fw_chain_add(struct fw_chain *chain, const char *id,
		  enum fw_verdict verdict, const char *target,
		  const struct fw_match *matches, size_t match_count)
{
	struct fw_rule *rule = &chain->rules[chain->rule_count];

	if (chain->rule_count == FW_RULES_MAX || match_count > FW_MATCHES_MAX ||
	    strlen(id) > FW_NAME_MAX)
		bug("no room for rule '%s'", id);
	memcpy(rule->id, id, strlen(id) + 1);
	for (size_t i = 0; i < match_count; i++)
		rule->matches[i] = matches[i];
	rule->match_count = match_count;
	rule->verdict = verdict;
	rule->target = target;
	chain->rule_count++;
}
