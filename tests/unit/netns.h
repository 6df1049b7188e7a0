/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NETNS - a private network namespace for a test, or the reason why not.
 * A need that TESTS_MUST_RUN lists is met, or the test fails. */
#ifndef TESTS_UNIT_NETNS_H
#define TESTS_UNIT_NETNS_H

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/unit.h"

static inline bool must_run(const char *need)
{
	const char *list = getenv("TESTS_MUST_RUN");
	size_t size = strlen(need);

	while (list && *list) {
		size_t word = strcspn(list, " ");

		if (word == size && memcmp(list, need, size) == 0)
			return true;
		list += word + strspn(list + word, " ");
	}
	return false;
}

static inline bool write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool ok = fd >= 0 &&
		  write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	if (fd >= 0)
		close(fd);
	return ok;
}

/*
 * The whole program moves to an empty network namespace of a new user
 * namespace: full rights inside, none outside. First thing in main(), because
 * cmocka reports a skipped test as a failed one; false means that all has been
 * said, with *status to exit with.
 */
static inline bool enter_sandbox(int *status)
{
	char uid_map[32], gid_map[32];

	snprintf(uid_map, sizeof(uid_map), "0 %u 1", geteuid());
	snprintf(gid_map, sizeof(gid_map), "0 %u 1", getegid());
	if (unshare(CLONE_NEWUSER | CLONE_NEWNET) == 0 &&
	    write_text("/proc/self/setgroups", "deny") &&
	    write_text("/proc/self/uid_map", uid_map) &&
	    write_text("/proc/self/gid_map", gid_map))
		return true;
	*status = must_run("netns") || must_run("userns");
	if (*status)
		printf("Bail out! no private namespace: %s\n", strerror(errno));
	else
		printf("1..0 # SKIP no private namespace: %s\n",
		       strerror(errno));
	return false;
}

/* Another empty one, for the next test. */
static inline void enter_netns(void)
{
	assert_int_equal(unshare(CLONE_NEWNET), 0);
}

#endif
