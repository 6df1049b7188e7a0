/* SPDX-License-Identifier: GPL-3.0-or-later */
/* WORLD TRICK - what a hostile name server makes of a truthful reply.
 * A trick is a row of a table: the datagrams that go out for one question, in
 * order, each truthful or forged, then spoiled or not, sent from where it was
 * asked or from elsewhere, now or later. Pure: messages in, messages out. */
#ifndef PROBE_WORLD_TRICK_H
#define PROBE_WORLD_TRICK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/compiler.h"
#include "base/dns.h"
#include "base/span.h"

/* What forged answers lead to: whoever dials it has believed one. */
#define WORLD_DECOY4 "198.51.100.66"
#define WORLD_DECOY6 "2001:db8::66"

#define WORLD_SENDS_MAX 2
#define WORLD_LATE_MS   700

enum world_source {
	WORLD_FROM_ASKED = 0, /* the address and port that were asked */
	WORLD_FROM_ADDR,      /* another address */
	WORLD_FROM_PORT,      /* another port */
};

struct world_send {
	bool forged;
	void (*spoil)(struct buf *message); /* NULL: not at all */
	enum world_source from;
	unsigned delay_ms;
};

struct world_trick {
	const char *name;
	struct world_send sends[WORLD_SENDS_MAX]; /* over UDP */
	size_t count;
	bool uncut;                             /* ignores what UDP may carry */
	unsigned mute;                          /* a type that gets no answer */
	bool mute_tcp;                          /* TCP gets none either */
	void (*spoil_tcp)(struct buf *message); /* NULL: truthful there */
};

/* What a server without tricks does. */
extern const struct world_trick world_honest;

/* NULL: there is none of that name. */
const struct world_trick *world_trick_find(struct span name) MUST_CHECK;

/* The decoy as the only answer to a question. The buffer must be empty. */
void world_trick_forge(const struct dns_query *query, struct buf *out)
	NONNULL(1, 2);

#endif
