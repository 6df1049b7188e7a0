/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "proxy/explain.h"

#include "policy/nearest.h"
#include "proxy/authority.h"

static void print_nearest(const struct judge *judge,
			  const struct target *target, FILE *out)
{
	struct nearest nearest = policy_nearest(judge_rules(judge), target);

	if (nearest.rule)
		fprintf(out, "; nearest is '%s' from %s: %s",
			nearest.rule->text, nearest.rule->origin,
			nearest_text(nearest.why));
	else
		fprintf(out, "; %s", nearest_text(nearest.why));
}

static int explain_one(const struct judge *judge, const struct target *target,
		       FILE *out)
{
	struct decision decision = judge_decide(judge, target);
	bool would = decision.verdict != VERDICT_ALLOW && judge_reports(judge);
	enum deny_reason vetted = DENY_NOT;
	bool denied;

	if (target->addr.size && (decision.verdict == VERDICT_ALLOW || would))
		vetted = judge_vet(judge, &decision, &target->addr, false);
	denied = vetted != DENY_NOT ||
		 (decision.verdict != VERDICT_ALLOW && !would);
	fprintf(out, "%s: %s", judge_name(judge),
		denied ? "denied" : "allowed");
	if (vetted != DENY_NOT)
		fprintf(out, " (%s)", deny_reason_text(vetted));
	else if (would)
		fprintf(out, " (mode report; would be denied: %s)",
			deny_reason_text(decision.reason));
	else if (denied)
		fprintf(out, " (%s)", deny_reason_text(decision.reason));
	if (decision.rule)
		fprintf(out, " by '%s' from %s", decision.rule->text,
			decision.rule->origin);
	else
		print_nearest(judge, target, out);
	fputc('\n', out);
	return denied ? 1 : 0;
}

int explain_target(const struct proxy_conf *conf, const char *subject,
		   const char *policy, FILE *out, struct error *err)
{
	const struct judge *only = policy ? conf_judge(conf, policy) : NULL;
	struct target target;
	enum authority_fault fault =
		authority_parse(span_of(subject), 443, &target);
	int result = 0;

	if (fault != AUTHORITY_OK)
		return error_kind_set(err, ERROR_INPUT, "'%s': %s", subject,
				      authority_fault_text(fault));
	if (policy && !only)
		return error_kind_set(err, ERROR_INPUT,
				      "there is no policy '%s'", policy);
	for (size_t i = 0; i < conf->judge_count; i++)
		if ((!only || conf->judges[i] == only) &&
		    explain_one(conf->judges[i], &target, out) != 0)
			result = 1;
	return result;
}
