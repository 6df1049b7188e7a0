/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SCRATCH - a folder of a test's own, gone when the test ends. */
#ifndef TESTS_UNIT_SCRATCH_H
#define TESTS_UNIT_SCRATCH_H

#include "tests/unit/unit.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"

struct scratch {
	char folder[64];
	char path[128]; /* of what scratch_path() was last asked for */
};

static inline struct scratch scratch_new(void)
{
	struct scratch scratch = { "scratch-XXXXXX", "" };

	assert_non_null(mkdtemp(scratch.folder));
	return scratch;
}

/* Flat: files, links, empty folders. */
static inline void scratch_release(struct scratch *scratch)
{
	DIR *dir = opendir(scratch->folder);
	struct dirent *item;

	while (dir && (item = readdir(dir)))
		if (strcmp(item->d_name, ".") && strcmp(item->d_name, "..") &&
		    unlinkat(dirfd(dir), item->d_name, 0) < 0)
			unlinkat(dirfd(dir), item->d_name, AT_REMOVEDIR);
	if (dir)
		closedir(dir);
	rmdir(scratch->folder);
}

#define autoscratch cleanup(scratch_release)

static inline const char *scratch_path(struct scratch *scratch,
				       const char *name)
{
	snprintf(scratch->path, sizeof(scratch->path), "%s/%s", scratch->folder,
		 name);
	return scratch->path;
}

static inline const char *scratch_write(struct scratch *scratch,
					const char *name, struct span bytes)
{
	const char *path = scratch_path(scratch, name);
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes.data, 1, bytes.size, file), bytes.size);
	assert_int_equal(fclose(file), 0);
	return path;
}

#endif
