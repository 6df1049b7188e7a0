/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DIAL - a connection to one of the addresses that were vetted.
 * Nothing is resolved here and nothing judged: exactly the given addresses are
 * tried, the families in turn and the first one's first, each a little after
 * the one before or as soon as that has failed (RFC 8305), and the first that
 * answers wins. */
#ifndef PROXY_DIAL_H
#define PROXY_DIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <event2/event.h>

#include "base/addr.h"
#include "base/compiler.h"
#include "base/error.h"

#define DIAL_ADDRS_MAX  16
#define DIAL_STAGGER_MS 250

struct dial_result {
	int fd; /* non-blocking, the receiver's; -1: nothing answered */
	struct endpoint at;
	int number; /* errno of the last refusal, ETIMEDOUT after the time */
};

struct dial;

typedef void dial_done_fn(const struct dial_result *result, void *arg);

/*
 * At most DIAL_ADDRS_MAX addresses are tried, for timeout_ms in all. done fires
 * exactly once, from the loop, never before this returns and never after
 * dial_cancel(); the dial is gone afterwards.
 */
struct dial *dial_start(struct event_base *base, const struct addr *addrs,
			size_t count, uint16_t port, uint64_t timeout_ms,
			dial_done_fn *done, void *arg,
			struct error *err) MUST_CHECK NONNULL(1, 2, 6, 8);
void dial_cancel(struct dial *dial) NONNULL(1);

#endif
