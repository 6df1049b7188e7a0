/* SPDX-License-Identifier: GPL-3.0-or-later */
/* INTERRUPT - SIGINT, SIGTERM and SIGHUP as a descriptor, so that a program
 * takes its boundary down in order before it ends. */
#ifndef SANDBOX_INTERRUPT_H
#define SANDBOX_INTERRUPT_H

#include <stdbool.h>

#include "base/compiler.h"
#include "base/error.h"

/* Readable when one of them came. Children get the default handling back. */
int interrupt_open(struct error *err) MUST_CHECK NONNULL(1);

/* Did one come? It stays to be read. */
bool interrupt_pending(int fd);

/* The signal that came, or 0. */
int interrupt_signal(int fd);

#endif
