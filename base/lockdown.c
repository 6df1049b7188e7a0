/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "base/lockdown.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <seccomp.h>

#include "base/cleanup.h"

#ifndef TIOCLINUX
#define TIOCLINUX 0x541c
#endif

/* The kernel reads these arguments as 32 bits, so only those may count. */
#define LOW32 0xffffffffu

/* Calls refused whatever their arguments. */
static const struct {
	const char *name;
	int errno_;
} refused_calls[] = {
	{ "io_uring_setup", ENOSYS },
	{ "io_uring_enter", ENOSYS },
	{ "io_uring_register", ENOSYS },
	{ "clone3", ENOSYS },
	{ "openat2", ENOSYS },
	{ "pidfd_getfd", EPERM },
	{ "setns", EPERM },
	{ "bpf", EPERM },
	{ "add_key", EPERM },
	{ "keyctl", EPERM },
	{ "request_key", EPERM },
	{ "perf_event_open", EPERM },
	{ "userfaultfd", EPERM },
	{ "mount", EPERM },
	{ "umount2", EPERM },
	{ "pivot_root", EPERM },
	{ "fsopen", EPERM },
	{ "fsconfig", EPERM },
	{ "fsmount", EPERM },
	{ "fspick", EPERM },
	{ "open_tree", EPERM },
	{ "move_mount", EPERM },
	{ "mount_setattr", EPERM },
	{ "open_by_handle_at", EPERM },
	{ "init_module", EPERM },
	{ "finit_module", EPERM },
	{ "delete_module", EPERM },
	{ "kexec_load", EPERM },
	{ "kexec_file_load", EPERM },
	{ "reboot", EPERM },
	{ "swapon", EPERM },
	{ "swapoff", EPERM },
	{ "settimeofday", EPERM },
	{ "clock_settime", EPERM },
	{ "adjtimex", EPERM },
	{ "clock_adjtime", EPERM },
	{ "acct", EPERM },
	{ "quotactl", EPERM },
	{ "quotactl_fd", EPERM },
	{ "syslog", EPERM },
	{ "nfsservctl", EPERM },
	{ "lookup_dcookie", EPERM },
	{ "vhangup", EPERM },
};

static int add(scmp_filter_ctx filter, int errno_, const char *name,
	       unsigned count, const struct scmp_arg_cmp *args,
	       struct error *err)
{
	int call = seccomp_syscall_resolve_name(name);
	int result;

	/* A call that this architecture does not have needs no rule. */
	if (call == __NR_SCMP_ERROR || call < 0)
		return 0;
	result = seccomp_rule_add_array(
		filter, SCMP_ACT_ERRNO((unsigned)errno_), call, count, args);
	if (result == 0)
		return 0;
	errno = -result;
	return error_sys(err, "cannot filter system call '%s'", name);
}

static int refuse_where(scmp_filter_ctx filter, int errno_, const char *name,
			struct scmp_arg_cmp arg, struct error *err)
{
	return add(filter, errno_, name, 1, &arg, err);
}

/*
 * Allowed families are refused by nothing; each other one by a rule of its own,
 * because a filter can only say what to refuse. Comparing all 64 bits with
 * "greater" also catches a number that hides behind a set upper half.
 */
static int refuse_families(scmp_filter_ctx filter, const char *name,
			   struct error *err)
{
	static const int allowed[] = { AF_UNIX, AF_INET, AF_INET6, AF_NETLINK };
	const struct scmp_arg_cmp other_netlink[] = {
		SCMP_A0_64(SCMP_CMP_MASKED_EQ, LOW32, AF_NETLINK),
		SCMP_A2_64(SCMP_CMP_NE, NETLINK_ROUTE, 0),
	};

	for (int family = 0; family < AF_NETLINK; family++) {
		bool fine = false;

		for (size_t i = 0; i < ARRAY_SIZE(allowed); i++)
			fine |= allowed[i] == family;
		if (!fine && refuse_where(filter, EAFNOSUPPORT, name,
					  SCMP_A0_64(SCMP_CMP_MASKED_EQ, LOW32,
						     (scmp_datum_t)family),
					  err) < 0)
			return -1;
	}
	if (refuse_where(filter, EAFNOSUPPORT, name,
			 SCMP_A0_64(SCMP_CMP_GT, AF_NETLINK, 0), err) < 0)
		return -1;
	return add(filter, EAFNOSUPPORT, name, 2, other_netlink, err);
}

/* Newer than the library may know, with one number everywhere. */
#define CALL_FCHMODAT2 452

/* Where the mode stands, and the flags that make a call read it at all. */
static const struct mode_call {
	const char *name;
	unsigned mode;
	int flags; /* -1: always */
} mode_calls[] = {
	{ "chmod", 1, -1 }, { "fchmod", 1, -1 },  { "fchmodat", 2, -1 },
	{ "creat", 1, -1 }, { "mknod", 1, -1 },   { "mknodat", 2, -1 },
	{ "mkdir", 1, -1 }, { "mkdirat", 2, -1 }, { "open", 2, 1 },
	{ "openat", 3, 2 },
};

static const unsigned long special_bits[] = { S_ISUID, S_ISGID };
/* The kernel's bit, not libc's O_TMPFILE, which includes O_DIRECTORY. */
static const unsigned long making_flags[] = { O_CREAT, 020000000 };

static int refuse_mode(scmp_filter_ctx filter, const struct mode_call *call,
		       unsigned long bit, struct error *err)
{
	struct scmp_arg_cmp args[] = {
		{ call->mode, SCMP_CMP_MASKED_EQ, bit, bit },
		{ 0, SCMP_CMP_MASKED_EQ, 0, 0 },
	};

	if (call->flags < 0)
		return add(filter, EPERM, call->name, 1, args, err);
	for (size_t i = 0; i < ARRAY_SIZE(making_flags); i++) {
		args[1] = (struct scmp_arg_cmp){ (unsigned)call->flags,
						 SCMP_CMP_MASKED_EQ,
						 making_flags[i],
						 making_flags[i] };
		if (add(filter, EPERM, call->name, 2, args, err) < 0)
			return -1;
	}
	return 0;
}

static int refuse_special_modes(scmp_filter_ctx filter, struct error *err)
{
	int result = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS),
				      CALL_FCHMODAT2, 0);

	if (result < 0) {
		errno = -result;
		return error_sys(err, "cannot filter system call 'fchmodat2'");
	}
	for (size_t i = 0; i < ARRAY_SIZE(mode_calls); i++)
		for (size_t k = 0; k < ARRAY_SIZE(special_bits); k++)
			if (refuse_mode(filter, &mode_calls[i], special_bits[k],
					err) < 0)
				return -1;
	return 0;
}

static int refuse_arguments(scmp_filter_ctx filter, struct error *err)
{
	const struct scmp_arg_cmp new_user =
		SCMP_A0_64(SCMP_CMP_MASKED_EQ, CLONE_NEWUSER, CLONE_NEWUSER);

	if (refuse_special_modes(filter, err) < 0 ||
	    refuse_families(filter, "socket", err) < 0 ||
	    refuse_families(filter, "socketpair", err) < 0 ||
	    refuse_where(filter, EPERM, "ioctl",
			 SCMP_A1_64(SCMP_CMP_MASKED_EQ, LOW32, TIOCSTI),
			 err) < 0 ||
	    refuse_where(filter, EPERM, "ioctl",
			 SCMP_A1_64(SCMP_CMP_MASKED_EQ, LOW32, TIOCLINUX),
			 err) < 0 ||
	    refuse_where(filter, EPERM, "unshare", new_user, err) < 0 ||
	    refuse_where(filter, EPERM, "clone", new_user, err) < 0)
		return -1;
	return 0;
}

static int build(scmp_filter_ctx filter, struct error *err)
{
	int result = seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH,
				      SCMP_ACT_KILL_PROCESS);

	if (result < 0) {
		errno = -result;
		return error_sys(err, "cannot refuse foreign architectures");
	}
	for (size_t i = 0; i < ARRAY_SIZE(refused_calls); i++)
		if (add(filter, refused_calls[i].errno_, refused_calls[i].name,
			0, NULL, err) < 0)
			return -1;
	return refuse_arguments(filter, err);
}

static int export(scmp_filter_ctx filter, struct error *err)
{
	autoclose int fd = memfd_create("agent-filter", MFD_CLOEXEC);
	int result;

	if (fd < 0)
		return error_sys(err, "cannot make an anonymous file");
	result = seccomp_export_bpf(filter, fd);
	if (result < 0) {
		errno = -result;
		return error_sys(err, "cannot write a system call filter");
	}
	if (lseek(fd, 0, SEEK_SET) < 0)
		return error_sys(err, "cannot rewind an anonymous file");
	return steal_fd(&fd);
}

int lockdown_agent_filter(struct error *err)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
	int fd = -1;

	if (!filter)
		return error_set(err, "no memory for a system call filter");
	if (build(filter, err) == 0)
		fd = export(filter, err);
	seccomp_release(filter);
	return fd;
}
