/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "baselines/shelf.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/span.h"
#include "base/where.h"

#include "baselines/baseline.h"

#define PREFIX SPAN("desktop-")
#define SUFFIX SPAN(".json")

/* A version's bytes: nothing that could step out of the folder. */
#define VERSION_BYTES    \
	"0123456789.-_+" \
	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

static void dir_cleanup(DIR **dir)
{
	if (*dir)
		closedir(*dir);
}

/* ---- the order of versions ---- */

/* The digits of the first segment without leading zeros; none if it is 0. */
static struct span take_segment(struct span *rest)
{
	size_t end = span_find(*rest, '.');
	struct span segment = span_head(*rest, end);

	*rest = span_skip(*rest, end < rest->size ? end + 1 : end);
	for (size_t i = 0; i < segment.size; i++)
		if (segment.data[i] < '0' || segment.data[i] > '9')
			return span_head(segment, 0);
	while (segment.size > 0 && segment.data[0] == '0')
		segment = span_skip(segment, 1);
	return segment;
}

int baseline_version_compare(const char *a, const char *b)
{
	struct span left = span_of(a), right = span_of(b);

	while (left.size > 0 || right.size > 0) {
		struct span x = take_segment(&left), y = take_segment(&right);
		int order;

		if (x.size != y.size)
			return x.size < y.size ? -1 : 1;
		order = x.size ? memcmp(x.data, y.data, x.size) : 0;
		if (order)
			return order < 0 ? -1 : 1;
	}
	return 0;
}

/* ---- names ---- */

/* "desktop-VERSION.json" -> VERSION, a fresh text; NULL for other names. */
static char *version_of(const char *file)
{
	struct span name = span_of(file);
	size_t size;

	if (!span_starts(name, PREFIX))
		return NULL;
	name = span_skip(name, PREFIX.size);
	if (name.size <= SUFFIX.size)
		return NULL;
	size = name.size - SUFFIX.size;
	if (!span_equal(span_skip(name, size), SUFFIX) ||
	    strspn(name.data, VERSION_BYTES) != name.size)
		return NULL;
	return strndup(name.data, size);
}

/*
 * The highest version in the folder, or NULL. Equal versions in two spellings
 * are told apart by their text, so that the order of the folder never decides.
 */
static char *highest_version(DIR *dir)
{
	autofree char *best = NULL;
	const struct dirent *item;

	while ((item = readdir(dir)) != NULL) {
		autofree char *version = version_of(item->d_name);
		int order;

		if (!version)
			continue;
		order = best ? baseline_version_compare(version, best) : 1;
		if (order == 0)
			order = strcmp(version, best);
		if (order > 0) {
			free(best);
			best = steal(version);
		}
	}
	return steal(best);
}

static char *latest_version(const char *folder, struct error *err)
{
	cleanup(dir_cleanup) DIR *dir = opendir(folder);
	char *version;

	if (!dir) {
		error_sys(err, "cannot open '%s'", folder);
		return NULL;
	}
	version = highest_version(dir);
	if (!version)
		error_kind_set(err, ERROR_SYSTEM,
			       "no baseline (desktop-*.json) in '%s'", folder);
	return version;
}

/* The version that a name means, as a fresh text. */
static char *named_version(const char *folder, const char *name,
			   struct error *err)
{
	char *version;

	if (strcmp(name, "latest") == 0)
		return latest_version(folder, err);
	version = version_of(name);
	if (!version && *name && strspn(name, VERSION_BYTES) == strlen(name))
		version = strdup(name);
	if (!version)
		error_kind_set(err, ERROR_INPUT,
			       "'%s' is no baseline: write 'latest', a version "
			       "such as 1.37937.1, 'desktop-VERSION.json', or "
			       "a path with a '/'",
			       name);
	return version;
}

char *shelf_find(const char *name_or_path, struct error *err)
{
	autofree char *folder = NULL, *version = NULL;
	char *path = NULL;

	if (strchr(name_or_path, '/')) {
		path = strdup(name_or_path);
		if (!path)
			error_sys(err, "no memory for a path");
		return path;
	}
	folder = where_data("baselines", err);
	if (!folder)
		return NULL;
	version = named_version(folder, name_or_path, err);
	if (!version)
		return NULL;
	if (asprintf(&path, "%s/desktop-%s.json", folder, version) < 0) {
		error_sys(err, "no memory for a path");
		return NULL;
	}
	if (access(path, F_OK) == 0)
		return path;
	free(path);
	error_kind_set(err, ERROR_INPUT, "no baseline '%s' in '%s'", version,
		       folder);
	return NULL;
}
