/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NEAREST - the entry that a denied target missed by least, and by what.
 * For people who ask why; it decides nothing, and looks at every rule. */
#ifndef POLICY_NEAREST_H
#define POLICY_NEAREST_H

#include "policy/policy.h"

enum nearest_why {
	NEAREST_NONE = 0, /* no rule is near */
	NEAREST_NOT_NAME, /* an address literal, and '*' covers names alone */
	NEAREST_PREFIX,   /* an address of the same neighbourhood */
	NEAREST_SPELLING, /* another name that looks much like it */
	NEAREST_SIBLING,  /* a name of the same zone */
	NEAREST_PARENT,   /* below a bare host, which is exact */
	NEAREST_ZONE,     /* the zone itself, which '*.' leaves out */
	NEAREST_PORT,     /* everything but the port */
	NEAREST_NWHYS
};

struct nearest {
	enum nearest_why why;
	const struct rule *rule; /* borrowed; NULL with NEAREST_NONE */
};

/* Among the allow rules, for a target that no rule covers. */
struct nearest policy_nearest(const struct policy *policy,
			      const struct target *target) NONNULL(1, 2);

/* "only the port differs". */
const char *nearest_text(enum nearest_why why);

#endif
