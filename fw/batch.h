/* SPDX-License-Identifier: GPL-3.0-or-later */
/* BATCH - one nf_tables transaction under construction.
 * Messages are appended in order and named, so that a refusal by the kernel
 * can say of what. Nothing reaches the kernel before it is sent. */
#ifndef FW_BATCH_H
#define FW_BATCH_H

#include <stdint.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/netlink.h"

struct fw_batch;

struct fw_batch *fw_batch_new(void); /* NULL: no memory */
void fw_batch_free(struct fw_batch *batch);
void fw_batch_cleanup(struct fw_batch **batch) NONNULL(1);

/*
 * Begin a message (type is NFT_MSG_...) to which libnftnl then appends its
 * payload, at most FW_BATCH_MESSAGE_MAX bytes. The header is valid until the
 * next call, and the name is formatted here.
 */
#define FW_BATCH_MESSAGE_MAX 8192

PRINTF_LIKE(4, 5)
struct nlmsghdr *fw_batch_add(struct fw_batch *batch, uint16_t type,
			      uint16_t flags, const char *name, ...)
	NONNULL(1, 4);

/* Close the transaction and send it. Once. */
MUST_CHECK int fw_batch_send(struct fw_batch *batch, struct netlink *link,
			     struct error *err) NONNULL(1, 2, 3);

#endif
