/* SPDX-License-Identifier: GPL-3.0-or-later */
/* POLICY - what may leave, and why anything else may not.
 * Built once from entries, then immutable and judged without side effects.
 * Deny beats allow, no entry means deny, an empty policy denies everything. The
 * cost of a decision does not depend on the number of entries: names are found
 * by an exact table and a walk over suffixes. */
#ifndef POLICY_POLICY_H
#define POLICY_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/addr.h"
#include "base/digest.h"
#include "base/error.h"
#include "base/hostname.h"
#include "policy/addrclass.h"
#include "policy/entry.h"

/*
 * What a client asks for, built by a parser, judged here and dialed as it
 * stands. A literal has an address and no name.
 */
struct target {
	struct hostname host; /* empty for a literal */
	struct addr addr;     /* the literal */
	uint16_t port;
};

/* The literal as text; empty for a name. */
struct addr_text target_print_addr(const struct target *target) NONNULL(1);

/* The closed list of reasons for a refusal. */
enum deny_reason {
	DENY_NOT = 0,    /* allowed */
	DENY_NOT_LISTED, /* "not on allowlist" */
	DENY_LISTED,
	DENY_PORT,
	DENY_LITERAL,
	DENY_METADATA,
	DENY_LOOPBACK,
	DENY_UNSPECIFIED,
	DENY_LINK_LOCAL,
	DENY_MULTICAST,
	DENY_RESERVED,
	DENY_DOCUMENTATION,
	DENY_PRIVATE,
	DENY_OWN_ADDRESS,
	DENY_NREASONS
};

const char *deny_reason_text(enum deny_reason reason);

enum verdict {
	VERDICT_DENY = 0,
	VERDICT_ALLOW
};

/* One entry of a policy, with where it was written. Owned by the policy. */
struct rule {
	struct entry entry;
	char *text;   /* as written */
	char *origin; /* "file:line:col", or a word such as "--allow" */
	struct rule *next_same_name; /* private: other ports of one name */
};

struct decision {
	enum verdict verdict;
	enum deny_reason reason;
	const struct rule *rule; /* borrowed; the one that decided, or NULL */
};

struct policy;

struct policy *policy_new(struct error *err) MUST_CHECK NONNULL(1);
void policy_free(struct policy *policy);

/*
 * Building. origin is copied. On a bad entry the error is ERROR_INPUT and
 * *column says where in the text it stands (from 1).
 */
MUST_CHECK int policy_allow(struct policy *policy, const char *entry,
			    const char *origin, unsigned *column,
			    struct error *err) NONNULL(1, 2, 3, 4, 5);
MUST_CHECK int policy_deny(struct policy *policy, const char *entry,
			   const char *origin, unsigned *column,
			   struct error *err) NONNULL(1, 2, 3, 4, 5);

/*
 * permit_addresses: a special address that may be dialed. An exact address may
 * be of any class but metadata stays exact; a wider prefix must lie in private
 * space (RFC 1918, ULA, CGNAT), anything else is refused here.
 */
MUST_CHECK int policy_permit(struct policy *policy, const char *prefix,
			     struct error *err) NONNULL(1, 2, 3);

/* Every name on ports 80 and 443, like the entry '*'; addresses are vetted. */
MUST_CHECK int policy_set_unrestricted(struct policy *policy,
				       const char *origin, struct error *err)
	NONNULL(1, 2, 3);

/* Judging a target before its name is resolved. */
struct decision policy_decide(const struct policy *policy,
			      const struct target *target) NONNULL(1, 2);

/*
 * Vetting one address that an allowed name resolved to, or an allowed literal.
 * own says that it is an address of this host. DENY_NOT: may be dialed.
 */
enum deny_reason policy_vet(const struct policy *policy,
			    const struct addr *addr, bool own) NONNULL(1, 2);

/* The rules in the order they were added. */
size_t policy_rule_count(const struct policy *policy) NONNULL(1);
const struct rule *policy_rule(const struct policy *policy, size_t i,
			       bool *denies) NONNULL(1, 3);
size_t policy_permit_count(const struct policy *policy) NONNULL(1);
struct cidr policy_permit_at(const struct policy *policy, size_t i) NONNULL(1);

/*
 * SHA-256 over the effective rules, independent of their order, spelling and
 * origin: two policies with one digest permit the same.
 */
MUST_CHECK int policy_digest(const struct policy *policy,
			     char hex[DIGEST_HEX + 1], struct error *err)
	NONNULL(1, 2, 3);

#endif
