/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sandbox/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

/*
 * What every sandbox shows, before the caller's folders. /usr is the only tree
 * of the host; /etc holds the few files without which common programs break.
 */
static const struct {
	enum plan_step_kind kind;
	const char *from, *to;
} fixed_steps[] = {
	{ PLAN_BIND_RO, "/usr", "/usr" },
	{ PLAN_SYMLINK, "usr/bin", "/bin" },
	{ PLAN_SYMLINK, "usr/sbin", "/sbin" },
	{ PLAN_SYMLINK, "usr/lib", "/lib" },
	{ PLAN_SYMLINK, "usr/lib64", "/lib64" },
	{ PLAN_PROC, "", "/proc" },
	{ PLAN_DEV, "", "/dev" },
	{ PLAN_TMPFS, "", "/tmp" },
	{ PLAN_SYMLINK, "/tmp", "/var/tmp" },
	{ PLAN_BIND_TRY, "/etc/alternatives", "/etc/alternatives" },
	{ PLAN_BIND_TRY, "/etc/ld.so.cache", "/etc/ld.so.cache" },
	{ PLAN_BIND_TRY, "/etc/localtime", "/etc/localtime" },
	{ PLAN_BIND_TRY, "/etc/ssl/openssl.cnf", "/etc/ssl/openssl.cnf" },
	{ PLAN_FILE,
	  "root:x:0:0:root:/root:/usr/sbin/nologin\n"
	  "agent:x:1000:1000:agent:/tmp:/bin/sh\n"
	  "nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n",
	  "/etc/passwd" },
	{ PLAN_FILE, "root:x:0:\nagent:x:1000:\nnogroup:x:65534:\n",
	  "/etc/group" },
	{ PLAN_FILE, "127.0.0.1 localhost cowork\n::1 localhost cowork\n",
	  "/etc/hosts" },
	/* No DNS server is asked: names are the proxy's business. */
	{ PLAN_FILE, "passwd: files\ngroup: files\nhosts: files\n",
	  "/etc/nsswitch.conf" },
};

#define CA_BUNDLE "/etc/ssl/certs/ca-certificates.crt"

static int add_step(struct plan *plan, enum plan_step_kind kind,
		    const char *from, const char *to)
{
	struct plan_step *steps =
		reallocarray(plan->steps, plan->step_count + 1, sizeof(*steps));
	struct plan_step *step;

	if (!steps)
		return -1;
	plan->steps = steps;
	step = &steps[plan->step_count++];
	*step = (struct plan_step){ .kind = kind };
	step->from = strdup(from);
	step->to = strdup(to);
	return step->from && step->to ? 0 : -1;
}

static bool id_ok(const char *id)
{
	size_t n = strspn(id, "abcdefghijklmnopqrstuvwxyz"
			      "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");

	return n > 0 && n <= PLAN_ID_MAX && id[n] == '\0';
}

/* One path segment: not empty, '.' or '..', no '/', '\', ':' or controls. */
static bool name_ok(const char *name)
{
	if (!*name || strlen(name) > PLAN_FOLDER_NAME_MAX ||
	    strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
		return false;
	for (const char *c = name; *c; c++)
		if (strchr("/\\:", *c) || (unsigned char)*c < ' ' || *c == 0x7f)
			return false;
	return true;
}

static int check_spec(const struct plan_spec *spec, struct error *err)
{
	if (!id_ok(spec->id))
		return error_kind_set(err, ERROR_INPUT,
				      "'%s' is not a session id (1 to %d of "
				      "A-Z a-z 0-9 _ -)",
				      spec->id, PLAN_ID_MAX);
	for (size_t i = 0; i < spec->folder_count; i++) {
		const char *name = spec->folders[i].name;

		if (!name_ok(name))
			return error_kind_set(err, ERROR_INPUT,
					      "'%s' cannot be a folder's name "
					      "inside",
					      name);
		for (size_t k = 0; k < i; k++)
			if (strcmp(spec->folders[k].name, name) == 0)
				return error_kind_set(
					err, ERROR_INPUT,
					"two folders are both named '%s'; "
					"rename one of them",
					name);
	}
	return 0;
}

static int add_home(struct plan *plan, const struct plan_spec *spec)
{
	autofree char *mnt = NULL;

	if (asprintf(&plan->home, "/sessions/%s", spec->id) < 0 ||
	    asprintf(&mnt, "%s/mnt", plan->home) < 0)
		return -1;
	if (add_step(plan, PLAN_TMPFS, "", plan->home) < 0 ||
	    add_step(plan, PLAN_DIR, "", mnt) < 0)
		return -1;
	for (size_t i = 0; i < spec->folder_count; i++) {
		const struct plan_folder *folder = &spec->folders[i];
		autofree char *to = NULL;

		if (asprintf(&to, "%s/%s", mnt, folder->name) < 0 ||
		    add_step(plan, folder->read_only ? PLAN_BIND_RO : PLAN_BIND,
			     folder->from, to) < 0)
			return -1;
		plan->steps[plan->step_count - 1].folder = true;
	}
	if (!spec->work_folder)
		plan->cwd = strdup(plan->home);
	else if (asprintf(&plan->cwd, "%s/%s", mnt, spec->work_folder) < 0)
		plan->cwd = NULL;
	return plan->cwd ? 0 : -1;
}

static char **copy_list(char *const *list)
{
	size_t count = 0;
	char **copy;

	while (list[count])
		count++;
	copy = calloc(count + 1, sizeof(*copy));
	for (size_t i = 0; copy && i < count; i++) {
		copy[i] = strdup(list[i]);
		if (!copy[i]) {
			environment_free(copy);
			return NULL;
		}
	}
	return copy;
}

static int add_steps(struct plan *plan, const struct plan_spec *spec)
{
	for (size_t i = 0; i < ARRAY_SIZE(fixed_steps); i++)
		if (add_step(plan, fixed_steps[i].kind, fixed_steps[i].from,
			     fixed_steps[i].to) < 0)
			return -1;
	if (spec->ca_bundle &&
	    add_step(plan, PLAN_COPY, spec->ca_bundle, CA_BUNDLE) < 0)
		return -1;
	if (spec->program_path &&
	    add_step(plan, PLAN_COPY, spec->program, spec->program_path) < 0)
		return -1;
	if (spec->control && add_step(plan, PLAN_BIND_RO, spec->control->from,
				      spec->control->to) < 0)
		return -1;
	return add_home(plan, spec);
}

static void plan_cleanup(struct plan **plan)
{
	plan_free(*plan);
}

struct plan *plan_build(const struct plan_spec *spec, struct error *err)
{
	cleanup(plan_cleanup) struct plan *plan = calloc(1, sizeof(*plan));
	struct environment_spec environment = spec->environment;

	if (check_spec(spec, err) < 0)
		return NULL;
	if (!plan || !(plan->id = strdup(spec->id)) ||
	    add_steps(plan, spec) < 0 ||
	    !(plan->command = copy_list(spec->command))) {
		error_sys(err, "no memory for a plan");
		return NULL;
	}
	environment.home = plan->home;
	plan->environment = environment_build(&environment, err);
	if (!plan->environment)
		return NULL;
	return steal(plan);
}

void plan_free(struct plan *plan)
{
	if (!plan)
		return;
	for (size_t i = 0; i < plan->step_count; i++) {
		free(plan->steps[i].from);
		free(plan->steps[i].to);
	}
	free(plan->steps);
	free(plan->id);
	free(plan->home);
	free(plan->cwd);
	environment_free(plan->environment);
	environment_free(plan->command);
	free(plan);
}

static const char *const kind_name[] = {
	[PLAN_BIND] = "bind",
	[PLAN_BIND_RO] = "bind-read-only",
	[PLAN_BIND_TRY] = "bind-if-there",
	[PLAN_FILE] = "file",
	[PLAN_COPY] = "copy",
	[PLAN_SYMLINK] = "symlink",
	[PLAN_TMPFS] = "tmpfs",
	[PLAN_DIR] = "folder",
	[PLAN_PROC] = "proc",
	[PLAN_DEV] = "dev",
};

void plan_print(const struct plan *plan, struct buf *out)
{
	for (size_t i = 0; i < plan->step_count; i++) {
		const struct plan_step *step = &plan->steps[i];

		buf_addf(out, "%s %s", kind_name[step->kind], step->to);
		if (*step->from) {
			buf_add_text(out, " = ");
			buf_add_json(out, span_of(step->from));
		}
		buf_add_byte(out, '\n');
	}
	buf_addf(out, "cwd %s\n", plan->cwd);
	for (size_t i = 0; plan->environment[i]; i++)
		buf_addf(out, "env %s\n", plan->environment[i]);
	for (size_t i = 0; plan->command[i]; i++)
		buf_addf(out, "arg %s\n", plan->command[i]);
}

static bool makes_mount(enum plan_step_kind kind)
{
	return kind != PLAN_SYMLINK && kind != PLAN_DIR;
}

bool plan_explains_mount(const struct plan *plan, const char *mount_point)
{
	static const char *const always[] = {
		"/",         "/dev/null",   "/dev/zero",
		"/dev/full", "/dev/random", "/dev/urandom",
		"/dev/tty",  "/dev/pts",    "/dev/console",
		"/dev/shm",
	};

	for (size_t i = 0; i < ARRAY_SIZE(always); i++)
		if (strcmp(mount_point, always[i]) == 0)
			return true;
	for (size_t i = 0; i < plan->step_count; i++)
		if (makes_mount(plan->steps[i].kind) &&
		    strcmp(mount_point, plan->steps[i].to) == 0)
			return true;
	return false;
}
