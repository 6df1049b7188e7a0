/* SPDX-License-Identifier: GPL-3.0-or-later */
/* WORLD TLS - the server's side of TLS on a socket that never blocks.
 * The name in a ClientHello is recorded before anything is answered; then it
 * gets a certificate for exactly that name, or for the address that was dialed
 * where the hello has none. Names that no host can have are refused. */
#ifndef PROBE_WORLD_TLS_H
#define PROBE_WORLD_TLS_H

#include <stddef.h>

#include "base/addr.h"
#include "base/compiler.h"
#include "base/error.h"
#include "base/span.h"

#include "probe/world_recorder.h"

struct world_tls;
struct world_session;

/* What a call came to, on TLS and on plain sockets alike. */
enum world_io {
	WORLD_IO_OVER = 0,   /* ended or lost: close */
	WORLD_IO_DONE,       /* something was done */
	WORLD_IO_WANT_READ,  /* nothing, until the socket can be read */
	WORLD_IO_WANT_WRITE, /* ... written */
};

/* The recorder is borrowed and must outlive it. */
struct world_tls *world_tls_new(struct world_recorder *recorder,
				struct error *err) MUST_CHECK NONNULL(1, 2);
void world_tls_free(struct world_tls *tls);

/* The authority's certificate as PEM. */
MUST_CHECK int world_tls_write_ca(const struct world_tls *tls, int fd,
				  struct error *err) NONNULL(1, 3);

/* fd stays the caller's, and must outlive the session. NULL: no memory. */
struct world_session *world_session_new(struct world_tls *tls, int fd,
					const struct addr *dialed) MUST_CHECK
	NONNULL(1, 3);
void world_session_free(struct world_session *session);

enum world_io world_session_greet(struct world_session *session) MUST_CHECK
	NONNULL(1);
enum world_io world_session_read(struct world_session *session, void *data,
				 size_t room, size_t *size) MUST_CHECK
	NONNULL(1, 2, 4);
enum world_io world_session_write(struct world_session *session,
				  struct span data, size_t *size) MUST_CHECK
	NONNULL(1, 3);
/* Say that nothing more will come; best effort. */
void world_session_finish(struct world_session *session) NONNULL(1);

#endif
