/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "fw/alone.h"

#include <net/if.h>
#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "base/cleanup.h"

/* net.core.fb_tunnels_only_for_init_net, Documentation/admin-guide/sysctl. */
static const char *const fallback_tunnels[] = {
	"tunl0", "gre0",    "gretap0", "erspan0",  "ip_vti0",
	"sit0",  "ip6tnl0", "ip6gre0", "ip6_vti0",
};

static bool is_fallback(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(fallback_tunnels); i++)
		if (strcmp(fallback_tunnels[i], name) == 0)
			return true;
	return false;
}

/* What cannot be asked counts as up. */
static bool is_up(int fd, const char *name)
{
	struct ifreq request = { 0 };

	strncpy(request.ifr_name, name, sizeof(request.ifr_name) - 1);
	return ioctl(fd, SIOCGIFFLAGS, &request) < 0 ||
	       request.ifr_flags & IFF_UP;
}

static void names_cleanup(struct if_nameindex **names)
{
	if (*names)
		if_freenameindex(*names);
}

int fw_alone(struct error *err)
{
	autoclose int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	cleanup(names_cleanup) struct if_nameindex *names = if_nameindex();

	if (fd < 0 || !names)
		return error_sys(err, "cannot list the links of this network "
				      "namespace");
	for (struct if_nameindex *at = names; at->if_index; at++) {
		if (strcmp(at->if_name, "lo") == 0 ||
		    (is_fallback(at->if_name) && !is_up(fd, at->if_name)))
			continue;
		return error_kind_set(err, ERROR_INPUT,
				      "this network namespace has the link "
				      "'%s': a sealed one has only lo, and "
				      "here the rules would cut the network "
				      "of everybody in it",
				      at->if_name);
	}
	return 0;
}
