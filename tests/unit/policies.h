/* SPDX-License-Identifier: GPL-3.0-or-later */
/* POLICIES - policies made of one line, for tests. */
#ifndef TESTS_UNIT_POLICIES_H
#define TESTS_UNIT_POLICIES_H

#include "tests/unit/unit.h"

#include <stdio.h>

#include "base/cleanup.h"
#include "policy/policy.h"

static inline void policy_cleanup(struct policy **policy)
{
	policy_free(*policy);
}

#define autopolicy cleanup(policy_cleanup)

static inline struct policy *must_new(void)
{
	struct error err;
	struct policy *policy = policy_new(&err);

	assert_non_null(policy);
	return policy;
}

/* "allow TEXT", "deny TEXT", "permit TEXT", each behind a bar. */
static inline void must_add(struct policy *policy, const char *rules)
{
	char line[300];

	for (; *rules; rules += strcspn(rules, "|"), rules += *rules == '|') {
		struct error err = { 0 };
		unsigned column;
		int result = -1;

		snprintf(line, sizeof(line), "%.*s", (int)strcspn(rules, "|"),
			 rules);
		if (strncmp(line, "allow ", 6) == 0)
			result = policy_allow(policy, line + 6, "test", &column,
					      &err);
		else if (strncmp(line, "deny ", 5) == 0)
			result = policy_deny(policy, line + 5, "test", &column,
					     &err);
		else if (strncmp(line, "permit ", 7) == 0)
			result = policy_permit(policy, line + 7, &err);
		if (result < 0)
			fail_msg("'%s': %s", line, err.text);
	}
}

static inline struct target must_target(const char *host, uint16_t port)
{
	struct target target = { .port = port };

	if (!addr_parse(span_of(host), &target.addr) &&
	    hostname_parse(span_of(host), &target.host) != HOSTNAME_OK)
		fail_msg("'%s' is no target", host);
	return target;
}

#endif
