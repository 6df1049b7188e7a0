/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tests/unit/unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "sandbox/folder.h"

static char top[] = "/tmp/test-folder-XXXXXX";

static int make_top(void **state)
{
	(void)state;
	if (!mkdtemp(top) || chdir(top) < 0)
		return -1;
	return mkdir("good", 0700) | mkdir("good/deep", 0700) |
	       mkdir("fifo", 0700) | mkdir("fifo/deep", 0700) |
	       mkfifo("fifo/deep/pipe", 0600) | mkdir("socket", 0700) |
	       symlink("good", "link") | symlink("/etc/shadow", "good/out");
}

static int remove_top(void **state)
{
	static const char *const files[] = { "good/out", "socket/s",
					     "fifo/deep/pipe", "link", "file" };
	static const char *const folders[] = { "good/deep", "good", "fifo/deep",
					       "fifo", "socket" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		unlink(files[i]);
	for (size_t i = 0; i < ARRAY_SIZE(folders); i++)
		rmdir(folders[i]);
	return chdir("/") | rmdir(top);
}

static void refuse(const char *path, enum error_kind kind, const char *text)
{
	struct error err;
	char *resolved = folder_check(path, &err);

	if (resolved)
		fail_msg("'%s' was accepted", path);
	assert_int_equal(err.kind, kind);
	if (!strstr(err.text, text))
		fail_msg("'%s': %s", path, err.text);
}

static void ways_out_are_refused(void **state)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX,
				       .sun_path = "socket/s" };
	autoclose int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	autoclose int file = open("file", O_CREAT | O_WRONLY, 0600);

	(void)state;
	assert_true(file >= 0);
	assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)),
			 0);
	refuse("missing", ERROR_SYSTEM, "No such file");
	refuse("file", ERROR_INPUT, "not a folder");
	refuse("/", ERROR_BOUNDARY, "the host's system");
	refuse("/../", ERROR_BOUNDARY, "the host's system");
	refuse("/etc", ERROR_BOUNDARY, "the host's system");
	refuse("/usr/", ERROR_BOUNDARY, "the host's system");
	refuse("fifo", ERROR_BOUNDARY, "a FIFO");
	refuse("fifo/deep", ERROR_BOUNDARY, "a FIFO");
	refuse("socket", ERROR_BOUNDARY, "a socket");
	refuse(".", ERROR_BOUNDARY, "a way to a process outside");
	refuse("/dev", ERROR_BOUNDARY, "the host's system");
}

static void path_is_resolved(void **state)
{
	static const char *const names[] = { "good", "link", "good/../good/.",
					     "./good/" };
	char expected[sizeof(top) + 8];

	(void)state;
	snprintf(expected, sizeof(expected), "%s/good", top);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct error err;
		autofree char *resolved = folder_check(names[i], &err);

		if (!resolved)
			fail_msg("%s: %s", names[i], err.text);
		assert_string_equal(resolved, expected);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(path_is_resolved),
		cmocka_unit_test(ways_out_are_refused),
	};

	return cmocka_run_group_tests(tests, make_top, remove_top);
}
