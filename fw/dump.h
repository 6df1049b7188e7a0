/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DUMP - what nf_tables holds, kind by kind, of every family and table. */
#ifndef FW_DUMP_H
#define FW_DUMP_H

#include "base/compiler.h"
#include "base/netlink.h"

enum fw_kind {
	FW_TABLES,
	FW_CHAINS,
	FW_RULES, /* of a chain in the order in which they are evaluated */
	FW_OBJECTS,
	FW_SETS,
	FW_FLOWTABLES,
	FW_NKINDS
};

/*
 * Several dumps that shall show one state of the ruleset: the kernel counts
 * its changes, and says in each message which state it comes from.
 */
struct fw_dump {
	struct netlink *link;
	int generation; /* -1: nothing seen yet */
};

/* Call each() for every one; an error if the ruleset changed since. */
MUST_CHECK int fw_dump(struct fw_dump *dump, enum fw_kind kind,
		       netlink_each_fn *each, void *arg, struct error *err)
	NONNULL(1, 3, 5);

#endif
