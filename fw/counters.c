/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "fw/kernel.h"

#include <string.h>

#include <linux/netfilter/nf_tables.h>

#include "base/cleanup.h"

#include "fw/compile.h"
#include "fw/dump.h"

struct reading {
	const struct fw_plan *plan;
	struct fw_counters *counters;
	bool seen[FW_COUNTERS_MAX];
};

static int read_counter(const struct nlmsghdr *message, void *arg,
			struct error *err)
{
	struct reading *reading = arg;
	struct fw_counters *counters = reading->counters;
	cleanup(fw_obj_cleanup) struct nftnl_obj *obj = nftnl_obj_alloc();
	const char *table, *name;

	if (!obj || nftnl_obj_nlmsg_parse(message, obj) < 0)
		return error_sys(err, "cannot read a counter");
	table = nftnl_obj_get_str(obj, NFTNL_OBJ_TABLE);
	name = nftnl_obj_get_str(obj, NFTNL_OBJ_NAME);
	if (!table || !name || strcmp(table, reading->plan->table) != 0 ||
	    nftnl_obj_get_u32(obj, NFTNL_OBJ_FAMILY) != NFPROTO_INET ||
	    nftnl_obj_get_u32(obj, NFTNL_OBJ_TYPE) != NFT_OBJECT_COUNTER)
		return 0;
	for (size_t i = 0; i < counters->count; i++)
		if (strcmp(counters->list[i].rule, name) == 0) {
			counters->list[i].packets =
				nftnl_obj_get_u64(obj, NFTNL_OBJ_CTR_PKTS);
			counters->list[i].bytes =
				nftnl_obj_get_u64(obj, NFTNL_OBJ_CTR_BYTES);
			reading->seen[i] = true;
		}
	return 0;
}

static void list_rules(const struct fw_chain *chain, struct fw_counters *out)
{
	if (out->count + chain->rule_count > FW_COUNTERS_MAX)
		bug("more than %d counters", FW_COUNTERS_MAX);
	for (size_t i = 0; i < chain->rule_count; i++) {
		struct fw_counter *counter = &out->list[out->count++];

		memcpy(counter->rule, chain->rules[i].id,
		       sizeof(counter->rule));
		counter->refuses = fw_rule_refuses(&chain->rules[i]);
	}
}

int fw_counters_read(struct netlink *link, const struct fw_plan *plan,
		     struct fw_counters *out, struct error *err)
{
	struct fw_dump dump = { link, -1 };
	struct reading reading = { plan, out, { false } };

	memset(out, 0, sizeof(*out));
	for (size_t i = 0; i < plan->chain_count; i++)
		list_rules(&plan->chains[i], out);
	if (fw_dump(&dump, FW_OBJECTS, read_counter, &reading, err) < 0)
		return -1;
	for (size_t i = 0; i < out->count; i++)
		if (!reading.seen[i])
			return error_kind_set(err, ERROR_BOUNDARY,
					      "counter '%s' is missing",
					      out->list[i].rule);
	return 0;
}

uint64_t fw_counter_of(const struct fw_counters *counters, const char *rule)
{
	for (size_t i = 0; i < counters->count; i++)
		if (strcmp(counters->list[i].rule, rule) == 0)
			return counters->list[i].packets;
	return 0;
}

uint64_t fw_counters_refused(const struct fw_counters *counters)
{
	uint64_t packets = 0;

	for (size_t i = 0; i < counters->count; i++)
		if (counters->list[i].refuses)
			packets += counters->list[i].packets;
	return packets;
}
