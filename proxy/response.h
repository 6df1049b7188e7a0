/* SPDX-License-Identifier: GPL-3.0-or-later */
/* RESPONSE - the head of an origin's answer, as strictly as a request's.
 * An origin may be hostile to the client behind us: what cannot be read in
 * exactly one way is not passed on. Spans borrow from the input. */
#ifndef PROXY_RESPONSE_H
#define PROXY_RESPONSE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/compiler.h"
#include "base/span.h"
#include "proxy/fields.h"
#include "proxy/framing.h"

struct response {
	unsigned minor;
	unsigned status; /* 100 to 599, never 101 */
	struct span reason;
	struct framing framing;  /* of the body that follows */
	struct framing declared; /* as written, also where no body follows */
	struct fields fields;
	struct nominated nominated;
};

/*
 * The bytes are one whole head. to_head: it answers a HEAD request, so that no
 * body follows whatever it says.
 */
enum head_fault response_parse(struct span bytes, size_t most_fields,
			       bool to_head, struct response *out) MUST_CHECK
	NONNULL(4);

/* 100 to 199: another head follows. */
bool response_is_interim(const struct response *response) NONNULL(1);

/* A body follows and no length says how long it is. */
bool response_is_unmeasured(const struct response *response) NONNULL(1);

/*
 * The head that goes to the client. chunked: a body without a length is sent
 * in chunks; else its end is the connection's. keep: the connection may stay.
 */
void response_print(const struct response *response, bool chunked, bool keep,
		    struct buf *out) NONNULL(1, 4);

#endif
