/* SPDX-License-Identifier: GPL-3.0-or-later */
/* BOUNDARY - a sealed namespace, its firewall and its proxy, as one thing.
 * Started before anything runs inside; while it stands, any number of plans can
 * be launched in it. If the proxy or the pretend world ends, the boundary is
 * broken, and what ran inside proves nothing. */
#ifndef SANDBOX_BOUNDARY_H
#define SANDBOX_BOUNDARY_H

#include <stdbool.h>

#include "base/compiler.h"
#include "base/error.h"
#include "fw/kernel.h"
#include "policy/policy.h"
#include "sandbox/identity.h"
#include "sandbox/launch.h"
#include "sandbox/outside.h"

struct boundary;

/*
 * Build it: outside, seal, rules, proxy. The policy is borrowed until the end;
 * in the pretend world its web addresses are permitted in it. id is the
 * session's. Errors are of kind ERROR_BOUNDARY unless the input was at fault.
 */
struct boundary *boundary_start(struct policy *policy, const char *id,
				enum outside_kind outside,
				struct error *err) MUST_CHECK NONNULL(1, 2, 4);

/*
 * Take it down: the proxy ends, the log is complete, the rules are compared
 * once more. An error says what had gone wrong meanwhile. The log, counters and
 * report stay readable until boundary_free().
 */
MUST_CHECK int boundary_stop(struct boundary *boundary, struct error *err)
	NONNULL(1, 2);
void boundary_free(struct boundary *boundary);

/* Start a plan inside. */
MUST_CHECK int boundary_launch(const struct boundary *boundary,
			       const struct plan *plan, const int stdio[3],
			       int terminal, struct launch *out,
			       struct error *err) NONNULL(1, 2, 3, 5, 6);

/*
 * Wait for the end of a launch, watching the services meanwhile: when one of
 * them ends, or interrupt (-1: none) becomes readable, everything inside is
 * killed and the result is an error, of kind ERROR_BOUNDARY for the services.
 */
MUST_CHECK int boundary_wait(const struct boundary *boundary,
			     struct launch *launch, int interrupt,
			     struct error *err) NONNULL(1, 2, 4);
/* The same question, for a caller with a loop of its own: -1 and why. */
MUST_CHECK int boundary_check(const struct boundary *boundary,
			      struct error *err) NONNULL(1, 2);

MUST_CHECK int boundary_counters(const struct boundary *boundary,
				 struct fw_counters *out, struct error *err)
	NONNULL(1, 2, 3);
MUST_CHECK int boundary_verify_rules(const struct boundary *boundary,
				     struct error *err) NONNULL(1, 2);

/* All borrowed, valid until boundary_free(). */
const char *boundary_audit_path(const struct boundary *boundary) NONNULL(1);
struct endpoint boundary_proxy(const struct boundary *boundary) NONNULL(1);
const struct outside *boundary_outside(const struct boundary *boundary)
	NONNULL(1);
const struct identity *boundary_identity(const struct boundary *boundary)
	NONNULL(1);
/*
 * For a poll loop of the caller's: one of these is readable when the boundary
 * is broken. -1 stands for a service that this boundary does not have.
 */
void boundary_ends(const struct boundary *boundary, int ends[2]) NONNULL(1);

#endif
