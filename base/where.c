/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "base/where.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"

/* The folder of the running program, or NULL with an error. */
static char *own_folder(struct error *err)
{
	char path[4096];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);
	char *slash, *folder;

	if (n <= 0) {
		error_sys(err, "cannot read /proc/self/exe");
		return NULL;
	}
	path[n] = '\0';
	slash = strrchr(path, '/');
	*slash = '\0';
	folder = strdup(path);
	if (!folder)
		error_sys(err, "no memory for a path");
	return folder;
}

/* folder + between + name, if it is there and usable in that mode. */
static char *try_path(const char *folder, const char *between, const char *name,
		      int mode)
{
	char *path;

	if (asprintf(&path, "%s%s%s", folder, between, name) < 0)
		return NULL;
	if (access(path, mode) == 0)
		return path;
	free(path);
	return NULL;
}

char *where_program(const char *name, struct error *err)
{
	autofree char *folder = own_folder(err);
	char *path;

	if (!folder)
		return NULL;
	path = try_path(folder, "/", name, X_OK);
	if (!path)
		path = try_path(BINDIR, "/", name, X_OK);
	if (!path)
		error_kind_set(err, ERROR_SYSTEM,
			       "program '%s' is neither in '%s' nor in '%s'; "
			       "install cowork-boundary whole",
			       name, folder, BINDIR);
	return path;
}

char *where_data(const char *name, struct error *err)
{
	static const char *const between[] = {
		"/../", /* a build folder in the source tree */
		"/../share/cowork-boundary/",
		"/", /* built in the source tree itself */
	};
	const char *chosen = getenv("COWORK_BOUNDARY_DATA");
	autofree char *folder = own_folder(err);
	char *path = NULL;

	if (!folder)
		return NULL;
	if (chosen && *chosen)
		path = try_path(chosen, "/", name, R_OK);
	for (size_t i = 0; !path && i < ARRAY_SIZE(between); i++)
		path = try_path(folder, between[i], name, R_OK);
	if (!path)
		path = try_path(PKGDATADIR, "/", name, R_OK);
	if (!path)
		error_kind_set(err, ERROR_SYSTEM,
			       "'%s' is neither beside the program ('%s') nor "
			       "in '%s'",
			       name, folder, PKGDATADIR);
	return path;
}
