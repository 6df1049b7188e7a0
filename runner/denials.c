/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "runner/denials.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/audit_read.h"
#include "base/cleanup.h"
#include "base/log.h"

#define SHOWN_MAX 20

struct denial {
	const struct audit_row *row;
	size_t count;
};

static bool same_denial(const struct audit_row *a, const struct audit_row *b)
{
	return a->port == b->port && strcmp(a->host, b->host) == 0 &&
	       strcmp(a->reason, b->reason) == 0;
}

static int by_target(const void *a, const void *b)
{
	const struct audit_row *x = ((const struct denial *)a)->row;
	const struct audit_row *y = ((const struct denial *)b)->row;
	int order = strcmp(x->host, y->host);

	if (order == 0)
		order = (int)x->port - (int)y->port;
	return order ? order : strcmp(x->reason, y->reason);
}

static int by_count(const void *a, const void *b)
{
	size_t x = ((const struct denial *)a)->count;
	size_t y = ((const struct denial *)b)->count;

	return x != y ? (x < y ? 1 : -1) : by_target(a, b);
}

/* Sorting brings the equal ones together; then each run of them is one. */
static size_t collect(const struct audit_log *log, struct denial *denials)
{
	size_t all = 0, distinct = 0;

	for (size_t i = 0; i < log->count; i++)
		if (strcmp(log->rows[i].decision, "deny") == 0)
			denials[all++] = (struct denial){ &log->rows[i], 1 };
	qsort(denials, all, sizeof(*denials), by_target);
	for (size_t i = 0; i < all; i++) {
		if (distinct > 0 &&
		    same_denial(denials[distinct - 1].row, denials[i].row))
			denials[distinct - 1].count++;
		else
			denials[distinct++] = denials[i];
	}
	qsort(denials, distinct, sizeof(*denials), by_count);
	return distinct;
}

static void print_rows(const struct denial *denials, size_t count, FILE *out)
{
	fputs("cowork-run: refused by the proxy:\n", out);
	for (size_t i = 0; i < count && i < SHOWN_MAX; i++) {
		char target[300];

		snprintf(target, sizeof(target), "%s:%u", denials[i].row->host,
			 denials[i].row->port);
		fprintf(out, "  %-40s %s", target, denials[i].row->reason);
		if (denials[i].count > 1)
			fprintf(out, " (%zu times)", denials[i].count);
		fputc('\n', out);
	}
	if (count > SHOWN_MAX)
		fprintf(out, "  and %zu more\n", count - SHOWN_MAX);
}

static void print_log(const char *path, FILE *out)
{
	cleanup(audit_log_release) struct audit_log log = { 0 };
	autofree struct denial *denials = NULL;
	struct error err;
	size_t count;

	if (audit_log_read(path, &log, &err) < 0) {
		error_print(out, log_program(), &err);
		return;
	}
	if (log.malformed)
		log_warn("%zu lines of the audit log are malformed",
			 log.malformed);
	denials = calloc(log.count + 1, sizeof(*denials));
	count = denials ? collect(&log, denials) : 0;
	if (count)
		print_rows(denials, count, out);
}

void denials_print(const struct boundary *boundary, FILE *out)
{
	struct fw_counters counters;
	struct error err;
	uint64_t packets;

	if (!boundary)
		return;
	print_log(boundary_audit_path(boundary), out);
	if (boundary_counters(boundary, &counters, &err) < 0) {
		error_print(out, log_program(), &err);
		return;
	}
	packets = fw_counters_refused(&counters);
	if (packets)
		fprintf(out,
			"cowork-run: refused by the firewall: %" PRIu64
			" %s past the proxy\n",
			packets, packets == 1 ? "packet" : "packets");
}
