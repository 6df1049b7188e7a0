/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ENVIRONMENT - the variables that a process inside gets, and no others.
 * One builder for everything that runs inside, probes included: a probe with an
 * environment of its own would prove nothing about the agent's. */
#ifndef SANDBOX_ENVIRONMENT_H
#define SANDBOX_ENVIRONMENT_H

#include <stddef.h>

#include "base/addr.h"
#include "base/compiler.h"
#include "base/error.h"

enum environment_kind {
	ENVIRONMENT_AGENT,    /* the agent, or a command in its place */
	ENVIRONMENT_HOSTLOOP, /* the shell that a host loop sends commands to */
	ENVIRONMENT_NO_PROXY_EXEMPTION, /* a control: loopback proxied too */
	ENVIRONMENT_NO_PROXY, /* a control: a client that knows no proxy */
};

struct environment_spec {
	enum environment_kind kind;
	struct endpoint proxy;
	const char *home;
	const char *term; /* NULL: no terminal */
};

/* A NULL-terminated list of "NAME=value"; environment_free() it. */
char **environment_build(const struct environment_spec *spec,
			 struct error *err) MUST_CHECK NONNULL(1, 2);
void environment_free(char **environment);

#endif
