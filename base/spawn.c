/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "base/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fd.h"

/* Above every number that a child is given, and our own two behind those. */
#define FD_PARKING (SPAWN_FD_LAST + 3)

/*
 * Put the descriptors where the child expects them. All are first parked high
 * up, so that no move overwrites one that is still to be moved.
 */
static int place_fds(const struct spawn *spawn, int *report, int *program,
		     struct error *err)
{
	int parked[SPAWN_FDS_MAX];
	int highest = 2;

	*report = fcntl(*report, F_DUPFD_CLOEXEC, FD_PARKING);
	*program = fcntl(*program, F_DUPFD_CLOEXEC, FD_PARKING);
	if (*report < 0 || *program < 0)
		return error_sys(err, "cannot move a descriptor");
	for (size_t i = 0; i < spawn->fd_count; i++) {
		parked[i] =
			fcntl(spawn->fds[i].from, F_DUPFD_CLOEXEC, FD_PARKING);
		if (parked[i] < 0)
			return error_sys(err, "cannot pass descriptor %d",
					 spawn->fds[i].from);
	}
	for (size_t i = 0; i < spawn->fd_count; i++) {
		if (dup2(parked[i], spawn->fds[i].to) < 0)
			return error_sys(err, "cannot pass descriptor %d",
					 spawn->fds[i].from);
		if (spawn->fds[i].to > highest)
			highest = spawn->fds[i].to;
	}
	for (int fd = 3; fd <= highest; fd++) {
		bool given = false;

		for (size_t i = 0; i < spawn->fd_count; i++)
			given |= spawn->fds[i].to == fd;
		if (!given)
			close(fd);
	}
	if (dup3(*report, highest + 1, O_CLOEXEC) < 0 ||
	    dup3(*program, highest + 2, O_CLOEXEC) < 0)
		return error_sys(err, "cannot move a descriptor");
	*report = highest + 1;
	*program = highest + 2;
	if (close_range((unsigned)highest + 3, ~0u, 0) < 0)
		return error_sys(err, "cannot close inherited descriptors");
	return 0;
}

static void restore_signals(void)
{
	sigset_t none;

	sigemptyset(&none);
	for (int i = 1; i < NSIG; i++)
		signal(i, SIG_DFL);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* ---- a PID namespace of its own ---- */

/* No capabilities, in whatever user namespace the hook entered. */
static void give_up_rights(void)
{
	struct __user_cap_header_struct head = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct none[2] = { { 0, 0, 0 }, { 0, 0, 0 } };

	syscall(SYS_capset, &head, none);
}

/* End as the program did. alive stays open until then. */
NORETURN static void keep(pid_t program, int alive)
{
	int status;

	give_up_rights();
	if (alive > 0)
		close_range(0, (unsigned)alive - 1, 0);
	close_range((unsigned)alive + 1, ~0u, 0);
	status = spawn_wait(program);
	if (WIFSIGNALED(status)) {
		signal(WTERMSIG(status), SIG_DFL);
		raise(WTERMSIG(status));
	}
	_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 127);
}

/*
 * The parent of process 1 is in another namespace, so that getppid() cannot
 * say whether it is gone; the end of a pipe that it holds can.
 */
static int die_with_keeper(int alive, struct error *err)
{
	struct pollfd gone = { alive, POLLIN, 0 };

	if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || poll(&gone, 1, 0) != 0)
		return error_set(err, "the keeper is gone");
	return 0;
}

static int die_with_parent(pid_t parent, struct error *err)
{
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || getppid() != parent)
		return error_set(err, "the parent is gone");
	return 0;
}

static int enter_own_pids(pid_t parent, struct error *err)
{
	int alive[2], result;
	pid_t program;

	if (die_with_parent(parent, err) < 0)
		return -1;
	if (unshare(CLONE_NEWPID) < 0)
		return error_sys(err, "cannot make a PID namespace");
	if (pipe2(alive, O_CLOEXEC) < 0)
		return error_sys(err, "cannot make a pipe");
	program = fork();
	if (program < 0)
		return error_sys(err, "cannot fork");
	if (program > 0)
		keep(program, alive[1]);
	close(alive[1]);
	result = die_with_keeper(alive[0], err);
	close(alive[0]);
	return result;
}

static int become(const struct spawn *spawn, pid_t parent, int *report,
		  struct error *err)
{
	int program = open(spawn->program, O_PATH | O_CLOEXEC);

	if (program < 0)
		return error_sys(err, "cannot run '%s'", spawn->program);

	restore_signals();
	if (place_fds(spawn, report, &program, err) < 0)
		return -1;
	if (spawn->prepare && spawn->prepare(spawn->arg, err) < 0)
		return -1;
	/* After the hook: a change of credentials clears the signal. */
	if (spawn->own_pids && enter_own_pids(parent, err) < 0)
		return -1;
	if (!spawn->own_pids && spawn->die_with_parent &&
	    die_with_parent(parent, err) < 0)
		return -1;
	/* The kernel's interface predates const; nothing writes there. */
	execveat(program, "", (char *const *)spawn->argv,
		 spawn->environment ? (char *const *)spawn->environment
				    : environ,
		 AT_EMPTY_PATH);
	return error_sys(err, "cannot run '%s'", spawn->program);
}

NORETURN static void run_child(const struct spawn *spawn, pid_t parent,
			       int report)
{
	struct error err = { 0 };
	ssize_t n;

	if (become(spawn, parent, &report, &err) < 0) {
		n = write(report, &err, sizeof(err));
		(void)n;
	}
	_exit(127);
}

pid_t spawn_start(const struct spawn *spawn, struct error *err)
{
	pid_t parent = getpid(), pid;
	int pipe_fds[2];
	struct error told;
	ssize_t n;

	if (spawn->fd_count > SPAWN_FDS_MAX)
		bug("%zu descriptors for one child", spawn->fd_count);
	for (size_t i = 0; i < spawn->fd_count; i++)
		if (spawn->fds[i].to < 0 || spawn->fds[i].to > SPAWN_FD_LAST)
			bug("descriptor %d for a child", spawn->fds[i].to);
	if (pipe2(pipe_fds, O_CLOEXEC) < 0)
		return error_sys(err, "cannot make a pipe");
	pid = fork();
	if (pid == 0) {
		close(pipe_fds[0]);
		run_child(spawn, parent, pipe_fds[1]);
	}
	close(pipe_fds[1]);
	if (pid < 0) {
		close(pipe_fds[0]);
		return error_sys(err, "cannot start '%s'", spawn->program);
	}
	do
		n = read(pipe_fds[0], &told, sizeof(told));
	while (n < 0 && errno == EINTR);
	close(pipe_fds[0]);
	if (n == 0)
		return pid;
	spawn_wait(pid);
	if (n == sizeof(told))
		*err = told;
	else
		error_set(err, "cannot start '%s'", spawn->program);
	return -1;
}

int spawn_wait(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			bug("waitpid(%d): %s", (int)pid, strerror(errno));
	return status;
}

void spawn_describe(int status, char *out, size_t size)
{
	if (WIFSIGNALED(status))
		snprintf(out, size, "was killed by signal %d (%s)",
			 WTERMSIG(status), strsignal(WTERMSIG(status)));
	else
		snprintf(out, size, "exited with %d", WEXITSTATUS(status));
}
