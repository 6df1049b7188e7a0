/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MUTANT - weakened firewalls, so that tests can see that probes notice.
 * Asked for by COWORK_MUTANT, and only in builds with --enable-mutants; in all
 * others these are constants and the environment is not read. */
#ifndef FW_MUTANT_H
#define FW_MUTANT_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#ifdef ENABLE_MUTANTS

static inline bool mutant_is(const char *prefix, const char *rest)
{
	const char *asked = getenv("COWORK_MUTANT");
	size_t size = strlen(prefix);

	return asked && strncmp(asked, prefix, size) == 0 &&
	       strcmp(asked + size, rest) == 0;
}

/* fw-not-loaded: committing does nothing, and says that it worked. */
static inline bool mutant_loads_nothing(void)
{
	return mutant_is("fw-not-loaded", "");
}

/* fw-without-RULE: that rule is left out. */
static inline bool mutant_leaves_out(const char *rule)
{
	return mutant_is("fw-without-", rule);
}

/* COWORK_MUTANT_BLIND=1: reading back finds no fault. */
static inline bool mutant_is_blind(void)
{
	const char *asked = getenv("COWORK_MUTANT_BLIND");

	return asked && strcmp(asked, "1") == 0;
}

#else

static inline bool mutant_loads_nothing(void)
{
	return false;
}

static inline bool mutant_leaves_out(const char *rule)
{
	(void)rule;
	return false;
}

static inline bool mutant_is_blind(void)
{
	return false;
}

#endif
#endif
