/* SPDX-License-Identifier: GPL-3.0-or-later */
/* host-fs-sealed: what the file system shows, held against the plan. */
#include "config.h"

#include "probe/probe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"

/* Must not exist inside, whatever the host has there. */
static const char *const host_paths[] = {
	"/Users",
	"/host",
	"/home",
	"/root",
	"/boot",
	"/srv",
	"/opt",
	"/media",
	"/sys",
	"/etc/shadow",
	"/etc/ssh",
	"/run/docker.sock",
	"/var/run/docker.sock",
	"/var/lib",
	"/run/user",
	"/run/dbus",
	"/proc/1/root/etc/shadow",
};

/* Must not open for writing. */
static const char *const guarded_paths[] = {
	"/usr/bin/env",
	"/etc/passwd",
	"/proc/sys/kernel/core_pattern",
	"/proc/sys/net/ipv4/ip_forward",
	"/proc/sysrq-trigger",
};

/* A host folder that is there on every machine, for the control. */
static const struct plan_control control = { "/usr/share", "/mnt/control" };

#define ACTS_MAX 60

struct acts {
	const char *list[ACTS_MAX + 1];
	size_t count;
};

static void add_act(struct acts *acts, const char *act, const char *path)
{
	if (acts->count + 2 > ACTS_MAX)
		bug("more than %d words of acts", ACTS_MAX);
	acts->list[acts->count++] = act;
	if (path)
		acts->list[acts->count++] = path;
}

static bool says(const struct scene_run *run, const char *act, const char *path,
		 const char *result)
{
	char line[600];

	snprintf(line, sizeof(line), "%s %s %s", act, path, result);
	return strstr(run->output.data ? run->output.data : "", line);
}

/* Is one of the fixed folders of the plan at, above or below this path? */
static bool shown_by_plan(const struct plan *plan, const char *path)
{
	for (size_t i = 0; i < plan->step_count; i++) {
		size_t size = strlen(plan->steps[i].to);

		if (strncmp(plan->steps[i].to, path, strlen(path)) == 0 ||
		    (strncmp(plan->steps[i].to, path, size) == 0 &&
		     path[size] == '/'))
			return true;
	}
	return false;
}

/* The first mount point that the plan does not explain; "" if there is none. */
static void find_extra_mount(const struct plan *plan,
			     const struct scene_run *run, char *out,
			     size_t size)
{
	const char *line = run->output.data ? run->output.data : "";
	char point[512];

	*out = '\0';
	for (; line; line = strchr(line, '\n'), line = line ? line + 1 : NULL)
		if (sscanf(line, "mount %511s", point) == 1 &&
		    !plan_explains_mount(plan, point)) {
			snprintf(out, size, "%s", point);
			return;
		}
}

static int run_acts(struct scene *scene, const struct plan_control *with,
		    const char *const *own, struct scene_run *out,
		    struct error *err)
{
	struct acts acts = { .count = 0 };

	add_act(&acts, "mounts", NULL);
	for (size_t i = 0; i < ARRAY_SIZE(host_paths); i++)
		add_act(&acts, "see", host_paths[i]);
	for (size_t i = 0; own[i]; i++)
		add_act(&acts, "see", own[i]);
	for (size_t i = 0; i < ARRAY_SIZE(guarded_paths); i++)
		add_act(&acts, "write", guarded_paths[i]);
	add_act(&acts, "see", control.to);
	return scene_act(scene, with, acts.list, out, err);
}

/* Each path by itself: a leak on one is not masked by a denial on another. */
static bool judge_paths(const struct plan *plan, const struct scene_run *run,
			const char *const *own, struct probe_result *result)
{
	for (size_t i = 0; i < ARRAY_SIZE(host_paths); i++)
		if (!says(run, "see", host_paths[i], "absent")) {
			probe_fail(result, "%s is visible inside",
				   host_paths[i]);
			return false;
		}
	for (size_t i = 0; own[i]; i++)
		if (!shown_by_plan(plan, own[i]) &&
		    !says(run, "see", own[i], "absent")) {
			probe_fail(result, "%s is visible inside", own[i]);
			return false;
		}
	for (size_t i = 0; i < ARRAY_SIZE(guarded_paths); i++)
		if (!says(run, "write", guarded_paths[i], "refused")) {
			probe_fail(result, "%s can be written inside",
				   guarded_paths[i]);
			return false;
		}
	return true;
}

static bool judge_control(const struct plan *plan, const struct scene_run *run,
			  struct probe_result *result)
{
	char extra[512];

	find_extra_mount(plan, run, extra, sizeof(extra));
	if (strcmp(extra, control.to) == 0 &&
	    says(run, "see", control.to, "visible"))
		return true;
	probe_fail(result, "the control failed: a folder mounted on purpose "
			   "was not seen, so that a leak would not be either");
	return false;
}

static void judge(struct scene *scene, const struct plan *plan,
		  const char *const *own, struct probe_result *result)
{
	cleanup(scene_run_release) struct scene_run bare = SCENE_RUN_INIT;
	cleanup(scene_run_release) struct scene_run controlled = SCENE_RUN_INIT;
	struct error err;
	char extra[512];

	if (run_acts(scene, NULL, own, &bare, &err) < 0 ||
	    run_acts(scene, &control, own, &controlled, &err) < 0) {
		probe_inconclusive(result, &err);
		return;
	}
	find_extra_mount(plan, &bare, extra, sizeof(extra));
	if (*extra) {
		probe_fail(result, "%s is mounted inside and not in the plan",
			   extra);
		return;
	}
	if (judge_paths(plan, &bare, own, result) &&
	    judge_control(plan, &controlled, result))
		probe_pass(result, "mounts are those of the plan; host paths "
				   "absent, guarded files refused");
}

static void cleanup_plan(struct plan **plan)
{
	plan_free(*plan);
}

void probe_host_fs_sealed(struct scene *scene, struct probe_result *result)
{
	autofree char *here = getcwd(NULL, 0);
	const char *home = getenv("HOME");
	const char *own[4] = { boundary_audit_path(scene->boundary) };
	const char *const command[] = { "true", NULL };
	struct error err;
	cleanup(cleanup_plan) struct plan *plan =
		scene_plan(scene, ENVIRONMENT_NO_PROXY, NULL, command, &err);
	size_t n = 1;

	if (!plan) {
		probe_inconclusive(result, &err);
		return;
	}
	if (here && strcmp(here, "/") != 0)
		own[n++] = here;
	if (home && home[0] == '/' && home[1])
		own[n++] = home;
	own[n] = NULL;
	judge(scene, plan, own, result);
}
