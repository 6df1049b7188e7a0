/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "probe/report.h"

#include <stdio.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/log.h"

#define JSON_MAX (1u << 20)

static const struct {
	const char *word;  /* in text */
	const char *name;  /* in JSON */
	const char *color; /* ECMA-48 SGR */
} statuses[] = {
	[PROBE_FAIL] = { "FAIL", "fail", "31" },
	[PROBE_PASS] = { "PASS", "pass", "32" },
	[PROBE_NOT_APPLICABLE] = { "N/A ", "not-applicable", "33" },
	[PROBE_INCONCLUSIVE] = { "????", "inconclusive", "33" },
};

enum report_verdict report_verdict(const struct probe_result *results,
				   size_t count)
{
	enum report_verdict verdict = REPORT_HOLDS;

	for (size_t i = 0; i < count; i++) {
		if (results[i].status == PROBE_FAIL)
			return REPORT_GAPS;
		if (results[i].status == PROBE_INCONCLUSIVE)
			verdict = REPORT_INCONCLUSIVE;
	}
	return verdict;
}

void report_row(enum report_format format, const struct probe *probe,
		const struct probe_result *result)
{
	bool color = isatty(STDOUT_FILENO);

	if (format != REPORT_TEXT)
		return;
	printf("%s%s%s%s%s  %-22s %s\n", color ? "\033[" : "",
	       color ? statuses[result->status].color : "", color ? "m" : "",
	       statuses[result->status].word, color ? "\033[0m" : "", probe->id,
	       probe->expectation);
	if (result->status == PROBE_PASS)
		printf("      %-22s   %s\n", "", result->detail);
	else
		printf("      %-22s   got: %s\n", "", result->detail);
	fflush(stdout);
}

static const char *const headlines[] = {
	[REPORT_HOLDS] = "Boundary parity: ALL CONSTRAINTS ENFORCED",
	[REPORT_GAPS] = "Boundary parity: GAPS FOUND",
	[REPORT_INCONCLUSIVE] = "Boundary parity: INCONCLUSIVE",
};

static size_t count_status(const struct probe_result *results, size_t count,
			   enum probe_status status)
{
	size_t n = 0;

	for (size_t i = 0; i < count; i++)
		n += results[i].status == status;
	return n;
}

/* What was not probed, or does not apply, is not claimed. */
static void print_headline(enum report_verdict verdict,
			   const struct probe_result *results, size_t count)
{
	size_t left = count_status(results, count, PROBE_NOT_RUN);
	size_t open = count_status(results, count, PROBE_NOT_APPLICABLE);

	if (verdict == REPORT_HOLDS && left > 0)
		printf("Boundary parity: ENFORCED AS FAR AS PROBED (%zu of "
		       "%zu)\n",
		       count - left, count);
	else if (verdict == REPORT_HOLDS && open > 0)
		printf("%s (the session opens %zu)\n", headlines[verdict],
		       open);
	else
		puts(headlines[verdict]);
}

static const char *const verdict_names[] = {
	[REPORT_HOLDS] = "pass",
	[REPORT_GAPS] = "fail",
	[REPORT_INCONCLUSIVE] = "inconclusive",
};

static bool counts_as_pass(enum probe_status status)
{
	return status == PROBE_PASS || status == PROBE_NOT_APPLICABLE;
}

static void add_result(struct buf *out, const struct probe *probe,
		       const struct probe_result *result)
{
	buf_add_text(out, "{\"check\":");
	buf_add_json(out, span_of(probe->id));
	buf_add_text(out, ",\"expectation\":");
	buf_add_json(out, span_of(probe->expectation));
	buf_addf(out, ",\"pass\":%s,\"status\":\"%s\",\"detail\":",
		 counts_as_pass(result->status) ? "true" : "false",
		 statuses[result->status].name);
	buf_add_json(out, span_of(result->detail));
	buf_add_byte(out, '}');
}

static void start_json(struct buf *out, bool pass, const char *status)
{
	buf_addf(out,
		 "{\"tool\":\"cowork-boundary\",\"version\":\"%s\","
		 "\"command\":\"boundary-check\",\"pass\":%s,"
		 "\"status\":\"%s\",\"results\":[",
		 PACKAGE_VERSION, pass ? "true" : "false", status);
}

void report_end(enum report_format format, const struct probe_result *results,
		size_t count)
{
	cleanup(buf_release) struct buf out = BUF_INIT(JSON_MAX);
	enum report_verdict verdict = report_verdict(results, count);
	bool first = true;

	if (format == REPORT_TEXT) {
		print_headline(verdict, results, count);
		return;
	}
	start_json(&out, verdict == REPORT_HOLDS, verdict_names[verdict]);
	for (size_t i = 0; i < count; i++)
		if (results[i].status != PROBE_NOT_RUN) {
			buf_add_text(&out, first ? "" : ",");
			add_result(&out, &probes[i], &results[i]);
			first = false;
		}
	buf_add_text(&out, "],\"error\":null}");
	puts(buf_failed(&out) ? "{}" : out.data);
}

void report_error(enum report_format format, const struct error *err)
{
	cleanup(buf_release) struct buf out = BUF_INIT(JSON_MAX);

	error_print(stderr, log_program(), err);
	if (format == REPORT_TEXT)
		return;
	start_json(&out, false,
		   err->kind == ERROR_INPUT ? "error" : "inconclusive");
	buf_addf(&out, "],\"error\":{\"category\":\"%s\",\"message\":",
		 err->kind == ERROR_INPUT ? "usage" : "runtime");
	buf_add_json(&out, span_of(err->text));
	buf_add_text(&out, "}}");
	puts(out.data);
}
