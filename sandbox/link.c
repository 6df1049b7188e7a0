/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sandbox/link.h"

#include <errno.h>
#include <net/if.h>
#include <stdio.h>
#include <time.h>

#include <linux/if_addr.h>
#include <linux/rtnetlink.h>

#include "base/cleanup.h"
#include "base/netlink.h"

#define LO 1 /* the kernel's LOOPBACK_IFINDEX, in every namespace */

#define WHAT_MAX (2 * ADDR_TEXT_MAX + 40)

static unsigned char family_of(const struct addr *addr)
{
	return addr->size == 4 ? AF_INET : AF_INET6;
}

static int set_lo_up(struct netlink *link, struct error *err)
{
	const struct ifinfomsg up = {
		.ifi_index = LO,
		.ifi_flags = IFF_UP,
		.ifi_change = IFF_UP,
	};
	struct netlink_request request;

	netlink_request_start(&request, RTM_NEWLINK, 0, &up, sizeof(up));
	return netlink_talk(link, &request.header, "set lo up", err);
}

/*
 * The kernel's own route to a new IPv6 address is added by a work item some
 * time after it (net/ipv6/addrconf.c, addrconf_dad_work). Until then nothing
 * reaches the address; later it would come after our own routes.
 */
static int await_route6(struct netlink *link, const struct addr *to,
			struct error *err)
{
	static const struct timespec moment = { .tv_nsec = 1000000 };
	const int most_moments = 5000;
	const struct rtmsg body = { .rtm_family = AF_INET6,
				    .rtm_dst_len = 128 };
	struct netlink_request request;
	char what[WHAT_MAX];

	snprintf(what, sizeof(what), "find a route to %s", addr_print(to).text);
	netlink_request_start(&request, RTM_GETROUTE, 0, &body, sizeof(body));
	netlink_request_add(&request, RTA_DST, to->bytes, to->size);
	for (int i = 0; i < most_moments; i++) {
		if (netlink_talk(link, &request.header, what, err) == 0)
			return 0;
		if (err->number != ENETUNREACH && err->number != EHOSTUNREACH)
			return -1;
		nanosleep(&moment, NULL);
	}
	return -1;
}

/*
 * Without IFA_F_NODAD an IPv6 address is tentative for a moment, and a route
 * that prefers it as source is refused. A prefix route of 128 bits is of no
 * use, and would be taken for the local one that is waited for.
 */
static int add_address(struct netlink *link, const struct addr *addr,
		       struct error *err)
{
	const struct ifaddrmsg body = {
		.ifa_family = family_of(addr),
		.ifa_prefixlen = addr->size * 8,
		.ifa_index = LO,
	};
	struct netlink_request request;
	char what[WHAT_MAX];

	if (addr->size == 0)
		return 0;
	snprintf(what, sizeof(what), "add %s to lo", addr_print(addr).text);
	netlink_request_start(&request, RTM_NEWADDR, NLM_F_CREATE | NLM_F_EXCL,
			      &body, sizeof(body));
	netlink_request_add(&request, IFA_LOCAL, addr->bytes, addr->size);
	netlink_request_add(&request, IFA_ADDRESS, addr->bytes, addr->size);
	if (addr->size == 16)
		netlink_request_add_u32(&request, IFA_FLAGS,
					IFA_F_NODAD | IFA_F_NOPREFIXROUTE);
	if (netlink_talk(link, &request.header, what, err) < 0)
		return -1;
	return addr->size == 16 ? await_route6(link, addr, err) : 0;
}

/*
 * "to is local, speak to it as from". The kernel's own route to an address of
 * lo would speak from that very address, and a reset between equal addresses
 * meets the rule that sent it: the client would hang.
 */
static int add_local_route(struct netlink *link, const struct addr *to,
			   const struct addr *from, struct error *err)
{
	const struct rtmsg body = {
		.rtm_family = family_of(from),
		.rtm_dst_len = to ? to->size * 8 : 0,
		.rtm_table = RT_TABLE_LOCAL,
		.rtm_protocol = RTPROT_BOOT,
		.rtm_scope = RT_SCOPE_HOST,
		.rtm_type = RTN_LOCAL,
	};
	struct netlink_request request;
	char what[WHAT_MAX];

	snprintf(what, sizeof(what), "route %s to lo from %s",
		 to ? addr_print(to).text : "everything",
		 addr_print(from).text);
	netlink_request_start(&request, RTM_NEWROUTE,
			      NLM_F_CREATE | NLM_F_REPLACE, &body,
			      sizeof(body));
	if (to)
		netlink_request_add(&request, RTA_DST, to->bytes, to->size);
	netlink_request_add(&request, RTA_PREFSRC, from->bytes, from->size);
	netlink_request_add_u32(&request, RTA_OIF, LO);
	return netlink_talk(link, &request.header, what, err);
}

/*
 * An IPv6 route is replaced only by one of the same metric, and the kernel's
 * local ones have metric 0, which nobody else can ask for: ours would never be
 * used. So the kernel's goes.
 */
static int remove_kernel_route6(struct netlink *link, const struct addr *to,
				struct error *err)
{
	const struct rtmsg body = {
		.rtm_family = AF_INET6,
		.rtm_dst_len = 128,
		.rtm_table = RT_TABLE_LOCAL,
		.rtm_protocol = RTPROT_KERNEL,
		.rtm_scope = RT_SCOPE_NOWHERE,
		.rtm_type = RTN_LOCAL,
	};
	struct netlink_request request;
	char what[WHAT_MAX];

	snprintf(what, sizeof(what), "remove its own route to %s",
		 addr_print(to).text);
	netlink_request_start(&request, RTM_DELROUTE, 0, &body, sizeof(body));
	netlink_request_add(&request, RTA_DST, to->bytes, to->size);
	netlink_request_add_u32(&request, RTA_OIF, LO);
	return netlink_talk(link, &request.header, what, err);
}

static int add_routes(struct netlink *link, const struct addr *client,
		      const struct addr *gateway, struct error *err)
{
	if (client->size == 0 && gateway->size == 0)
		return 0;
	if (client->size == 0)
		return error_set(err, "gateway %s has no client address",
				 addr_print(gateway).text);
	if (add_local_route(link, NULL, client, err) < 0)
		return -1;
	if (gateway->size == 0)
		return 0;
	if (add_local_route(link, gateway, client, err) < 0)
		return -1;
	if (gateway->size == 16)
		return remove_kernel_route6(link, gateway, err);
	return 0;
}

int link_up_sealed(const struct link_addrs *addrs, struct error *err)
{
	const struct addr *const named[] = {
		&addrs->gateway4,
		&addrs->client4,
		&addrs->gateway6,
		&addrs->client6,
	};
	cleanup(netlink_cleanup) struct netlink *link =
		netlink_open(NETLINK_ROUTE, err);

	if (!link || set_lo_up(link, err) < 0)
		return -1;
	for (size_t i = 0; i < ARRAY_SIZE(named); i++)
		if (add_address(link, named[i], err) < 0)
			return -1;
	for (size_t i = 0; i < addrs->own_count; i++)
		if (add_address(link, &addrs->own[i], err) < 0)
			return -1;
	if (add_routes(link, &addrs->client4, &addrs->gateway4, err) < 0)
		return -1;
	return add_routes(link, &addrs->client6, &addrs->gateway6, err);
}
