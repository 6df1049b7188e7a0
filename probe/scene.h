/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SCENE - a boundary that stands, and the means to act inside it and to read
 * what each layer recorded. */
#ifndef PROBE_SCENE_H
#define PROBE_SCENE_H

#include <stdbool.h>

#include "base/audit_read.h"
#include "base/buf.h"
#include "base/compiler.h"
#include "base/error.h"
#include "policy/policy.h"
#include "probe/world_report.h"
#include "sandbox/boundary.h"
#include "sandbox/environment.h"

struct scene {
	struct boundary *boundary;
	struct policy *policy;    /* what the proxy was told to enforce */
	const char *allowed;      /* a host that the policy allows on 443 */
	const char *off_list;     /* one that it does not; NULL: allows all */
	const char *const *extra; /* hosts that the session added */
	size_t extra_count;
	int interrupt;
};

/* Does the policy allow this host on port 443? */
bool scene_allows(const struct scene *scene, const char *host) NONNULL(1, 2);

#define SCENE_OUTPUT_MAX 65536
#define SCENE_RUN_MS     30000

/* What a command inside said and how it ended. */
struct scene_run {
	int code;
	struct buf output; /* stdout and stderr together */
};

#define SCENE_RUN_INIT ((struct scene_run){ -1, BUF_INIT(SCENE_OUTPUT_MAX) })
void scene_run_release(struct scene_run *run) NONNULL(1);

/*
 * Run a command inside, in the sandbox that an agent gets, with the environment
 * of that kind. control may add one mount, for a positive control.
 */
MUST_CHECK int scene_run(struct scene *scene, enum environment_kind environment,
			 const struct plan_control *control,
			 const char *const *command, struct scene_run *out,
			 struct error *err) NONNULL(1, 4, 5, 6);

/* Do acts (act.h) inside, with the environment that knows no proxy. */
MUST_CHECK int scene_act(struct scene *scene,
			 const struct plan_control *control,
			 const char *const *acts, struct scene_run *out,
			 struct error *err) NONNULL(1, 3, 4, 5);

/* The same acts where they must succeed: in the pretend world itself. */
MUST_CHECK int scene_act_outside(struct scene *scene, const char *const *acts,
				 struct scene_run *out, struct error *err)
	NONNULL(1, 2, 3, 4);

/* Fetch a URL inside with curl; its exit code, and "CONNECT-STATUS STATUS". */
MUST_CHECK int scene_fetch(struct scene *scene,
			   enum environment_kind environment, const char *url,
			   struct scene_run *out, struct error *err)
	NONNULL(1, 3, 4, 5);

/* How many decisions of that kind the log holds for a host and port. */
MUST_CHECK int scene_decisions(struct scene *scene, const char *decision,
			       const char *host, uint16_t port, size_t *count,
			       struct error *err) NONNULL(1, 2, 3, 5, 6);

/* Is there a pretend world that counts what reaches it? */
bool scene_has_world(const struct scene *scene) NONNULL(1);
MUST_CHECK int scene_world_report(struct scene *scene, struct world_report *out,
				  struct error *err) NONNULL(1, 2, 3);

/* The plan of a run without control, for comparison. */
struct plan *scene_plan(struct scene *scene, enum environment_kind environment,
			const struct plan_control *control,
			const char *const *command,
			struct error *err) MUST_CHECK NONNULL(1, 4, 5);

#endif
