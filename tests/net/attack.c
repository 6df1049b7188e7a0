/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs inside the sandbox as the agent would and tries to get out: each case is
 * a way that was open once, here or elsewhere. Prints TAP. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/addr.h"
#include "base/compiler.h"

static char why[256]; /* what went wrong in the case that just ran */

/* The call must fail, and with exactly this errno. */
static bool fails(long result, int expected, const char *what)
{
	if (result < 0 && errno == expected)
		return true;
	snprintf(why, sizeof(why), "%s: %s", what,
		 result < 0 ? strerror(errno) : "succeeded");
	if (result >= 0)
		close((int)result);
	return false;
}

static bool socket_refused(int family, int type, int protocol)
{
	char what[64];

	snprintf(what, sizeof(what), "socket(%d, %d, %d)", family, type,
		 protocol);
	return fails(socket(family, type, protocol), EAFNOSUPPORT, what);
}

static bool other_families(void)
{
	for (int family = 0; family < 46; family++)
		if (family != AF_UNIX && family != AF_INET &&
		    family != AF_INET6 && family != AF_NETLINK &&
		    !socket_refused(family, SOCK_STREAM, 0))
			return false;
	return socket_refused(AF_PACKET, SOCK_RAW, 0) &&
	       socket_refused(AF_VSOCK, SOCK_STREAM, 0);
}

static bool hidden_family(void)
{
	/* The kernel reads 32 bits: a filter on 64 is fooled by the rest. */
	return fails(syscall(SYS_socket, 0x100000000l | AF_VSOCK, SOCK_STREAM,
			     0),
		     EAFNOSUPPORT, "socket with a set upper half");
}

static bool other_netlink(void)
{
	for (int protocol = 1; protocol < 23; protocol++)
		if (!socket_refused(AF_NETLINK, SOCK_RAW, protocol))
			return false;
	return true;
}

static bool raw_sockets(void)
{
	return fails(socket(AF_INET, SOCK_RAW, IPPROTO_ICMP), EPERM,
		     "raw IPv4") &&
	       fails(socket(AF_INET6, SOCK_RAW, IPPROTO_ICMPV6), EPERM,
		     "raw IPv6");
}

static bool io_uring(void)
{
	char params[256] = { 0 };

	return fails(syscall(SYS_io_uring_setup, 8, params), ENOSYS,
		     "io_uring_setup");
}

static bool new_user_namespace(void)
{
	return fails(unshare(CLONE_NEWUSER), EPERM, "unshare") &&
	       fails(syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0),
		     EPERM, "clone") &&
	       fails(syscall(SYS_clone3, NULL, 0), ENOSYS, "clone3");
}

static bool other_namespaces(void)
{
	return fails(unshare(CLONE_NEWNET), EPERM, "unshare network") &&
	       fails(unshare(CLONE_NEWNS), EPERM, "unshare mounts") &&
	       fails(syscall(SYS_setns, 0, 0), EPERM, "setns");
}

static bool typing(void)
{
	char byte = 'x';

	return fails(ioctl(0, TIOCSTI, &byte), EPERM, "TIOCSTI") &&
	       fails(syscall(SYS_ioctl, 0, 0x100000000l | TIOCSTI, &byte),
		     EPERM, "TIOCSTI with a set upper half") &&
	       fails(ioctl(0, 0x541c /* TIOCLINUX */, &byte), EPERM,
		     "TIOCLINUX");
}

static bool mounts(void)
{
	return fails(mount("none", "/tmp", "tmpfs", 0, ""), EPERM, "mount") &&
	       fails(umount2("/usr", MNT_DETACH), EPERM, "umount") &&
	       fails(syscall(SYS_open_tree, AT_FDCWD, "/usr", 1), EPERM,
		     "open_tree");
}

/*
 * Run in a child: true if it was killed, by the filter, or with SIGSEGV by a
 * kernel that has no such entry at all.
 */
static bool killed(void (*call)(void), const char *what)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		signal(SIGSEGV, SIG_DFL); /* a sanitizer's would exit */
		call();
		_exit(0);
	}
	waitpid(pid, &status, 0);
	if (WIFSIGNALED(status) &&
	    (WTERMSIG(status) == SIGSYS || WTERMSIG(status) == SIGSEGV))
		return true;
	snprintf(why, sizeof(why), "%s was not killed (status %#x)", what,
		 (unsigned)status);
	return false;
}

#ifdef __x86_64__
static void call_32_bit(void)
{
	long result;

	/* getpid by the 32-bit entry */
	__asm__ volatile("int $0x80" : "=a"(result) : "a"(20l) : "memory");
}

static void call_x32(void)
{
	syscall(0x40000000 | SYS_getpid);
}

static bool foreign_calls(void)
{
	return killed(call_32_bit, "a 32-bit call") &&
	       killed(call_x32, "an x32 call");
}
#else
static bool foreign_calls(void)
{
	return true; /* this architecture has no second entry to try */
}
#endif

/* No capabilities, no new privileges, and the filter loaded. */
static bool powerless(const char *path)
{
	unsigned long long effective = 1;
	int no_new = 0, filtered = 0;
	char line[128];
	FILE *status = fopen(path, "re");

	while (status && fgets(line, sizeof(line), status)) {
		sscanf(line, "CapEff: %llx", &effective);
		sscanf(line, "NoNewPrivs: %d", &no_new);
		sscanf(line, "Seccomp: %d", &filtered);
	}
	if (status)
		fclose(status);
	if (effective == 0 && no_new == 1 && filtered == 2)
		return true;
	snprintf(why, sizeof(why), "%s: CapEff %llx, NoNewPrivs %d, Seccomp %d",
		 path, effective, no_new, filtered);
	return false;
}

/* Process 1 can be traced by us, so it must not be able to do more. */
static bool no_capabilities(void)
{
	return powerless("/proc/self/status") && powerless("/proc/1/status");
}

static bool no_inherited_fds(void)
{
	for (int fd = 3; fd < 1024; fd++)
		if (fcntl(fd, F_GETFD) >= 0) {
			snprintf(why, sizeof(why), "descriptor %d is open", fd);
			return false;
		}
	return true;
}

static bool not_writable(const char *path)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return true;
	close(fd);
	snprintf(why, sizeof(why), "%s opens for writing", path);
	return false;
}

static bool kernel_settings(void)
{
	return not_writable("/proc/sys/kernel/core_pattern") &&
	       not_writable("/proc/sys/net/ipv4/ip_forward") &&
	       not_writable("/proc/sys/net/ipv4/ip_unprivileged_port_start") &&
	       not_writable("/proc/sysrq-trigger");
}

static bool port_takeover(void)
{
	struct endpoint gateway = { addr_v4(100, 64, 0, 1), 3128 };
	struct sockaddr_storage address;
	socklen_t size = endpoint_to_sockaddr(&gateway, &address);
	const int one = 1;
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &one, sizeof(one));
	if (bind(fd, (struct sockaddr *)&address, size) < 0) {
		close(fd);
		return true;
	}
	snprintf(why, sizeof(why), "the proxy's port was bound as well");
	close(fd);
	return false;
}

static bool socket_options(void)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	const int mark = 0x5ea1, one = 1;
	bool good =
		fails(setsockopt(fd, SOL_SOCKET, SO_MARK, &mark, sizeof(mark)),
		      EPERM, "SO_MARK") &&
		fails(setsockopt(fd, IPPROTO_IP, IP_TRANSPARENT, &one,
				 sizeof(one)),
		      EPERM, "IP_TRANSPARENT");

	close(fd);
	return good;
}

/* One rtnetlink request for a change; the kernel's answer, as -errno. */
static int ask_route(void)
{
	struct {
		struct nlmsghdr head;
		struct ifinfomsg link;
	} request = {
		.head = { .nlmsg_len = sizeof(request),
			  .nlmsg_type = RTM_NEWLINK,
			  .nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK },
		.link = { .ifi_index = 1, .ifi_change = 1, .ifi_flags = 0 },
	};
	struct {
		struct nlmsghdr head;
		struct nlmsgerr error;
	} answer = { 0 };
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);

	if (fd < 0 || send(fd, &request, sizeof(request), 0) < 0 ||
	    recv(fd, &answer, sizeof(answer), MSG_TRUNC) < 0)
		answer.error.error = -ENOTCONN;
	if (fd >= 0)
		close(fd);
	return answer.error.error;
}

static bool link_change(void)
{
	int answer = ask_route();

	if (answer == -EPERM)
		return true;
	snprintf(why, sizeof(why), "setting lo down was answered with %d",
		 answer);
	return false;
}

/* pid 1 is the sandbox's own; what it was started with must say nothing. */
static bool nothing_in_proc(void)
{
	static const char *const files[] = { "/proc/1/cmdline",
					     "/proc/1/environ" };
	static const char *const leaks[] = { "SECRET", "--bind", "/home",
					     "/root" };
	static char text[1 << 16];

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		int fd = open(files[i], O_RDONLY | O_CLOEXEC);
		ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);

		close(fd);
		for (size_t k = 0; n > 0 && k < ARRAY_SIZE(leaks); k++)
			if (memmem(text, (size_t)n, leaks[k],
				   strlen(leaks[k]))) {
				snprintf(why, sizeof(why), "%s holds '%s'",
					 files[i], leaks[k]);
				return false;
			}
	}
	return true;
}

static bool few_processes(void)
{
	/* Our own shell and this are 2 and up; nothing of the host is here. */
	for (int pid = 1000; pid < 40000; pid++)
		if (kill(pid, 0) == 0 || errno != ESRCH) {
			snprintf(why, sizeof(why), "process %d exists", pid);
			return false;
		}
	return true;
}

static bool system_v_and_keys(void)
{
	return fails(syscall(SYS_keyctl, 0, -3, 0), EPERM, "keyctl") &&
	       fails(syscall(SYS_add_key, "user", "x", "y", 1, -3), EPERM,
		     "add_key") &&
	       fails(syscall(SYS_bpf, 0, NULL, 0), EPERM, "bpf") &&
	       fails(syscall(SYS_perf_event_open, NULL, 0, 0, 0, 0), EPERM,
		     "perf_event_open") &&
	       fails(syscall(SYS_userfaultfd, 0), EPERM, "userfaultfd");
}

/*
 * In a folder of the caller's such a file would stay, owned by the caller, when
 * the run is over.
 */
static bool special_modes(void)
{
	int fd = open("/tmp/mode", O_CREAT | O_RDWR | O_CLOEXEC, 0755);
	bool good =
		fd >= 0 && fails(chmod("/tmp/mode", 04755), EPERM, "chmod") &&
		fails(chmod("/tmp/mode", 02755), EPERM, "chmod g+s") &&
		fails(fchmod(fd, 06755), EPERM, "fchmod") &&
		fails(fchmodat(AT_FDCWD, "/tmp/mode", 04711, 0), EPERM,
		      "fchmodat") &&
		fails(syscall(452, AT_FDCWD, "/tmp/mode", 04711, 0), ENOSYS,
		      "fchmodat2") &&
		fails(open("/tmp/new", O_CREAT | O_WRONLY, 04755), EPERM,
		      "open") &&
		fails(openat(AT_FDCWD, "/tmp", O_TMPFILE | O_WRONLY, 04755),
		      EPERM, "openat O_TMPFILE") &&
		fails(creat("/tmp/new", 02755), EPERM, "creat") &&
		fails(mknod("/tmp/new", S_IFREG | 04755, 0), EPERM, "mknod") &&
		fails(mkdir("/tmp/new", 02755), EPERM, "mkdir") &&
		fails(syscall(SYS_openat2, 0, "x", NULL, 0), ENOSYS, "openat2");

	close(fd);
	unlink("/tmp/mode");
	return good;
}

static bool other_descriptors(void)
{
	return fails(syscall(SYS_pidfd_getfd, 0, 0, 0), EPERM, "pidfd_getfd");
}

static bool read_only_root(void)
{
	if (mkdir("/new", 0700) < 0 && errno == EROFS)
		return not_writable("/usr/bin/env") &&
		       not_writable("/etc/passwd");
	snprintf(why, sizeof(why), "a folder was made in /");
	rmdir("/new");
	return false;
}

static const struct {
	const char *name;
	bool (*walled)(void);
} cases[] = {
	{ "other socket families are refused", other_families },
	{ "a family hidden in the upper half is refused", hidden_family },
	{ "netlink but for routes is refused", other_netlink },
	{ "raw sockets are refused", raw_sockets },
	{ "io_uring does not exist", io_uring },
	{ "no new user namespace", new_user_namespace },
	{ "no other new namespaces", other_namespaces },
	{ "nothing can be typed into a terminal", typing },
	{ "no mounts", mounts },
	{ "calls of a foreign architecture are fatal", foreign_calls },
	{ "no capabilities, and none to gain", no_capabilities },
	{ "no inherited descriptors", no_inherited_fds },
	{ "kernel settings are read-only", kernel_settings },
	{ "the proxy's port cannot be taken or shared", port_takeover },
	{ "no mark, no transparent sockets", socket_options },
	{ "the link cannot be changed", link_change },
	{ "/proc/1 says nothing about the host", nothing_in_proc },
	{ "processes of the host do not exist", few_processes },
	{ "keys, bpf, perf and userfaultfd are refused", system_v_and_keys },
	{ "no set-user-id or set-group-id bits", special_modes },
	{ "no descriptors of other processes", other_descriptors },
	{ "the root and /usr are read-only", read_only_root },
};

int main(void)
{
	int failures = 0;

	printf("1..%zu\n", ARRAY_SIZE(cases));
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		bool good;

		why[0] = '\0';
		good = cases[i].walled();
		printf("%sok %zu - %s\n", good ? "" : "not ", i + 1,
		       cases[i].name);
		if (!good)
			printf("# %s\n", why);
		failures += !good;
	}
	return failures > 0;
}
