/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sandbox/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/spawn.h"

/* Nobody's work lies in these themselves, only below some of them. */
static const char *const system_folders[] = {
	"/",     "/bin", "/boot", "/dev", "/etc", "/home", "/lib",     "/lib64",
	"/proc", "/run", "/sbin", "/sys", "/usr", "/var",  "/var/lib",
};

/* How long a walk may take before something is said about it. */
#define PATIENCE_MS 2000

/* What a kind of file is called, or NULL where it is harmless. */
static const char *harmful(mode_t mode)
{
	if (S_ISSOCK(mode))
		return "a socket";
	if (S_ISFIFO(mode))
		return "a FIFO";
	if (S_ISCHR(mode) || S_ISBLK(mode))
		return "a device";
	return NULL;
}

static int check_item(const FTSENT *item, const char *path, struct error *err)
{
	const char *what;

	if (item->fts_info == FTS_DNR || item->fts_info == FTS_ERR ||
	    item->fts_info == FTS_NS) {
		errno = item->fts_errno;
		return error_sys(err, "cannot look through '%s'",
				 item->fts_path);
	}
	what = harmful(item->fts_statp->st_mode);
	if (what)
		return error_kind_set(err, ERROR_BOUNDARY,
				      "folder '%s' holds %s ('%s'), a way to a "
				      "process outside; remove it or mount a "
				      "folder without it",
				      path, what, item->fts_path);
	return 0;
}

static void close_walk(FTS **walk)
{
	if (*walk)
		fts_close(*walk);
}

/* Mounts below the folder do not come along, so they are not looked at. */
static int check_tree(const char *path, struct error *err)
{
	char *const roots[] = { (char *)path, NULL };
	cleanup(close_walk) FTS *walk =
		fts_open(roots, FTS_PHYSICAL | FTS_XDEV | FTS_NOCHDIR, NULL);
	uint64_t patience = clock_monotonic_ms() + PATIENCE_MS;
	bool said = false;
	FTSENT *item;

	if (!walk)
		return error_sys(err, "cannot look through '%s'", path);
	while ((errno = 0, item = fts_read(walk))) {
		if (check_item(item, path, err) < 0)
			return -1;
		if (!said && clock_monotonic_ms() > patience) {
			log_notice("looking through '%s' for sockets and "
				   "devices; a smaller folder takes less",
				   path);
			said = true;
		}
	}
	return errno ? error_sys(err, "cannot look through '%s'", path) : 0;
}

char *folder_check(const char *path, struct error *err)
{
	autofree char *resolved = realpath(path, NULL);
	struct stat st;

	if (!resolved || stat(resolved, &st) < 0) {
		error_sys(err, "cannot mount folder '%s'", path);
		return NULL;
	}
	if (!S_ISDIR(st.st_mode)) {
		error_kind_set(err, ERROR_INPUT,
			       "cannot mount '%s': it is not a folder", path);
		return NULL;
	}
	for (size_t i = 0; i < ARRAY_SIZE(system_folders); i++)
		if (strcmp(resolved, system_folders[i]) == 0) {
			error_kind_set(err, ERROR_BOUNDARY,
				       "mounting '%s' would open the host's "
				       "system; name the folder that is "
				       "needed",
				       resolved);
			return NULL;
		}
	if (check_tree(resolved, err) < 0)
		return NULL;
	return steal(resolved);
}

/* ---- mapping ids ---- */

static int write_map(pid_t pid, const char *which, unsigned from, unsigned to,
		     struct error *err)
{
	char path[64], map[48];
	autoclose int fd = -1;
	int n = snprintf(map, sizeof(map), "%u %u 1", from, to);

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, which);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0 || write(fd, map, (size_t)n) != n)
		return error_sys(err, "cannot write '%s'", path);
	return 0;
}

/*
 * A user namespace that maps the owner's ids to the agent's. It only describes
 * the mapping; the process that made it ends at once.
 */
static int map_namespace(const struct stat *owner, struct user_ids agent,
			 struct error *err)
{
	char path[40];
	int fd = -1, ready[2];
	char byte;
	pid_t pid;

	if (pipe2(ready, O_CLOEXEC) < 0)
		return error_sys(err, "cannot make a pipe");
	pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (unshare(CLONE_NEWUSER) == 0 && write(ready[1], "x", 1) == 1)
			pause();
		_exit(1);
	}
	close(ready[1]);
	error_set(err, "cannot make a user namespace for a folder's owner");
	if (pid > 0 && read(ready[0], &byte, 1) == 1 &&
	    write_map(pid, "uid_map", owner->st_uid, agent.uid, err) == 0 &&
	    write_map(pid, "gid_map", owner->st_gid, agent.gid, err) == 0) {
		snprintf(path, sizeof(path), "/proc/%d/ns/user", (int)pid);
		fd = open(path, O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			error_sys(err, "cannot open '%s'", path);
	}
	close(ready[0]);
	if (pid > 0) {
		kill(pid, SIGKILL);
		spawn_wait(pid);
	}
	return fd;
}

int folder_map(const char *path, struct user_ids agent, struct error *err)
{
	autoclose int tree = -1;
	autoclose int ns = -1;
	struct mount_attr attr = {
		.attr_set =
			MOUNT_ATTR_IDMAP | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV,
	};
	struct stat owner;

	if (stat(path, &owner) < 0)
		return error_sys(err, "cannot mount folder '%s'", path);
	ns = map_namespace(&owner, agent, err);
	if (ns < 0)
		return -1;
	tree = open_tree(AT_FDCWD, path,
			 OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC |
				 AT_SYMLINK_NOFOLLOW);
	if (tree < 0)
		return error_sys(err, "cannot mount folder '%s'", path);
	attr.userns_fd = (unsigned)ns;
	if (mount_setattr(tree, "", AT_EMPTY_PATH, &attr, sizeof(attr)) < 0)
		return error_sys(err,
				 "cannot map the owner of folder '%s' to the "
				 "agent (its file system may not support "
				 "idmapped mounts); run as the folder's owner "
				 "instead of root",
				 path);
	return steal_fd(&tree);
}
