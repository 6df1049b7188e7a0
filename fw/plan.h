/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PLAN - a firewall as a value: pure, built before anything is touched.
 * One inet table with chains of rules; every rule has an id that also names
 * its counter. A plan is shown (fw/print.h) or committed (fw/kernel.h); it is
 * never a string for a shell. */
#ifndef FW_PLAN_H
#define FW_PLAN_H

#include <stddef.h>
#include <stdint.h>

#include "base/addr.h"
#include "base/error.h"

#define FW_NAME_MAX  64 /* table, chain and rule ids: [A-Za-z][A-Za-z0-9_.-]* */
#define FW_PORTS_MAX 8

struct fw_plan;

/*
 * The namespace without a way out: stateless, both address families, policy
 * drop on output, input and forward. docs/firewall.md explains each rule.
 */
struct fw_sealed {
	struct addr gateway4, gateway6; /* where the appliance listens */
	struct addr client4, client6;   /* the only other addresses inside */
	uint16_t gateway_ports[FW_PORTS_MAX]; /* TCP, in ascending order */
	size_t gateway_port_count;
	uint32_t mark; /* on the appliance's own sockets inside; never 0 */
};

/* 100.64.0.1, 100.64.0.2, fd64::1, fd64::2, port 3128, mark 0x5ea1. */
struct fw_sealed fw_sealed_default(void);

/*
 * Refused, as ERROR_INPUT: an address of the wrong family, one that could be
 * a real host's (only private and documentation ranges will do), a gateway
 * that is the client, ports that do not ascend from 1, no port, no mark.
 */
struct fw_plan *fw_plan_sealed(const struct fw_sealed *sealed,
			       struct error *err) MUST_CHECK NONNULL(1, 2);
void fw_plan_free(struct fw_plan *plan);
void fw_plan_cleanup(struct fw_plan **plan) NONNULL(1);

#endif
