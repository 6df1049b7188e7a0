/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sandbox/environment.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define VARIABLES_MAX 32

/* Loopback is a program's own; the allowlist governs what leaves. */
#define LOOPBACK_NAMES "localhost,127.0.0.1,::1"

/* curl reads http_proxy only in lower case, others only in upper case. */
static const char *const proxy_names[] = {
	"HTTP_PROXY",
	"HTTPS_PROXY",
	"http_proxy",
	"https_proxy",
};

static const char *const exempt_names[] = { "NO_PROXY", "no_proxy" };

struct builder {
	char **list;
	size_t count;
};

/* The list is one longer than it can get: calloc() ends it with NULL. */
PRINTF_LIKE(2, 3)
static int add(struct builder *builder, const char *fmt, ...)
{
	va_list ap;
	int n;

	if (builder->count == VARIABLES_MAX)
		bug("more than %d variables", VARIABLES_MAX);
	va_start(ap, fmt);
	n = vasprintf(&builder->list[builder->count], fmt, ap);
	va_end(ap);
	if (n < 0) {
		builder->list[builder->count] = NULL;
		return -1;
	}
	builder->count++;
	return 0;
}

static int add_proxy(struct builder *builder,
		     const struct environment_spec *spec)
{
	struct addr_text proxy = endpoint_print(&spec->proxy);

	if (spec->kind == ENVIRONMENT_NO_PROXY)
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(proxy_names); i++)
		if (add(builder, "%s=http://%s", proxy_names[i], proxy.text) <
		    0)
			return -1;
	if (spec->kind == ENVIRONMENT_NO_PROXY_EXEMPTION)
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(exempt_names); i++)
		if (add(builder, "%s=" LOOPBACK_NAMES, exempt_names[i]) < 0)
			return -1;
	return 0;
}

static int add_all(struct builder *builder, const struct environment_spec *spec)
{
	if (add(builder, "PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin") <
		    0 ||
	    add(builder, "HOME=%s", spec->home) < 0 ||
	    add(builder, "USER=agent") < 0 ||
	    add(builder, "LOGNAME=agent") < 0 ||
	    add(builder, "SHELL=/bin/sh") < 0 ||
	    add(builder, "LANG=C.UTF-8") < 0 || add(builder, "TMPDIR=/tmp") < 0)
		return -1;
	if (spec->term && add(builder, "TERM=%s", spec->term) < 0)
		return -1;
	return add_proxy(builder, spec);
}

char **environment_build(const struct environment_spec *spec, struct error *err)
{
	struct builder builder = {
		.list = calloc(VARIABLES_MAX + 1, sizeof(char *)),
	};

	if (builder.list && add_all(&builder, spec) == 0)
		return builder.list;
	error_sys(err, "no memory for an environment");
	environment_free(builder.list);
	return NULL;
}

void environment_free(char **environment)
{
	for (size_t i = 0; environment && environment[i]; i++)
		free(environment[i]);
	free(environment);
}
