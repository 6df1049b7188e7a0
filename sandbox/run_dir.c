/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sandbox/run_dir.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"

#define PREFIX "cowork-boundary-"
#define LOCK   "lock"

/* The files in it, then the folder itself. Takes the descriptor. */
static void empty_and_remove(int fd, const char *path)
{
	DIR *dir = fdopendir(fd);
	const struct dirent *item;

	if (!dir) {
		close(fd);
		return;
	}
	while ((item = readdir(dir)))
		unlinkat(dirfd(dir), item->d_name, 0);
	closedir(dir);
	rmdir(path);
}

/* Ours, and its maker is gone: there is a lock, and nobody holds it. */
static bool abandoned(int fd, uid_t owner)
{
	autoclose int lock =
		openat(fd, LOCK, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	struct stat st;

	return lock >= 0 && fstat(fd, &st) == 0 && st.st_uid == owner &&
	       flock(lock, LOCK_EX | LOCK_NB) == 0;
}

static void sweep(const char *parent, uid_t owner)
{
	DIR *dir = opendir(parent);
	const struct dirent *item;

	while (dir && (item = readdir(dir))) {
		autofree char *path = NULL;
		int fd;

		if (strncmp(item->d_name, PREFIX, sizeof(PREFIX) - 1) != 0 ||
		    asprintf(&path, "%s/%s", parent, item->d_name) < 0)
			continue;
		fd = open(path,
			  O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
		if (fd >= 0 && abandoned(fd, owner))
			empty_and_remove(fd, path);
		else
			fd_close(&fd);
	}
	if (dir)
		closedir(dir);
}

/*
 * The lock is held before it has a name, so that nobody finds it free. Where a
 * file system has no nameless files, the folder is just never swept.
 */
static int take_lock(const char *path)
{
	autofree char *name = NULL;
	char self[32];
	int fd = open(path, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd < 0 || asprintf(&name, "%s/" LOCK, path) < 0)
		return fd;
	snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
	if (flock(fd, LOCK_EX) < 0 ||
	    linkat(AT_FDCWD, self, AT_FDCWD, name, AT_SYMLINK_FOLLOW) < 0)
		fd_close(&fd);
	return fd;
}

int run_dir_make(struct user_ids owner, struct run_dir *out, struct error *err)
{
	const char *parent = getenv("TMPDIR");
	autofree char *path = NULL;

	*out = RUN_DIR_INIT;
	if (!parent || !*parent)
		parent = "/tmp";
	sweep(parent, owner.uid);
	if (asprintf(&path, "%s/" PREFIX "XXXXXX", parent) < 0)
		path = NULL;
	if (!path || !mkdtemp(path))
		return error_sys(err, "cannot make a folder in '%s' (TMPDIR)",
				 parent);
	out->lock = take_lock(path);
	if (geteuid() != owner.uid && chown(path, owner.uid, owner.gid) < 0) {
		error_sys(err, "cannot hand over '%s'", path);
		out->path = steal(path);
		run_dir_remove(out);
		return -1;
	}
	out->path = steal(path);
	return 0;
}

void run_dir_remove(struct run_dir *dir)
{
	int fd = dir->path ? open(dir->path, O_RDONLY | O_DIRECTORY |
						     O_CLOEXEC | O_NOFOLLOW)
			   : -1;

	if (fd >= 0)
		empty_and_remove(fd, dir->path);
	free(dir->path);
	fd_close(&dir->lock);
	dir->path = NULL;
}
