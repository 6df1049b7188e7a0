/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sandbox/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/fd.h"

#define ENDS_MAX 8

bool terminal_wanted(void)
{
	return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
}

static void copy_size(const struct terminal *terminal)
{
	struct winsize size;

	if (ioctl(STDIN_FILENO, TIOCGWINSZ, &size) == 0)
		ioctl(terminal->master, TIOCSWINSZ, &size);
}

static int watch_size(struct error *err)
{
	sigset_t set;
	int fd;

	sigemptyset(&set);
	sigaddset(&set, SIGWINCH);
	sigprocmask(SIG_BLOCK, &set, NULL);
	fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return fd < 0 ? error_sys(err, "cannot watch the terminal's size") : fd;
}

int terminal_open(struct terminal *terminal, struct error *err)
{
	char path[64];

	*terminal = TERMINAL_INIT;
	terminal->master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (terminal->master < 0 || grantpt(terminal->master) < 0 ||
	    unlockpt(terminal->master) < 0 ||
	    ptsname_r(terminal->master, path, sizeof(path)) != 0)
		return error_sys(err, "cannot make a terminal");
	terminal->slave = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (terminal->slave < 0)
		return error_sys(err, "cannot open a terminal");
	if (tcgetattr(STDIN_FILENO, &terminal->before) == 0)
		tcsetattr(terminal->slave, TCSANOW, &terminal->before);
	copy_size(terminal);
	terminal->resized = watch_size(err);
	return terminal->resized < 0 ? -1 : 0;
}

int terminal_started(struct terminal *terminal, struct error *err)
{
	struct termios raw = terminal->before;

	fd_close(&terminal->slave);
	cfmakeraw(&raw);
	if (tcsetattr(STDIN_FILENO, TCSADRAIN, &raw) < 0)
		return error_sys(err, "cannot switch the terminal to raw");
	terminal->raw = true;
	return fd_set_nonblocking(terminal->master, err);
}

/* To the user: what the program wrote; false at its end. */
static bool show(const struct terminal *terminal)
{
	char bytes[16384];
	struct error err;
	ssize_t n = read(terminal->master, bytes, sizeof(bytes));

	if (n < 0)
		return errno == EAGAIN || errno == EINTR;
	return n > 0 &&
	       fd_write_all(STDOUT_FILENO, bytes, (size_t)n, &err) == 0;
}

/* From the user, once everything typed before was taken; false at the end. */
static bool take(struct terminal *terminal)
{
	ssize_t n = read(STDIN_FILENO, terminal->pending,
			 sizeof(terminal->pending));

	if (n < 0)
		return errno == EAGAIN || errno == EINTR;
	terminal->pending_from = 0;
	terminal->pending_to = (size_t)n;
	return n > 0;
}

static bool has_pending(const struct terminal *terminal)
{
	return terminal->pending_from < terminal->pending_to;
}

/* A program that does not read gets no more; what was typed waits. */
static void give(struct terminal *terminal)
{
	ssize_t n = write(terminal->master,
			  terminal->pending + terminal->pending_from,
			  terminal->pending_to - terminal->pending_from);

	if (n > 0)
		terminal->pending_from += (size_t)n;
}

static void step(struct terminal *terminal, const struct pollfd *user,
		 const struct pollfd *master, const struct pollfd *resized,
		 bool *user_open, bool *master_open)
{
	struct signalfd_siginfo info;

	if (resized->revents &&
	    read(terminal->resized, &info, sizeof(info)) > 0)
		copy_size(terminal);
	if (user->revents)
		*user_open = take(terminal);
	if (master->revents & POLLOUT && has_pending(terminal))
		give(terminal);
	if (master->revents & ~POLLOUT)
		*master_open = show(terminal);
}

void terminal_relay(struct terminal *terminal, const int *ends, size_t count)
{
	bool user_open = true, master_open = true, ended = false;

	if (count > ENDS_MAX)
		bug("%zu ends of a terminal", count);
	while (!ended) {
		struct pollfd fds[3 + ENDS_MAX] = {
			{ user_open && !has_pending(terminal) ? STDIN_FILENO
							      : -1,
			  POLLIN, 0 },
			{ master_open ? terminal->master : -1,
			  has_pending(terminal) ? POLLIN | POLLOUT : POLLIN,
			  0 },
			{ terminal->resized, POLLIN, 0 },
		};

		for (size_t i = 0; i < count; i++)
			fds[3 + i] = (struct pollfd){ ends[i], POLLIN, 0 };
		if (poll(fds, 3 + count, -1) < 0)
			continue;
		step(terminal, &fds[0], &fds[1], &fds[2], &user_open,
		     &master_open);
		for (size_t i = 0; i < count; i++)
			ended |= fds[3 + i].revents != 0;
	}
	/* The other side is gone: its last words, until there are no more. */
	for (;;) {
		struct pollfd left = { terminal->master, POLLIN, 0 };

		if (poll(&left, 1, 0) <= 0 || !(left.revents & POLLIN) ||
		    !show(terminal))
			break;
	}
}

void terminal_close(struct terminal *terminal)
{
	if (terminal->raw)
		tcsetattr(STDIN_FILENO, TCSADRAIN, &terminal->before);
	terminal->raw = false;
	fd_close(&terminal->master);
	fd_close(&terminal->slave);
	fd_close(&terminal->resized);
}
