/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tests/unit/scratch.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "base/fd.h"
#include "base/spawn.h"

/* A shell that runs script with its descriptor 1 read back; its status. */
static int run(struct spawn *spawn, const char *script, char *said, size_t size)
{
	const char *const argv[] = { "sh", "-c", script, NULL };
	int pipe_fds[2];
	struct error err;
	size_t used = 0;
	ssize_t n;
	pid_t pid;

	assert_int_equal(pipe(pipe_fds), 0);
	spawn->program = "/bin/sh";
	spawn->argv = argv;
	spawn->fds[spawn->fd_count++] = (struct spawn_fd){ pipe_fds[1], 1 };
	pid = spawn_start(spawn, &err);
	close(pipe_fds[1]);
	if (pid < 0)
		fail_msg("%s", err.text);
	while ((n = read(pipe_fds[0], said + used, size - 1 - used)) > 0)
		used += (size_t)n;
	said[used] = '\0';
	close(pipe_fds[0]);
	return spawn_wait(pid);
}

static void spawn_reports_its_status(void **state)
{
	static const struct {
		const char *script, *says;
	} cases[] = {
		{ "exit 0", "exited with 0" },
		{ "exit 7", "exited with 7" },
		{ "kill -9 $$", "was killed by signal 9 (Killed)" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct spawn spawn = { 0 };
		char said[100], text[100];

		spawn_describe(run(&spawn, cases[i].script, said, sizeof(said)),
			       text, sizeof(text));
		assert_string_equal(text, cases[i].says);
	}
}

/* Two descriptors that swap numbers, and a third that takes a number of ours. */
static void spawn_places_descriptors(void **state)
{
	struct spawn spawn = { 0 };
	struct error err;
	char said[100];
	int a = fd_from_bytes("a", "aaa", 3, &err);
	int b = fd_from_bytes("b", "bbb", 3, &err);
	int c = fd_from_bytes("c", "ccc", 3, &err);

	(void)state;
	assert_true(a >= 0 && a < 8 && b >= 0 && b < 8 && c >= 0);
	spawn.fds[spawn.fd_count++] = (struct spawn_fd){ a, b };
	spawn.fds[spawn.fd_count++] = (struct spawn_fd){ b, a };
	spawn.fds[spawn.fd_count++] = (struct spawn_fd){ c, 9 };
	spawn.fds[spawn.fd_count++] = (struct spawn_fd){ c, 0 };
	snprintf(said, sizeof(said),
		 "cat /dev/fd/%d /dev/fd/%d; cat /dev/fd/9; cat", a, b);
	{
		autofree char *script = strdup(said);

		assert_int_equal(run(&spawn, script, said, sizeof(said)), 0);
	}
	assert_int_equal(strncmp(said, "bbbaaaccc", 9), 0);
	close(a);
	close(b);
	close(c);
}

/* Up to the last number, where the parking begins. */
static void spawn_places_descriptors_up_to_the_last(void **state)
{
	struct spawn spawn = { 0 };
	struct error err;
	char said[100], script[100];
	int fd = fd_from_bytes("a", "aaa", 3, &err);

	(void)state;
	for (int i = 0; i < SPAWN_FDS_MAX - 1; i++)
		spawn.fds[spawn.fd_count++] =
			(struct spawn_fd){ fd, SPAWN_FD_LAST - i };
	snprintf(script, sizeof(script), "cat /dev/fd/%d", SPAWN_FD_LAST);
	assert_int_equal(run(&spawn, script, said, sizeof(said)), 0);
	assert_string_equal(said, "aaa");
	close(fd);
}

/* Our own open descriptors, close-on-exec or not, stay ours. */
static void spawn_closes_everything_else(void **state)
{
	static const int numbers[] = { 11, 63, 64, 65, 80, 200, 900 };
	struct spawn spawn = { 0 };
	char said[400];
	int low = dup(0);

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		assert_int_equal(dup2(0, numbers[i]), numbers[i]);
	spawn.fds[spawn.fd_count++] = (struct spawn_fd){ low, 20 };
	/* the shell's own folder, so that what ls opens does not count */
	assert_int_equal(
		run(&spawn, "cd /proc/self/fd && ls", said, sizeof(said)), 0);
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		close(numbers[i]);
	close(low);
	assert_string_equal(said, "0\n1\n2\n20\n");
}

static void spawn_environment(void **state)
{
	const char *const environment[] = { "ONLY=this", NULL };
	struct spawn spawn = { .environment = environment };
	struct spawn inherit = { 0 };
	char said[200];

	(void)state;
	assert_int_equal(setenv("SPAWN_TEST", "ours", 1), 0);
	run(&spawn, "echo $ONLY-$SPAWN_TEST", said, sizeof(said));
	assert_string_equal(said, "this-\n");
	run(&inherit, "echo $ONLY-$SPAWN_TEST", said, sizeof(said));
	assert_string_equal(said, "-ours\n");
}

static void spawn_resets_signals(void **state)
{
	struct spawn spawn = { 0 };
	char said[400];
	sigset_t all, before;
	unsigned long long blocked, ignored;

	(void)state;
	signal(SIGPIPE, SIG_IGN);
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	run(&spawn, "grep -E '^Sig(Blk|Ign)' /proc/self/status | cut -f2", said,
	    sizeof(said));
	sigprocmask(SIG_SETMASK, &before, NULL);
	assert_int_equal(sscanf(said, "%llx %llx", &blocked, &ignored), 2);
	/* 32 and 33 are the C library's own and out of reach */
	assert_int_equal(blocked & ~0x180000000u, 0);
	assert_int_equal(ignored & ~0x180000000u, 0);
}

/* ---- failures ---- */

static void expect_no_child(void)
{
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

static void spawn_reports_a_failed_exec(void **state)
{
	autoscratch struct scratch scratch = scratch_new();
	const char *const argv[] = { "x", NULL };
	struct {
		const char *program;
		int number;
	} cases[] = {
		{ "/no/such/program", ENOENT },
		{ scratch_write(&scratch, "plain", SPAN("x")), EACCES },
		{ scratch.folder, EACCES },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct spawn spawn = { .program = cases[i].program,
					     .argv = argv };
		struct error err;

		assert_int_equal(spawn_start(&spawn, &err), -1);
		assert_int_equal(err.number, cases[i].number);
		assert_non_null(strstr(err.text, cases[i].program));
		expect_no_child();
	}
}

static int refuse(void *arg, struct error *err)
{
	errno = EPERM;
	return error_sys(err, "hook of '%s'", (const char *)arg);
}

static void spawn_reports_a_failed_hook(void **state)
{
	const char *const argv[] = { "sh", "-c", "exit 0", NULL };
	char name[] = "test";
	const struct spawn spawn = { .program = "/bin/sh",
				     .argv = argv,
				     .prepare = refuse,
				     .arg = name };
	struct error err;

	(void)state;
	assert_int_equal(spawn_start(&spawn, &err), -1);
	assert_string_equal(err.text,
			    "hook of 'test': Operation not permitted");
	assert_int_equal(err.number, EPERM);
	expect_no_child();
}

static void spawn_reports_a_bad_descriptor(void **state)
{
	const char *const argv[] = { "sh", "-c", "exit 0", NULL };
	const struct spawn spawn = { .program = "/bin/sh",
				     .argv = argv,
				     .fds = { { 900, 3 } },
				     .fd_count = 1 };
	struct error err;

	(void)state;
	assert_int_equal(spawn_start(&spawn, &err), -1);
	assert_int_equal(err.number, EBADF);
	expect_no_child();
}

/* The hook sees the descriptors in their places. */
static int write_to_nine(void *arg, struct error *err)
{
	(void)arg;
	return fd_write_all(9, "hook\n", 5, err);
}

static void spawn_hook_runs_with_descriptors_in_place(void **state)
{
	struct spawn spawn = { .prepare = write_to_nine };
	int pipe_fds[2];
	char said[100], hook[100] = "";

	(void)state;
	assert_int_equal(pipe(pipe_fds), 0);
	spawn.fds[spawn.fd_count++] = (struct spawn_fd){ pipe_fds[1], 9 };
	assert_int_equal(run(&spawn, "echo child >&9", said, sizeof(said)), 0);
	close(pipe_fds[1]);
	assert_int_equal(read(pipe_fds[0], hook, sizeof(hook) - 1), 11);
	assert_string_equal(hook, "hook\nchild\n");
	close(pipe_fds[0]);
}

/* ---- a parent that dies ---- */

/*
 * A middle process starts a grandchild that holds the pipe's write end, and
 * dies: the pipe's end of file says that the grandchild is gone too.
 */
static void spawn_dies_with_its_parent(void **state)
{
	const char *const argv[] = { "sleep", "600", NULL };
	int held[2], status;
	char byte;
	pid_t middle;

	(void)state;
	assert_int_equal(pipe2(held, O_CLOEXEC), 0);
	middle = fork();
	assert_true(middle >= 0);
	if (middle == 0) {
		const struct spawn spawn = { .program = "/bin/sleep",
					     .argv = argv,
					     .fds = { { held[1], 9 } },
					     .fd_count = 1,
					     .die_with_parent = true };
		struct error err;

		close(held[0]);
		_exit(spawn_start(&spawn, &err) > 0 ? 0 : 1);
	}
	close(held[1]);
	assert_int_equal(waitpid(middle, &status, 0), middle);
	assert_int_equal(status, 0);
	assert_int_equal(read(held[0], &byte, 1), 0);
	close(held[0]);
}

/* The parent may also die while the hook runs, before the kernel is asked. */
static int kill_the_parent(void *arg, struct error *err)
{
	pid_t parent = getppid();

	(void)arg;
	(void)err;
	kill(parent, SIGKILL);
	while (getppid() == parent)
		usleep(1000);
	return 0;
}

static void spawn_does_not_outlive_a_parent_that_died_early(void **state)
{
	const char *const argv[] = { "sleep", "600", NULL };
	int held[2], status;
	char byte;
	pid_t middle;

	(void)state;
	assert_int_equal(pipe2(held, O_CLOEXEC), 0);
	middle = fork();
	assert_true(middle >= 0);
	if (middle == 0) {
		const struct spawn spawn = { .program = "/bin/sleep",
					     .argv = argv,
					     .fds = { { held[1], 9 } },
					     .fd_count = 1,
					     .prepare = kill_the_parent,
					     .die_with_parent = true };
		struct error err;

		_exit(spawn_start(&spawn, &err) > 0 ? 0 : 1);
	}
	close(held[1]);
	assert_int_equal(waitpid(middle, &status, 0), middle);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(read(held[0], &byte, 1), 0);
	close(held[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(spawn_reports_its_status),
		cmocka_unit_test(spawn_places_descriptors),
		cmocka_unit_test(spawn_places_descriptors_up_to_the_last),
		cmocka_unit_test(spawn_closes_everything_else),
		cmocka_unit_test(spawn_environment),
		cmocka_unit_test(spawn_resets_signals),
		cmocka_unit_test(spawn_reports_a_failed_exec),
		cmocka_unit_test(spawn_reports_a_failed_hook),
		cmocka_unit_test(spawn_reports_a_bad_descriptor),
		cmocka_unit_test(spawn_hook_runs_with_descriptors_in_place),
		cmocka_unit_test(spawn_dies_with_its_parent),
		cmocka_unit_test(
			spawn_does_not_outlive_a_parent_that_died_early),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
