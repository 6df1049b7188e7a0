/* SPDX-License-Identifier: GPL-3.0-or-later */
/* WORLD DNS - the pretend world's name server: one message in, one out.
 * The question is recorded before the reply exists. No I/O of its own. */
#ifndef PROBE_WORLD_DNS_H
#define PROBE_WORLD_DNS_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/compiler.h"
#include "base/span.h"

#include "probe/world_recorder.h"
#include "probe/world_service.h"
#include "probe/world_zone.h"

#define WORLD_QUESTION_MAX 4096 /* bytes; nobody asks more than that */

enum world_carrier {
	WORLD_OVER_UDP, /* replies are cut to what the client takes */
	WORLD_OVER_TCP,
};

/*
 * What goes back the way that the question came; over UDP without tricks, which
 * world_dns_datagrams() plays. False: send nothing (not a question, or it could
 * not be recorded, or that is the trick). The reply must be empty; its limit
 * should be DNS_MESSAGE_MAX.
 */
MUST_CHECK bool world_dns_answer(struct world_zone *zone,
				 struct world_recorder *recorder,
				 struct span message,
				 enum world_carrier carrier, struct buf *reply)
	NONNULL(1, 2, 5);

typedef void world_send_fn(const struct world_send *send, struct span message,
			   void *arg);

/* Every datagram that goes out for one that came in, in order. */
void world_dns_datagrams(struct world_zone *zone,
			 struct world_recorder *recorder, struct span message,
			 world_send_fn *send, void *arg) NONNULL(1, 2, 4);

/* Messages with their length in front (RFC 1035, 4.2.2), any number of them. */
enum world_next world_dns_serve(const struct world_context *context, bool tls,
				struct buf *in, struct buf *out) MUST_CHECK
	NONNULL(1, 3, 4);

#endif
