/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "fw/print.h"

#include <inttypes.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>

#include "fw/plan_int.h"

static const char *const hook_name[] = {
	[NF_INET_LOCAL_IN] = "input",
	[NF_INET_FORWARD] = "forward",
	[NF_INET_LOCAL_OUT] = "output",
};

static void print_net(const char *field, const struct fw_match *match,
		      FILE *out)
{
	const struct addr *addr = &match->net.addr;

	fprintf(out, "%s %s %s%s", addr->size == 4 ? "ip" : "ip6", field,
		match->differs ? "!= " : "", addr_print(addr).text);
	if (match->net.bits != addr->size * 8)
		fprintf(out, "/%u", match->net.bits);
}

static void print_mark(const struct fw_match *match, FILE *out)
{
	fprintf(out, "meta mark %s0x%08" PRIx32, match->differs ? "!= " : "",
		match->mark);
}

static void print_family(const struct fw_match *match, FILE *out)
{
	fprintf(out, "meta nfproto %s%s", match->differs ? "!= " : "",
		match->family == NFPROTO_IPV4 ? "ipv4" : "ipv6");
}

static void print_protocol(const struct fw_match *match, FILE *out)
{
	fprintf(out, "meta l4proto %s", match->differs ? "!= " : "");
	if (match->protocol == IPPROTO_TCP)
		fputs("tcp", out);
	else
		fprintf(out, "%u", match->protocol);
}

static void print_source(const struct fw_match *match, FILE *out)
{
	print_net("saddr", match, out);
}

static void print_target(const struct fw_match *match, FILE *out)
{
	print_net("daddr", match, out);
}

static void print_flag_names(uint8_t flags, FILE *out)
{
	static const struct {
		uint8_t flag;
		const char *name;
	} names[] = { { TH_FIN, "fin" },
		      { TH_SYN, "syn" },
		      { TH_RST, "rst" },
		      { TH_PUSH, "psh" },
		      { TH_ACK, "ack" } };
	const char *before = "";

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (flags & names[i].flag) {
			fprintf(out, "%s%s", before, names[i].name);
			before = " | ";
		}
}

static void print_tcp_flags(const struct fw_match *match, FILE *out)
{
	fputs("tcp flags & (", out);
	print_flag_names(match->tcp.mask, out);
	fprintf(out, ") %s ", match->differs ? "!=" : "==");
	print_flag_names(match->tcp.value, out);
}

static void print_port(const struct fw_match *match, FILE *out)
{
	fprintf(out, "tcp dport %s%u", match->differs ? "!= " : "",
		match->port);
}

static void print_ip_options(const struct fw_match *match, FILE *out)
{
	fprintf(out, "ip hdrlength %s5", match->differs ? "" : "!= ");
}

static void print_routing_header(const struct fw_match *match, FILE *out)
{
	fprintf(out, "exthdr rt %s", match->differs ? "missing" : "exists");
}

static void (*const print_match[])(const struct fw_match *, FILE *) = {
	[FW_MARK] = print_mark,
	[FW_FAMILY] = print_family,
	[FW_PROTOCOL] = print_protocol,
	[FW_SOURCE] = print_source,
	[FW_TARGET] = print_target,
	[FW_TCP_FLAGS] = print_tcp_flags,
	[FW_PORT] = print_port,
	[FW_IP_OPTIONS] = print_ip_options,
	[FW_ROUTING_HEADER] = print_routing_header,
};
static_assert(ARRAY_SIZE(print_match) == FW_NMATCHES, "all can be shown");

static const char *const verdict_text[] = {
	[FW_DROP] = "drop",
	[FW_ACCEPT] = "accept",
	[FW_RESET] = "reject with tcp reset",
	[FW_GOTO] = "goto ",
};
static_assert(ARRAY_SIZE(verdict_text) == FW_NVERDICTS, "all can be shown");

static void print_rule(const struct fw_rule *rule, FILE *out)
{
	fputs("\t\t", out);
	for (size_t i = 0; i < rule->match_count; i++) {
		print_match[rule->matches[i].kind](&rule->matches[i], out);
		fputc(' ', out);
	}
	fprintf(out, "counter name \"%s\" %s%s\n", rule->id,
		verdict_text[rule->verdict], rule->target ? rule->target : "");
}

static void print_chain(const struct fw_chain *chain, FILE *out)
{
	fprintf(out, "\n\tchain %s {\n", chain->name);
	if (chain->hooked)
		fprintf(out,
			"\t\ttype filter hook %s priority filter; policy %s;\n",
			hook_name[chain->hook], verdict_text[chain->policy]);
	for (size_t i = 0; i < chain->rule_count; i++)
		print_rule(&chain->rules[i], out);
	fputs("\t}\n", out);
}

int fw_print_nft(const struct fw_plan *plan, FILE *out, struct error *err)
{
	/* One transaction that also replaces an earlier table of this name. */
	fprintf(out, "table inet %s\ndelete table inet %s\n\n", plan->table,
		plan->table);
	fprintf(out, "table inet %s {\n", plan->table);
	for (size_t i = 0; i < plan->chain_count; i++)
		for (size_t j = 0; j < plan->chains[i].rule_count; j++)
			fprintf(out, "\tcounter %s { }\n",
				plan->chains[i].rules[j].id);
	for (size_t i = 0; i < plan->chain_count; i++)
		print_chain(&plan->chains[i], out);
	fputs("}\n", out);
	if (fflush(out) != 0 || ferror(out))
		return error_sys(err, "cannot write the ruleset");
	return 0;
}
