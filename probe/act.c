/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "probe/act.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/addr.h"
#include "base/cleanup.h"

static void say_errno(FILE *out, int number)
{
	const char *name = strerrorname_np(number);

	fprintf(out, "refused %s\n", name ? name : "?");
}

static bool parse_target(const char *const *args, struct endpoint *to)
{
	return addr_parse(span_of(args[0]), &to->addr) &&
	       port_parse(span_of(args[1]), &to->port);
}

static int act_tcp(const char *const *args, FILE *out)
{
	struct sockaddr_storage address;
	struct endpoint to;
	socklen_t size, length = sizeof(int);
	autoclose int fd = -1;
	struct pollfd wait;
	int number = 0;

	if (!parse_target(args, &to))
		return -1;
	size = endpoint_to_sockaddr(&to, &address);
	fprintf(out, "tcp %s ", endpoint_print(&to).text);
	fd = socket(address.ss_family, SOCK_STREAM | SOCK_NONBLOCK, 0);
	if (fd < 0) {
		say_errno(out, errno);
		return 0;
	}
	if (connect(fd, (struct sockaddr *)&address, size) < 0)
		number = errno;
	wait = (struct pollfd){ fd, POLLOUT, 0 };
	if (number == EINPROGRESS) {
		if (poll(&wait, 1, ACT_WAIT_MS) == 0) {
			fputs("hung\n", out);
			return 0;
		}
		getsockopt(fd, SOL_SOCKET, SO_ERROR, &number, &length);
	}
	if (number)
		say_errno(out, number);
	else
		fputs("reached\n", out);
	return 0;
}

static int act_udp(const char *const *args, FILE *out)
{
	struct sockaddr_storage address;
	struct endpoint to;
	socklen_t size;
	autoclose int fd = -1;

	if (!parse_target(args, &to))
		return -1;
	size = endpoint_to_sockaddr(&to, &address);
	fprintf(out, "udp %s ", endpoint_print(&to).text);
	fd = socket(address.ss_family, SOCK_DGRAM, 0);
	if (fd < 0 ||
	    sendto(fd, "probe", 5, 0, (struct sockaddr *)&address, size) < 0)
		say_errno(out, errno);
	else
		fputs("sent\n", out);
	return 0;
}

static int act_see(const char *const *args, FILE *out)
{
	struct stat st;

	fprintf(out, "see %s %s\n", args[0],
		lstat(args[0], &st) == 0 ? "visible" : "absent");
	return 0;
}

/* Opening is enough to know; nothing is ever written. */
static int act_write(const char *const *args, FILE *out)
{
	autoclose int fd = open(args[0], O_WRONLY | O_CLOEXEC | O_NOCTTY);

	fprintf(out, "write %s ", args[0]);
	if (fd >= 0)
		fputs("written\n", out);
	else
		say_errno(out, errno);
	return 0;
}

/* The fifth field of a line is the mount point (proc(5)). */
static int act_mounts(const char *const *args, FILE *out)
{
	autofile FILE *table = fopen("/proc/self/mountinfo", "re");
	char line[4096], point[4096];

	(void)args;
	if (!table) {
		fprintf(out, "mount ? ");
		say_errno(out, errno);
		return 0;
	}
	while (fgets(line, sizeof(line), table))
		if (sscanf(line, "%*s %*s %*s %*s %4095s", point) == 1)
			fprintf(out, "mount %s\n", point);
	return 0;
}

static const struct {
	const char *name;
	size_t args;
	int (*run)(const char *const *args, FILE *out);
} kinds[] = {
	{ "tcp", 2, act_tcp },       { "udp", 2, act_udp },
	{ "see", 1, act_see },       { "write", 1, act_write },
	{ "mounts", 0, act_mounts },
};

/* How many words it took, 0 where it is no act. */
static size_t act_one(const char *const *acts, FILE *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		size_t given = 0;

		if (strcmp(kinds[i].name, acts[0]) != 0)
			continue;
		while (given < kinds[i].args && acts[1 + given])
			given++;
		if (given < kinds[i].args || kinds[i].run(acts + 1, out) < 0)
			return 0;
		return 1 + given;
	}
	return 0;
}

int act_all(const char *const *acts, FILE *out)
{
	while (*acts) {
		size_t taken = act_one(acts, out);

		if (!taken) {
			fprintf(stderr, "bad act '%s'\n", *acts);
			return -1;
		}
		acts += taken;
	}
	return fflush(out) == 0 ? 0 : -1;
}
