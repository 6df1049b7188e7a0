/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A log of anybody's bytes: each line is a whole row, malformed, or blank. */
#include "config.h"

#include "tests/fuzz/fuzz.h"

#include <stdio.h>

#include "base/audit_read.h"
#include "base/cleanup.h"
#include "base/fd.h"

static size_t count_lines(struct span text)
{
	size_t lines = text.size > 0 && text.data[text.size - 1] != '\n';

	for (size_t i = 0; i < text.size; i++)
		lines += text.data[i] == '\n';
	return lines;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct audit_log log;
	struct error err;
	char path[40];
	autoclose int fd = fd_from_bytes("fuzz", data, size, &err);

	MUST(fd >= 0);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	MUST(audit_log_read(path, &log, &err) == 0);
	MUST(log.count + log.malformed <= count_lines(fuzz_span(data, size)));
	for (size_t i = 0; i < log.count; i++) {
		const struct audit_row *row = &log.rows[i];

		MUST(row->kind[0] && row->reason && row->rule && row->via);
		if (strcmp(row->kind, "decision") == 0)
			MUST(row->host[0] &&
			     (strcmp(row->decision, "allow") == 0 ||
			      strcmp(row->decision, "deny") == 0));
	}
	audit_log_release(&log);
	return 0;
}
