/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ALONE - is this network namespace cut off already?
 * A profile that refuses everything belongs where there is only lo; loaded on
 * a host it would cut the user's own network. */
#ifndef FW_ALONE_H
#define FW_ALONE_H

#include "base/compiler.h"
#include "base/error.h"

/*
 * An ERROR_INPUT that names the first link besides lo. The tunnels that some
 * kernels put into every new namespace do not count while they are down.
 */
MUST_CHECK int fw_alone(struct error *err) NONNULL(1);

#endif
