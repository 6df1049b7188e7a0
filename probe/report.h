/* SPDX-License-Identifier: GPL-3.0-or-later */
/* REPORT - what the probes found, for a person or for a machine. */
#ifndef PROBE_REPORT_H
#define PROBE_REPORT_H

#include <stdbool.h>

#include "base/compiler.h"
#include "base/error.h"
#include "probe/probe.h"

enum report_format {
	REPORT_TEXT = 0,
	REPORT_JSON
};

/* From the results of all probes, in their order. */
enum report_verdict {
	REPORT_HOLDS = 0,    /* exit status 0 */
	REPORT_GAPS,         /* 1 */
	REPORT_INCONCLUSIVE, /* 2 */
};

enum report_verdict report_verdict(const struct probe_result *results,
				   size_t count) NONNULL(1);

/* Text comes row by row, as results arrive; JSON is one line at the end. */
void report_row(enum report_format format, const struct probe *probe,
		const struct probe_result *result) NONNULL(2, 3);
void report_end(enum report_format format, const struct probe_result *results,
		size_t count) NONNULL(2);

/* Nothing could be probed. */
void report_error(enum report_format format, const struct error *err)
	NONNULL(2);

#endif
