/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DENIALS - what a run tried and was not given, for a person to read. */
#ifndef RUNNER_DENIALS_H
#define RUNNER_DENIALS_H

#include <stdio.h>

#include "base/compiler.h"
#include "sandbox/boundary.h"

/*
 * One line for each target that the proxy refused, most frequent first, and one
 * for packets that the firewall refused. Nothing where nothing was refused,
 * or where there is no boundary.
 */
void denials_print(const struct boundary *boundary, FILE *out) NONNULL(2);

#endif
