/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CONN - one client connection, from its first byte to its last record.
 * A request is parsed, judged, resolved, vetted and dialed in that order, and
 * no byte of it goes upstream before its record is in the audit log. */
#ifndef PROXY_CONN_H
#define PROXY_CONN_H

#include "base/addr.h"
#include "base/compiler.h"
#include "base/error.h"
#include "proxy/conf.h"
#include "proxy/context.h"

/*
 * Adopt an accepted, non-blocking socket and serve it to its end. On success
 * fd belongs to the connection; on failure the caller still owns it.
 */
MUST_CHECK int conn_start(struct context *context,
			  const struct conf_listener *listener, int fd,
			  const struct endpoint *from, struct error *err)
	NONNULL(1, 2, 4, 5);

/* Refuse a connection that is one too many: a record, a reply, closed. */
void conn_shed(struct context *context, const struct conf_listener *listener,
	       int fd, const struct endpoint *from) NONNULL(1, 2, 4);

/* What has not been let through is refused; the rest may go on for now. */
void conn_stop_all(struct context *context) NONNULL(1);

/* End everything that is left, at once. */
void conn_cut_all(struct context *context) NONNULL(1);

#endif
