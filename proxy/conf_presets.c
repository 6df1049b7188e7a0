/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of hosts that come with us, included into a policy by their name. A
 * preset holds 'allow' and nothing else, so that none includes another. */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fd.h"
#include "base/where.h"
#include "proxy/conf_int.h"

#define PRESET_NAME_MAX 64

/* One segment of a path: nothing in it can lead out of the folder. */
static bool is_preset_name(const char *name)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyz0123456789-";
	size_t size = strlen(name);

	return size > 0 && size <= PRESET_NAME_MAX && name[0] != '-' &&
	       strspn(name, allowed) == size;
}

/* In the source tree the folder stands below conf/. */
static char *presets_folder(struct error *err)
{
	char *folder = where_data("conf/presets", err);

	return folder ? folder : where_data("presets", err);
}

static const struct yaml_field preset_fields[] = {
	{ .name = "allow", .read = conf_read_allow, .required = true },
};

static void doc_cleanup(struct yaml_doc **doc)
{
	yaml_doc_free(*doc);
}

/* shown: what origins and messages call the file, wherever it was found. */
static int read_preset(struct judge *judge, const char *path, const char *shown,
		       struct error *err)
{
	size_t size;
	autofree char *text = fd_read_file(path, YAML_SIZE_MAX, &size, err);
	cleanup(doc_cleanup) struct yaml_doc *doc = NULL;

	if (!text)
		return -1;
	doc = yaml_load_text(shown, (struct span){ text, size }, err);
	if (!doc)
		return -1;
	return yaml_read_map(yaml_root(doc), preset_fields,
			     ARRAY_SIZE(preset_fields), judge, err);
}

static int take_preset(void *where, const struct yaml_node *item,
		       struct error *err)
{
	autofree char *folder = NULL, *path = NULL, *shown = NULL;
	const char *name;

	if (conf_need_text(item, err) < 0)
		return -1;
	name = yaml_text(item);
	if (!is_preset_name(name))
		return yaml_error(err, item,
				  "a preset's name is of a-z, 0-9 and '-'");
	folder = presets_folder(err);
	if (!folder)
		return yaml_error(err, item, "the presets are not installed");
	if (asprintf(&path, "%s/%s.yaml", folder, name) < 0)
		path = NULL;
	if (asprintf(&shown, "presets/%s.yaml", name) < 0)
		shown = NULL;
	if (!path || !shown)
		return error_sys(err, "no memory for a preset");
	if (access(path, R_OK) < 0)
		return yaml_error(err, item, "there is no preset '%s'", name);
	return read_preset(where, path, shown, err);
}

int conf_read_include(const struct yaml_field *field,
		      const struct yaml_node *value, void *where,
		      struct error *err)
{
	return conf_each_text(field, value, where, take_preset, err);
}
