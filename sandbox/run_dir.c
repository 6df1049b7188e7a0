/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sandbox/run_dir.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/cleanup.h"

char *run_dir_make(struct user_ids owner, struct error *err)
{
	const char *parent = getenv("TMPDIR");
	autofree char *path = NULL;

	if (!parent || !*parent)
		parent = "/tmp";
	if (asprintf(&path, "%s/cowork-boundary-XXXXXX", parent) < 0)
		path = NULL;
	if (!path || !mkdtemp(path)) {
		error_sys(err, "cannot make a folder in '%s'", parent);
		return NULL;
	}
	if (geteuid() != owner.uid && chown(path, owner.uid, owner.gid) < 0) {
		error_sys(err, "cannot hand over '%s'", path);
		rmdir(path);
		return NULL;
	}
	return steal(path);
}

void run_dir_remove(const char *path)
{
	DIR *dir = path ? opendir(path) : NULL;
	struct dirent *item;

	if (!dir)
		return;
	while ((item = readdir(dir)))
		unlinkat(dirfd(dir), item->d_name, 0);
	closedir(dir);
	rmdir(path);
}
