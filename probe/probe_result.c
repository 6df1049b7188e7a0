/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "probe/probe.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/utf8.h"

/* Ids, order and number are the reference's; tests pin them. */
const struct probe probes[] = {
	{ "host-fs-sealed",
	  "nothing of the host is visible or writable but what is mounted",
	  probe_host_fs_sealed },
	{ "direct-egress-denied", "no way to any address past the proxy",
	  probe_direct_egress_denied },
	{ "allowlist-enforced",
	  "a host that is not on the allowlist is refused and recorded",
	  probe_allowlist_enforced },
	{ "allowlist-permits",
	  "hosts on the allowlist are reached through the proxy",
	  probe_allowlist_permits },
	{ "loopback-not-proxied",
	  "loopback bypasses the proxy (control: proxied without the exemption)",
	  probe_loopback_not_proxied },
	{ "hostloop-bash-egress",
	  "a host loop's shell has the same egress, and no dead network",
	  probe_hostloop_bash_egress },
};

const size_t probe_count = ARRAY_SIZE(probes);

PRINTF_LIKE(3, 0)
static void fill(struct probe_result *result, enum probe_status status,
		 const char *fmt, va_list ap)
{
	result->status = status;
	vsnprintf(result->detail, sizeof(result->detail), fmt, ap);
	/* Output of commands may end up in it: one line, nothing odd. */
	utf8_make_printable(result->detail, ' ');
}

#define DEFINE_RESULT(name, status)                                  \
	void name(struct probe_result *result, const char *fmt, ...) \
	{                                                            \
		va_list ap;                                          \
                                                                     \
		va_start(ap, fmt);                                   \
		fill(result, status, fmt, ap);                       \
		va_end(ap);                                          \
	}

DEFINE_RESULT(probe_fail, PROBE_FAIL)
DEFINE_RESULT(probe_pass, PROBE_PASS)
DEFINE_RESULT(probe_not_applicable, PROBE_NOT_APPLICABLE)

void probe_inconclusive(struct probe_result *result, const struct error *err)
{
	result->status = PROBE_INCONCLUSIVE;
	snprintf(result->detail, sizeof(result->detail), "%.390s", err->text);
}
