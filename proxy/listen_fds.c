/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "proxy/listen_fds.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/log.h"
#include "base/span.h"

static const char *const kind_name[] = {
	[LISTEN_FD_PROXY] = "proxy",
	[LISTEN_FD_LIFETIME] = "lifetime",
	[LISTEN_FD_READY] = "ready",
};
static_assert(ARRAY_SIZE(kind_name) == LISTEN_FD_NKINDS, "each has a name");

/* Names of the contract that this version does not serve. */
static const char *const not_built[] = {
	"transparent", "socks", "dns-udp",   "dns-tcp",
	"nflog",       "heads", "audit-key",
};

const char *listen_fd_name(enum listen_fd_kind kind)
{
	return kind_name[kind];
}

/* Plain digits, at most eight. */
static int parse_number(const char *text, unsigned *out)
{
	struct span digits = span_of(text);

	*out = 0;
	if (digits.size == 0 || digits.size > 8)
		return -1;
	for (size_t i = 0; i < digits.size; i++) {
		if (text[i] < '0' || text[i] > '9')
			return -1;
		*out = *out * 10 + (unsigned)(text[i] - '0');
	}
	return 0;
}

static int parse_name(struct span name, enum listen_fd_kind *kind,
		      struct error *err)
{
	for (size_t i = 0; i < ARRAY_SIZE(kind_name); i++)
		if (span_equal(name, span_of(kind_name[i]))) {
			*kind = (enum listen_fd_kind)i;
			return 0;
		}
	for (size_t i = 0; i < ARRAY_SIZE(not_built); i++)
		if (span_equal(name, span_of(not_built[i])))
			return error_kind_set(err, ERROR_UNSUPPORTED,
					      "LISTEN_FDNAMES: '%s' is not "
					      "built in this version",
					      not_built[i]);
	return error_kind_set(err, ERROR_INPUT,
			      "LISTEN_FDNAMES: unknown name %s",
			      log_quote(name).text);
}

static int add(struct listen_fds *fds, enum listen_fd_kind kind,
	       struct error *err)
{
	for (size_t i = 0; i < fds->count; i++)
		if (kind != LISTEN_FD_PROXY && fds->list[i].kind == kind)
			return error_kind_set(err, ERROR_INPUT,
					      "LISTEN_FDNAMES: '%s' twice",
					      kind_name[kind]);
	fds->list[fds->count] = (struct listen_fd){
		kind,
		LISTEN_FDS_START + (int)fds->count,
	};
	fds->count++;
	return 0;
}

static int parse_names(struct span names, size_t count, struct listen_fds *out,
		       struct error *err)
{
	for (;;) {
		size_t end = span_find(names, ':');
		enum listen_fd_kind kind = LISTEN_FD_PROXY;

		if (out->count == count)
			break;
		if (parse_name(span_head(names, end), &kind, err) < 0 ||
		    add(out, kind, err) < 0)
			return -1;
		if (end == names.size && out->count == count)
			return 0;
		if (end == names.size)
			break;
		names = span_skip(names, end + 1);
	}
	return error_kind_set(err, ERROR_INPUT,
			      "LISTEN_FDNAMES does not hold %zu names", count);
}

int listen_fds_parse(const char *pid, const char *count, const char *names,
		     pid_t self, struct listen_fds *out, struct error *err)
{
	unsigned number;

	out->count = 0;
	if (!pid && !count && !names)
		return 0;
	if (!pid || !count || !names)
		return error_kind_set(err, ERROR_INPUT,
				      "LISTEN_PID, LISTEN_FDS and "
				      "LISTEN_FDNAMES belong together");
	if (parse_number(pid, &number) < 0 || (pid_t)number != self)
		return error_kind_set(err, ERROR_INPUT,
				      "LISTEN_PID is not this process");
	if (parse_number(count, &number) < 0 || number < 1 ||
	    number > LISTEN_FDS_MAX)
		return error_kind_set(err, ERROR_INPUT,
				      "LISTEN_FDS is not 1 to %d",
				      LISTEN_FDS_MAX);
	return parse_names(span_of(names), number, out, err);
}

static int check_proxy(int fd, struct error *err)
{
	int on = 0, type = 0;
	socklen_t size = sizeof(on);

	if (getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &on, &size) < 0 || !on ||
	    getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) < 0 ||
	    type != SOCK_STREAM)
		return error_kind_set(err, ERROR_INPUT,
				      "descriptor %d 'proxy' is not a "
				      "listening socket",
				      fd);
	return 0;
}

static int check(const struct listen_fd *given, struct error *err)
{
	int flags = fcntl(given->fd, F_GETFL);
	int closed_way = given->kind == LISTEN_FD_READY ? O_RDONLY : O_WRONLY;

	if (flags < 0)
		return error_sys(err, "descriptor %d '%s'", given->fd,
				 kind_name[given->kind]);
	if (given->kind == LISTEN_FD_PROXY) {
		if (check_proxy(given->fd, err) < 0)
			return -1;
	} else if ((flags & O_ACCMODE) == closed_way) {
		return error_kind_set(err, ERROR_INPUT,
				      "descriptor %d '%s' is the wrong end of "
				      "a pipe",
				      given->fd, kind_name[given->kind]);
	}
	if (fd_set_cloexec(given->fd, true, err) < 0)
		return -1;
	return fd_set_nonblocking(given->fd, err);
}

int listen_fds_receive(struct listen_fds *out, struct error *err)
{
	if (listen_fds_parse(getenv("LISTEN_PID"), getenv("LISTEN_FDS"),
			     getenv("LISTEN_FDNAMES"), getpid(), out, err) < 0)
		return -1;
	unsetenv("LISTEN_PID");
	unsetenv("LISTEN_FDS");
	unsetenv("LISTEN_FDNAMES");
	for (size_t i = 0; i < out->count; i++)
		if (check(&out->list[i], err) < 0)
			return -1;
	return 0;
}

int listen_fds_take(struct listen_fds *fds, enum listen_fd_kind kind)
{
	for (size_t i = 0; i < fds->count; i++) {
		int fd = fds->list[i].fd;

		if (fds->list[i].kind == kind && fd >= 0) {
			fds->list[i].fd = -1;
			return fd;
		}
	}
	return -1;
}

void listen_fds_release(struct listen_fds *fds)
{
	for (size_t i = 0; i < fds->count; i++)
		fd_close(&fds->list[i].fd);
	fds->count = 0;
}
