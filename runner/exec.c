/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cowork-run exec: one command in the sandbox that an agent would get. */
#include "config.h"

#include "runner/command.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/options.h"
#include "baselines/baseline.h"
#include "runner/denials.h"
#include "sandbox/allowlist.h"
#include "sandbox/boundary.h"
#include "sandbox/folder.h"
#include "sandbox/interrupt.h"
#include "sandbox/session.h"
#include "sandbox/terminal.h"

#define EXIT_USAGE    2
#define EXIT_BOUNDARY 125 /* no boundary, whatever the command said */

static const char *const world_names[] = { "pretend", "real", NULL };

struct exec_options {
	const char *session, *baseline;
	struct options_list allow, folders;
	int world;
	bool help;
};

#define AT(field) offsetof(struct exec_options, field)

static const struct options_field fields[] = {
	{ "--session", OPTIONS_TEXT, AT(session), "FILE",
	  "session file: its egress keys apply", NULL },
	{ "--allow", OPTIONS_LIST, AT(allow), "HOST[:PORT]",
	  "allow one more host; may repeat", NULL },
	{ "--folder", OPTIONS_LIST, AT(folders), "DIR[:ro]",
	  "mount a folder, :ro read-only; may repeat", NULL },
	{ "--baseline", OPTIONS_TEXT, AT(baseline), "NAME",
	  "platform baseline (default: latest)", NULL },
	{ "--world", OPTIONS_CHOICE, AT(world), "real|pretend",
	  "what the allowed hosts are (default: real)", world_names },
	{ "--help", OPTIONS_SWITCH, AT(help), NULL, "show this help", NULL },
};

static void usage(FILE *out)
{
	fputs("usage: cowork-run exec [OPTION]... -- COMMAND [ARGUMENT]...\n\n",
	      out);
	options_print(fields, ARRAY_SIZE(fields), out);
	fputs("\nExit status: the command's own, 128+N if signal N ended it, "
	      "125 if the\nboundary could not be built or broke, 2 for bad "
	      "usage or a bad file.\n",
	      out);
}

/* ---- what the options stand for ---- */

/* Everything that one exec owns; released in one place. */
struct exec {
	struct exec_options options;
	char *const *command;
	struct baseline *baseline;
	struct session *session;
	struct policy *policy;
	struct plan_folder folders[OPTIONS_LIST_MAX];
	char *folder_memory[OPTIONS_LIST_MAX];
	size_t folder_count;
	const char *work_folder;
	char id[32];
	struct boundary *boundary;
	struct plan *plan;
	int interrupt;
};

static void exec_release(struct exec *exec)
{
	plan_free(exec->plan);
	boundary_free(exec->boundary);
	policy_free(exec->policy);
	session_free(exec->session);
	baseline_free(exec->baseline);
	for (size_t i = 0; i < exec->folder_count; i++)
		free(exec->folder_memory[i]);
	fd_close(&exec->interrupt);
}

static int load_policy(struct exec *exec, struct error *err)
{
	const struct exec_options *options = &exec->options;
	const char *name = options->baseline ? options->baseline : "latest";

	if (baseline_load(name, &exec->baseline, err) < 0)
		return -1;
	if (options->session &&
	    session_load(options->session, &exec->session, err) < 0)
		return -1;
	for (size_t i = 0;
	     exec->session && i < session_unused_count(exec->session); i++)
		log_notice("%s: key '%s' has no effect on exec",
			   options->session, session_unused(exec->session, i));
	return allowlist_build(exec->baseline, exec->session,
			       options->allow.items, options->allow.count,
			       &exec->policy, err);
}

/* "DIR" or "DIR:ro". */
static int add_folder(struct exec *exec, const char *text, struct error *err)
{
	struct plan_folder *folder = &exec->folders[exec->folder_count];
	size_t size = strlen(text);
	bool read_only = size > 3 && strcmp(text + size - 3, ":ro") == 0;
	autofree char *given = strndup(text, read_only ? size - 3 : size);
	autofree char *here = getcwd(NULL, 0);
	char *path;

	if (!given)
		return error_sys(err, "no memory for a folder");
	path = folder_check(given, err);
	if (!path)
		return -1;
	exec->folder_memory[exec->folder_count++] = path;
	*folder =
		(struct plan_folder){ path, strrchr(path, '/') + 1, read_only };
	if (here && strcmp(here, path) == 0)
		exec->work_folder = folder->name;
	return 0;
}

static int read_input(struct exec *exec, char **argv, struct error *err)
{
	struct options_rest rest;

	exec->options.world = OUTSIDE_REAL;
	if (options_read(fields, ARRAY_SIZE(fields), argv, &exec->options,
			 &rest, err) < 0)
		return -1;
	if (exec->options.help)
		return 0;
	if (rest.count > 0)
		return error_kind_set(err, ERROR_INPUT,
				      "unexpected '%s': the command comes "
				      "after '--'",
				      rest.positional[0]);
	if (!rest.after || !rest.after[0])
		return error_kind_set(err, ERROR_INPUT,
				      "no command: cowork-run exec [OPTION]... "
				      "-- COMMAND");
	exec->command = rest.after;
	if (load_policy(exec, err) < 0)
		return -1;
	for (size_t i = 0; i < exec->options.folders.count; i++)
		if (add_folder(exec, exec->options.folders.items[i], err) < 0)
			return -1;
	return 0;
}

/* ---- running ---- */

static int build(struct exec *exec, struct error *err)
{
	const char *term = getenv("TERM");
	struct plan_spec spec = {
		.id = exec->id,
		.folders = exec->folders,
		.folder_count = exec->folder_count,
		.environment = { .kind = ENVIRONMENT_AGENT,
				 .term = terminal_wanted() ? term : NULL },
		.work_folder = exec->work_folder,
		.command = exec->command,
	};

	snprintf(exec->id, sizeof(exec->id), "exec-%" PRIx64, clock_epoch_ms());
	exec->boundary = boundary_start(exec->policy, exec->id,
					exec->options.world, err);
	if (!exec->boundary)
		return -1;
	spec.environment.proxy = boundary_proxy(exec->boundary);
	spec.ca_bundle = outside_ca_bundle(boundary_outside(exec->boundary));
	exec->plan = plan_build(&spec, err);
	return exec->plan ? 0 : -1;
}

static int run_plain(struct exec *exec, struct error *err)
{
	static const int stdio[] = { STDIN_FILENO, STDOUT_FILENO,
				     STDERR_FILENO };
	struct launch launch;

	if (boundary_launch(exec->boundary, exec->plan, stdio, -1, &launch,
			    err) < 0)
		return -1;
	return boundary_wait(exec->boundary, &launch, exec->interrupt, err);
}

static int run_terminal(struct exec *exec, struct error *err)
{
	cleanup(terminal_close) struct terminal terminal = TERMINAL_INIT;
	struct launch launch;
	int stdio[3], ends[4], control = -1;

	if (terminal_open(&terminal, err) < 0)
		return -1;
	for (int i = 0; i < 3; i++) {
		stdio[i] = terminal.replaces[i] ? terminal.slave : i;
		if (terminal.replaces[i] && control < 0)
			control = i;
	}
	if (boundary_launch(exec->boundary, exec->plan, stdio, control, &launch,
			    err) < 0)
		return -1;
	ends[0] = launch.pid_fd;
	ends[1] = exec->interrupt;
	boundary_ends(exec->boundary, ends + 2);
	if (terminal_started(&terminal, err) < 0) {
		launch_kill(&launch);
		return -1;
	}
	terminal_relay(&terminal, ends, ARRAY_SIZE(ends));
	return boundary_wait(exec->boundary, &launch, exec->interrupt, err);
}

static int run(struct exec *exec, struct error *err)
{
	int code, signal;

	exec->interrupt = interrupt_open(err);
	if (exec->interrupt < 0 || build(exec, err) < 0)
		return -1;
	code = terminal_wanted() ? run_terminal(exec, err)
				 : run_plain(exec, err);
	signal = interrupt_signal(exec->interrupt);
	if (code < 0 && signal)
		code = 128 + signal;
	if (code >= 0 && boundary_stop(exec->boundary, err) < 0)
		code = -1;
	/* Also after a failure: what was refused until then may explain it. */
	denials_print(exec->boundary, stderr);
	return code;
}

int command_exec(char **argv)
{
	cleanup(exec_release) struct exec exec = { .interrupt = -1 };
	struct error err;
	int code;

	if (read_input(&exec, argv, &err) < 0) {
		error_print(stderr, "cowork-run", &err);
		return EXIT_USAGE; /* nothing was started */
	}
	if (exec.options.help) {
		usage(stdout);
		return 0;
	}
	code = run(&exec, &err);
	if (code >= 0)
		return code;
	error_print(stderr, "cowork-run", &err);
	return EXIT_BOUNDARY;
}
