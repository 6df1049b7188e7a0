/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PLAN INT - what a plan is made of, for those who build or read one.
 * Strings that are not arrays are literals. Matches of a rule are joined by
 * "and", and stand in the order in which the kernel evaluates them. */
#ifndef FW_PLAN_INT_H
#define FW_PLAN_INT_H

/* netinet first: the kernel's headers then leave out what it defines. */
#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/netfilter.h>

#include "base/addr.h"
#include "base/compiler.h"
#include "fw/plan.h"

/* Of every hooked chain. */
#define FW_CHAIN_TYPE "filter"
#define FW_PRIORITY   0

#define FW_CHAINS_MAX  8
#define FW_RULES_MAX   32 /* of one chain */
#define FW_MATCHES_MAX 6

enum fw_match_kind {
	FW_MARK,           /* of the packet's socket */
	FW_FAMILY,         /* NFPROTO_IPV4, NFPROTO_IPV6 */
	FW_PROTOCOL,       /* IPPROTO_, behind any extension headers */
	FW_SOURCE,         /* after a family match */
	FW_TARGET,         /* likewise */
	FW_TCP_FLAGS,      /* after a match of IPPROTO_TCP */
	FW_PORT,           /* likewise: the target's port */
	FW_IP_OPTIONS,     /* some; after a match of NFPROTO_IPV4 */
	FW_ROUTING_HEADER, /* after a match of NFPROTO_IPV6 */
	FW_NMATCHES
};

struct fw_match {
	enum fw_match_kind kind;
	bool differs; /* matches what is not equal to the value */
	union {
		uint32_t mark;
		uint8_t family;
		uint8_t protocol;
		struct cidr net; /* ends at a whole byte */
		struct {
			uint8_t mask, value; /* TH_ flags */
		} tcp;
		uint16_t port;
	};
};

enum fw_verdict {
	FW_DROP = 0,
	FW_ACCEPT,
	FW_RESET, /* drop, and answer with a TCP reset */
	FW_GOTO,  /* the chain named by the rule; no return */
	FW_NVERDICTS
};

struct fw_rule {
	char id[FW_NAME_MAX + 1];
	struct fw_match matches[FW_MATCHES_MAX];
	size_t match_count;
	enum fw_verdict verdict;
	const char *target; /* FW_GOTO only */
};

struct fw_chain {
	const char *name;
	bool hooked;
	enum nf_inet_hooks hook; /* if hooked */
	enum fw_verdict policy;  /* if hooked: FW_DROP or FW_ACCEPT */
	struct fw_rule rules[FW_RULES_MAX];
	size_t rule_count;
};

/* Chains stand before those that go to them. */
struct fw_plan {
	const char *table;
	struct fw_chain chains[FW_CHAINS_MAX];
	size_t chain_count;
};

struct fw_chain *fw_plan_add_chain(struct fw_plan *plan, const char *name)
	NONNULL(1, 2);
struct fw_chain *fw_plan_add_hook(struct fw_plan *plan, const char *name,
				  enum nf_inet_hooks hook) NONNULL(1, 2);
/* target: for FW_GOTO, else NULL. */
void fw_chain_add(struct fw_chain *chain, const char *id,
		  enum fw_verdict verdict, const char *target,
		  const struct fw_match *matches, size_t match_count)
	NONNULL(1, 2);

/* The rule's packets end here, unwanted. */
static inline bool fw_rule_refuses(const struct fw_rule *rule)
{
	return rule->verdict == FW_DROP || rule->verdict == FW_RESET;
}

#endif
