/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PROXY SERVICE - coworkproxy as the one crossing of a sealed namespace.
 * The policy is written out as a proxy file; the listening socket made inside
 * is handed over, so that the proxy itself needs no privilege. */
#ifndef SANDBOX_PROXY_SERVICE_H
#define SANDBOX_PROXY_SERVICE_H

#include "base/buf.h"
#include "base/compiler.h"
#include "base/error.h"
#include "policy/policy.h"
#include "sandbox/identity.h"
#include "sandbox/outside.h"
#include "sandbox/service.h"

struct proxy_spec {
	const struct policy *policy;
	const struct outside *outside;
	int listener;        /* listening, inside; stays the caller's */
	const char *config;  /* path of the proxy file to write */
	const char *audit;   /* path of the log */
	const char *session; /* goes into every record */
	struct user_ids user;
};

MUST_CHECK int proxy_service_start(const struct proxy_spec *spec,
				   struct service *out, struct error *err)
	NONNULL(1, 2, 3);

/* The proxy file for a policy, as YAML; pure. */
void proxy_service_config(const struct proxy_spec *spec, struct buf *out)
	NONNULL(1, 2);

#endif
