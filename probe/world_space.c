/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "probe/world_space.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"

#include "sandbox/link.h"

/* Clients inside speak from these, unless they bind another address. */
#define CLIENT4 "192.0.2.2"
#define CLIENT6 "2001:db8::2"

static int write_file(const char *path, const char *text, struct error *err)
{
	autoclose int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return error_sys(err, "cannot open '%s'", path);
	if (fd_write_all(fd, text, strlen(text), err) < 0)
		return error_wrap(err, "'%s'", path);
	return 0;
}

/*
 * Root inside, the caller outside. A process that changed its credentials is
 * not dumpable, its files in /proc belong to host root and nobody else may
 * write the maps or open its namespaces: hence prctl.
 */
static int enter_namespaces(struct error *err)
{
	char uid_map[32], gid_map[32];

	snprintf(uid_map, sizeof(uid_map), "0 %u 1", geteuid());
	snprintf(gid_map, sizeof(gid_map), "0 %u 1", getegid());
	if (unshare(CLONE_NEWUSER | CLONE_NEWNET) < 0)
		return error_sys(err, "cannot make a user and network "
				      "namespace");
	if (prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) < 0)
		return error_sys(err, "cannot stay open for the starter");
	if (write_file("/proc/self/setgroups", "deny", err) < 0 ||
	    write_file("/proc/self/uid_map", uid_map, err) < 0 ||
	    write_file("/proc/self/gid_map", gid_map, err) < 0)
		return error_wrap(err, "cannot map the user");
	return 0;
}

int world_space_enter(const struct addr *own, size_t count, struct error *err)
{
	struct link_addrs addrs = { .own = own, .own_count = count };

	if (!addr_parse(SPAN(CLIENT4), &addrs.client4) ||
	    !addr_parse(SPAN(CLIENT6), &addrs.client6))
		bug("the client addresses are no addresses");
	if (enter_namespaces(err) < 0)
		return -1;
	return link_up_sealed(&addrs, err);
}

int world_space_inode(uint64_t *inode, struct error *err)
{
	struct stat st;

	if (stat("/proc/self/ns/net", &st) < 0)
		return error_sys(err, "cannot look at the network namespace");
	*inode = st.st_ino;
	return 0;
}
