/* SPDX-License-Identifier: GPL-3.0-or-later */
/* WHERE - our own files: sibling programs and shipped data.
 * Found beside the running program first, so that an uninstalled build uses
 * itself and never another version that happens to be installed. */
#ifndef BASE_WHERE_H
#define BASE_WHERE_H

#include "base/compiler.h"
#include "base/error.h"

/* The path of one of our programs. The caller frees it. */
char *where_program(const char *name, struct error *err) MUST_CHECK
	NONNULL(1, 2);

/*
 * A shipped file or folder such as "baselines": under $COWORK_BOUNDARY_DATA
 * where that is set, else beside or above the running program, else where it
 * was installed. The caller frees it.
 */
char *where_data(const char *name, struct error *err) MUST_CHECK NONNULL(1, 2);

#endif
