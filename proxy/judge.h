/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JUDGE - a named policy with the permits that belong to single entries.
 * Every question is answered by policy/; this only says which permits speak for
 * which rule. Built once, then immutable. */
#ifndef PROXY_JUDGE_H
#define PROXY_JUDGE_H

#include <stdbool.h>

#include "base/addr.h"
#include "base/compiler.h"
#include "base/digest.h"
#include "base/error.h"
#include "policy/policy.h"

struct judge;

struct judge *judge_new(const char *name, struct error *err) MUST_CHECK
	NONNULL(1, 2);
void judge_free(struct judge *judge);

const char *judge_name(const struct judge *judge) NONNULL(1);

/* Building: add rules and general permits here. */
struct policy *judge_policy(struct judge *judge) NONNULL(1);

/*
 * From now on the policy only reports: what it denies is let through and said
 * to be denied. Vetting stays as it is, so that no special address is ever
 * dialed because somebody is trying a policy out.
 */
void judge_report(struct judge *judge) NONNULL(1);
bool judge_reports(const struct judge *judge) NONNULL(1);

/*
 * Permit a prefix for the allow entry that was added last, and for no other.
 * The grammar is policy_permit()'s.
 */
MUST_CHECK int judge_permit_last(struct judge *judge, const char *prefix,
				 struct error *err) NONNULL(1, 2, 3);

struct decision judge_decide(const struct judge *judge,
			     const struct target *target) NONNULL(1, 2);

/* policy_vet(), with the permits of the rule that allowed the target. */
enum deny_reason judge_vet(const struct judge *judge,
			   const struct decision *decision,
			   const struct addr *addr, bool own) NONNULL(1, 2, 3);

/* policy_digest(), where no entry has permits and the policy enforces. */
MUST_CHECK int judge_digest(const struct judge *judge, char hex[DIGEST_HEX + 1],
			    struct error *err) NONNULL(1, 2, 3);

/* Reading. */
const struct policy *judge_rules(const struct judge *judge) NONNULL(1);
/* Those of one rule alone, or NULL. */
const struct policy *judge_permits(const struct judge *judge,
				   const struct rule *rule) NONNULL(1);

#endif
