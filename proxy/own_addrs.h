/* SPDX-License-Identifier: GPL-3.0-or-later */
/* OWN ADDRS - the addresses of this host, as its interfaces have them now.
 * A proxy that can be talked into dialing its own host opens what listens
 * there, itself included. The list is at most OWN_ADDRS_AGE_MS old. */
#ifndef PROXY_OWN_ADDRS_H
#define PROXY_OWN_ADDRS_H

#include <stdbool.h>

#include "base/addr.h"
#include "base/compiler.h"
#include "base/error.h"

#define OWN_ADDRS_AGE_MS 1000

struct own_addrs;

struct own_addrs *own_addrs_new(struct error *err) MUST_CHECK NONNULL(1);
void own_addrs_free(struct own_addrs *own);

/* Read the list anew if it is old. On failure nothing may be dialed. */
MUST_CHECK int own_addrs_refresh(struct own_addrs *own, struct error *err)
	NONNULL(1, 2);

bool own_addrs_has(const struct own_addrs *own, const struct addr *addr)
	NONNULL(1, 2);

#endif
