/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "fw/dump.h"

#include <netinet/in.h>

#include <linux/netfilter.h>
#include <linux/netfilter/nf_tables.h>
#include <linux/netfilter/nfnetlink.h>

static const struct {
	uint16_t ask, answer;
	const char *what;
} kinds[] = {
	[FW_TABLES] = { NFT_MSG_GETTABLE, NFT_MSG_NEWTABLE, "list tables" },
	[FW_CHAINS] = { NFT_MSG_GETCHAIN, NFT_MSG_NEWCHAIN, "list chains" },
	[FW_RULES] = { NFT_MSG_GETRULE, NFT_MSG_NEWRULE, "list rules" },
	[FW_OBJECTS] = { NFT_MSG_GETOBJ, NFT_MSG_NEWOBJ, "list objects" },
	[FW_SETS] = { NFT_MSG_GETSET, NFT_MSG_NEWSET, "list sets" },
	[FW_FLOWTABLES] = { NFT_MSG_GETFLOWTABLE, NFT_MSG_NEWFLOWTABLE,
			    "list flow tables" },
};
static_assert(ARRAY_SIZE(kinds) == FW_NKINDS, "each kind is asked for");

struct reading {
	struct fw_dump *dump;
	enum fw_kind kind;
	netlink_each_fn *each;
	void *arg;
};

static int read_one(const struct nlmsghdr *message, void *arg,
		    struct error *err)
{
	struct reading *reading = arg;
	struct fw_dump *dump = reading->dump;
	const struct nfgenmsg *body = NLMSG_DATA(message);
	int generation;

	if (message->nlmsg_len < NLMSG_LENGTH(sizeof(*body)) ||
	    message->nlmsg_type !=
		    (NFNL_SUBSYS_NFTABLES << 8 | kinds[reading->kind].answer))
		return error_kind_set(err, ERROR_SYSTEM,
				      "the kernel answered something else");
	generation = ntohs(body->res_id);
	if (dump->generation < 0)
		dump->generation = generation;
	if (dump->generation != generation)
		return error_kind_set(err, ERROR_BOUNDARY,
				      "the ruleset changed while it was read");
	return reading->each(message, reading->arg, err);
}

int fw_dump(struct fw_dump *dump, enum fw_kind kind, netlink_each_fn *each,
	    void *arg, struct error *err)
{
	const struct nfgenmsg any = { .nfgen_family = NFPROTO_UNSPEC };
	struct reading reading = { dump, kind, each, arg };
	struct netlink_request request;

	netlink_request_start(&request,
			      NFNL_SUBSYS_NFTABLES << 8 | kinds[kind].ask, 0,
			      &any, sizeof(any));
	return netlink_dump(dump->link, &request.header, read_one, &reading,
			    kinds[kind].what, err);
}
