/* SPDX-License-Identifier: GPL-3.0-or-later */
/* USERNS - user namespaces made the unprivileged way. */
#ifndef SANDBOX_USERNS_H
#define SANDBOX_USERNS_H

#include "base/compiler.h"
#include "base/error.h"

/*
 * Move this process into a new user namespace, and into new namespaces of the
 * other kinds in flags (CLONE_NEWNET ...), mapping its own ids to 0 inside. The
 * error names what a machine has to change where it refuses.
 */
MUST_CHECK int userns_unshare(int flags, struct error *err) NONNULL(2);

/* Why user namespaces do not work here and what to change; never NULL. */
const char *userns_advice(void);

#endif
