/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PLAN - everything that a process inside will see, as pure data.
 * Built before anything is started and compared with golden files; the launcher
 * (launch.h) carries it out and a probe compares what it finds inside with it.
 * Nothing is visible that the plan does not name. */
#ifndef SANDBOX_PLAN_H
#define SANDBOX_PLAN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/compiler.h"
#include "base/error.h"
#include "sandbox/environment.h"

#define PLAN_UID             1000 /* inside; outside it is the agent's own id */
#define PLAN_TMPFS_BYTES     (1ull << 30) /* each of /tmp and the session's home */
#define PLAN_ID_MAX          64
#define PLAN_FOLDER_NAME_MAX 128

enum plan_step_kind {
	PLAN_BIND,     /* a host folder or file, writable */
	PLAN_BIND_RO,  /* the same, read-only */
	PLAN_BIND_TRY, /* a host file, read-only, where it exists */
	PLAN_FILE,     /* a file of ours, read-only */
	PLAN_COPY,     /* a copy of a host file, read-only, run where it runs */
	PLAN_SYMLINK,
	PLAN_TMPFS,
	PLAN_DIR,
	PLAN_PROC,
	PLAN_DEV,
};

struct plan_step {
	enum plan_step_kind kind;
	char *from;  /* host path; symlink: target; file: contents */
	char *to;    /* inside */
	bool folder; /* one of the caller's, which may need its ids mapped */
};

/* One folder of the caller's. */
struct plan_folder {
	const char *from; /* absolute, resolved */
	const char *name; /* under mnt/ */
	bool read_only;
};

/* One more read-only host path, for a probe's control. */
struct plan_control {
	const char *from, *to;
};

struct plan_spec {
	const char *id; /* of the session: [A-Za-z0-9_-]+ */
	const struct plan_folder *folders;
	size_t folder_count;
	const char *ca_bundle;    /* host path; NULL: none */
	const char *program;      /* host path of one more program... */
	const char *program_path; /* ...and where it goes; NULL: none */
	const struct plan_control *control;  /* NULL: none */
	struct environment_spec environment; /* home is filled in here */
	const char *work_folder; /* a folder's name, or NULL: the home */
	char *const *command;    /* NULL-terminated */
};

struct plan {
	char *id;
	char *home; /* /sessions/<id> */
	char *cwd;
	struct plan_step *steps; /* in order */
	size_t step_count;
	char **environment;
	char **command;
};

struct plan *plan_build(const struct plan_spec *spec,
			struct error *err) MUST_CHECK NONNULL(1, 2);
void plan_free(struct plan *plan);

/* Write it as text, one step a line: what golden files hold. */
void plan_print(const struct plan *plan, struct buf *out) NONNULL(1, 2);

/*
 * Is this a mount point that the plan makes, or one that always comes with
 * /proc and /dev?
 */
bool plan_explains_mount(const struct plan *plan, const char *mount_point)
	NONNULL(1, 2);

#endif
