/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CLEANUP - scopes that clean up after themselves.
 * A variable marked autofree, autoclose, autofile or cleanup(f) is released
 * when its scope ends; steal() and steal_fd() mark the one line where
 * ownership leaves. */
#ifndef BASE_CLEANUP_H
#define BASE_CLEANUP_H

#include <stdio.h>
#include <stdlib.h>

#include "base/compiler.h"
#include "base/fd.h"

#define cleanup(f) __attribute__((cleanup(f)))

static inline void cleanup_free(void *p)
{
	free(*(void **)p);
}

static inline void cleanup_close(int *fd)
{
	fd_close(fd);
}

static inline void cleanup_fclose(FILE **file)
{
	if (*file)
		fclose(*file);
}

#define autofree  cleanup(cleanup_free)
#define autoclose cleanup(cleanup_close)
#define autofile  cleanup(cleanup_fclose)

/* Take the pointer out of its variable; the scope then frees nothing. */
#define steal(p)                                      \
	({                                            \
		__typeof__(p) *steal_at_ = &(p);      \
		__typeof__(p) steal_it_ = *steal_at_; \
		*steal_at_ = NULL;                    \
		steal_it_;                            \
	})

static inline int steal_fd(int *fd)
{
	int it = *fd;

	*fd = -1;
	return it;
}

#endif
