/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "fw/batch.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <libnftnl/common.h>
#include <linux/netfilter.h>

#include "fw/plan.h"

#define MESSAGES_MAX 256
#define BYTES_MAX    (192 << 10) /* a netlink socket takes 208 KiB at once */
#define PART_NAME    (2 * FW_NAME_MAX + 40)

struct fw_batch {
	size_t size;
	size_t count;
	struct nlmsghdr *last; /* its payload may still grow */
	char names[MESSAGES_MAX][PART_NAME];
	alignas(struct nlmsghdr) char bytes[BYTES_MAX];
};

/* Take in what was appended to the last message. */
static void close_message(struct fw_batch *batch)
{
	if (batch->last)
		batch->size += NLMSG_ALIGN(batch->last->nlmsg_len);
	batch->last = NULL;
	if (batch->count == MESSAGES_MAX ||
	    batch->size > BYTES_MAX - FW_BATCH_MESSAGE_MAX)
		bug("%zu messages of %zu bytes in a batch", batch->count,
		    batch->size);
}

struct fw_batch *fw_batch_new(void)
{
	struct fw_batch *batch = calloc(1, sizeof(*batch));

	if (!batch)
		return NULL;
	batch->last = nftnl_batch_begin(batch->bytes, 0);
	snprintf(batch->names[batch->count++], PART_NAME, "the transaction");
	return batch;
}

void fw_batch_free(struct fw_batch *batch)
{
	free(batch);
}

void fw_batch_cleanup(struct fw_batch **batch)
{
	fw_batch_free(*batch);
}

struct nlmsghdr *fw_batch_add(struct fw_batch *batch, uint16_t type,
			      uint16_t flags, const char *name, ...)
{
	va_list ap;

	close_message(batch);
	va_start(ap, name);
	vsnprintf(batch->names[batch->count++], PART_NAME, name, ap);
	va_end(ap);
	batch->last = nftnl_nlmsg_build_hdr(batch->bytes + batch->size, type,
					    NFPROTO_INET, NLM_F_ACK | flags, 0);
	return batch->last;
}

int fw_batch_send(struct fw_batch *batch, struct netlink *link,
		  struct error *err)
{
	const char *names[MESSAGES_MAX];

	close_message(batch);
	batch->last = nftnl_batch_end(batch->bytes + batch->size, 0);
	snprintf(batch->names[batch->count++], PART_NAME,
		 "the end of the transaction");
	batch->size += NLMSG_ALIGN(batch->last->nlmsg_len);
	batch->last = NULL;
	for (size_t i = 0; i < batch->count; i++)
		names[i] = batch->names[i];
	return netlink_batch(link, batch->bytes, batch->size, names,
			     batch->count, err);
}
