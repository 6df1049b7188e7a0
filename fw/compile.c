/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "fw/compile.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <libnftnl/expr.h>
#include <linux/netfilter/nf_tables.h>

#include "base/cleanup.h"

/* Offsets in headers: RFC 791, RFC 8200, RFC 9293. */
#define IP_SOURCE    12
#define IP_TARGET    16
#define IP6_SOURCE   8
#define IP6_TARGET   24
#define TCP_PORT_TO  2
#define TCP_FLAGS_AT 13

void fw_table_cleanup(struct nftnl_table **table)
{
	if (*table)
		nftnl_table_free(*table);
}

void fw_chain_cleanup(struct nftnl_chain **chain)
{
	if (*chain)
		nftnl_chain_free(*chain);
}

void fw_obj_cleanup(struct nftnl_obj **obj)
{
	if (*obj)
		nftnl_obj_free(*obj);
}

void fw_rule_cleanup(struct nftnl_rule **rule)
{
	if (*rule)
		nftnl_rule_free(*rule);
}

struct nftnl_table *fw_compile_table(const struct fw_plan *plan)
{
	struct nftnl_table *table = nftnl_table_alloc();

	if (!table)
		return NULL;
	nftnl_table_set_u32(table, NFTNL_TABLE_FAMILY, NFPROTO_INET);
	nftnl_table_set_str(table, NFTNL_TABLE_NAME, plan->table);
	return table;
}

struct nftnl_chain *fw_compile_chain(const struct fw_plan *plan,
				     const struct fw_chain *chain)
{
	struct nftnl_chain *made = nftnl_chain_alloc();

	if (!made)
		return NULL;
	nftnl_chain_set_u32(made, NFTNL_CHAIN_FAMILY, NFPROTO_INET);
	nftnl_chain_set_str(made, NFTNL_CHAIN_TABLE, plan->table);
	nftnl_chain_set_str(made, NFTNL_CHAIN_NAME, chain->name);
	if (chain->hooked) {
		nftnl_chain_set_str(made, NFTNL_CHAIN_TYPE, FW_CHAIN_TYPE);
		nftnl_chain_set_u32(made, NFTNL_CHAIN_HOOKNUM, chain->hook);
		nftnl_chain_set_s32(made, NFTNL_CHAIN_PRIO, FW_PRIORITY);
		nftnl_chain_set_u32(made, NFTNL_CHAIN_POLICY,
				    chain->policy == FW_ACCEPT ? NF_ACCEPT
							       : NF_DROP);
	}
	return made;
}

struct nftnl_obj *fw_compile_counter(const struct fw_plan *plan,
				     const struct fw_rule *rule)
{
	struct nftnl_obj *obj = nftnl_obj_alloc();

	if (!obj)
		return NULL;
	nftnl_obj_set_u32(obj, NFTNL_OBJ_FAMILY, NFPROTO_INET);
	nftnl_obj_set_str(obj, NFTNL_OBJ_TABLE, plan->table);
	nftnl_obj_set_str(obj, NFTNL_OBJ_NAME, rule->id);
	nftnl_obj_set_u32(obj, NFTNL_OBJ_TYPE, NFT_OBJECT_COUNTER);
	/* Without its content an object is not built. */
	nftnl_obj_set_u64(obj, NFTNL_OBJ_CTR_PKTS, 0);
	nftnl_obj_set_u64(obj, NFTNL_OBJ_CTR_BYTES, 0);
	return obj;
}

/* ---- rules: each match loads register 1 and compares it ---- */

/* A rule in the making; failed once memory ran out. */
struct making {
	struct nftnl_rule *rule;
	bool failed;
};

/* NULL: failed. The rule owns the expression. */
static struct nftnl_expr *append(struct making *making, const char *name)
{
	struct nftnl_expr *expr = nftnl_expr_alloc(name);

	if (expr)
		nftnl_rule_add_expr(making->rule, expr);
	else
		making->failed = true;
	return expr;
}

static void load_meta(struct making *making, enum nft_meta_keys key)
{
	struct nftnl_expr *expr = append(making, "meta");

	if (!expr)
		return;
	nftnl_expr_set_u32(expr, NFTNL_EXPR_META_KEY, key);
	nftnl_expr_set_u32(expr, NFTNL_EXPR_META_DREG, NFT_REG_1);
}

static void load_payload(struct making *making, enum nft_payload_bases base,
			 uint32_t offset, uint32_t size)
{
	struct nftnl_expr *expr = append(making, "payload");

	if (!expr)
		return;
	nftnl_expr_set_u32(expr, NFTNL_EXPR_PAYLOAD_DREG, NFT_REG_1);
	nftnl_expr_set_u32(expr, NFTNL_EXPR_PAYLOAD_BASE, base);
	nftnl_expr_set_u32(expr, NFTNL_EXPR_PAYLOAD_OFFSET, offset);
	nftnl_expr_set_u32(expr, NFTNL_EXPR_PAYLOAD_LEN, size);
}

static void mask_byte(struct making *making, uint8_t mask)
{
	const uint8_t zero = 0;
	struct nftnl_expr *expr = append(making, "bitwise");

	if (!expr)
		return;
	nftnl_expr_set_u32(expr, NFTNL_EXPR_BITWISE_SREG, NFT_REG_1);
	nftnl_expr_set_u32(expr, NFTNL_EXPR_BITWISE_DREG, NFT_REG_1);
	nftnl_expr_set_u32(expr, NFTNL_EXPR_BITWISE_LEN, sizeof(mask));
	nftnl_expr_set_u32(expr, NFTNL_EXPR_BITWISE_OP, NFT_BITWISE_BOOL);
	nftnl_expr_set(expr, NFTNL_EXPR_BITWISE_MASK, &mask, sizeof(mask));
	nftnl_expr_set(expr, NFTNL_EXPR_BITWISE_XOR, &zero, sizeof(zero));
}

static void compare(struct making *making, bool differs, const void *data,
		    uint32_t size)
{
	struct nftnl_expr *expr = append(making, "cmp");

	if (!expr)
		return;
	nftnl_expr_set_u32(expr, NFTNL_EXPR_CMP_SREG, NFT_REG_1);
	nftnl_expr_set_u32(expr, NFTNL_EXPR_CMP_OP,
			   differs ? NFT_CMP_NEQ : NFT_CMP_EQ);
	nftnl_expr_set(expr, NFTNL_EXPR_CMP_DATA, data, size);
}

static void compile_mark(struct making *making, const struct fw_match *match)
{
	load_meta(making, NFT_META_MARK);
	compare(making, match->differs, &match->mark, sizeof(match->mark));
}

static void compile_family(struct making *making, const struct fw_match *match)
{
	load_meta(making, NFT_META_NFPROTO);
	compare(making, match->differs, &match->family, sizeof(match->family));
}

static void compile_protocol(struct making *making,
			     const struct fw_match *match)
{
	load_meta(making, NFT_META_L4PROTO);
	compare(making, match->differs, &match->protocol,
		sizeof(match->protocol));
}

/* Only the bytes that the prefix covers are looked at, as nft(8) does. */
static void compile_net(struct making *making, const struct fw_match *match,
			uint32_t at4, uint32_t at6)
{
	const struct cidr *net = &match->net;

	if (net->bits == 0 || net->bits % 8 != 0)
		bug("a prefix of %u bits", net->bits);
	load_payload(making, NFT_PAYLOAD_NETWORK_HEADER,
		     net->addr.size == 4 ? at4 : at6, net->bits / 8);
	compare(making, match->differs, net->addr.bytes, net->bits / 8);
}

static void compile_source(struct making *making, const struct fw_match *match)
{
	compile_net(making, match, IP_SOURCE, IP6_SOURCE);
}

static void compile_target(struct making *making, const struct fw_match *match)
{
	compile_net(making, match, IP_TARGET, IP6_TARGET);
}

static void compile_tcp_flags(struct making *making,
			      const struct fw_match *match)
{
	load_payload(making, NFT_PAYLOAD_TRANSPORT_HEADER, TCP_FLAGS_AT, 1);
	mask_byte(making, match->tcp.mask);
	compare(making, match->differs, &match->tcp.value,
		sizeof(match->tcp.value));
}

static void compile_port(struct making *making, const struct fw_match *match)
{
	const uint16_t port = htons(match->port);

	load_payload(making, NFT_PAYLOAD_TRANSPORT_HEADER, TCP_PORT_TO,
		     sizeof(port));
	compare(making, match->differs, &port, sizeof(port));
}

/* More than the five words of a header without options. */
static void compile_ip_options(struct making *making,
			       const struct fw_match *match)
{
	const uint8_t words = 5;

	load_payload(making, NFT_PAYLOAD_NETWORK_HEADER, 0, sizeof(words));
	mask_byte(making, 0x0f);
	compare(making, !match->differs, &words, sizeof(words));
}

static void compile_routing_header(struct making *making,
				   const struct fw_match *match)
{
	const uint8_t present = 1;
	struct nftnl_expr *expr = append(making, "exthdr");

	if (!expr)
		return;
	nftnl_expr_set_u32(expr, NFTNL_EXPR_EXTHDR_DREG, NFT_REG_1);
	nftnl_expr_set_u8(expr, NFTNL_EXPR_EXTHDR_TYPE, IPPROTO_ROUTING);
	nftnl_expr_set_u32(expr, NFTNL_EXPR_EXTHDR_OFFSET, 0);
	nftnl_expr_set_u32(expr, NFTNL_EXPR_EXTHDR_LEN, 1);
	nftnl_expr_set_u32(expr, NFTNL_EXPR_EXTHDR_FLAGS, NFT_EXTHDR_F_PRESENT);
	nftnl_expr_set_u32(expr, NFTNL_EXPR_EXTHDR_OP, NFT_EXTHDR_OP_IPV6);
	compare(making, match->differs, &present, sizeof(present));
}

static void (*const compile_match[])(struct making *,
				     const struct fw_match *) = {
	[FW_MARK] = compile_mark,
	[FW_FAMILY] = compile_family,
	[FW_PROTOCOL] = compile_protocol,
	[FW_SOURCE] = compile_source,
	[FW_TARGET] = compile_target,
	[FW_TCP_FLAGS] = compile_tcp_flags,
	[FW_PORT] = compile_port,
	[FW_IP_OPTIONS] = compile_ip_options,
	[FW_ROUTING_HEADER] = compile_routing_header,
};
static_assert(ARRAY_SIZE(compile_match) == FW_NMATCHES, "all can be loaded");

static void count(struct making *making, const struct fw_rule *rule)
{
	struct nftnl_expr *expr = append(making, "objref");

	if (!expr)
		return;
	nftnl_expr_set_u32(expr, NFTNL_EXPR_OBJREF_IMM_TYPE,
			   NFT_OBJECT_COUNTER);
	nftnl_expr_set_str(expr, NFTNL_EXPR_OBJREF_IMM_NAME, rule->id);
}

static void end(struct making *making, const struct fw_rule *rule)
{
	static const int code[] = {
		[FW_DROP] = NF_DROP,
		[FW_ACCEPT] = NF_ACCEPT,
		[FW_GOTO] = NFT_GOTO,
	};
	struct nftnl_expr *expr;

	if (rule->verdict == FW_RESET) {
		expr = append(making, "reject");
		if (expr)
			nftnl_expr_set_u32(expr, NFTNL_EXPR_REJECT_TYPE,
					   NFT_REJECT_TCP_RST);
		return;
	}
	expr = append(making, "immediate");
	if (!expr)
		return;
	nftnl_expr_set_u32(expr, NFTNL_EXPR_IMM_DREG, NFT_REG_VERDICT);
	nftnl_expr_set_u32(expr, NFTNL_EXPR_IMM_VERDICT,
			   (uint32_t)code[rule->verdict]);
	if (rule->verdict == FW_GOTO)
		nftnl_expr_set_str(expr, NFTNL_EXPR_IMM_CHAIN, rule->target);
}

struct nftnl_rule *fw_compile_rule(const struct fw_plan *plan,
				   const struct fw_chain *chain,
				   const struct fw_rule *rule)
{
	cleanup(fw_rule_cleanup) struct nftnl_rule *made = nftnl_rule_alloc();
	struct making making = { .rule = made };

	if (!made)
		return NULL;
	nftnl_rule_set_u32(made, NFTNL_RULE_FAMILY, NFPROTO_INET);
	nftnl_rule_set_str(made, NFTNL_RULE_TABLE, plan->table);
	nftnl_rule_set_str(made, NFTNL_RULE_CHAIN, chain->name);
	for (size_t i = 0; i < rule->match_count; i++)
		compile_match[rule->matches[i].kind](&making,
						     &rule->matches[i]);
	count(&making, rule);
	end(&making, rule);
	return making.failed ? NULL : steal(made);
}
