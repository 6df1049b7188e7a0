/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LINK - the one link of a sealed namespace, and where its routes lead.
 * With a client address every address in the world is local to the namespace:
 * a packet to 1.2.3.4 is really emitted, meets the firewall, and cannot leave
 * the machine. Addresses of size 0 are left out. */
#ifndef SANDBOX_LINK_H
#define SANDBOX_LINK_H

#include <stddef.h>

#include "base/addr.h"
#include "base/compiler.h"
#include "base/error.h"

struct link_addrs {
	/*
	 * Where everything inside speaks from: the preferred source of the
	 * routes to everywhere. Without it there is no such route.
	 */
	struct addr client4, client6;
	/* Where the appliance listens; reached from the client address too. */
	struct addr gateway4, gateway6;
	/* Further addresses, borrowed: the pretend world has only these. */
	const struct addr *own;
	size_t own_count;
};

/*
 * In the caller's network namespace: set lo up, give it every address above
 * and add the routes. All of it, or an error that names what was refused; the
 * namespace is then of no use. A gateway needs a client of its family.
 */
MUST_CHECK int link_up_sealed(const struct link_addrs *addrs, struct error *err)
	NONNULL(1, 2);

#endif
