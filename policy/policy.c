/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "policy/policy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "policy/ruleset.h"

struct policy {
	struct ruleset allow, deny;
	struct cidr *permits;
	size_t permit_count, permit_room;
};

static const char *const reason_text[] = {
	[DENY_NOT] = "allowed",
	[DENY_NOT_LISTED] = "not on allowlist",
	[DENY_LISTED] = "on denylist",
	[DENY_PORT] = "port not on allowlist",
	[DENY_LITERAL] = "address not on allowlist",
	[DENY_METADATA] = "metadata address",
	[DENY_LOOPBACK] = "loopback address",
	[DENY_UNSPECIFIED] = "unspecified address",
	[DENY_LINK_LOCAL] = "link-local address",
	[DENY_MULTICAST] = "multicast address",
	[DENY_RESERVED] = "reserved address",
	[DENY_DOCUMENTATION] = "documentation address",
	[DENY_PRIVATE] = "private address",
	[DENY_OWN_ADDRESS] = "address of this host",
};
static_assert(ARRAY_SIZE(reason_text) == DENY_NREASONS, "each has a text");

const char *deny_reason_text(enum deny_reason reason)
{
	return reason_text[reason];
}

static const enum deny_reason class_reason[ADDR_NCLASSES] = {
	[ADDR_NONE] = DENY_RESERVED,
	[ADDR_METADATA] = DENY_METADATA,
	[ADDR_LOOPBACK] = DENY_LOOPBACK,
	[ADDR_UNSPECIFIED] = DENY_UNSPECIFIED,
	[ADDR_LINK_LOCAL] = DENY_LINK_LOCAL,
	[ADDR_MULTICAST] = DENY_MULTICAST,
	[ADDR_RESERVED] = DENY_RESERVED,
	[ADDR_DOCUMENTATION] = DENY_DOCUMENTATION,
	[ADDR_PRIVATE] = DENY_PRIVATE,
	[ADDR_GLOBAL] = DENY_NOT,
};

struct policy *policy_new(struct error *err)
{
	struct policy *policy = calloc(1, sizeof(*policy));

	if (!policy)
		error_sys(err, "no memory for a policy");
	return policy;
}

void policy_free(struct policy *policy)
{
	if (!policy)
		return;
	ruleset_release(&policy->allow);
	ruleset_release(&policy->deny);
	free(policy->permits);
	free(policy);
}

static int add_rule(struct ruleset *set, const struct entry *entry,
		    const char *text, const char *origin, struct error *err)
{
	struct rule *rule = calloc(1, sizeof(*rule));

	if (rule) {
		rule->entry = *entry;
		rule->text = strdup(text);
		rule->origin = strdup(origin);
		if (rule->text && rule->origin && ruleset_add(set, rule) == 0)
			return 0;
		free(rule->text);
		free(rule->origin);
		free(rule);
	}
	return error_sys(err, "no memory for a rule");
}

int policy_allow(struct policy *policy, const char *entry, const char *origin,
		 unsigned *column, struct error *err)
{
	struct entry parsed;

	if (entry_parse(span_of(entry), &parsed, column, err) < 0)
		return -1;
	return add_rule(&policy->allow, &parsed, entry, origin, err);
}

int policy_deny(struct policy *policy, const char *entry, const char *origin,
		unsigned *column, struct error *err)
{
	struct entry parsed;

	if (entry_parse(span_of(entry), &parsed, column, err) < 0)
		return -1;
	return add_rule(&policy->deny, &parsed, entry, origin, err);
}

int policy_set_unrestricted(struct policy *policy, const char *origin,
			    struct error *err)
{
	unsigned column;

	return policy_allow(policy, "*", origin, &column, err);
}

/* Ranges in which a permit may be wider than one address. */
static const char *const private_space[] = {
	"10.0.0.0/8",    "172.16.0.0/12", "192.168.0.0/16",
	"100.64.0.0/10", "fc00::/7",
};

static bool within_private(const struct cidr *cidr)
{
	for (size_t i = 0; i < ARRAY_SIZE(private_space); i++) {
		struct cidr space;

		if (cidr_parse(span_of(private_space[i]), &space) &&
		    cidr->bits >= space.bits &&
		    cidr_contains(&space, &cidr->addr))
			return true;
	}
	return false;
}

static int add_permit(struct policy *policy, const struct cidr *permit,
		      struct error *err)
{
	if (policy->permit_count == policy->permit_room) {
		size_t room = policy->permit_room ? policy->permit_room * 2 : 8;
		struct cidr *grown =
			reallocarray(policy->permits, room, sizeof(*grown));

		if (!grown)
			return error_sys(err, "no memory for a permit");
		policy->permits = grown;
		policy->permit_room = room;
	}
	policy->permits[policy->permit_count++] = *permit;
	return 0;
}

int policy_permit(struct policy *policy, const char *prefix, struct error *err)
{
	struct span text = span_of(prefix);
	struct cidr cidr;

	if (addr_parse(text, &cidr.addr))
		cidr.bits = (uint8_t)(cidr.addr.size * 8);
	else if (!cidr_parse(text, &cidr))
		return error_kind_set(err, ERROR_INPUT,
				      "'%s' is neither an address nor a prefix "
				      "like 10.1.2.0/24 (no bit may be set "
				      "behind the prefix)",
				      prefix);
	if (cidr.bits < cidr.addr.size * 8 && !within_private(&cidr))
		return error_kind_set(err, ERROR_INPUT,
				      "'%s' is wider than one address, which "
				      "only private ranges may be",
				      prefix);
	return add_permit(policy, &cidr, err);
}

struct decision policy_decide(const struct policy *policy,
			      const struct target *target)
{
	bool other_port;
	const struct rule *rule;

	rule = ruleset_find(&policy->deny, target, &other_port);
	if (rule)
		return (struct decision){ .reason = DENY_LISTED, .rule = rule };
	rule = ruleset_find(&policy->allow, target, &other_port);
	if (rule)
		return (struct decision){ VERDICT_ALLOW, DENY_NOT, rule };
	if (other_port)
		return (struct decision){ .reason = DENY_PORT };
	return (struct decision){ .reason = target->addr.size
						    ? DENY_LITERAL
						    : DENY_NOT_LISTED };
}

/*
 * A wide permit opens private space only: never a metadata service that lies in
 * it, never an address of this host.
 */
static bool permitted(const struct policy *policy, const struct addr *addr,
		      bool exact_only)
{
	for (size_t i = 0; i < policy->permit_count; i++) {
		const struct cidr *permit = &policy->permits[i];

		if ((!exact_only || permit->bits == permit->addr.size * 8) &&
		    cidr_contains(permit, addr))
			return true;
	}
	return false;
}

enum deny_reason policy_vet(const struct policy *policy,
			    const struct addr *addr, bool own)
{
	enum addr_class class = addr_classify(addr);

	if (addr->size == 0)
		return DENY_RESERVED;
	if (class == ADDR_GLOBAL && !own)
		return DENY_NOT;
	if (permitted(policy, addr, own || class != ADDR_PRIVATE))
		return DENY_NOT;
	return class == ADDR_GLOBAL || (own && class == ADDR_PRIVATE)
		       ? DENY_OWN_ADDRESS
		       : class_reason[class];
}

size_t policy_rule_count(const struct policy *policy)
{
	return policy->deny.all.count + policy->allow.all.count;
}

const struct rule *policy_rule(const struct policy *policy, size_t i,
			       bool *denies)
{
	*denies = i < policy->deny.all.count;
	return *denies ? policy->deny.all.rules[i]
		       : policy->allow.all.rules[i - policy->deny.all.count];
}

size_t policy_permit_count(const struct policy *policy)
{
	return policy->permit_count;
}

struct cidr policy_permit_at(const struct policy *policy, size_t i)
{
	return policy->permits[i];
}

struct addr_text target_print_addr(const struct target *target)
{
	return addr_print(&target->addr);
}

/* ---- digest ---- */

/* A rule in the one spelling that the digest is made of. */
static char *canonical_rule(const struct rule *rule, bool denies)
{
	const struct entry *e = &rule->entry;
	unsigned low = e->port_low, high = e->port_high;
	char name[HOSTNAME_MAX + 3];
	char *text;

	if (e->kind == ENTRY_CIDR)
		snprintf(name, sizeof(name), "%s/%u",
			 addr_print(&e->cidr.addr).text, e->cidr.bits);
	else
		snprintf(name, sizeof(name), "%s%s",
			 e->kind == ENTRY_ZONE  ? "*."
			 : e->kind == ENTRY_ANY ? "*"
						: "",
			 e->host.name);
	if (asprintf(&text, "%s %s %u-%u", denies ? "deny" : "allow", name, low,
		     high) < 0)
		return NULL;
	return text;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void free_lines(char **lines, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(lines[i]);
	free(lines);
}

static char **canonical_lines(const struct policy *policy, size_t count)
{
	char **lines = calloc(count + 1, sizeof(*lines));
	size_t rules = policy_rule_count(policy);

	for (size_t i = 0; lines && i < count; i++) {
		bool denies;

		if (i < rules) {
			const struct rule *rule =
				policy_rule(policy, i, &denies);

			lines[i] = canonical_rule(rule, denies);
		} else {
			struct cidr *permit = &policy->permits[i - rules];

			if (asprintf(&lines[i], "permit %s/%u",
				     addr_print(&permit->addr).text,
				     permit->bits) < 0)
				lines[i] = NULL;
		}
		if (!lines[i]) {
			free_lines(lines, i);
			return NULL;
		}
	}
	return lines;
}

int policy_digest(const struct policy *policy, char hex[DIGEST_HEX + 1],
		  struct error *err)
{
	cleanup(buf_release) struct buf all = BUF_INIT(SIZE_MAX / 2);
	size_t count = policy_rule_count(policy) + policy->permit_count;
	char **lines = canonical_lines(policy, count);

	if (!lines)
		return error_sys(err, "no memory for a digest");
	qsort(lines, count, sizeof(*lines), by_text);
	for (size_t i = 0; i < count; i++) {
		if (i > 0 && strcmp(lines[i], lines[i - 1]) == 0)
			continue;
		buf_add_text(&all, lines[i]);
		buf_add_byte(&all, '\n');
	}
	free_lines(lines, count);
	if (buf_failed(&all))
		return error_sys(err, "no memory for a digest");
	digest_hex(buf_span(&all), hex);
	return 0;
}
