/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PROBE - one promise of the boundary, attacked.
 * A denial passes only with evidence from the layer that enforces it, and with
 * a control that shows the same act succeeding where it should; it is never
 * tried twice. Ids and their order are part of the interface. */
#ifndef PROBE_PROBE_H
#define PROBE_PROBE_H

#include <stddef.h>

#include "base/compiler.h"
#include "base/error.h"
#include "probe/scene.h"

enum probe_status {
	PROBE_FAIL = 0,
	PROBE_PASS,
	PROBE_NOT_APPLICABLE, /* the session opens what this would deny */
	PROBE_INCONCLUSIVE,   /* could not be carried out */
	PROBE_NOT_RUN,        /* not asked for */
};

#define PROBE_DETAIL_MAX 400

struct probe_result {
	enum probe_status status;
	char detail[PROBE_DETAIL_MAX]; /* what was seen */
};

struct probe {
	const char *id;
	const char *expectation;
	void (*run)(struct scene *scene, struct probe_result *result);
};

extern const struct probe probes[];
extern const size_t probe_count;

/* Fill a result; the first failure of a probe is the one that counts. */
PRINTF_LIKE(2, 3)
void probe_fail(struct probe_result *result, const char *fmt, ...)
	NONNULL(1, 2);
PRINTF_LIKE(2, 3)
void probe_pass(struct probe_result *result, const char *fmt, ...)
	NONNULL(1, 2);
PRINTF_LIKE(2, 3)
void probe_not_applicable(struct probe_result *result, const char *fmt, ...)
	NONNULL(1, 2);
void probe_inconclusive(struct probe_result *result, const struct error *err)
	NONNULL(1, 2);

/* The probes, by file. */
void probe_host_fs_sealed(struct scene *, struct probe_result *);
void probe_direct_egress_denied(struct scene *, struct probe_result *);
void probe_allowlist_enforced(struct scene *, struct probe_result *);
void probe_allowlist_permits(struct scene *, struct probe_result *);
void probe_loopback_not_proxied(struct scene *, struct probe_result *);
void probe_hostloop_bash_egress(struct scene *, struct probe_result *);

#endif
