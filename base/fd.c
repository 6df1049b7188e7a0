/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "base/fd.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/cleanup.h"

void fd_close(int *fd)
{
	int number = errno;

	if (*fd >= 0)
		close(*fd);
	*fd = -1;
	errno = number;
}

void fd_fill_standard(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDWR);
	while (fd >= 0 && fd <= 2);
	if (fd > 2)
		close(fd);
}

int fd_write_all(int fd, const void *data, size_t size, struct error *err)
{
	const char *at = data;

	while (size > 0) {
		ssize_t n = write(fd, at, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error_sys(err, "cannot write");
		at += n;
		size -= (size_t)n;
	}
	return 0;
}

char *fd_read_all(int fd, const char *name, size_t max, size_t *size,
		  struct error *err)
{
	autofree char *data = NULL;
	size_t room = 0, used = 0;

	for (;;) {
		ssize_t n;

		if (used + 1 >= room) {
			char *grown;

			room = room ? room * 2 : 4096;
			grown = realloc(data, room);
			if (!grown) {
				error_sys(err, "cannot read '%s'", name);
				return NULL;
			}
			data = grown;
		}
		n = read(fd, data + used, room - used - 1);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			error_sys(err, "cannot read '%s'", name);
			return NULL;
		}
		if (n == 0)
			break;
		used += (size_t)n;
		if (used > max) {
			error_kind_set(err, ERROR_INPUT,
				       "'%s' is larger than %zu bytes", name,
				       max);
			return NULL;
		}
	}
	data[used] = '\0';
	*size = used;
	return steal(data);
}

char *fd_read_file(const char *path, size_t max, size_t *size,
		   struct error *err)
{
	/* A FIFO that nobody writes to must not hold us up at opening. */
	autoclose int fd =
		open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

	if (fd < 0 || fcntl(fd, F_SETFL, 0) < 0) {
		error_sys(err, "cannot open '%s'", path);
		return NULL;
	}
	return fd_read_all(fd, path, max, size, err);
}

int fd_set_nonblocking(int fd, struct error *err)
{
	int flags = fcntl(fd, F_GETFL);

	if (flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0)
		return error_sys(err, "cannot make descriptor %d non-blocking",
				 fd);
	return 0;
}

int fd_set_cloexec(int fd, bool on, struct error *err)
{
	if (fcntl(fd, F_SETFD, on ? FD_CLOEXEC : 0) < 0)
		return error_sys(err, "cannot set flags of descriptor %d", fd);
	return 0;
}

int fd_from_bytes(const char *name, const void *data, size_t size,
		  struct error *err)
{
	autoclose int fd = memfd_create(name, MFD_CLOEXEC);

	if (fd < 0)
		return error_sys(err, "cannot make an anonymous file");
	if (fd_write_all(fd, data, size, err) < 0)
		return -1;
	if (lseek(fd, 0, SEEK_SET) < 0)
		return error_sys(err, "cannot rewind an anonymous file");
	return steal_fd(&fd);
}

union control {
	struct cmsghdr align;
	char bytes[CMSG_SPACE(sizeof(int) * FD_PASS_MAX)];
};

int fd_send(int socket, const int *fds, size_t count, struct error *err)
{
	union control control = { 0 };
	char byte = 'f';
	struct iovec iov = { &byte, 1 };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
	struct cmsghdr *cmsg;
	ssize_t n;

	if (count == 0 || count > FD_PASS_MAX)
		bug("cannot pass %zu descriptors", count);
	msg.msg_control = control.bytes;
	msg.msg_controllen = CMSG_SPACE(sizeof(int) * count);
	cmsg = CMSG_FIRSTHDR(&msg);
	cmsg->cmsg_level = SOL_SOCKET;
	cmsg->cmsg_type = SCM_RIGHTS;
	cmsg->cmsg_len = CMSG_LEN(sizeof(int) * count);
	memcpy(CMSG_DATA(cmsg), fds, sizeof(int) * count);
	do
		n = sendmsg(socket, &msg, MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	return n < 0 ? error_sys(err, "cannot pass descriptors") : 0;
}

/* How many descriptors came; they are in got, at most FD_PASS_MAX of them. */
static size_t take_rights(struct msghdr *msg, int *got)
{
	size_t n = 0;

	for (struct cmsghdr *c = CMSG_FIRSTHDR(msg); c; c = CMSG_NXTHDR(msg, c))
		if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS) {
			n = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
			memcpy(got, CMSG_DATA(c), n * sizeof(int));
		}
	return n;
}

int fd_receive(int socket, int *fds, size_t count, struct error *err)
{
	union control control = { 0 };
	int got[FD_PASS_MAX];
	char byte;
	struct iovec iov = { &byte, 1 };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
	size_t n;
	ssize_t r;

	msg.msg_control = control.bytes;
	msg.msg_controllen = sizeof(control.bytes);
	do
		r = recvmsg(socket, &msg, MSG_CMSG_CLOEXEC);
	while (r < 0 && errno == EINTR);
	if (r < 0)
		return error_sys(err, "cannot receive descriptors");
	if (r == 0)
		return error_kind_set(err, ERROR_SYSTEM,
				      "the peer closed before it passed its "
				      "descriptors");
	n = take_rights(&msg, got);
	if (n == count && !(msg.msg_flags & MSG_CTRUNC)) {
		memcpy(fds, got, count * sizeof(int));
		return 0;
	}
	for (size_t i = 0; i < n; i++)
		close(got[i]);
	return error_set(err, "expected %zu descriptors, got %zu", count, n);
}
