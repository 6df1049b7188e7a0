/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tests/unit/scratch.h"

#include <errno.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "base/fd.h"

/* How many descriptors this process has open. */
static size_t open_count(void)
{
	size_t count = 0;

	for (int fd = 0; fd < 1024; fd++)
		count += fcntl(fd, F_GETFD) >= 0;
	return count;
}

static void fd_close_keeps_errno(void **state)
{
	int fd = dup(0), none = -1, bad = 1000;

	(void)state;
	errno = EXDEV;
	fd_close(&fd);
	fd_close(&none);
	fd_close(&bad);
	assert_int_equal(errno, EXDEV);
	assert_int_equal(fd, -1);
	assert_int_equal(bad, -1);
}

static void fd_files_have_a_largest_size(void **state)
{
	static const size_t sizes[] = { 0,    1,    4094, 4095,
					4096, 4097, 8191, 20000 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		autoscratch struct scratch scratch = scratch_new();
		autofree char *bytes = calloc(1, sizes[i] + 1);
		autofree char *got = NULL;
		struct error err;
		size_t size;

		memset(bytes, 'x', sizes[i]);
		scratch_write(&scratch, "f", (struct span){ bytes, sizes[i] });
		got = fd_read_file(scratch.path, sizes[i], &size, &err);
		assert_non_null(got);
		assert_int_equal(size, sizes[i]);
		assert_string_equal(got, bytes);
		if (sizes[i] == 0)
			continue;
		assert_null(
			fd_read_file(scratch.path, sizes[i] - 1, &size, &err));
		assert_int_equal(err.kind, ERROR_INPUT);
	}
}

static void fd_read_reports_errors(void **state)
{
	struct error err;
	size_t size;

	(void)state;
	assert_null(fd_read_file("no/such/file", 10, &size, &err));
	assert_int_equal(err.number, ENOENT);
	assert_null(fd_read_file(".", 10, &size, &err));
	assert_int_equal(err.number, EISDIR);
	assert_null(fd_read_all(-1, "nothing", 10, &size, &err));
	assert_int_equal(err.number, EBADF);
}

static void fd_writes_everything_through_a_pipe(void **state)
{
	enum {
		SIZE = 1 << 20
	};
	autofree char *bytes = calloc(1, SIZE);
	autofree char *got = NULL;
	struct error err = { 0 };
	int pipe_fds[2], status;
	size_t size;
	pid_t pid;

	(void)state;
	for (size_t i = 0; i < SIZE; i++)
		bytes[i] = (char)(i * 31);
	assert_int_equal(pipe(pipe_fds), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		close(pipe_fds[0]);
		_exit(fd_write_all(pipe_fds[1], bytes, SIZE, &err) ? 1 : 0);
	}
	close(pipe_fds[1]);
	got = fd_read_all(pipe_fds[0], "pipe", SIZE, &size, &err);
	close(pipe_fds[0]);
	assert_non_null(got);
	assert_int_equal(size, SIZE);
	assert_memory_equal(got, bytes, SIZE);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void fd_write_reports_errors(void **state)
{
	struct error err;
	int pipe_fds[2];
	char bytes[100000] = "";

	(void)state;
	assert_int_equal(fd_write_all(-1, "x", 1, &err), -1);
	assert_int_equal(err.number, EBADF);
	assert_int_equal(fd_write_all(-1, "x", 0, &err), 0);
	assert_int_equal(pipe(pipe_fds), 0);
	assert_int_equal(fd_set_nonblocking(pipe_fds[1], &err), 0);
	assert_int_equal(fd_write_all(pipe_fds[1], bytes, sizeof(bytes), &err),
			 -1);
	assert_int_equal(err.number, EAGAIN);
	close(pipe_fds[0]);
	assert_int_equal(fd_write_all(pipe_fds[1], "x", 1, &err), -1);
	assert_int_equal(err.number, EPIPE);
	close(pipe_fds[1]);
}

static void fd_flags(void **state)
{
	struct error err;
	int fd = dup(0);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(fd_set_cloexec(fd, true, &err), 0);
	assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
	assert_int_equal(fd_set_cloexec(fd, false, &err), 0);
	assert_int_equal(fcntl(fd, F_GETFD), 0);
	close(fd);
	assert_int_equal(fd_set_cloexec(fd, true, &err), -1);
	assert_int_equal(err.number, EBADF);
	assert_int_equal(fd_set_nonblocking(fd, &err), -1);
	assert_int_equal(err.number, EBADF);
}

static void fd_from_bytes_is_rewound(void **state)
{
	struct error err;
	autoclose int fd = fd_from_bytes("test", "abc", 3, &err);
	char got[8] = "";

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
	assert_int_equal(read(fd, got, sizeof(got)), 3);
	assert_string_equal(got, "abc");
}

/* ---- passing ---- */

static void must_pair(int pair[2])
{
	assert_int_equal(
		socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
}

static void fd_pass_every_count(void **state)
{
	(void)state;
	for (size_t count = 1; count <= FD_PASS_MAX; count++) {
		int pair[2], sent[FD_PASS_MAX], got[FD_PASS_MAX];
		size_t before = open_count();
		struct error err = { 0 };

		must_pair(pair);
		for (size_t i = 0; i < count; i++) {
			sent[i] =
				fd_from_bytes("n", &(char){ (char)i }, 1, &err);
			assert_true(sent[i] >= 0);
		}
		assert_int_equal(fd_send(pair[0], sent, count, &err), 0);
		assert_int_equal(fd_receive(pair[1], got, count, &err), 0);
		for (size_t i = 0; i < count; i++) {
			char byte = -1;

			assert_int_equal(pread(got[i], &byte, 1, 0), 1);
			assert_int_equal(byte, i);
			assert_int_equal(fcntl(got[i], F_GETFD), FD_CLOEXEC);
			close(got[i]);
			close(sent[i]);
		}
		close(pair[0]);
		close(pair[1]);
		assert_int_equal(open_count(), before);
	}
}

/* Too many or too few: an error, and nothing stays open. */
static void fd_receive_wants_the_exact_count(void **state)
{
	static const size_t counts[][2] = { { 1, 2 },  { 2, 1 },   { 16, 1 },
					    { 1, 16 }, { 16, 15 }, { 3, 0 } };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
		int pair[2], fds[FD_PASS_MAX], got[FD_PASS_MAX];
		size_t before;
		struct error err;

		must_pair(pair);
		for (size_t k = 0; k < FD_PASS_MAX; k++)
			fds[k] = 0;
		before = open_count();
		assert_int_equal(fd_send(pair[0], fds, counts[i][0], &err), 0);
		assert_int_equal(fd_receive(pair[1], got, counts[i][1], &err),
				 -1);
		assert_non_null(strstr(err.text, "expected"));
		assert_int_equal(open_count(), before);
		close(pair[0]);
		close(pair[1]);
	}
}

static void fd_receive_wants_descriptors(void **state)
{
	int pair[2], got[2];
	struct error err;

	(void)state;
	must_pair(pair);
	assert_int_equal(send(pair[0], "f", 1, 0), 1);
	assert_int_equal(fd_receive(pair[1], got, 1, &err), -1);
	assert_string_equal(err.text, "expected 1 descriptors, got 0");
	close(pair[0]);
	assert_int_equal(fd_receive(pair[1], got, 1, &err), -1);
	assert_non_null(strstr(err.text, "the peer closed"));
	close(pair[1]);
	assert_int_equal(fd_receive(pair[1], got, 1, &err), -1);
	assert_int_equal(err.number, EBADF);
}

static void fd_send_to_nobody_is_an_error(void **state)
{
	int pair[2], fd = 0, bad = 1000;
	struct error err;

	(void)state;
	must_pair(pair);
	assert_int_equal(fd_send(pair[0], &bad, 1, &err), -1);
	assert_int_equal(err.number, EBADF);
	close(pair[1]);
	assert_int_equal(fd_send(pair[0], &fd, 1, &err), -1);
	assert_int_equal(err.number, EPIPE);
	close(pair[0]);
}

static void clocks_go_forward(void **state)
{
	uint64_t ns = clock_monotonic_ns(), ms = clock_monotonic_ms();

	(void)state;
	assert_true(clock_monotonic_ns() >= ns);
	assert_true(clock_monotonic_ms() >= ms);
	assert_true(ms >= ns / 1000000);
	assert_true(clock_epoch_ms() > 1600000000000u); /* September 2020 */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fd_close_keeps_errno),
		cmocka_unit_test(fd_files_have_a_largest_size),
		cmocka_unit_test(fd_read_reports_errors),
		cmocka_unit_test(fd_writes_everything_through_a_pipe),
		cmocka_unit_test(fd_write_reports_errors),
		cmocka_unit_test(fd_flags),
		cmocka_unit_test(fd_from_bytes_is_rewound),
		cmocka_unit_test(fd_pass_every_count),
		cmocka_unit_test(fd_receive_wants_the_exact_count),
		cmocka_unit_test(fd_receive_wants_descriptors),
		cmocka_unit_test(fd_send_to_nobody_is_an_error),
		cmocka_unit_test(clocks_go_forward),
	};

	signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
