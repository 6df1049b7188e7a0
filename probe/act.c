/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "probe/act.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
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

/* Connect, and say what came of it. */
static void say_connect(int fd, const struct endpoint *to, FILE *out)
{
	struct sockaddr_storage address;
	socklen_t size = endpoint_to_sockaddr(to, &address);
	socklen_t length = sizeof(int);
	struct pollfd wait = { fd, POLLOUT, 0 };
	int number = 0;

	if (connect(fd, (struct sockaddr *)&address, size) < 0)
		number = errno;
	if (number == EINPROGRESS) {
		if (poll(&wait, 1, ACT_WAIT_MS) == 0) {
			fputs("hung\n", out);
			return;
		}
		getsockopt(fd, SOL_SOCKET, SO_ERROR, &number, &length);
	}
	if (number)
		say_errno(out, number);
	else
		fputs("reached\n", out);
}

static int open_socket(const struct addr *addr, int type)
{
	return socket(addr->size == 4 ? AF_INET : AF_INET6,
		      type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

static int act_tcp(const char *const *args, FILE *out)
{
	struct endpoint to;
	autoclose int fd = -1;

	if (!parse_target(args, &to))
		return -1;
	fprintf(out, "tcp %s ", endpoint_print(&to).text);
	fd = open_socket(&to.addr, SOCK_STREAM);
	if (fd < 0)
		say_errno(out, errno);
	else
		say_connect(fd, &to, out);
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
	fd = open_socket(&to.addr, SOCK_DGRAM);
	if (fd < 0 ||
	    sendto(fd, "probe", 5, 0, (struct sockaddr *)&address, size) < 0)
		say_errno(out, errno);
	else
		fputs("sent\n", out);
	return 0;
}

/* ---- a server of our own, and a client of our own ---- */

/* Router alert (RFC 2113): an option that needs no capability. */
static int add_options(int fd)
{
	static const unsigned char option[] = { 148, 4, 0, 0 };

	return setsockopt(fd, IPPROTO_IP, IP_OPTIONS, option, sizeof(option));
}

/* A route of one segment (RFC 8754, 2): type 4, two units of 8 bytes, ::1. */
static int add_routing(int fd)
{
	static const unsigned char header[24] = { 0, 2, 4, 0, [23] = 1 };

	return setsockopt(fd, IPPROTO_IPV6, IPV6_RTHDR, header, sizeof(header));
}

static const struct way {
	const char *name;
	int type;
	int (*prepare)(int fd);
} ways[] = {
	{ "tcp", SOCK_STREAM, NULL },
	{ "udp", SOCK_DGRAM, NULL },
	{ "options", SOCK_DGRAM, add_options },
	{ "routing", SOCK_DGRAM, add_routing },
};

static const struct way *find_way(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(ways); i++)
		if (strcmp(ways[i].name, name) == 0)
			return &ways[i];
	return NULL;
}

/* FREEBIND: every address is local here, though only a route says so. */
static int bind_to(int fd, const struct addr *addr, struct endpoint *bound)
{
	const struct endpoint any = { *addr, 0 };
	struct sockaddr_storage address;
	socklen_t size = endpoint_to_sockaddr(&any, &address);
	const int one = 1;

	setsockopt(fd, IPPROTO_IP, IP_FREEBIND, &one, sizeof(one));
	if (bind(fd, (struct sockaddr *)&address, size) < 0 ||
	    getsockname(fd, (struct sockaddr *)&address, &size) < 0 ||
	    !endpoint_from_sockaddr((struct sockaddr *)&address, bound))
		return -1;
	return 0;
}

/* Did the datagram come, or was sending it refused? */
static void say_datagram(int client, int server, const struct endpoint *to,
			 FILE *out)
{
	struct sockaddr_storage address;
	socklen_t size = endpoint_to_sockaddr(to, &address);
	struct pollfd wait = { server, POLLIN, 0 };

	if (sendto(client, "probe", 5, 0, (struct sockaddr *)&address, size) <
	    0)
		say_errno(out, errno);
	else if (poll(&wait, 1, ACT_WAIT_MS) > 0)
		fputs("reached\n", out);
	else
		fputs("hung\n", out);
}

static void say_own(const struct way *way, const struct addr addrs[3],
		    FILE *out)
{
	struct endpoint to, from;
	autoclose int server = open_socket(&addrs[0], way->type);
	autoclose int client = open_socket(&addrs[1], way->type);

	if (server < 0 || client < 0 || bind_to(server, &addrs[0], &to) < 0 ||
	    (way->type == SOCK_STREAM && listen(server, 1) < 0) ||
	    bind_to(client, &addrs[1], &from) < 0 ||
	    (way->prepare && way->prepare(client) < 0)) {
		fprintf(out, "impossible %s\n", strerrorname_np(errno));
		return;
	}
	to.addr = addrs[2];
	if (way->type == SOCK_STREAM)
		say_connect(client, &to, out);
	else
		say_datagram(client, server, &to, out);
}

static int act_own(const char *const *args, FILE *out)
{
	const struct way *way = find_way(args[0]);
	struct addr addrs[3];

	for (size_t i = 0; i < ARRAY_SIZE(addrs); i++)
		if (!addr_parse(span_of(args[1 + i]), &addrs[i]))
			return -1;
	if (!way)
		return -1;
	fprintf(out, "own %s %s %s %s ", args[0], args[1], args[2], args[3]);
	say_own(way, addrs, out);
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
	{ "mounts", 0, act_mounts }, { "own", 4, act_own },
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
