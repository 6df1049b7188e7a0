/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sandbox/userns.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"

/* The first byte of a small file of the kernel's, or otherwise. */
static char first_byte(const char *path, char otherwise)
{
	autoclose int fd = open(path, O_RDONLY | O_CLOEXEC);
	char byte;

	return fd >= 0 && read(fd, &byte, 1) == 1 ? byte : otherwise;
}

#define PROC_KERNEL "/proc/sys/kernel/"

const char *userns_advice(void)
{
	if (first_byte(PROC_KERNEL "apparmor_restrict_unprivileged_userns",
		       '0') == '1')
		return "AppArmor restricts user namespaces here (Ubuntu 23.10 "
		       "and later): sysctl "
		       "kernel.apparmor_restrict_unprivileged_userns=0, or "
		       "install an AppArmor profile that allows 'userns' for "
		       "this program";
	if (first_byte(PROC_KERNEL "unprivileged_userns_clone", '1') == '0')
		return "user namespaces are switched off for ordinary users: "
		       "sysctl kernel.unprivileged_userns_clone=1";
	if (first_byte("/proc/sys/user/max_user_namespaces", '1') == '0')
		return "user namespaces are switched off: sysctl "
		       "user.max_user_namespaces=15000";
	return "user namespaces are refused here; in a container, start it "
	       "with a seccomp profile that allows unshare(2), or run on the "
	       "host";
}

static int write_file(const char *path, const char *text, struct error *err)
{
	autoclose int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		return error_sys(err, "cannot write '%s'", path);
	return 0;
}

int userns_unshare(int flags, struct error *err)
{
	unsigned uid = geteuid(), gid = getegid();
	char map[48];

	if (unshare(CLONE_NEWUSER | flags) < 0) {
		int number = errno;

		error_kind_set(err, ERROR_BOUNDARY,
			       "cannot make a user namespace: %s (%s)",
			       strerror(number), userns_advice());
		err->number = number;
		return -1;
	}
	if (write_file("/proc/self/setgroups", "deny", err) < 0)
		return -1;
	snprintf(map, sizeof(map), "0 %u 1", uid);
	if (write_file("/proc/self/uid_map", map, err) < 0)
		return error_wrap(err, "%s", userns_advice());
	snprintf(map, sizeof(map), "0 %u 1", gid);
	return write_file("/proc/self/gid_map", map, err);
}
