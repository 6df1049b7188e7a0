/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sandbox/interrupt.h"

#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

int interrupt_open(struct error *err)
{
	sigset_t set;
	int fd;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	if (sigprocmask(SIG_BLOCK, &set, NULL) < 0)
		return error_sys(err, "cannot block signals");
	fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return fd < 0 ? error_sys(err, "cannot watch signals") : fd;
}

bool interrupt_pending(int fd)
{
	struct pollfd wait = { fd, POLLIN, 0 };

	return poll(&wait, 1, 0) > 0;
}

int interrupt_signal(int fd)
{
	struct signalfd_siginfo info;

	return read(fd, &info, sizeof(info)) == sizeof(info)
		       ? (int)info.ssi_signo
		       : 0;
}
