/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "proxy/judge.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"

/* The permits of one rule, as a policy that holds nothing else. */
struct own_permits {
	const struct rule *rule; /* borrowed from the policy */
	struct policy *permits;
};

struct judge {
	char *name;
	struct policy *policy;
	struct own_permits *own;
	size_t own_count;
	bool reports;
};

struct judge *judge_new(const char *name, struct error *err)
{
	struct judge *judge = calloc(1, sizeof(*judge));

	if (judge) {
		judge->name = strdup(name);
		judge->policy = policy_new(err);
		if (judge->name && judge->policy)
			return judge;
	}
	judge_free(judge);
	error_sys(err, "no memory for a policy");
	return NULL;
}

void judge_free(struct judge *judge)
{
	if (!judge)
		return;
	for (size_t i = 0; i < judge->own_count; i++)
		policy_free(judge->own[i].permits);
	free(judge->own);
	policy_free(judge->policy);
	free(judge->name);
	free(judge);
}

const char *judge_name(const struct judge *judge)
{
	return judge->name;
}

struct policy *judge_policy(struct judge *judge)
{
	return judge->policy;
}

void judge_report(struct judge *judge)
{
	judge->reports = true;
}

bool judge_reports(const struct judge *judge)
{
	return judge->reports;
}

const struct policy *judge_rules(const struct judge *judge)
{
	return judge->policy;
}

/* Allow rules follow the deny rules, so the newest of them is the last rule. */
static const struct rule *last_allowed(const struct policy *policy)
{
	size_t count = policy_rule_count(policy);
	bool denies = true;
	const struct rule *rule =
		count ? policy_rule(policy, count - 1, &denies) : NULL;

	if (denies)
		bug("a permit without an allow entry");
	return rule;
}

const struct policy *judge_permits(const struct judge *judge,
				   const struct rule *rule)
{
	for (size_t i = 0; i < judge->own_count; i++)
		if (judge->own[i].rule == rule)
			return judge->own[i].permits;
	return NULL;
}

/* Kept in the order of the entries' texts: a digest has no other order. */
static int by_rule(const void *a, const void *b)
{
	const struct own_permits *first = a, *second = b;

	return strcmp(first->rule->text, second->rule->text);
}

static struct policy *own_permits_new(struct judge *judge,
				      const struct rule *rule,
				      struct error *err)
{
	struct own_permits *grown =
		reallocarray(judge->own, judge->own_count + 1, sizeof(*grown));
	struct policy *permits;

	if (!grown) {
		error_sys(err, "no memory for a permit");
		return NULL;
	}
	judge->own = grown;
	permits = policy_new(err);
	if (!permits)
		return NULL;
	grown[judge->own_count++] = (struct own_permits){ rule, permits };
	qsort(grown, judge->own_count, sizeof(*grown), by_rule);
	return permits;
}

int judge_permit_last(struct judge *judge, const char *prefix,
		      struct error *err)
{
	const struct rule *rule = last_allowed(judge->policy);
	struct policy *permits = (struct policy *)judge_permits(judge, rule);

	if (!permits)
		permits = own_permits_new(judge, rule, err);
	return permits ? policy_permit(permits, prefix, err) : -1;
}

struct decision judge_decide(const struct judge *judge,
			     const struct target *target)
{
	return policy_decide(judge->policy, target);
}

enum deny_reason judge_vet(const struct judge *judge,
			   const struct decision *decision,
			   const struct addr *addr, bool own)
{
	enum deny_reason reason = policy_vet(judge->policy, addr, own);
	const struct policy *permits;

	if (reason == DENY_NOT)
		return reason;
	permits = judge_permits(judge, decision->rule);
	if (permits && policy_vet(permits, addr, own) == DENY_NOT)
		return DENY_NOT;
	return reason;
}

/* The policy's own digest, its mode, then each entry's permits. */
static int own_digest(const struct judge *judge, char hex[DIGEST_HEX + 1],
		      struct error *err)
{
	cleanup(buf_release) struct buf all = BUF_INIT(SIZE_MAX / 2);
	char own[DIGEST_HEX + 1];

	buf_add_text(&all, hex);
	if (judge->reports)
		buf_add(&all, SPAN("\nmode report"));
	for (size_t i = 0; i < judge->own_count; i++) {
		if (policy_digest(judge->own[i].permits, own, err) < 0)
			return -1;
		buf_addf(&all, "\npermit %s %s", judge->own[i].rule->text, own);
	}
	if (buf_failed(&all))
		return error_sys(err, "no memory for a digest");
	digest_hex(buf_span(&all), hex);
	return 0;
}

int judge_digest(const struct judge *judge, char hex[DIGEST_HEX + 1],
		 struct error *err)
{
	if (policy_digest(judge->policy, hex, err) < 0)
		return -1;
	return judge->own_count || judge->reports ? own_digest(judge, hex, err)
						  : 0;
}
