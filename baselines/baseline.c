/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "baselines/baseline.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/json.h"

#include "policy/entry.h"

#include "baselines/shelf.h"

struct baseline {
	char *name;
	json_t *document;
	const char *app_version, *agent_version;
	const json_t *domains;
};

void baseline_free(struct baseline *baseline)
{
	if (!baseline)
		return;
	json_decref(baseline->document);
	free(baseline->name);
	free(baseline);
}

static void baseline_cleanup(struct baseline **baseline)
{
	baseline_free(*baseline);
}

static int check_domain(const char *path, size_t i, const json_t *item,
			struct error *err)
{
	const struct place place = { path, 0, 0 };
	const char *text = json_string_value(item);
	struct entry entry;
	struct error why;
	unsigned column;

	if (!text)
		return error_at(err, &place,
				"network.allowDomains[%zu] is not a text", i);
	if (entry_parse(span_of(text), &entry, &column, &why) == 0)
		return 0;
	error_at(err, &place, "network.allowDomains[%zu]: %s", i, why.text);
	error_excerpt(err, text, strlen(text), column, 1);
	return -1;
}

/* An empty list would be a boundary without a reason to exist: a bad sync. */
static int check_domains(const char *path, const json_t *domains,
			 struct error *err)
{
	const struct place place = { path, 0, 0 };

	if (!json_is_array(domains) || json_array_size(domains) == 0)
		return error_at(err, &place,
				"network.allowDomains must be a list with at "
				"least one host");
	for (size_t i = 0; i < json_array_size(domains); i++)
		if (check_domain(path, i, json_array_get(domains, i), err) < 0)
			return -1;
	return 0;
}

static int take_members(struct baseline *baseline, const char *path,
			struct error *err)
{
	const struct place place = { path, 0, 0 };
	const json_t *root = baseline->document;
	const json_t *network;

	if (!json_is_object(root))
		return error_at(err, &place, "a baseline is a JSON object");
	baseline->app_version =
		json_string_value(json_object_get(root, "appVersion"));
	if (!baseline->app_version || !*baseline->app_version)
		return error_at(err, &place,
				"appVersion must be a text that is not empty");
	baseline->agent_version =
		json_string_value(json_object_get(root, "agentVersion"));
	network = json_object_get(root, "network");
	baseline->domains = json_object_get(network, "allowDomains");
	return check_domains(path, baseline->domains, err);
}

int baseline_load(const char *name_or_path, struct baseline **out,
		  struct error *err)
{
	cleanup(baseline_cleanup) struct baseline *baseline = NULL;
	autofree char *path = shelf_find(name_or_path, err);

	*out = NULL;
	if (!path)
		return -1;
	baseline = calloc(1, sizeof(*baseline));
	if (baseline)
		baseline->name = strdup(strrchr(path, '/') + 1);
	if (!baseline || !baseline->name)
		return error_sys(err, "cannot load '%s'", path);
	baseline->document = json_read_file(path, err);
	if (!baseline->document)
		return error_wrap(err, "cannot load a baseline");
	if (take_members(baseline, path, err) < 0)
		return -1;
	*out = steal(baseline);
	return 0;
}

const char *baseline_name(const struct baseline *baseline)
{
	return baseline->name;
}

const char *baseline_app_version(const struct baseline *baseline)
{
	return baseline->app_version;
}

const char *baseline_agent_version(const struct baseline *baseline)
{
	return baseline->agent_version;
}

size_t baseline_domain_count(const struct baseline *baseline)
{
	return json_array_size(baseline->domains);
}

const char *baseline_domain(const struct baseline *baseline, size_t i)
{
	if (i >= json_array_size(baseline->domains))
		bug("domain %zu of %zu", i, json_array_size(baseline->domains));
	return json_string_value(json_array_get(baseline->domains, i));
}
