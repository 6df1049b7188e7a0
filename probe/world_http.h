/* SPDX-License-Identifier: GPL-3.0-or-later */
/* WORLD HTTP - the pretend world's web server: one request, one answer, close.
 * Every request that can be read is recorded and answered with 200 and a text
 * that repeats it; a body is not read. No I/O of its own. */
#ifndef PROBE_WORLD_HTTP_H
#define PROBE_WORLD_HTTP_H

#include "base/buf.h"
#include "base/compiler.h"
#include "base/span.h"

#include "probe/world_service.h"

enum world_head {
	WORLD_HEAD_BAD = 0,
	WORLD_HEAD_MORE, /* the empty line has not come yet */
	WORLD_HEAD_LARGE,
	WORLD_HEAD_WHOLE,
};

/* Borrowed from the bytes. */
struct world_request {
	struct span method;
	struct span host; /* without port and brackets; may be empty */
	struct span path; /* with its query, as it came */
};

enum world_head world_http_parse(struct span bytes,
				 struct world_request *out) MUST_CHECK
	NONNULL(2);

enum world_next world_http_serve(const struct world_context *context, bool tls,
				 struct buf *in, struct buf *out) MUST_CHECK
	NONNULL(1, 3, 4);

#endif
