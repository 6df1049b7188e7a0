/* SPDX-License-Identifier: GPL-3.0-or-later */
/* COMPILE - parts of a plan as libnftnl objects, for loading and comparing.
 * They carry every attribute that the kernel reports about such an object, and
 * in the same form, so that what was loaded reads back equal. NULL: no memory.
 * The caller frees them. */
#ifndef FW_COMPILE_H
#define FW_COMPILE_H

#include <libnftnl/chain.h>
#include <libnftnl/object.h>
#include <libnftnl/rule.h>
#include <libnftnl/table.h>

#include "base/compiler.h"

#include "fw/plan_int.h"

struct nftnl_table *fw_compile_table(const struct fw_plan *plan) NONNULL(1);
struct nftnl_chain *fw_compile_chain(const struct fw_plan *plan,
				     const struct fw_chain *chain)
	NONNULL(1, 2);
struct nftnl_obj *fw_compile_counter(const struct fw_plan *plan,
				     const struct fw_rule *rule) NONNULL(1, 2);
struct nftnl_rule *fw_compile_rule(const struct fw_plan *plan,
				   const struct fw_chain *chain,
				   const struct fw_rule *rule) NONNULL(1, 2, 3);

void fw_table_cleanup(struct nftnl_table **table) NONNULL(1);
void fw_chain_cleanup(struct nftnl_chain **chain) NONNULL(1);
void fw_obj_cleanup(struct nftnl_obj **obj) NONNULL(1);
void fw_rule_cleanup(struct nftnl_rule **rule) NONNULL(1);

#endif
