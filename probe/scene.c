/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "probe/scene.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/fd.h"
#include "base/spawn.h"
#include "probe/act.h"

/* Where this program is copied to, to act from inside. */
#define ACTOR "/run/cowork/boundary-check"

#define SCENE_ID "boundary-check"

bool scene_allows(const struct scene *scene, const char *host)
{
	struct target target = { .port = 443 };

	return hostname_parse(span_of(host), &target.host) == HOSTNAME_OK &&
	       policy_decide(scene->policy, &target).verdict == VERDICT_ALLOW;
}

void scene_run_release(struct scene_run *run)
{
	buf_release(&run->output);
}

static void cleanup_plan(struct plan **plan)
{
	plan_free(*plan);
}

struct plan *scene_plan(struct scene *scene, enum environment_kind environment,
			const struct plan_control *control,
			const char *const *command, struct error *err)
{
	const struct plan_spec spec = {
		.id = SCENE_ID,
		.ca_bundle =
			outside_ca_bundle(boundary_outside(scene->boundary)),
		.program = "/proc/self/exe",
		.program_path = ACTOR,
		.control = control,
		.environment = { .kind = environment,
				 .proxy = boundary_proxy(scene->boundary) },
		.command = (char *const *)command,
	};

	return plan_build(&spec, err);
}

/*
 * Read what a run says until it has nothing more to say. One that goes on
 * longer than SCENE_RUN_MS is an error, and so is one that says too much.
 */
static int read_output(int fd, int interrupt, struct buf *output,
		       struct error *err)
{
	uint64_t deadline = clock_monotonic_ms() + SCENE_RUN_MS;

	for (;;) {
		struct pollfd wait[] = { { fd, POLLIN, 0 },
					 { interrupt, POLLIN, 0 } };
		uint64_t now = clock_monotonic_ms();
		char bytes[4096];
		ssize_t n;

		if (now >= deadline ||
		    poll(wait, ARRAY_SIZE(wait), (int)(deadline - now)) == 0)
			return error_set(err,
					 "a run inside took longer than "
					 "%d ms",
					 SCENE_RUN_MS);
		if (wait[1].revents)
			return error_set(err, "interrupted");
		n = read(fd, bytes, sizeof(bytes));
		if (n < 0 && errno != EINTR)
			return error_sys(err, "cannot read a run's output");
		if (n == 0)
			return 0;
		if (n > 0)
			buf_add(output, (struct span){ bytes, (size_t)n });
		if (buf_failed(output))
			return error_set(err,
					 "a run inside said more than %d "
					 "bytes",
					 SCENE_OUTPUT_MAX);
	}
}

static int launch_and_read(struct scene *scene, const struct plan *plan,
			   int null, struct scene_run *out, struct error *err)
{
	struct launch launch;
	int pipe_fds[2], stdio[3], result;

	if (pipe2(pipe_fds, O_CLOEXEC) < 0)
		return error_sys(err, "cannot make a pipe");
	stdio[0] = null;
	stdio[1] = stdio[2] = pipe_fds[1];
	result =
		boundary_launch(scene->boundary, plan, stdio, -1, &launch, err);
	close(pipe_fds[1]);
	if (result == 0) {
		result = read_output(pipe_fds[0], scene->interrupt,
				     &out->output, err);
		if (result < 0)
			launch_kill(&launch);
		else
			result = out->code =
				boundary_wait(scene->boundary, &launch,
					      scene->interrupt, err);
	}
	close(pipe_fds[0]);
	if (result < 0 && out->output.size > 0)
		return error_wrap(err, "%.*s",
				  (int)strcspn(out->output.data, "\n"),
				  out->output.data);
	return result < 0 ? -1 : 0;
}

int scene_run(struct scene *scene, enum environment_kind environment,
	      const struct plan_control *control, const char *const *command,
	      struct scene_run *out, struct error *err)
{
	autoclose int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
	cleanup(cleanup_plan) struct plan *plan =
		scene_plan(scene, environment, control, command, err);

	buf_clear(&out->output);
	if (null < 0)
		return error_sys(err, "cannot open '/dev/null'");
	return plan ? launch_and_read(scene, plan, null, out, err) : -1;
}

int scene_act(struct scene *scene, const struct plan_control *control,
	      const char *const *acts, struct scene_run *out, struct error *err)
{
	const char *command[128] = { ACTOR, "--act" };
	size_t n = 2;

	while (*acts && n < ARRAY_SIZE(command) - 1)
		command[n++] = *acts++;
	if (*acts)
		bug("too many acts in one run");
	if (scene_run(scene, ENVIRONMENT_NO_PROXY, control, command, out, err) <
	    0)
		return -1;
	if (out->code != 0)
		return error_set(err, "acts inside ended with %d: %s",
				 out->code,
				 out->output.data ? out->output.data : "");
	return 0;
}

/* ---- outside ---- */

NORETURN static void act_in_world(struct scene *scene, const char *const *acts,
				  int fd)
{
	const struct identity *who = boundary_identity(scene->boundary);
	FILE *out = fdopen(fd, "w");
	struct error err;

	if (out && identity_become(who->proxy, &err) == 0 &&
	    outside_enter(boundary_outside(scene->boundary), &err) == 0 &&
	    prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && act_all(acts, out) == 0)
		_exit(0);
	_exit(1);
}

int scene_act_outside(struct scene *scene, const char *const *acts,
		      struct scene_run *out, struct error *err)
{
	int pipe_fds[2], result, status;
	pid_t pid;

	buf_clear(&out->output);
	if (pipe2(pipe_fds, O_CLOEXEC) < 0)
		return error_sys(err, "cannot make a pipe");
	pid = fork();
	if (pid == 0)
		act_in_world(scene, acts, pipe_fds[1]);
	close(pipe_fds[1]);
	if (pid < 0) {
		close(pipe_fds[0]);
		return error_sys(err, "cannot fork");
	}
	result = read_output(pipe_fds[0], scene->interrupt, &out->output, err);
	close(pipe_fds[0]);
	if (result < 0)
		kill(pid, SIGKILL);
	status = spawn_wait(pid);
	if (result < 0)
		return -1;
	out->code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	return out->code == 0
		       ? 0
		       : error_set(err, "acts in the pretend world failed");
}

/* ---- evidence ---- */

int scene_fetch(struct scene *scene, enum environment_kind environment,
		const char *url, struct scene_run *out, struct error *err)
{
	const char *const command[] = {
		"/usr/bin/curl",
		"-sS",
		"-m",
		"8",
		"-o",
		"/dev/null",
		"-w",
		"%{http_connect} %{http_code}\n",
		url,
		NULL,
	};

	if (scene_run(scene, environment, NULL, command, out, err) < 0)
		return -1;
	/* 126, 127: there is no curl inside, so nothing was tried. */
	if (out->code == 126 || out->code == 127 ||
	    access(command[0], X_OK) < 0)
		return error_set(err, "curl is missing; on Debian: apt-get "
				      "install curl");
	return 0;
}

int scene_decisions(struct scene *scene, const char *decision, const char *host,
		    uint16_t port, size_t *count, struct error *err)
{
	cleanup(audit_log_release) struct audit_log log = { 0 };

	*count = 0;
	if (audit_log_read(boundary_audit_path(scene->boundary), &log, err) < 0)
		return -1;
	if (log.malformed)
		return error_set(err,
				 "%zu lines of the audit log are "
				 "malformed",
				 log.malformed);
	for (size_t i = 0; i < log.count; i++) {
		const struct audit_row *row = &log.rows[i];

		if (strcmp(row->kind, "decision") == 0 &&
		    strcmp(row->decision, decision) == 0 &&
		    strcmp(row->host, host) == 0 && row->port == port)
			++*count;
	}
	return 0;
}

bool scene_has_world(const struct scene *scene)
{
	return boundary_outside(scene->boundary)->kind == OUTSIDE_PRETEND;
}

int scene_world_report(struct scene *scene, struct world_report *out,
		       struct error *err)
{
	return world_report_read(boundary_outside(scene->boundary)->report, out,
				 err);
}
