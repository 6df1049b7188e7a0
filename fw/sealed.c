/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "fw/plan.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>

#include "policy/addrclass.h"

#include "fw/plan_int.h"

#define TABLE  "cowork_seal"
#define REFUSE "refuse"

/* One address family's share of the rules, which are the same in both. */
struct side {
	char digit; /* ends the ids */
	uint8_t family;
	struct cidr loopback, client, gateway;
};

struct fw_sealed fw_sealed_default(void)
{
	return (struct fw_sealed){
		.gateway4 = addr_v4(100, 64, 0, 1),
		.client4 = addr_v4(100, 64, 0, 2),
		.gateway6 = { 16, { 0xfd, 0x64, [15] = 1 } },
		.client6 = { 16, { 0xfd, 0x64, [15] = 2 } },
		.gateway_ports = { 3128 },
		.gateway_port_count = 1,
		.mark = 0x5ea1,
	};
}

static int check_addr(const struct addr *addr, uint8_t size, const char *what,
		      struct error *err)
{
	enum addr_class class = addr_classify(addr);

	if (addr->size != size)
		return error_kind_set(err, ERROR_INPUT,
				      "the %s must be an IPv%c address", what,
				      size == 4 ? '4' : '6');
	if (class != ADDR_PRIVATE && class != ADDR_DOCUMENTATION)
		return error_kind_set(err, ERROR_INPUT,
				      "the %s must be a private address; %s is "
				      "%s",
				      what, addr_print(addr).text,
				      addr_class_name(class));
	return 0;
}

static int check_ports(const struct fw_sealed *sealed, struct error *err)
{
	unsigned least = 1;

	if (sealed->gateway_port_count == 0 ||
	    sealed->gateway_port_count > FW_PORTS_MAX)
		return error_kind_set(err, ERROR_INPUT,
				      "the gateway has 1 to %d ports, not %zu",
				      FW_PORTS_MAX, sealed->gateway_port_count);
	for (size_t i = 0; i < sealed->gateway_port_count; i++) {
		if (sealed->gateway_ports[i] < least)
			return error_kind_set(err, ERROR_INPUT,
					      "gateway port %u is 0 or does "
					      "not ascend",
					      sealed->gateway_ports[i]);
		least = sealed->gateway_ports[i] + 1u;
	}
	return 0;
}

static int check(const struct fw_sealed *sealed, struct error *err)
{
	if (check_addr(&sealed->gateway4, 4, "gateway", err) < 0 ||
	    check_addr(&sealed->client4, 4, "client", err) < 0 ||
	    check_addr(&sealed->gateway6, 16, "gateway", err) < 0 ||
	    check_addr(&sealed->client6, 16, "client", err) < 0 ||
	    check_ports(sealed, err) < 0)
		return -1;
	/* A reset from an address to itself would meet the rule that sent it */
	if (addr_equal(&sealed->gateway4, &sealed->client4) ||
	    addr_equal(&sealed->gateway6, &sealed->client6))
		return error_kind_set(err, ERROR_INPUT,
				      "gateway and client are one address");
	if (sealed->mark == 0)
		return error_kind_set(err, ERROR_INPUT,
				      "mark 0 is on every packet");
	return 0;
}

/* ---- matches ---- */

static struct fw_match is_family(const struct side *side)
{
	return (struct fw_match){ FW_FAMILY, .family = side->family };
}

static struct fw_match is_tcp(void)
{
	return (struct fw_match){ FW_PROTOCOL, .protocol = IPPROTO_TCP };
}

static struct fw_match is_not_tcp(void)
{
	return (struct fw_match){ FW_PROTOCOL, true, .protocol = IPPROTO_TCP };
}

/* The packet that asks for a connection: SYN without ACK (RFC 9293, 3.5). */
static struct fw_match asks(bool no)
{
	return (struct fw_match){ FW_TCP_FLAGS, no,
				  .tcp = { TH_SYN | TH_ACK, TH_SYN } };
}

static struct fw_match is_reset(void)
{
	return (struct fw_match){ FW_TCP_FLAGS, .tcp = { TH_RST, TH_RST } };
}

static struct fw_match not_from(struct cidr net)
{
	return (struct fw_match){ FW_SOURCE, true, .net = net };
}

static struct fw_match to(struct cidr net)
{
	return (struct fw_match){ FW_TARGET, .net = net };
}

static struct fw_match to_port(uint16_t port)
{
	return (struct fw_match){ FW_PORT, .port = port };
}

/* add(chain, id, verdict, target, match, ...) */
#define add(chain, id, verdict, target, ...)                      \
	fw_chain_add(chain, id, verdict, target,                  \
		     (const struct fw_match[]){ __VA_ARGS__ },    \
		     sizeof((struct fw_match[]){ __VA_ARGS__ }) / \
			     sizeof(struct fw_match))

struct id {
	char text[FW_NAME_MAX + 1];
};

static struct id id_of(const char *name, const struct side *side)
{
	struct id id;

	snprintf(id.text, sizeof(id.text), "%s%c", name, side->digit);
	return id;
}

/* ---- chains ---- */

static void add_refuse(struct fw_plan *plan)
{
	struct fw_chain *refuse = fw_plan_add_chain(plan, REFUSE);

	add(refuse, "refused-tcp", FW_RESET, NULL, is_tcp());
	/* The sender sees EPERM; an ICMP answer would itself be refused. */
	fw_chain_add(refuse, "refused-other", FW_DROP, NULL, NULL, 0);
}

/*
 * All addresses are local here, so that everybody inside can bind any of them.
 * Who speaks from a foreign one would seem to its peer to be outside.
 */
static void add_forged(struct fw_chain *out, const struct side *side)
{
	add(out, id_of("forged-tcp", side).text, FW_GOTO, REFUSE,
	    is_family(side), is_tcp(), asks(false), not_from(side->loopback),
	    not_from(side->client));
	add(out, id_of("forged-other", side).text, FW_GOTO, REFUSE,
	    is_family(side), is_not_tcp(), not_from(side->loopback),
	    not_from(side->client));
}

static void add_inside(struct fw_chain *out, const struct side *side,
		       const struct fw_sealed *sealed)
{
	add(out, id_of("loopback", side).text, FW_ACCEPT, NULL, is_family(side),
	    to(side->loopback));
	add(out, id_of("client", side).text, FW_ACCEPT, NULL, is_family(side),
	    to(side->client));
	for (size_t i = 0; i < sealed->gateway_port_count; i++) {
		uint16_t port = sealed->gateway_ports[i];
		struct id id;

		snprintf(id.text, sizeof(id.text), "gateway%c-%u", side->digit,
			 port);
		add(out, id.text, FW_ACCEPT, NULL, is_family(side), is_tcp(),
		    to(side->gateway), to_port(port));
	}
}

/* What somebody inside may emit. Loopback means addresses: all use lo. */
static void add_output(struct fw_plan *plan, const struct side *sides,
		       const struct fw_sealed *sealed)
{
	struct fw_chain *out =
		fw_plan_add_hook(plan, "output", NF_INET_LOCAL_OUT);

	add(out, "appliance", FW_ACCEPT, NULL,
	    { .kind = FW_MARK, .mark = sealed->mark });
	/* Those with a route: the next target would be judged, not the last. */
	add(out, "ip-options", FW_GOTO, REFUSE, is_family(&sides[0]),
	    { .kind = FW_IP_OPTIONS });
	add(out, "routing-header", FW_GOTO, REFUSE, is_family(&sides[1]),
	    { .kind = FW_ROUTING_HEADER });
	for (int i = 0; i < 2; i++)
		add_forged(out, &sides[i]);
	/* Answers, and resets of ours: whatever was refused never got one. */
	add(out, "established", FW_ACCEPT, NULL, is_tcp(), asks(true));
	for (int i = 0; i < 2; i++)
		add_inside(out, &sides[i], sealed);
	fw_chain_add(out, "elsewhere", FW_GOTO, REFUSE, NULL, 0);
}

/*
 * What is emitted to a foreign address comes back in through lo, because every
 * address is local. Output refuses it; were that ever to fail, a listener
 * inside that is bound to 0.0.0.0 would play the outside world.
 */
static void add_input(struct fw_plan *plan, const struct side *sides)
{
	struct fw_chain *in = fw_plan_add_hook(plan, "input", NF_INET_LOCAL_IN);

	for (int i = 0; i < 2; i++) {
		const struct side *side = &sides[i];

		add(in, id_of("in-loopback", side).text, FW_ACCEPT, NULL,
		    is_family(side), to(side->loopback));
		add(in, id_of("in-client", side).text, FW_ACCEPT, NULL,
		    is_family(side), to(side->client));
		add(in, id_of("in-gateway", side).text, FW_ACCEPT, NULL,
		    is_family(side), to(side->gateway));
	}
	/* So that a forged source is refused at once, too. */
	add(in, "in-reset", FW_ACCEPT, NULL, is_tcp(), is_reset());
	fw_chain_add(in, "in-foreign", FW_DROP, NULL, NULL, 0);
}

static void add_forward(struct fw_plan *plan)
{
	struct fw_chain *forward =
		fw_plan_add_hook(plan, "forward", NF_INET_FORWARD);

	fw_chain_add(forward, "forwarded", FW_DROP, NULL, NULL, 0);
}

static struct cidr host(const struct addr *addr)
{
	return (struct cidr){ *addr, addr->size * 8 };
}

struct fw_plan *fw_plan_sealed(const struct fw_sealed *sealed,
			       struct error *err)
{
	const struct side sides[] = {
		{ '4',
		  NFPROTO_IPV4,
		  { addr_v4(127, 0, 0, 0), 8 },
		  host(&sealed->client4),
		  host(&sealed->gateway4) },
		{ '6',
		  NFPROTO_IPV6,
		  { { 16, { [15] = 1 } }, 128 },
		  host(&sealed->client6),
		  host(&sealed->gateway6) },
	};
	struct fw_plan *plan;

	if (check(sealed, err) < 0)
		return NULL;
	plan = calloc(1, sizeof(*plan));
	if (!plan) {
		error_sys(err, "cannot plan a firewall");
		return NULL;
	}
	plan->table = TABLE;
	add_refuse(plan);
	add_output(plan, sides, sealed);
	add_input(plan, sides);
	add_forward(plan);
	return plan;
}
