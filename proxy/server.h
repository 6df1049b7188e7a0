/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SERVER - the running proxy: sockets, log and loop, from `start` to `stop`.
 * Everything that can fail is set up before the first record; SIGTERM, SIGINT
 * or the end of file of the lifetime pipe drain it. */
#ifndef PROXY_SERVER_H
#define PROXY_SERVER_H

#include "base/compiler.h"
#include "base/error.h"
#include "proxy/conf.h"
#include "proxy/listen_fds.h"

#define SERVER_DRAIN_MS 1000 /* that open tunnels get */

struct server_setup {
	const struct proxy_conf *conf;
	struct listen_fds *fds; /* what is used is taken out of it */
	const char *session;    /* NULL: none */
};

/* Serve until told to stop; 0 after a clean stop. */
MUST_CHECK int server_run(const struct server_setup *setup, struct error *err)
	NONNULL(1, 2);

#endif
