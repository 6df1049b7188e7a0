/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of a policy: "+ENTRY" allows, "-ENTRY" denies, "!PREFIX" permits, and
 * "?TARGET" is judged, by the policy and by reading its rules one by one. */
#include "config.h"

#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "policy/policy.h"

#define LINES_MAX 64

static bool covers(const struct entry *entry, const struct target *target)
{
	return entry_covers_port(entry, target->port) &&
	       (target->addr.size
			? entry->kind == ENTRY_CIDR &&
				  cidr_contains(&entry->cidr, &target->addr)
			: entry_covers_host(entry, &target->host));
}

static void check_decision(const struct policy *policy,
			   const struct target *target)
{
	struct decision decision = policy_decide(policy, target);
	bool allowed = false, denied = false;

	for (size_t i = 0; i < policy_rule_count(policy); i++) {
		bool denies;
		const struct rule *rule = policy_rule(policy, i, &denies);

		if (covers(&rule->entry, target))
			*(denies ? &denied : &allowed) = true;
	}
	MUST((decision.verdict == VERDICT_ALLOW) == (allowed && !denied));
	MUST((decision.reason == DENY_NOT) ==
	     (decision.verdict == VERDICT_ALLOW));
	MUST((decision.reason == DENY_LISTED) == denied);
	MUST((decision.rule != NULL) == (allowed || denied));
	MUST(!decision.rule || covers(&decision.rule->entry, target));
}

static void judge(const struct policy *policy, struct span text)
{
	struct target target = { .port = 443 };
	struct endpoint endpoint;
	size_t colon = span_find(text, ':');

	if (endpoint_parse(text, &endpoint)) {
		target.addr = endpoint.addr;
		target.port = endpoint.port;
	} else if (!addr_parse(text, &target.addr)) {
		if (colon < text.size &&
		    !port_parse(span_skip(text, colon + 1), &target.port))
			return;
		if (hostname_parse(span_head(text, colon), &target.host) !=
		    HOSTNAME_OK)
			return;
	}
	check_decision(policy, &target);
	if (target.addr.size) {
		enum deny_reason vet = policy_vet(policy, &target.addr, true);

		/* our own address is never better than somebody's */
		MUST(vet != DENY_NOT ||
		     policy_vet(policy, &target.addr, false) == DENY_NOT);
		MUST(deny_reason_text(vet) != NULL);
	}
}

/* A refused entry is nothing; an accepted one has one canonical spelling. */
static void check_entry(const char *text)
{
	char canonical[HOSTNAME_MAX + 32];
	struct entry entry, again;
	struct error err;
	unsigned column;

	if (entry_parse(span_of(text), &entry, &column, &err) < 0) {
		MUST(column >= 1 && column <= strlen(text) + 1);
		MUST(entry.kind == ENTRY_NONE && err.text[0]);
		return;
	}
	MUST(entry.kind != ENTRY_NONE && entry.port_low <= entry.port_high);
	if (entry.kind == ENTRY_CIDR && entry.port_low)
		snprintf(canonical, sizeof(canonical),
			 entry.cidr.addr.size == 4 ? "%s:%u-%u" : "[%s]:%u-%u",
			 addr_print(&entry.cidr.addr).text, entry.port_low,
			 entry.port_high);
	else if (entry.kind == ENTRY_CIDR)
		snprintf(canonical, sizeof(canonical), "%s/%u",
			 addr_print(&entry.cidr.addr).text, entry.cidr.bits);
	else if (entry.port_low)
		snprintf(canonical, sizeof(canonical), "%s%s:%u-%u",
			 entry.kind == ENTRY_HOST  ? ""
			 : entry.kind == ENTRY_ANY ? "*"
						   : "*.",
			 entry.host.name, entry.port_low, entry.port_high);
	else
		snprintf(canonical, sizeof(canonical), "%s%s",
			 entry.kind == ENTRY_HOST  ? ""
			 : entry.kind == ENTRY_ANY ? "*"
						   : "*.",
			 entry.host.name);
	MUST(entry_parse(span_of(canonical), &again, &column, &err) == 0);
	MUST(again.kind == entry.kind);
	MUST(hostname_equal(&again.host, &entry.host));
	MUST(addr_equal(&again.cidr.addr, &entry.cidr.addr));
	MUST(again.cidr.bits == entry.cidr.bits);
	MUST(again.port_low == entry.port_low);
	MUST(again.port_high == entry.port_high);
}

static void take_line(struct policy *policy, struct span line)
{
	autofree char *text = strndup(line.data + 1, line.size - 1);
	struct error err = { 0 };
	unsigned column = 0;
	int result = 0;

	if (!text)
		bug("no memory");
	switch (line.data[0]) {
	case '+':
		check_entry(text);
		result = policy_allow(policy, text, "fuzz", &column, &err);
		break;
	case '-':
		check_entry(text);
		result = policy_deny(policy, text, "fuzz", &column, &err);
		break;
	case '!':
		result = policy_permit(policy, text, &err);
		break;
	case '?':
		judge(policy, span_skip(line, 1));
		break;
	}
	MUST(result == 0 || err.kind == ERROR_INPUT);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span rest = fuzz_span(data, size);
	char hex[DIGEST_HEX + 1];
	struct error err;
	struct policy *policy = policy_new(&err);

	if (!policy)
		bug("no memory");
	for (int i = 0; i < LINES_MAX && rest.size > 0; i++) {
		size_t end = span_find(rest, '\n');

		if (end > 0)
			take_line(policy, span_head(rest, end));
		rest = span_skip(rest, end < rest.size ? end + 1 : end);
	}
	MUST(policy_digest(policy, hex, &err) == 0);
	policy_free(policy);
	return 0;
}
