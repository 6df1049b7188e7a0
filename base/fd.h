/* SPDX-License-Identifier: GPL-3.0-or-later */
/* FD - file descriptors: whole writes, bounded reads, closing, passing on.
 * -1 stands for "none" everywhere. Every descriptor made here is close-on-exec.
 */
#ifndef BASE_FD_H
#define BASE_FD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/compiler.h"
#include "base/error.h"

/* Close *fd unless it is -1, and set it to -1. Keeps errno. */
void fd_close(int *fd) NONNULL(1);

/*
 * First thing in main(): give each of descriptors 0 to 2 that is closed
 * /dev/null, so that no other file of ours ever gets its number.
 */
void fd_fill_standard(void);

/* Write all of it, however many calls it takes; EINTR is retried. */
MUST_CHECK int fd_write_all(int fd, const void *data, size_t size,
			    struct error *err) NONNULL(4);

/*
 * Read a whole file of at most max bytes into a fresh NUL-terminated buffer
 * that the caller frees. A larger one is an error, not a cut.
 */
MUST_CHECK char *fd_read_file(const char *path, size_t max, size_t *size,
			      struct error *err) NONNULL(1, 3, 4);

/* Read from fd until end of file, as above. name is for the error. */
MUST_CHECK char *fd_read_all(int fd, const char *name, size_t max, size_t *size,
			     struct error *err) NONNULL(2, 4, 5);

MUST_CHECK int fd_set_nonblocking(int fd, struct error *err) NONNULL(2);
MUST_CHECK int fd_set_cloexec(int fd, bool on, struct error *err) NONNULL(3);

/* An anonymous file that holds these bytes, rewound. */
MUST_CHECK int fd_from_bytes(const char *name, const void *data, size_t size,
			     struct error *err) NONNULL(1, 4);

/* Most descriptors that travel in one message. */
#define FD_PASS_MAX 16

/* Send descriptors (at most FD_PASS_MAX) over a Unix socket with one byte. */
MUST_CHECK int fd_send(int socket, const int *fds, size_t count,
		       struct error *err) NONNULL(2, 4);

/*
 * Receive exactly count descriptors. On failure nothing stays open, and a peer
 * that closed is an error that says so.
 */
MUST_CHECK int fd_receive(int socket, int *fds, size_t count, struct error *err)
	NONNULL(2, 4);

#endif
