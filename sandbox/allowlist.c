/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sandbox/allowlist.h"

#include <string.h>

#include "base/cleanup.h"

#define COMMAND_LINE "--allow"

static void policy_cleanup(struct policy **policy)
{
	policy_free(*policy);
}

static int add(struct policy *policy, const char *entry, const char *origin,
	       struct error *err)
{
	struct error why;
	unsigned column = 0;

	if (policy_allow(policy, entry, origin, &column, &why) == 0)
		return 0;
	if (why.kind != ERROR_INPUT) {
		*err = why;
		return -1;
	}
	error_kind_set(err, ERROR_INPUT, "%s '%s': %s", origin, entry,
		       why.text);
	error_excerpt(err, entry, strlen(entry), column, 1);
	return -1;
}

static int add_baseline(struct policy *policy, const struct baseline *baseline,
			struct error *err)
{
	for (size_t i = 0; i < baseline_domain_count(baseline); i++)
		if (add(policy, baseline_domain(baseline, i),
			baseline_name(baseline), err) < 0)
			return -1;
	return 0;
}

/*
 * Unrestricted comes on top of the entries, it does not replace them: '*' is
 * every name on the default ports, and an entry may name an address or a port
 * of its own.
 */
static int add_session(struct policy *policy, const struct session *session,
		       struct error *err)
{
	const char *unrestricted = session_unrestricted(session);

	for (size_t i = 0; i < session_allow_count(session); i++) {
		const char *origin;
		const char *entry = session_allow(session, i, &origin);

		if (add(policy, entry, origin, err) < 0)
			return -1;
	}
	return unrestricted ? policy_set_unrestricted(policy, unrestricted, err)
			    : 0;
}

int allowlist_build(const struct baseline *baseline,
		    const struct session *session, const char *const *extra,
		    size_t count, struct policy **out, struct error *err)
{
	cleanup(policy_cleanup) struct policy *policy = policy_new(err);

	*out = NULL;
	if (!policy || add_baseline(policy, baseline, err) < 0)
		return -1;
	if (session && add_session(policy, session, err) < 0)
		return -1;
	for (size_t i = 0; i < count; i++)
		if (add(policy, extra[i], COMMAND_LINE, err) < 0)
			return -1;
	*out = steal(policy);
	return 0;
}
