/* SPDX-License-Identifier: GPL-3.0-or-later */
/* REPLY - what a client is told when its request goes no further.
 * A whole response with its length. It names the incident for the log and
 * nothing that the client did not know: no addresses, no errors of the
 * system. */
#ifndef PROXY_REPLY_H
#define PROXY_REPLY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/compiler.h"

struct reply {
	int status;
	const char *host; /* canonical; NULL: none was understood */
	uint16_t port;    /* 0: as above */
	const char *reason;
	const char *rule;     /* NULL: none decided */
	const char *incident; /* NULL: there is no record of this */
	bool to_head;         /* the head alone, RFC 9110, 9.3.2 */
	bool keep;            /* the connection may stay */
};

void reply_print(const struct reply *reply, struct buf *out) NONNULL(1, 2);

/* The answer to CONNECT that opens the tunnel. */
extern const struct span reply_connected;

#endif
