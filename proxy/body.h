/* SPDX-License-Identifier: GPL-3.0-or-later */
/* BODY - the payload of a message, freed of its framing.
 * Counts exactly what Content-Length said, or decodes chunks (RFC 9112, 7.1)
 * with one reading: plain hexadecimal sizes, CR LF, extensions and trailers
 * checked, counted and dropped. Whoever sends the payload on frames it anew. */
#ifndef PROXY_BODY_H
#define PROXY_BODY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/span.h"
#include "proxy/framing.h"

#define BODY_OVERHEAD_MAX 4096 /* extensions and trailers, the whole body's */

enum chunk_state {
	CHUNK_SIZE = 0,
	CHUNK_EXTENSION,
	CHUNK_SIZE_LF,
	CHUNK_DATA,
	CHUNK_DATA_CR,
	CHUNK_DATA_LF,
	CHUNK_TRAILER,       /* at the start of a line behind the last chunk */
	CHUNK_TRAILER_NAME,  /* up to its colon */
	CHUNK_TRAILER_VALUE, /* up to its end */
	CHUNK_TRAILER_LF,
	CHUNK_END_LF,
	CHUNK_NSTATES
};

/* Plain data; body_init() starts it and nothing needs releasing. */
struct body {
	enum body_kind kind;
	uint64_t left; /* of the length, or of this chunk */
	enum chunk_state state;
	unsigned digits;
	size_t overhead;
	bool ended;
	bool broken;
};

enum body_verdict {
	BODY_BROKEN = 0, /* never to be read on */
	BODY_MORE,
	BODY_ENDED,
};

struct body_step {
	enum body_verdict verdict;
	size_t taken;     /* bytes of the input that are done with */
	struct span data; /* the payload among them; may be empty */
};

void body_init(struct body *body, const struct framing *framing) NONNULL(1, 2);

/*
 * Read on: up to one run of payload. BODY_MORE with everything taken asks for
 * more bytes; bytes behind the end are never taken. No input is fine.
 */
struct body_step body_take(struct body *body, struct span input) MUST_CHECK
	NONNULL(1);

/* May the connection end here? True behind the end, and where it is the end. */
bool body_may_stop(const struct body *body) NONNULL(1);

#endif
