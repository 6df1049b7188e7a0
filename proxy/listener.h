/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LISTENER - a listening socket whose connections obey one policy.
 * When the process runs out of descriptors it rests for a moment instead of
 * spinning; connections beyond the cap are answered and closed. */
#ifndef PROXY_LISTENER_H
#define PROXY_LISTENER_H

#include "base/compiler.h"
#include "base/error.h"
#include "proxy/conf.h"
#include "proxy/context.h"

#define LISTENER_REST_MS 100
#define LISTENER_BURST   64 /* accepted in one turn of the loop */

struct listener;

/* A fresh non-blocking listening socket on the address. */
MUST_CHECK int listener_bind(const struct endpoint *at, struct error *err)
	NONNULL(1, 2);

/* Adopt a listening socket; on failure the caller keeps it. */
struct listener *listener_start(struct context *context,
				const struct conf_listener *conf, int fd,
				struct error *err) MUST_CHECK NONNULL(1, 2, 4);
void listener_free(struct listener *listener);

#endif
