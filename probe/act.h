/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ACT - the small things that a probe does, each told in one line.
 * They run inside the sandbox (this program is copied in and started with
 * --act) and, as controls, where they must succeed. An act never retries and
 * never waits longer than ACT_WAIT_MS.
 *
 *   tcp ADDR PORT	connect		"reached", "refused ECONNREFUSED", "hung"
 *   udp ADDR PORT	send a datagram	"sent", "refused EPERM"
 *   own HOW LISTEN SOURCE TARGET
 *			serve on LISTEN and come from SOURCE to TARGET, by "tcp",
 *			"udp", or "options" and "routing": a datagram with IP
 *			options, with a routing header. "reached", "refused ..."
 *   see PATH		look at it	"visible", "absent"
 *   write PATH		open to write	"written", "refused EROFS"
 *   mounts		"mount PATH" for each mount point
 */
#ifndef PROBE_ACT_H
#define PROBE_ACT_H

#include <stdio.h>

#include "base/compiler.h"

#define ACT_WAIT_MS 1000

/*
 * Do the acts in the list, one line each: "ACT TARGET RESULT". 0, or -1 where
 * the list itself is wrong (said on stderr).
 */
MUST_CHECK int act_all(const char *const *acts, FILE *out) NONNULL(1, 2);

#endif
