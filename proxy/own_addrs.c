/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "proxy/own_addrs.h"

#include <ifaddrs.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/clock.h"

struct own_addrs {
	struct addr *list;
	size_t count;
	uint64_t read_at; /* 0: never */
};

static void ifaddrs_cleanup(struct ifaddrs **list)
{
	if (*list)
		freeifaddrs(*list);
}

static int read_list(struct own_addrs *own, struct error *err)
{
	cleanup(ifaddrs_cleanup) struct ifaddrs *all = NULL;
	struct addr *list;
	size_t count = 0;

	if (getifaddrs(&all) < 0)
		return error_sys(err, "cannot list this host's addresses");
	for (const struct ifaddrs *at = all; at; at = at->ifa_next)
		count++;
	list = reallocarray(NULL, count + 1, sizeof(*list));
	if (!list)
		return error_sys(err, "cannot list this host's addresses");
	count = 0;
	for (const struct ifaddrs *at = all; at; at = at->ifa_next) {
		struct endpoint endpoint;

		if (at->ifa_addr &&
		    endpoint_from_sockaddr(at->ifa_addr, &endpoint))
			list[count++] = endpoint.addr;
	}
	free(own->list);
	own->list = list;
	own->count = count;
	return 0;
}

int own_addrs_refresh(struct own_addrs *own, struct error *err)
{
	uint64_t now = clock_monotonic_ms();

	if (own->read_at && now - own->read_at < OWN_ADDRS_AGE_MS)
		return 0;
	if (read_list(own, err) < 0)
		return -1;
	own->read_at = now ? now : 1;
	return 0;
}

struct own_addrs *own_addrs_new(struct error *err)
{
	struct own_addrs *own = calloc(1, sizeof(*own));

	if (!own) {
		error_sys(err, "cannot list this host's addresses");
		return NULL;
	}
	if (own_addrs_refresh(own, err) < 0) {
		own_addrs_free(own);
		return NULL;
	}
	return own;
}

void own_addrs_free(struct own_addrs *own)
{
	if (!own)
		return;
	free(own->list);
	free(own);
}

bool own_addrs_has(const struct own_addrs *own, const struct addr *addr)
{
	for (size_t i = 0; i < own->count; i++)
		if (addr_equal(&own->list[i], addr))
			return true;
	return false;
}
