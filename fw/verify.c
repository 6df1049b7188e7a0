/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "fw/kernel.h"

#include <stdarg.h>
#include <string.h>

#include <libnftnl/expr.h>
#include <libnftnl/flowtable.h>
#include <libnftnl/set.h>
#include <linux/netfilter/nf_tables.h>

#include "base/cleanup.h"

#include "fw/compile.h"
#include "fw/dump.h"
#include "fw/mutant.h"

/* How far a ruleset has been found to be the plan. */
struct reading {
	const struct fw_plan *plan;
	bool table;
	bool chains[FW_CHAINS_MAX];
	size_t rules[FW_CHAINS_MAX]; /* how many, of each chain */
	bool counters[FW_CHAINS_MAX][FW_RULES_MAX];
};

PRINTF_LIKE(2, 3)
static int fault(struct error *err, const char *fmt, ...)
{
	char text[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	return error_kind_set(err, ERROR_BOUNDARY, "%s", text);
}

static int unreadable(struct error *err, const char *what)
{
	return fault(err, "a %s cannot be read: it is not of our making", what);
}

static bool same(const char *a, const char *b)
{
	return a && b && strcmp(a, b) == 0;
}

/* ---- the table ---- */

static int check_table(const struct nlmsghdr *message, void *arg,
		       struct error *err)
{
	struct reading *reading = arg;
	cleanup(fw_table_cleanup) struct nftnl_table *table =
		nftnl_table_alloc();
	const char *name;

	if (!table || nftnl_table_nlmsg_parse(message, table) < 0)
		return unreadable(err, "table");
	name = nftnl_table_get_str(table, NFTNL_TABLE_NAME);
	if (nftnl_table_get_u32(table, NFTNL_TABLE_FAMILY) != NFPROTO_INET ||
	    !same(name, reading->plan->table))
		return fault(err, "table '%s' is not part of the plan",
			     name ? name : "");
	/* A dormant table has all its rules, and none of them acts. */
	if (nftnl_table_get_u32(table, NFTNL_TABLE_FLAGS) != 0)
		return fault(err, "table '%s' is dormant or owned", name);
	reading->table = true;
	return 0;
}

/* ---- chains ---- */

static size_t find_chain(const struct fw_plan *plan, const char *table,
			 const char *name)
{
	size_t i = 0;

	if (!same(table, plan->table))
		return plan->chain_count;
	while (i < plan->chain_count && !same(plan->chains[i].name, name))
		i++;
	return i;
}

/* The first attribute in which a chain differs, or NULL. */
static const char *chain_difference(const struct nftnl_chain *is,
				    const struct fw_chain *plan)
{
	const uint32_t policy = plan->policy == FW_ACCEPT ? NF_ACCEPT : NF_DROP;

	if (nftnl_chain_is_set(is, NFTNL_CHAIN_HOOKNUM) != plan->hooked)
		return "hook";
	if (nftnl_chain_is_set(is, NFTNL_CHAIN_DEV) ||
	    nftnl_chain_is_set(is, NFTNL_CHAIN_DEVICES))
		return "device";
	if (nftnl_chain_is_set(is, NFTNL_CHAIN_USERDATA))
		return "comment";
	/* Kernels before 5.7 do not report flags. */
	if (nftnl_chain_is_set(is, NFTNL_CHAIN_FLAGS) &&
	    nftnl_chain_get_u32(is, NFTNL_CHAIN_FLAGS) !=
		    (plan->hooked ? NFT_CHAIN_BASE : 0u))
		return "flags";
	if (!plan->hooked)
		return NULL;
	if (nftnl_chain_get_u32(is, NFTNL_CHAIN_HOOKNUM) != plan->hook)
		return "hook";
	if (nftnl_chain_get_s32(is, NFTNL_CHAIN_PRIO) != FW_PRIORITY)
		return "priority";
	if (nftnl_chain_get_u32(is, NFTNL_CHAIN_POLICY) != policy)
		return "policy";
	if (!same(nftnl_chain_get_str(is, NFTNL_CHAIN_TYPE), FW_CHAIN_TYPE))
		return "type";
	return NULL;
}

static int check_chain(const struct nlmsghdr *message, void *arg,
		       struct error *err)
{
	struct reading *reading = arg;
	const struct fw_plan *plan = reading->plan;
	cleanup(fw_chain_cleanup) struct nftnl_chain *chain =
		nftnl_chain_alloc();
	const char *name, *differs;
	size_t i;

	if (!chain || nftnl_chain_nlmsg_parse(message, chain) < 0)
		return unreadable(err, "chain");
	name = nftnl_chain_get_str(chain, NFTNL_CHAIN_NAME);
	i = find_chain(plan, nftnl_chain_get_str(chain, NFTNL_CHAIN_TABLE),
		       name);
	if (i == plan->chain_count)
		return fault(err, "chain '%s' is not part of the plan",
			     name ? name : "");
	differs = chain_difference(chain, &plan->chains[i]);
	if (differs)
		return fault(err, "chain '%s' has another %s", name, differs);
	reading->chains[i] = true;
	return 0;
}

/* ---- rules ---- */

/* One expression, as it is sent; larger than any that a plan has. */
struct wire {
	union {
		struct nlmsghdr header;
		char bytes[2048];
	};
};

static void build_wire(struct wire *wire, struct nftnl_expr *expr)
{
	memset(wire, 0, sizeof(*wire)); /* also what pads attributes */
	wire->header.nlmsg_len = NLMSG_LENGTH(0);
	nftnl_expr_build_payload(&wire->header, expr);
}

static bool expr_equal(struct nftnl_expr *a, struct nftnl_expr *b)
{
	struct wire wire_a, wire_b;

	if (!same(nftnl_expr_get_str(a, NFTNL_EXPR_NAME),
		  nftnl_expr_get_str(b, NFTNL_EXPR_NAME)))
		return false;
	build_wire(&wire_a, a);
	build_wire(&wire_b, b);
	return wire_a.header.nlmsg_len == wire_b.header.nlmsg_len &&
	       memcmp(&wire_a, &wire_b, wire_a.header.nlmsg_len) == 0;
}

static void iter_cleanup(struct nftnl_expr_iter **iter)
{
	if (*iter)
		nftnl_expr_iter_destroy(*iter);
}

#define autoiter cleanup(iter_cleanup)

/* A comment and xtables compatibility count as differences. */
static bool exprs_equal(const struct nftnl_rule *is,
			const struct nftnl_rule *should)
{
	autoiter struct nftnl_expr_iter *is_at = nftnl_expr_iter_create(is);
	autoiter struct nftnl_expr_iter *should_at =
		nftnl_expr_iter_create(should);
	struct nftnl_expr *a, *b;

	if (!is_at || !should_at ||
	    nftnl_rule_is_set(is, NFTNL_RULE_USERDATA) ||
	    nftnl_rule_is_set(is, NFTNL_RULE_COMPAT_PROTO) ||
	    nftnl_rule_is_set(is, NFTNL_RULE_COMPAT_FLAGS))
		return false;
	do {
		a = nftnl_expr_iter_next(is_at);
		b = nftnl_expr_iter_next(should_at);
		if (!a || !b)
			return a == b;
	} while (expr_equal(a, b));
	return false;
}

static bool is_rule(const struct nftnl_rule *is, const struct fw_plan *plan,
		    const struct fw_chain *chain, size_t i)
{
	cleanup(fw_rule_cleanup) struct nftnl_rule *should =
		fw_compile_rule(plan, chain, &chain->rules[i]);

	return should && exprs_equal(is, should);
}

/* Does the rule count into this rule's counter, whatever else it does? */
static bool counts_as(const struct nftnl_rule *is, const struct fw_rule *rule)
{
	autoiter struct nftnl_expr_iter *at = nftnl_expr_iter_create(is);
	struct nftnl_expr *expr;

	while (at && (expr = nftnl_expr_iter_next(at)))
		if (same(nftnl_expr_get_str(expr, NFTNL_EXPR_NAME), "objref") &&
		    same(nftnl_expr_get_str(expr, NFTNL_EXPR_OBJREF_IMM_NAME),
			 rule->id))
			return true;
	return false;
}

/* The rule in place i of the chain is not the planned one: say why. */
static int wrong_rule(const struct nftnl_rule *is, const struct fw_plan *plan,
		      const struct fw_chain *chain, size_t i, struct error *err)
{
	if (i == chain->rule_count)
		return fault(err,
			     "chain '%s' ends with a rule that is not part of "
			     "the plan",
			     chain->name);
	for (size_t later = i + 1; later < chain->rule_count; later++)
		if (is_rule(is, plan, chain, later))
			return fault(err, "rule '%s' of chain '%s' is missing",
				     chain->rules[i].id, chain->name);
	if (counts_as(is, &chain->rules[i]))
		return fault(err, "rule '%s' of chain '%s' is altered",
			     chain->rules[i].id, chain->name);
	return fault(err,
		     "chain '%s' has a rule before '%s' that is not part of "
		     "the plan",
		     chain->name, chain->rules[i].id);
}

static int check_rule(const struct nlmsghdr *message, void *arg,
		      struct error *err)
{
	struct reading *reading = arg;
	const struct fw_plan *plan = reading->plan;
	cleanup(fw_rule_cleanup) struct nftnl_rule *rule = nftnl_rule_alloc();
	const struct fw_chain *chain;
	size_t c, i;

	if (!rule)
		return unreadable(err, "rule");
	if (nftnl_rule_nlmsg_parse(message, rule) < 0) {
		const char *name = nftnl_rule_get_str(rule, NFTNL_RULE_CHAIN);

		return fault(err,
			     "chain '%s' has a rule that cannot be read: it "
			     "is not part of the plan",
			     name ? name : "");
	}
	c = find_chain(plan, nftnl_rule_get_str(rule, NFTNL_RULE_TABLE),
		       nftnl_rule_get_str(rule, NFTNL_RULE_CHAIN));
	if (c == plan->chain_count)
		return fault(err, "a rule is in a chain that is not part of "
				  "the plan");
	chain = &plan->chains[c];
	i = reading->rules[c];
	if (i == chain->rule_count || !is_rule(rule, plan, chain, i))
		return wrong_rule(rule, plan, chain, i, err);
	reading->rules[c]++;
	return 0;
}

/* ---- counters, and what no plan has ---- */

static bool *find_counter(struct reading *reading, const char *name)
{
	const struct fw_plan *plan = reading->plan;

	for (size_t c = 0; c < plan->chain_count; c++)
		for (size_t i = 0; i < plan->chains[c].rule_count; i++)
			if (same(plan->chains[c].rules[i].id, name))
				return &reading->counters[c][i];
	return NULL;
}

static int check_object(const struct nlmsghdr *message, void *arg,
			struct error *err)
{
	struct reading *reading = arg;
	cleanup(fw_obj_cleanup) struct nftnl_obj *obj = nftnl_obj_alloc();
	const char *name;
	bool *seen = NULL;

	if (!obj || nftnl_obj_nlmsg_parse(message, obj) < 0)
		return unreadable(err, "stateful object");
	name = nftnl_obj_get_str(obj, NFTNL_OBJ_NAME);
	if (same(nftnl_obj_get_str(obj, NFTNL_OBJ_TABLE),
		 reading->plan->table) &&
	    nftnl_obj_get_u32(obj, NFTNL_OBJ_TYPE) == NFT_OBJECT_COUNTER)
		seen = find_counter(reading, name);
	if (!seen)
		return fault(err, "object '%s' is not part of the plan",
			     name ? name : "");
	*seen = true;
	return 0;
}

static int refuse_set(const struct nlmsghdr *message, void *arg,
		      struct error *err)
{
	struct nftnl_set *set = nftnl_set_alloc();
	const char *name = NULL;

	(void)arg;
	if (set && nftnl_set_nlmsg_parse(message, set) == 0)
		name = nftnl_set_get_str(set, NFTNL_SET_NAME);
	fault(err, "set '%s' is not part of the plan", name ? name : "");
	if (set)
		nftnl_set_free(set);
	return -1;
}

static int refuse_flowtable(const struct nlmsghdr *message, void *arg,
			    struct error *err)
{
	(void)message;
	(void)arg;
	return fault(err, "a flow table is not part of the plan");
}

/* ---- what was not there ---- */

static int check_missing(const struct reading *reading, struct error *err)
{
	const struct fw_plan *plan = reading->plan;

	if (!reading->table)
		return fault(err, "table '%s' is missing", plan->table);
	for (size_t c = 0; c < plan->chain_count; c++) {
		const struct fw_chain *chain = &plan->chains[c];
		size_t seen = reading->rules[c];

		if (!reading->chains[c])
			return fault(err, "chain '%s' is missing", chain->name);
		if (seen < chain->rule_count)
			return fault(err, "rule '%s' of chain '%s' is missing",
				     chain->rules[seen].id, chain->name);
		for (size_t i = 0; i < chain->rule_count; i++)
			if (!reading->counters[c][i])
				return fault(err, "counter '%s' is missing",
					     chain->rules[i].id);
	}
	return 0;
}

int fw_verify(struct netlink *link, const struct fw_plan *plan,
	      struct error *err)
{
	static netlink_each_fn *const checks[] = {
		[FW_TABLES] = check_table, [FW_CHAINS] = check_chain,
		[FW_RULES] = check_rule,   [FW_OBJECTS] = check_object,
		[FW_SETS] = refuse_set,    [FW_FLOWTABLES] = refuse_flowtable,
	};
	struct fw_dump dump = { link, -1 };
	struct reading reading = { .plan = plan };

	static_assert(ARRAY_SIZE(checks) == FW_NKINDS, "each kind is checked");
	if (mutant_is_blind())
		return 0;
	for (int kind = 0; kind < FW_NKINDS; kind++)
		if (fw_dump(&dump, (enum fw_kind)kind, checks[kind], &reading,
			    err) < 0)
			return -1;
	return check_missing(&reading, err);
}
