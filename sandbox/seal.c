/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sandbox/seal.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fd.h"
#include "base/netlink.h"
#include "base/spawn.h"
#include "fw/kernel.h"
#include "sandbox/link.h"
#include "sandbox/userns.h"

/* The order in which the maker passes its descriptors. */
enum {
	PASS_USER_NS,
	PASS_NET_NS,
	PASS_LISTENER,
	PASS_NFT,
	PASS_COUNT
};

#define BACKLOG 1024

/* ---- inside: everything below runs in the maker, a short-lived child ---- */

/*
 * The mark makes the rules let the appliance's own packets pass; a process
 * inside cannot set it (it needs a capability over this namespace). Neither
 * SO_REUSEPORT nor SO_REUSEADDR: a process inside could share the port.
 */
static int listen_on(const struct endpoint *at, uint32_t mark,
		     struct error *err)
{
	autoclose int fd = -1;
	struct sockaddr_storage address;
	socklen_t size = endpoint_to_sockaddr(at, &address);
	const int one = 1;

	fd = socket(address.ss_family,
		    SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0 ||
	    setsockopt(fd, SOL_SOCKET, SO_MARK, &mark, sizeof(mark)) < 0 ||
	    setsockopt(fd, IPPROTO_IP, IP_TRANSPARENT, &one, sizeof(one)) < 0 ||
	    bind(fd, (struct sockaddr *)&address, size) < 0 ||
	    listen(fd, BACKLOG) < 0)
		return error_sys(err,
				 "cannot listen on %s inside the sealed "
				 "namespace",
				 endpoint_print(at).text);
	return steal_fd(&fd);
}

static int open_ns(const char *kind, struct error *err)
{
	char path[40];
	int fd;

	snprintf(path, sizeof(path), "/proc/self/ns/%s", kind);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	return fd < 0 ? error_sys(err, "cannot open '%s'", path) : fd;
}

static int load_rules(const struct fw_plan *plan, int *kept, struct error *err)
{
	cleanup(netlink_cleanup) struct netlink *link =
		netlink_open(NETLINK_NETFILTER, err);

	if (!link || fw_commit(link, plan, err) < 0 ||
	    fw_verify(link, plan, err) < 0)
		return -1;
	*kept = fcntl(netlink_fd(link), F_DUPFD_CLOEXEC, 3);
	return *kept < 0 ? error_sys(err, "cannot keep a netlink socket") : 0;
}

struct maker {
	struct user_ids owner;
	const struct fw_sealed *layout;
	const struct fw_plan *plan;
	struct endpoint proxy;
	int socket;
};

/* Rules before links: at no time is there a link that nothing guards. */
static int make_inside(const struct maker *maker, int fds[PASS_COUNT],
		       struct error *err)
{
	const struct link_addrs addrs = {
		.gateway4 = maker->layout->gateway4,
		.gateway6 = maker->layout->gateway6,
		.client4 = maker->layout->client4,
		.client6 = maker->layout->client6,
	};

	/* A change of ids clears the signal, so it is asked for after it. */
	if (identity_become(maker->owner, err) < 0 ||
	    prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 ||
	    userns_unshare(CLONE_NEWNET, err) < 0 ||
	    load_rules(maker->plan, &fds[PASS_NFT], err) < 0 ||
	    link_up_sealed(&addrs, err) < 0)
		return -1;
	fds[PASS_LISTENER] = listen_on(&maker->proxy, maker->layout->mark, err);
	if (fds[PASS_LISTENER] < 0)
		return -1;
	fds[PASS_USER_NS] = open_ns("user", err);
	fds[PASS_NET_NS] = fds[PASS_USER_NS] < 0 ? -1 : open_ns("net", err);
	return fds[PASS_NET_NS];
}

NORETURN static void maker_run(const struct maker *maker, int report)
{
	int fds[PASS_COUNT] = { -1, -1, -1, -1 };
	struct error err;
	ssize_t n;

	if (make_inside(maker, fds, &err) >= 0 &&
	    fd_send(maker->socket, fds, PASS_COUNT, &err) == 0)
		_exit(0);
	n = write(report, &err, sizeof(err));
	(void)n;
	_exit(1);
}

/* ---- outside ---- */

/* What the maker says went wrong; 0 where it ended without a word. */
static int read_report(int fd, struct error *err)
{
	struct error told;
	ssize_t n;

	do
		n = read(fd, &told, sizeof(told));
	while (n < 0 && errno == EINTR);
	if (n == 0)
		return 0;
	if (n == sizeof(told))
		*err = told;
	else
		error_set(err, "the maker of the sealed namespace broke off");
	return -1;
}

static void adopt_fds(const int fds[PASS_COUNT], struct seal *out)
{
	out->user_ns = fds[PASS_USER_NS];
	out->net_ns = fds[PASS_NET_NS];
	out->proxy_listener = fds[PASS_LISTENER];
	out->nft = fds[PASS_NFT];
}

/* Our copies of the maker's ends are closed at once: its end is seen then. */
static int run_maker(struct maker *maker, int receive, struct seal *out,
		     struct error *err)
{
	int report[2], fds[PASS_COUNT];
	int result;
	pid_t pid;

	if (pipe2(report, O_CLOEXEC) < 0) {
		fd_close(&maker->socket);
		return error_sys(err, "cannot make a pipe");
	}
	pid = fork();
	if (pid == 0)
		maker_run(maker, report[1]);
	close(report[1]);
	fd_close(&maker->socket);
	if (pid < 0) {
		close(report[0]);
		return error_sys(err, "cannot fork");
	}
	result = read_report(report[0], err);
	close(report[0]);
	spawn_wait(pid);
	if (result < 0 || fd_receive(receive, fds, PASS_COUNT, err) < 0)
		return error_wrap(err, "cannot seal a network namespace");
	adopt_fds(fds, out);
	return 0;
}

int seal_make(struct user_ids owner, const struct fw_sealed *layout,
	      const struct fw_plan *plan, struct seal *out, struct error *err)
{
	struct maker maker = {
		.owner = owner,
		.layout = layout,
		.plan = plan,
		.proxy = { layout->gateway4, layout->gateway_ports[0] },
	};
	int pair[2], result;

	*out = SEAL_INIT;
	out->proxy = maker.proxy;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
		return error_sys(err, "cannot make a socket pair");
	maker.socket = pair[1];
	result = run_maker(&maker, pair[0], out, err);
	close(pair[0]);
	if (result < 0) {
		err->kind = ERROR_BOUNDARY;
		seal_release(out);
	}
	return result;
}

int seal_enter(const struct seal *seal, struct user_ids owner,
	       struct error *err)
{
	if (identity_become(owner, err) < 0)
		return -1;
	if (setns(seal->user_ns, CLONE_NEWUSER) < 0 ||
	    setns(seal->net_ns, CLONE_NEWNET) < 0)
		return error_sys(err, "cannot enter the sealed namespace");
	return 0;
}

void seal_release(struct seal *seal)
{
	fd_close(&seal->user_ns);
	fd_close(&seal->net_ns);
	fd_close(&seal->proxy_listener);
	fd_close(&seal->nft);
}
