/* SPDX-License-Identifier: GPL-3.0-or-later */
/* boundary-check: builds the boundary of a session and attacks it. */
#include "config.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/options.h"
#include "base/words.h"
#include "baselines/baseline.h"
#include "probe/act.h"
#include "probe/probe.h"
#include "probe/report.h"
#include "sandbox/allowlist.h"
#include "sandbox/interrupt.h"
#include "sandbox/session.h"

#define EXIT_USAGE 2
#define PROBES_MAX 32
#define SESSION_ID "boundary-check"

static const char *const formats[] = { "text", "json", NULL };
static const char *const worlds[] = { "pretend", "real", NULL };

struct check_options {
	const char *session;
	struct options_list only;
	int format, world;
	bool help, version;
};

#define AT(field) offsetof(struct check_options, field)

static const struct options_field fields[] = {
	{ "--session", OPTIONS_TEXT, AT(session), "FILE",
	  "probe with the egress keys of this session", NULL },
	{ "--probe", OPTIONS_LIST, AT(only), "ID",
	  "run only this probe; may repeat (default: all)", NULL },
	{ "--output-format", OPTIONS_CHOICE, AT(format), "text|json",
	  "how to report (default: text)", formats },
	{ "--world", OPTIONS_CHOICE, AT(world), "pretend|real",
	  "what the proxy dials (default: pretend)", worlds },
	{ "--help", OPTIONS_SWITCH, AT(help), NULL, "show this help", NULL },
	{ "--version", OPTIONS_SWITCH, AT(version), NULL, "show the version",
	  NULL },
};

static void usage(void)
{
	fputs("usage: boundary-check [OPTION]... [BASELINE]\n\n"
	      "BASELINE is 'latest' (the default), a version, or a path.\n\n",
	      stdout);
	options_print(fields, ARRAY_SIZE(fields), stdout);
	fputs("\nExit status: 0 all hold, 1 a wall is down, 2 bad usage or "
	      "inconclusive.\n",
	      stdout);
}

/* ---- the scene ---- */

struct check {
	struct check_options options;
	const char *baseline_name;
	struct baseline *baseline;
	struct session *session;
	struct policy *policy;
	const char **extra;
	struct scene scene;
};

static void check_release(struct check *check)
{
	boundary_free(check->scene.boundary);
	policy_free(check->policy);
	session_free(check->session);
	baseline_free(check->baseline);
	free(check->extra);
	fd_close(&check->scene.interrupt);
}

/* Documented as never registered for anybody; the first one denied is used. */
static const char *const off_list_candidates[] = {
	"example.com",
	"example.org",
	"example.net",
	"off-list.boundary-check.invalid",
};

static int choose_hosts(struct check *check, struct error *err)
{
	struct scene *scene = &check->scene;
	size_t domains = baseline_domain_count(check->baseline);

	for (size_t i = 0; i < domains && !scene->allowed; i++)
		if (scene_allows(scene, baseline_domain(check->baseline, i)))
			scene->allowed = baseline_domain(check->baseline, i);
	/* The reference probes this one where the baseline has it. */
	for (size_t i = 0; i < domains; i++)
		if (strcmp(baseline_domain(check->baseline, i),
			   "api.anthropic.com") == 0)
			scene->allowed = "api.anthropic.com";
	for (size_t i = 0; i < ARRAY_SIZE(off_list_candidates); i++)
		if (!scene->off_list &&
		    !scene_allows(scene, off_list_candidates[i]))
			scene->off_list = off_list_candidates[i];
	if (!scene->allowed)
		return error_kind_set(err, ERROR_INPUT,
				      "baseline '%s' allows no plain host on "
				      "port 443, so that nothing can be "
				      "reached as a control",
				      baseline_name(check->baseline));
	return 0;
}

static int check_only(const struct options_list *only, struct error *err)
{
	for (size_t i = 0; i < only->count; i++) {
		struct words_guess guess = words_guess_start(only->items[i]);
		bool known = false;

		for (size_t k = 0; k < probe_count; k++) {
			known |= strcmp(only->items[i], probes[k].id) == 0;
			words_guess_try(&guess, probes[k].id);
		}
		if (!known)
			return error_kind_set(
				err, ERROR_INPUT,
				"no probe is called '%s'%s%s%s", only->items[i],
				guess.best ? "; did you mean '" : "",
				guess.best ? guess.best : "",
				guess.best ? "'?" : "");
	}
	return 0;
}

static int load(struct check *check, struct error *err)
{
	const struct check_options *options = &check->options;
	const char *origin;
	size_t n;

	if (check_only(&options->only, err) < 0 ||
	    baseline_load(check->baseline_name, &check->baseline, err) < 0)
		return -1;
	if (options->session &&
	    session_load(options->session, &check->session, err) < 0)
		return -1;
	if (allowlist_build(check->baseline, check->session, NULL, 0,
			    &check->policy, err) < 0)
		return -1;
	n = check->session ? session_allow_count(check->session) : 0;
	check->extra = calloc(n + 1, sizeof(*check->extra));
	if (!check->extra)
		return error_sys(err, "no memory for a session");
	for (size_t i = 0; i < n; i++)
		check->extra[i] = session_allow(check->session, i, &origin);
	check->scene.policy = check->policy;
	check->scene.extra = check->extra;
	check->scene.extra_count = n;
	return choose_hosts(check, err);
}

/* ---- running ---- */

static bool wanted(const struct check_options *options, const char *id)
{
	for (size_t i = 0; i < options->only.count; i++)
		if (strcmp(options->only.items[i], id) == 0)
			return true;
	return options->only.count == 0;
}

static int run_probes(struct check *check, struct probe_result *results,
		      struct error *err)
{
	struct scene *scene = &check->scene;

	for (size_t i = 0; i < probe_count; i++) {
		if (!wanted(&check->options, probes[i].id)) {
			results[i].status = PROBE_NOT_RUN;
			continue;
		}
		probes[i].run(scene, &results[i]);
		if (interrupt_pending(scene->interrupt))
			return error_set(err, "interrupted");
		report_row(check->options.format, &probes[i], &results[i]);
		if (boundary_check(scene->boundary, err) < 0)
			return -1;
	}
	return boundary_stop(scene->boundary, err);
}

static int run(struct check *check)
{
	struct probe_result results[PROBES_MAX] = { 0 };
	enum report_format format = check->options.format;
	uint64_t start = clock_monotonic_ms();
	struct error err;
	int signal;

	if (load(check, &err) < 0) {
		report_error(format, &err);
		return EXIT_USAGE;
	}
	if ((check->scene.interrupt = interrupt_open(&err)) < 0 ||
	    !(check->scene.boundary = boundary_start(
		      check->policy, SESSION_ID, check->options.world, &err)) ||
	    run_probes(check, results, &err) < 0) {
		signal = interrupt_signal(check->scene.interrupt);
		if (signal)
			return 128 + signal;
		report_error(format, &err);
		return EXIT_USAGE;
	}
	report_end(format, results, probe_count);
	if (format == REPORT_TEXT)
		printf("%.1f s, %s\n",
		       (double)(clock_monotonic_ms() - start) / 1000,
		       check->options.world == OUTSIDE_PRETEND
			       ? "in the pretend world"
			       : "against the real network");
	if (fflush(stdout) != 0 || ferror(stdout)) {
		fputs("boundary-check: the report could not be written\n",
		      stderr);
		return EXIT_USAGE;
	}
	return (int)report_verdict(results, probe_count);
}

static int read_options(char **argv, struct check *check)
{
	struct options_rest rest;
	struct error err;

	check->baseline_name = "latest";
	if (options_read(fields, ARRAY_SIZE(fields), argv, &check->options,
			 &rest, &err) == 0) {
		if (rest.count == 1)
			check->baseline_name = rest.positional[0];
		if (rest.count <= 1 && !rest.after)
			return 0;
		error_kind_set(&err, ERROR_INPUT,
			       "at most one baseline can be named");
	}
	report_error(check->options.format, &err);
	return -1;
}

int main(int argc, char **argv)
{
	cleanup(check_release) struct check check = {
		.scene = { .interrupt = -1 },
	};

	fd_fill_standard();
	log_open("boundary-check", LOG_LEVEL_NOTICE);
	/* A reader that goes away must not stop the clean-up. */
	signal(SIGPIPE, SIG_IGN);
	/* Not an option: how this program acts from inside the sandbox. */
	if (argc > 1 && strcmp(argv[1], "--act") == 0)
		return act_all((const char *const *)argv + 2, stdout) < 0;
	if (read_options(argv, &check) < 0)
		return EXIT_USAGE;
	if (check.options.help) {
		usage();
		return 0;
	}
	if (check.options.version) {
		puts("boundary-check " PACKAGE_VERSION);
		return 0;
	}
	return run(&check);
}
