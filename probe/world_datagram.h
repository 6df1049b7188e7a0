/* SPDX-License-Identifier: GPL-3.0-or-later */
/* WORLD DATAGRAM - one UDP message with the address it was sent to.
 * Answers leave from that very address, or the client's own socket would not
 * take them. */
#ifndef PROBE_WORLD_DATAGRAM_H
#define PROBE_WORLD_DATAGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>

#include "base/addr.h"
#include "base/compiler.h"
#include "base/error.h"
#include "base/span.h"

#define WORLD_DATAGRAM_MAX 4096 /* bytes kept; size is the true one */

struct world_datagram {
	struct sockaddr_storage from;
	socklen_t from_size;
	struct addr to; /* of size 0 where the kernel did not say */
	size_t size;
	char data[WORLD_DATAGRAM_MAX];
};

/* Ask the kernel to say where datagrams were sent to. */
MUST_CHECK int world_datagram_prepare(int fd, int family, struct error *err)
	NONNULL(3);

/* False: there is none now. */
bool world_datagram_receive(int fd, struct world_datagram *datagram) MUST_CHECK
	NONNULL(2);

/* What was kept of it. */
struct span world_datagram_bytes(const struct world_datagram *datagram)
	NONNULL(1);

/* Best effort, as UDP is. */
void world_datagram_answer(int fd, const struct world_datagram *question,
			   struct span answer) NONNULL(2);

#endif
