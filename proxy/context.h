/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CONTEXT - what every connection shares.
 * The server owns all of it and lets it outlive the connections. */
#ifndef PROXY_CONTEXT_H
#define PROXY_CONTEXT_H

#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include <event2/event.h>

#include "proxy/conf.h"
#include "proxy/journal.h"
#include "proxy/own_addrs.h"
#include "proxy/resolver.h"

struct conn;
TAILQ_HEAD(conn_list, conn);

struct context {
	struct event_base *base;
	const struct proxy_conf *conf;
	struct journal *journal;
	struct resolver *resolver;
	struct own_addrs *own;
	const char *session; /* NULL: none was named */

	struct conn_list conns;
	size_t conn_count;
	uint64_t conn_last; /* the newest connection's id */
	struct event *idle; /* made active when the last one has gone */
};

#endif
