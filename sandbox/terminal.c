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

#define ENDS_MAX      8
/*
 * A terminal that says it is ready takes at least this much without blocking;
 * it may not be made non-blocking, because the user's shell shares it.
 */
#define SHOW_MAX      256
/* After the end, how long a stopped terminal is waited for. */
#define LAST_WORDS_MS 1000

bool terminal_wanted(void)
{
	return isatty(0) || isatty(1) || isatty(2);
}

/* ---- opening ---- */

static void copy_size(const struct terminal *terminal)
{
	struct winsize size;

	if (ioctl(terminal->output, TIOCGWINSZ, &size) == 0)
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

static void find_user(struct terminal *terminal)
{
	for (int fd = 0; fd < 3; fd++)
		terminal->replaces[fd] = isatty(fd);
	terminal->input = terminal->replaces[0] ? 0 : -1;
	terminal->output = terminal->replaces[1]   ? 1
			   : terminal->replaces[2] ? 2
						   : 0;
}

/* Full use: the user's side is raw, and the new one does the cooking. */
static bool full(const struct terminal *terminal)
{
	return terminal->replaces[0] && terminal->replaces[1];
}

static void copy_settings(struct terminal *terminal)
{
	struct termios settings;

	if (tcgetattr(terminal->output, &terminal->before) < 0)
		return;
	settings = terminal->before;
	/* Else the user's side still cooks, and once is enough. */
	if (!full(terminal)) {
		settings.c_oflag &= ~(tcflag_t)OPOST;
		settings.c_lflag &= ~(tcflag_t)ECHO;
	}
	tcsetattr(terminal->slave, TCSANOW, &settings);
}

int terminal_open(struct terminal *terminal, struct error *err)
{
	char path[64];

	*terminal = TERMINAL_INIT;
	find_user(terminal);
	terminal->master =
		posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
	if (terminal->master < 0 || grantpt(terminal->master) < 0 ||
	    unlockpt(terminal->master) < 0 ||
	    ptsname_r(terminal->master, path, sizeof(path)) != 0)
		return error_sys(err, "cannot make a terminal");
	terminal->slave = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (terminal->slave < 0)
		return error_sys(err, "cannot open a terminal");
	copy_settings(terminal);
	copy_size(terminal);
	terminal->resized = watch_size(err);
	return terminal->resized < 0 ? -1 : 0;
}

int terminal_started(struct terminal *terminal, struct error *err)
{
	struct termios raw = terminal->before;

	fd_close(&terminal->slave);
	if (!full(terminal))
		return 0;
	cfmakeraw(&raw);
	if (tcsetattr(terminal->input, TCSADRAIN, &raw) < 0)
		return error_sys(err, "cannot switch the terminal to raw");
	terminal->raw = true;
	return 0;
}

/* ---- carrying ---- */

static bool waits(const struct terminal_bytes *bytes)
{
	return bytes->from < bytes->to;
}

/* Read when all that came before is gone; false at the end of the source. */
static bool fill(struct terminal_bytes *bytes, int from)
{
	ssize_t n = read(from, bytes->bytes, sizeof(bytes->bytes));

	if (n < 0)
		return errno == EAGAIN || errno == EINTR;
	bytes->from = 0;
	bytes->to = (size_t)n;
	return n > 0;
}

static void drain(struct terminal_bytes *bytes, int to, size_t most)
{
	size_t left = bytes->to - bytes->from;
	ssize_t n = write(to, bytes->bytes + bytes->from,
			  left < most ? left : most);

	if (n > 0)
		bytes->from += (size_t)n;
	else if (n < 0 && errno != EAGAIN && errno != EINTR)
		bytes->from = bytes->to; /* nobody is there to take it */
}

enum {
	USER_IN,
	USER_OUT,
	MASTER,
	RESIZED,
	FIXED
};

/* What each side is waited for, by what waits to go there. */
static void ask(const struct terminal *terminal, bool user_open,
		bool master_open, struct pollfd fds[FIXED])
{
	bool typing = waits(&terminal->typed),
	     showing = waits(&terminal->shown);

	fds[USER_IN] =
		(struct pollfd){ user_open && !typing ? terminal->input : -1,
				 POLLIN, 0 };
	fds[USER_OUT] =
		(struct pollfd){ showing ? terminal->output : -1, POLLOUT, 0 };
	fds[MASTER] =
		(struct pollfd){ master_open ? terminal->master : -1, 0, 0 };
	if (typing)
		fds[MASTER].events |= POLLOUT;
	if (!showing)
		fds[MASTER].events |= POLLIN;
	else if (!typing)
		fds[MASTER].fd =
			-1; /* a hang-up would be told again and again */
	fds[RESIZED] = (struct pollfd){ terminal->resized, POLLIN, 0 };
}

static void step(struct terminal *terminal, const struct pollfd fds[FIXED],
		 bool *user_open, bool *master_open)
{
	struct signalfd_siginfo info;

	if (fds[RESIZED].revents &&
	    read(terminal->resized, &info, sizeof(info)) > 0)
		copy_size(terminal);
	if (fds[USER_IN].revents)
		*user_open = fill(&terminal->typed, terminal->input);
	if (fds[USER_OUT].revents)
		drain(&terminal->shown, terminal->output, SHOW_MAX);
	if (fds[MASTER].revents & POLLOUT)
		drain(&terminal->typed, terminal->master, SIZE_MAX);
	if (fds[MASTER].revents & ~POLLOUT && !waits(&terminal->shown))
		*master_open = fill(&terminal->shown, terminal->master);
}

/* The other side is gone: its last words, as far as the user's side takes it. */
static void show_rest(struct terminal *terminal)
{
	for (;;) {
		struct pollfd user = { terminal->output, POLLOUT, 0 };

		if (!waits(&terminal->shown) &&
		    (!fill(&terminal->shown, terminal->master) ||
		     !waits(&terminal->shown)))
			return;
		if (poll(&user, 1, LAST_WORDS_MS) <= 0)
			return;
		drain(&terminal->shown, terminal->output, SHOW_MAX);
	}
}

void terminal_relay(struct terminal *terminal, const int *ends, size_t count)
{
	bool user_open = true, master_open = true, ended = false;

	if (count > ENDS_MAX)
		bug("%zu ends of a terminal", count);
	while (!ended) {
		struct pollfd fds[FIXED + ENDS_MAX];

		ask(terminal, user_open, master_open, fds);
		for (size_t i = 0; i < count; i++)
			fds[FIXED + i] = (struct pollfd){ ends[i], POLLIN, 0 };
		if (poll(fds, FIXED + count, -1) < 0)
			continue;
		step(terminal, fds, &user_open, &master_open);
		for (size_t i = 0; i < count; i++)
			ended |= fds[FIXED + i].revents != 0;
	}
	show_rest(terminal);
}

void terminal_close(struct terminal *terminal)
{
	if (terminal->raw)
		tcsetattr(terminal->input, TCSADRAIN, &terminal->before);
	terminal->raw = false;
	fd_close(&terminal->master);
	fd_close(&terminal->slave);
	fd_close(&terminal->resized);
}
