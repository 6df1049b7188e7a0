/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sandbox/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/pidfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/fd.h"
#include "base/lockdown.h"
#include "base/spawn.h"
#include "sandbox/folder.h"

/* The child's descriptors by number; files and folders follow. */
enum {
	FD_ARGS = 3,
	FD_FILTER,
	FD_STATUS,
	FD_USER_NS,
	FD_NET_NS,
	FD_MORE
};

#define ARGS_MAX   (1u << 20)
#define STATUS_MAX 4096
/* Where mapped folders are attached, in a mount namespace of the child's. */
#define STAGE      "/tmp"

const char *launch_engine(struct error *err)
{
	static const char *const places[] = { "/usr/bin/bwrap",
					      "/usr/local/bin/bwrap" };

	for (size_t i = 0; i < ARRAY_SIZE(places); i++)
		if (access(places[i], X_OK) == 0)
			return places[i];
	error_kind_set(err, ERROR_BOUNDARY,
		       "bubblewrap (bwrap) is missing; on Debian: apt-get "
		       "install bubblewrap");
	return NULL;
}

/* ---- arguments: the plan in bubblewrap's words ---- */

struct bundle {
	struct buf args;
	struct spawn spawn;
	int owned[SPAWN_FDS_MAX]; /* descriptors to close afterwards */
	size_t owned_count;
	int next;         /* the child's next free number */
	int first_mapped; /* the child's number of the first mapped folder */
	int mapped;
};

static void bundle_release(struct bundle *bundle)
{
	for (size_t i = 0; i < bundle->owned_count; i++)
		close(bundle->owned[i]);
	buf_release(&bundle->args);
}

static void arg(struct bundle *bundle, const char *text)
{
	buf_add_text(&bundle->args, text);
	buf_add_byte(&bundle->args, '\0');
}

static void arg3(struct bundle *bundle, const char *option, const char *from,
		 const char *to)
{
	arg(bundle, option);
	arg(bundle, from);
	arg(bundle, to);
}

/* Pass a descriptor on under the next number; it is ours to close. */
static int give(struct bundle *bundle, int fd, struct error *err)
{
	struct spawn *spawn = &bundle->spawn;

	if (spawn->fd_count == SPAWN_FDS_MAX) {
		close(fd);
		return error_kind_set(err, ERROR_INPUT,
				      "too many folders (at most about %d)",
				      SPAWN_FDS_MAX - 20);
	}
	bundle->owned[bundle->owned_count++] = fd;
	spawn->fds[spawn->fd_count++] = (struct spawn_fd){ fd, bundle->next };
	return bundle->next++;
}

static int add_data(struct bundle *bundle, int fd, const char *to, bool runs,
		    struct error *err)
{
	char number[12];
	int given = fd < 0 ? -1 : give(bundle, fd, err);

	if (given < 0)
		return -1;
	snprintf(number, sizeof(number), "%d", given);
	arg(bundle, "--perms");
	arg(bundle, runs ? "0555" : "0444");
	arg3(bundle, "--ro-bind-data", number, to);
	return 0;
}

static int add_copy(struct bundle *bundle, const struct plan_step *step,
		    struct error *err)
{
	int fd = open(step->from, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0) {
		error_sys(err, "cannot open '%s'", step->from);
		fd_close(&fd);
		return -1;
	}
	return add_data(bundle, fd, step->to, st.st_mode & 0111, err);
}

/* Mapped folders are attached by the child, in the order they come here. */
static int add_folder(struct bundle *bundle, const struct plan_step *step,
		      const struct identity *identity, struct error *err)
{
	const char *option = step->kind == PLAN_BIND ? "--bind" : "--ro-bind";
	char stage[32];
	int tree, given;

	if (!identity->from_root) {
		arg3(bundle, option, step->from, step->to);
		return 0;
	}
	tree = folder_map(step->from, identity->agent, err);
	given = tree < 0 ? -1 : give(bundle, tree, err);
	if (given < 0)
		return -1;
	if (bundle->mapped++ == 0)
		bundle->first_mapped = given;
	snprintf(stage, sizeof(stage), STAGE "/%d", given);
	arg3(bundle, option, stage, step->to);
	return 0;
}

static int add_step(struct bundle *bundle, const struct plan_step *step,
		    const struct identity *identity, struct error *err)
{
	char size[24];

	if (step->folder)
		return add_folder(bundle, step, identity, err);
	switch (step->kind) {
	case PLAN_BIND:
		arg3(bundle, "--bind", step->from, step->to);
		break;
	case PLAN_BIND_RO:
		arg3(bundle, "--ro-bind", step->from, step->to);
		break;
	case PLAN_BIND_TRY:
		arg3(bundle, "--ro-bind-try", step->from, step->to);
		break;
	case PLAN_SYMLINK:
		arg3(bundle, "--symlink", step->from, step->to);
		break;
	case PLAN_FILE:
		return add_data(bundle,
				fd_from_bytes("file", step->from,
					      strlen(step->from), err),
				step->to, false, err);
	case PLAN_COPY:
		return add_copy(bundle, step, err);
	case PLAN_TMPFS:
		snprintf(size, sizeof(size), "%" PRIu64,
			 (uint64_t)PLAN_TMPFS_BYTES);
		arg(bundle, "--perms");
		arg(bundle, "1777");
		arg(bundle, "--size");
		arg3(bundle, size, "--tmpfs", step->to);
		break;
	case PLAN_DIR:
		arg(bundle, "--dir");
		arg(bundle, step->to);
		break;
	case PLAN_PROC:
		arg(bundle, "--proc");
		arg(bundle, step->to);
		break;
	case PLAN_DEV:
		arg(bundle, "--dev");
		arg(bundle, step->to);
		break;
	}
	return 0;
}

static const char *const isolation[] = {
	"--unshare-user",
	"--unshare-pid",
	"--unshare-ipc",
	"--unshare-uts",
	"--unshare-cgroup-try",
	"--disable-userns",
	"--die-with-parent",
	"--hostname",
	"cowork",
	"--uid",
	"1000",
	"--gid",
	"1000",
	"--seccomp",
	"4",
	"--json-status-fd",
	"5",
};
static_assert(FD_FILTER == 4 && FD_STATUS == 5 && PLAN_UID == 1000,
	      "isolation[] spells these numbers out");

static int add_arguments(struct bundle *bundle, const struct plan *plan,
			 const struct identity *identity, int terminal,
			 struct error *err)
{
	for (size_t i = 0; i < ARRAY_SIZE(isolation); i++)
		arg(bundle, isolation[i]);
	/* With a terminal of its own the child is a session already. */
	if (terminal < 0)
		arg(bundle, "--new-session");
	for (size_t i = 0; i < plan->step_count; i++)
		if (add_step(bundle, &plan->steps[i], identity, err) < 0)
			return -1;
#ifdef ENABLE_MUTANTS
	{
		const char *mutant = getenv("COWORK_MUTANT");

		if (mutant && strcmp(mutant, "sandbox-extra-mount") == 0)
			arg3(bundle, "--ro-bind", "/etc", "/mnt/extra");
	}
#endif
	arg(bundle, "--remount-ro");
	arg(bundle, "/");
	arg(bundle, "--chdir");
	arg(bundle, plan->cwd);
	return buf_failed(&bundle->args)
		       ? error_set(err,
				   "the sandbox's arguments are larger "
				   "than %u bytes",
				   ARGS_MAX)
		       : 0;
}

/* ---- the child, between fork and exec ---- */

struct child {
	const struct identity *identity;
	const struct bundle *bundle;
	int terminal;
};

/*
 * Attach the mapped folders in a mount namespace that only this process tree
 * has. A root caller's other sources are all passed as descriptors or lie in
 * /usr and /etc, so that nothing is missed under the stage.
 */
static int attach_mapped(const struct bundle *bundle, struct error *err)
{
	if (unshare(CLONE_NEWNS) < 0 ||
	    mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL) < 0 ||
	    mount("stage", STAGE, "tmpfs", MS_NOSUID | MS_NODEV,
		  "mode=0755,size=64k") < 0)
		return error_sys(err, "cannot prepare the folders' mounts");
	for (int i = 0; i < bundle->mapped; i++) {
		int fd = bundle->first_mapped + i;
		char path[32];

		snprintf(path, sizeof(path), STAGE "/%d", fd);
		if (mkdir(path, 0755) < 0 ||
		    move_mount(fd, "", AT_FDCWD, path,
			       MOVE_MOUNT_F_EMPTY_PATH) < 0)
			return error_sys(err, "cannot attach a folder");
		close(fd);
	}
	return 0;
}

static int own_session(int terminal, struct error *err)
{
	if (setsid() < 0 || ioctl(terminal, TIOCSCTTY, 0) < 0)
		return error_sys(err, "cannot take over the terminal");
	return 0;
}

static int prepare(void *arg, struct error *err)
{
	const struct child *child = arg;
	const struct seal seal = { .user_ns = FD_USER_NS, .net_ns = FD_NET_NS };

	if (child->terminal >= 0 && own_session(child->terminal, err) < 0)
		return -1;
	if (seal_enter(&seal, child->identity->agent, err) < 0)
		return -1;
	close(FD_USER_NS);
	close(FD_NET_NS);
	if (child->bundle->mapped && attach_mapped(child->bundle, err) < 0)
		return -1;
	if (chdir("/") < 0)
		return error_sys(err, "cannot change to '/'");
	umask(022);
	return 0;
}

/* ---- starting ---- */

static size_t count_list(char *const *list)
{
	size_t n = 0;

	while (list[n])
		n++;
	return n;
}

/*
 * bwrap --args 3 -- COMMAND...: only the command itself can be read inside. The
 * shell makes a command that is not there end with 127, one that cannot be run
 * with 126, instead of an error of the engine's.
 */
static const char **engine_argv(const struct plan *plan)
{
	static const char *const head[] = { "bwrap",       "--args",  "3",
					    "--",          "/bin/sh", "-c",
					    "exec \"$@\"", "sh" };
	size_t n = count_list(plan->command);
	const char **argv = calloc(ARRAY_SIZE(head) + n + 1, sizeof(*argv));

	if (!argv)
		return NULL;
	memcpy(argv, head, sizeof(head));
	memcpy(argv + ARRAY_SIZE(head), plan->command, n * sizeof(*argv));
	return argv;
}

static int add_fixed(struct bundle *bundle, const struct seal *seal,
		     const int stdio[3], int status, struct error *err)
{
	struct spawn *spawn = &bundle->spawn;
	int filter = lockdown_agent_filter(err);
	struct spawn_fd fixed[] = {
		{ stdio[0], 0 },
		{ stdio[1], 1 },
		{ stdio[2], 2 },
		{ filter, FD_FILTER },
		{ status, FD_STATUS },
		{ seal->user_ns, FD_USER_NS },
		{ seal->net_ns, FD_NET_NS },
	};

	if (filter < 0)
		return -1;
	bundle->owned[bundle->owned_count++] = filter;
	memcpy(spawn->fds, fixed, sizeof(fixed));
	spawn->fd_count = ARRAY_SIZE(fixed);
	bundle->next = FD_MORE;
	return 0;
}

static int add_args_file(struct bundle *bundle, struct error *err)
{
	struct spawn *spawn = &bundle->spawn;
	int fd = fd_from_bytes("arguments", bundle->args.data,
			       bundle->args.size, err);

	if (fd < 0)
		return -1;
	bundle->owned[bundle->owned_count++] = fd;
	spawn->fds[spawn->fd_count++] = (struct spawn_fd){ fd, FD_ARGS };
	return 0;
}

static int start(struct bundle *bundle, const struct plan *plan,
		 const struct child *child, struct launch *out,
		 struct error *err)
{
	const char *engine = launch_engine(err);
	autofree const char **argv = engine_argv(plan);

	if (!engine)
		return -1;
	if (!argv)
		return error_sys(err, "no memory to start a sandbox");
	bundle->spawn.program = engine;
	bundle->spawn.argv = argv;
	bundle->spawn.environment = (const char *const *)plan->environment;
	bundle->spawn.prepare = prepare;
	bundle->spawn.arg = (void *)child;
	bundle->spawn.own_pids = true;
	out->pid = spawn_start(&bundle->spawn, err);
	if (out->pid < 0)
		return -1;
	out->pid_fd = pidfd_open(out->pid, 0);
	return out->pid_fd < 0 ? error_sys(err, "cannot watch a process") : 0;
}

int launch_start(const struct seal *seal, const struct identity *identity,
		 const struct plan *plan, const int stdio[3], int terminal,
		 struct launch *out, struct error *err)
{
	cleanup(bundle_release) struct bundle bundle = {
		.args = BUF_INIT(ARGS_MAX),
	};
	const struct child child = { identity, &bundle, terminal };
	int status[2], result;

	*out = LAUNCH_INIT;
	if (pipe2(status, O_CLOEXEC) < 0)
		return error_sys(err, "cannot make a pipe");
	result = add_fixed(&bundle, seal, stdio, status[1], err);
	if (result == 0)
		result = add_arguments(&bundle, plan, identity, terminal, err);
	if (result == 0)
		result = add_args_file(&bundle, err);
	if (result == 0)
		result = start(&bundle, plan, &child, out, err);
	close(status[1]);
	out->status = status[0];
	if (result == 0)
		return 0;
	launch_kill(out);
	err->kind = err->kind == ERROR_INPUT ? ERROR_INPUT : ERROR_BOUNDARY;
	return error_wrap(err, "cannot start the sandbox");
}

/* ---- the end ---- */

/* bubblewrap reports {"child-pid":...}, and at the end {"exit-code":N}. */
static int reported_code(const char *report)
{
	static const char key[] = "\"exit-code\":";
	const char *at = strstr(report, key);

	return at ? atoi(at + sizeof(key) - 1) : -1;
}

int launch_wait(struct launch *launch, struct error *err)
{
	autofree char *report = NULL;
	char how[80];
	size_t size;
	int status, code;

	status = spawn_wait(launch->pid);
	report = fd_read_all(launch->status, "the sandbox's report", STATUS_MAX,
			     &size, err);
	fd_close(&launch->status);
	fd_close(&launch->pid_fd);
	launch->pid = -1;
	if (!report)
		return -1;
	code = reported_code(report);
	if (code >= 0)
		return code;
	spawn_describe(status, how, sizeof(how));
	if (WIFSIGNALED(status) && strstr(report, "child-pid"))
		return error_kind_set(err, ERROR_BOUNDARY,
				      "the sandbox was ended from outside: "
				      "bubblewrap %s",
				      how);
	return error_kind_set(err, ERROR_BOUNDARY,
			      "the sandbox could not be built: bubblewrap %s "
			      "(what it said comes before this); 'cowork-run "
			      "doctor' says what this machine lacks",
			      how);
}

void launch_kill(struct launch *launch)
{
	if (launch->pid > 0) {
		kill(launch->pid, SIGKILL);
		spawn_wait(launch->pid);
	}
	fd_close(&launch->pid_fd);
	fd_close(&launch->status);
	launch->pid = -1;
}
