/* SPDX-License-Identifier: GPL-3.0-or-later */
/* WORLD SERVICE - what a TCP port of the pretend world does with the bytes that
 * arrive. A service is a function without I/O: it takes from the input, adds to
 * the output, and says what is to happen next. */
#ifndef PROBE_WORLD_SERVICE_H
#define PROBE_WORLD_SERVICE_H

#include <stdbool.h>

#include "base/buf.h"

#include "probe/world_recorder.h"
#include "probe/world_zone.h"

struct world_tls;

/* What every service works with; all borrowed. */
struct world_context {
	struct world_zone *zone;
	struct world_recorder *recorder;
	struct world_tls *tls;
};

enum world_next {
	WORLD_DROP = 0,   /* close, say nothing */
	WORLD_READ_ON,    /* not whole yet */
	WORLD_REPLY,      /* send the output, then go on with the input */
	WORLD_REPLY_LAST, /* send the output, then close */
};

struct world_service {
	bool tls;
	/*
	 * Called whenever the input has grown, also when it may be whole
	 * already. Never with more than WORLD_INPUT_MAX bytes.
	 */
	enum world_next (*serve)(const struct world_context *context, bool tls,
				 struct buf *in, struct buf *out);
};

#define WORLD_INPUT_MAX  (16u << 10)
#define WORLD_OUTPUT_MAX (72u << 10)

extern const struct world_service world_http_service;
extern const struct world_service world_https_service;
extern const struct world_service world_dns_service;

#endif
