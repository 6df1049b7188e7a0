/* SPDX-License-Identifier: GPL-3.0-or-later */
/* AUDIT READ - the reader's side of the evidence log.
 * Never coerces: a line that is not a whole, well-formed record is counted as
 * malformed and otherwise ignored; kinds that the reader does not know are
 * skipped. Blank lines (padding left by a killed writer) are neither. */
#ifndef BASE_AUDIT_READ_H
#define BASE_AUDIT_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/error.h"

/* A row's strings belong to the log it came from; absent ones are "". */
struct audit_row {
	const char *kind;
	const char *host;
	const char *decision;
	const char *reason;
	const char *rule;
	const char *via;
	const char *addr;
	const char *would; /* "deny": let through by a policy that reports */
	const char *cause;
	const char *policy;
	const char *digest;
	uint16_t port; /* 0: absent */
	uint64_t ts, seq;
};

struct audit_log {
	struct audit_row *rows;
	size_t count;
	size_t malformed;
	void *memory; /* private */
};

/* Read a whole log. A missing file is an error, an empty one is not. */
MUST_CHECK int audit_log_read(const char *path, struct audit_log *log,
			      struct error *err) NONNULL(1, 2, 3);
void audit_log_release(struct audit_log *log) NONNULL(1);

#endif
