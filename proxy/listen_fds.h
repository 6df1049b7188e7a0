/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LISTEN FDS - the descriptors that whoever started us handed in.
 * By the socket-activation convention: LISTEN_PID, LISTEN_FDS, LISTEN_FDNAMES,
 * numbers from 3. Anything odd is an error and not a guess: a proxy that missed
 * its lifetime pipe would outlive its starter. */
#ifndef PROXY_LISTEN_FDS_H
#define PROXY_LISTEN_FDS_H

#include <stddef.h>
#include <sys/types.h>

#include "base/compiler.h"
#include "base/error.h"

#define LISTEN_FDS_START 3
#define LISTEN_FDS_MAX   16

enum listen_fd_kind {
	LISTEN_FD_PROXY, /* a listening stream socket; may be several */
	LISTEN_FD_LIFETIME,
	LISTEN_FD_READY,
	LISTEN_FD_NKINDS
};

struct listen_fd {
	enum listen_fd_kind kind;
	int fd; /* -1 once it was taken */
};

struct listen_fds {
	size_t count;
	struct listen_fd list[LISTEN_FDS_MAX];
};

const char *listen_fd_name(enum listen_fd_kind kind);

/* The variables' values, NULL where unset; self is our process id. */
MUST_CHECK int listen_fds_parse(const char *pid, const char *count,
				const char *names, pid_t self,
				struct listen_fds *out, struct error *err)
	NONNULL(5, 6);

/*
 * From the environment, which is cleared of them: each is checked to be what
 * its name says, and made close-on-exec and non-blocking.
 */
MUST_CHECK int listen_fds_receive(struct listen_fds *out, struct error *err)
	NONNULL(1, 2);

/* The next one of a kind, or -1; it then belongs to the caller. */
int listen_fds_take(struct listen_fds *fds, enum listen_fd_kind kind)
	NONNULL(1);

/* Close what nobody took. */
void listen_fds_release(struct listen_fds *fds) NONNULL(1);

#endif
