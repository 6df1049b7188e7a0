/* SPDX-License-Identifier: GPL-3.0-or-later */
/* HEAD - the head of a request: CONNECT host:port, or METHOD http://host/...
 * Parsed strictly and whole, then written anew: no byte of a client's head goes
 * upstream as it came. Spans borrow from the input. */
#ifndef PROXY_HEAD_H
#define PROXY_HEAD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/compiler.h"
#include "base/span.h"
#include "policy/policy.h"
#include "proxy/fields.h"
#include "proxy/framing.h"

#define METHOD_MAX 32

struct head {
	struct span method;   /* at most METHOD_MAX bytes of A-Z and '-' */
	struct target target; /* what is judged and dialed */
	bool connect;
	unsigned minor;    /* HTTP/1.minor */
	struct span path;  /* begins with '/' unless empty; no query */
	struct span query; /* with its '?', or empty */
	struct framing framing;
	bool expects_continue;
	struct fields fields;
	struct nominated nominated;
};

/*
 * The bytes are one whole head with its empty line. On a fault method and
 * target hold what was read so far, for the record; nothing may be acted on.
 */
enum head_fault head_parse(struct span bytes, size_t most_fields,
			   struct head *out) MUST_CHECK NONNULL(3);

/* The HTTP status that answers a fault. */
int head_fault_status(enum head_fault fault);

/* The head that goes upstream, in origin form, for one exchange. */
void head_print(const struct head *head, struct buf *out) NONNULL(1, 2);

#endif
