/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sandbox/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/yaml.h"

#include "policy/entry.h"

#include "sandbox/session_keys.h"

struct allow {
	char *entry;
	char *origin;
};

struct session {
	struct allow *allows;
	size_t allow_count;
	char *unrestricted;  /* where, or NULL */
	const char **unused; /* paths out of the tables below */
	size_t unused_count;
};

void session_free(struct session *session)
{
	if (!session)
		return;
	for (size_t i = 0; i < session->allow_count; i++) {
		free(session->allows[i].entry);
		free(session->allows[i].origin);
	}
	free(session->allows);
	free(session->unrestricted);
	free(session->unused);
	free(session);
}

static void session_cleanup(struct session **session)
{
	session_free(*session);
}

static void doc_cleanup(struct yaml_doc **doc)
{
	yaml_doc_free(*doc);
}

/* ---- readers ---- */

static char *origin_of(const struct yaml_node *node)
{
	struct place place = yaml_place(node);
	char *origin;

	if (asprintf(&origin, "%s:%u:%u", place.file, place.line,
		     place.column) < 0)
		return NULL;
	return origin;
}

/* Characters in the first bytes of a text; columns count characters. */
static unsigned characters(const char *text, size_t bytes)
{
	unsigned n = 0;

	for (size_t i = 0; i < bytes; i++)
		n += ((unsigned char)text[i] & 0xc0) != 0x80;
	return n;
}

/*
 * Point at the fault inside the entry. Where the line does not show the text as
 * it was parsed (escapes, a folded scalar), the entry's start has to do.
 */
static int entry_error(const struct yaml_node *item, unsigned column,
		       const struct error *why, struct error *err)
{
	const char *text = yaml_text(item);
	struct place place = yaml_place(item);
	size_t start = place.column - 1 + yaml_quoted(item);
	char line[sizeof(err->excerpt)];
	struct span seen;

	yaml_error(err, item, "%s", why->text);
	memcpy(line, err->excerpt, sizeof(line));
	seen = span_of(line);
	if (start > seen.size ||
	    !span_starts(span_skip(seen, start), span_of(text)))
		return -1;
	place.column = (unsigned)start + 1 + characters(text, column - 1);
	error_at(err, &place, "%s", why->text);
	error_excerpt(err, line, seen.size, place.column, 1);
	return -1;
}

static int add_allow(struct session *session, const struct yaml_node *item,
		     struct error *err)
{
	struct allow *slot = &session->allows[session->allow_count];
	const char *text = yaml_text(item);
	struct entry entry;
	struct error why;
	unsigned column;

	if (yaml_kind(item) != YAML_SCALAR)
		return yaml_error(err, item,
				  "'extra_allow' is a list of hosts");
	if (entry_parse(span_of(text), &entry, &column, &why) < 0)
		return entry_error(item, column, &why, err);
	slot->entry = strdup(text);
	slot->origin = origin_of(item);
	session->allow_count++;
	if (!slot->entry || !slot->origin)
		return error_sys(err, "no memory for a session");
	return 0;
}

static int read_extra_allow(const struct yaml_field *field,
			    const struct yaml_node *value, void *where,
			    struct error *err)
{
	struct session *session = where;

	if (session_check_list(field, value, err) < 0)
		return -1;
	session->allows =
		calloc(yaml_count(value) + 1, sizeof(*session->allows));
	if (!session->allows)
		return error_sys(err, "no memory for a session");
	for (size_t i = 0; i < yaml_count(value); i++)
		if (add_allow(session, yaml_item(value, i), err) < 0)
			return -1;
	return 0;
}

static int read_unrestricted(const struct yaml_field *field,
			     const struct yaml_node *value, void *where,
			     struct error *err)
{
	struct session *session = where;
	bool on;

	if (yaml_read_bool(field, value, &on, err) < 0)
		return -1;
	if (!on)
		return 0;
	session->unrestricted = origin_of(value);
	return session->unrestricted
		       ? 0
		       : error_sys(err, "no memory for a session");
}

/* A key whose type is checked and that nothing acts on. */
struct known {
	const char *path;
	int (*check)(const struct yaml_field *field,
		     const struct yaml_node *value, void *where,
		     struct error *err);
	const void *more; /* the check's */
};

static int read_known(const struct yaml_field *field,
		      const struct yaml_node *value, void *where,
		      struct error *err)
{
	const struct known *known = field->more;
	const struct yaml_field checked = { .name = field->name,
					    .more = known->more };
	struct session *session = where;
	const char **grown;

	if (known->check(&checked, value, NULL, err) < 0)
		return -1;
	grown = reallocarray(session->unused, session->unused_count + 1,
			     sizeof(*grown));
	if (!grown)
		return error_sys(err, "no memory for a session");
	grown[session->unused_count++] = known->path;
	session->unused = grown;
	return 0;
}

struct table {
	const struct yaml_field *fields;
	size_t count;
};

static int read_table(const struct yaml_field *field,
		      const struct yaml_node *value, void *where,
		      struct error *err)
{
	const struct table *table = field->more;

	return yaml_read_map(value, table->fields, table->count, where, err);
}

/* A list of maps, each read by the table in field->more. */
static int check_maps(const struct yaml_field *field,
		      const struct yaml_node *value, void *where,
		      struct error *err)
{
	const struct table *table = field->more;
	char nowhere;

	(void)where;
	if (session_check_list(field, value, err) < 0)
		return -1;
	for (size_t i = 0; i < yaml_count(value); i++)
		if (yaml_read_map(yaml_item(value, i), table->fields,
				  table->count, &nowhere, err) < 0)
			return -1;
	return 0;
}

/* ---- the keys ---- */

#define KNOWN_MORE(key, in, check, with)                                       \
	{                                                                      \
		.name = key, .read = read_known, .more = &(const struct known) \
		{                                                              \
			in key, check, with                                    \
		}                                                              \
	}
#define KNOWN(key, in, check) KNOWN_MORE(key, in, check, NULL)
#define TABLE(key, of)                                                         \
	{                                                                      \
		.name = key, .read = read_table, .more = &(const struct table) \
		{                                                              \
			of, ARRAY_SIZE(of)                                     \
		}                                                              \
	}

static const char *const efforts[] = { "low", "medium", "high", "xhigh",
				       "max", "extra",  NULL };
static const char *const permission_modes[] = { "default", "acceptEdits",
						"plan", "bypassPermissions",
						NULL };
static const char *const parities[] = { "cowork", "strict", NULL };
static const char *const folder_modes[] = { "r", "rw", "rwd", NULL };
static const char *const displays[] = { "summarized", "omitted", NULL };
static const char *const searches[] = { "auto", "off", NULL };

static const struct yaml_field folder_keys[] = {
	{ .name = "from", .read = session_check_text, .required = true },
	{ .name = "mode", .read = session_check_choice, .more = folder_modes },
};

static const struct yaml_field project_keys[] = {
	{ .name = "uuid", .read = session_check_text, .required = true },
	{ .name = "from", .read = session_check_text, .required = true },
};

static const struct table folder_table = { folder_keys,
					   ARRAY_SIZE(folder_keys) };
static const struct table project_table = { project_keys,
					    ARRAY_SIZE(project_keys) };

static const struct yaml_field plugin_keys[] = {
	KNOWN("config_dir", "plugins.", session_check_nullable),
	KNOWN("marketplaces", "plugins.", session_check_texts),
	KNOWN("local_marketplaces", "plugins.", session_check_texts),
	KNOWN("enabled", "plugins.", session_check_texts),
	KNOWN("local_plugins", "plugins.", session_check_texts),
	KNOWN("remote_plugins", "plugins.", session_check_texts),
};

static const struct yaml_field skill_keys[] = {
	KNOWN("local", "skills.", session_check_texts),
	KNOWN("suggest_enabled", "skills.", session_check_bool),
	KNOWN("proactive_suggest_enabled", "skills.", session_check_bool),
};

static const struct yaml_field mcp_keys[] = {
	KNOWN("config", "mcp.", session_check_nullable),
	KNOWN("enabled", "mcp.", session_check_texts),
};

static const struct yaml_field egress_keys[] = {
	{ .name = "extra_allow", .read = read_extra_allow },
	{ .name = "unrestricted", .read = read_unrestricted },
};

static const struct yaml_field web_fetch_keys[] = {
	KNOWN("approved_domains", "web_fetch.", session_check_texts),
};

static const struct yaml_field staleness_keys[] = {
	KNOWN("hash_ignore", "staleness.", session_check_texts),
};

static const struct yaml_field debug_keys[] = {
	KNOWN("max_thinking_tokens", "debug.", session_check_count),
	KNOWN_MORE("thinking_display", "debug.", session_check_choice,
		   displays),
};

static const struct yaml_field agent_env_keys[] = {
	KNOWN("subagent_model", "agent_env.", session_check_text),
	KNOWN_MORE("tool_search", "agent_env.", session_check_choice, searches),
	KNOWN("disable_experimental_betas", "agent_env.", session_check_bool),
};

static const struct yaml_field session_keys[] = {
	KNOWN("model", "", session_check_text),
	KNOWN_MORE("effort", "", session_check_choice, efforts),
	KNOWN("account_name", "", session_check_text),
	KNOWN("extended_thinking", "", session_check_bool),
	KNOWN("agent_max_turns", "", session_check_count),
	KNOWN_MORE("permission_mode", "", session_check_choice,
		   permission_modes),
	KNOWN_MORE("permission_parity", "", session_check_choice, parities),
	KNOWN_MORE("folders", "", check_maps, &folder_table),
	KNOWN_MORE("projects", "", check_maps, &project_table),
	KNOWN("trusted_folders", "", session_check_texts),
	KNOWN("auto_mount_folders", "", session_check_bool),
	KNOWN("uploads", "", session_check_texts),
	TABLE("plugins", plugin_keys),
	TABLE("skills", skill_keys),
	TABLE("mcp", mcp_keys),
	TABLE("egress", egress_keys),
	TABLE("web_fetch", web_fetch_keys),
	TABLE("staleness", staleness_keys),
	TABLE("debug", debug_keys),
	TABLE("agent_env", agent_env_keys),
};

/* Keys of older versions of the format, and what to write today. */
static const struct {
	const char *key, *instead;
} removed_keys[] = {
	{ "max_thinking_tokens",
	  "use 'extended_thinking', or 'debug.max_thinking_tokens' for an "
	  "exact number" },
};

static int check_removed(const struct yaml_node *root, struct error *err)
{
	if (yaml_kind(root) != YAML_MAP)
		return 0;
	for (size_t i = 0; i < yaml_count(root); i++)
		for (size_t k = 0; k < ARRAY_SIZE(removed_keys); k++)
			if (strcmp(yaml_text(yaml_key(root, i)),
				   removed_keys[k].key) == 0)
				return yaml_error(err, yaml_key(root, i),
						  "key '%s' was removed; %s",
						  removed_keys[k].key,
						  removed_keys[k].instead);
	return 0;
}

static int read_document(const struct yaml_doc *doc, struct session **out,
			 struct error *err)
{
	cleanup(session_cleanup) struct session *session =
		calloc(1, sizeof(*session));

	if (!session)
		return error_sys(err, "no memory for a session");
	if (check_removed(yaml_root(doc), err) < 0 ||
	    yaml_read_map(yaml_root(doc), session_keys,
			  ARRAY_SIZE(session_keys), session, err) < 0)
		return -1;
	*out = steal(session);
	return 0;
}

int session_load(const char *path, struct session **out, struct error *err)
{
	cleanup(doc_cleanup) struct yaml_doc *doc = yaml_load_file(path, err);

	*out = NULL;
	return doc ? read_document(doc, out, err) : -1;
}

int session_parse(const char *name, struct span text, struct session **out,
		  struct error *err)
{
	cleanup(doc_cleanup) struct yaml_doc *doc =
		yaml_load_text(name, text, err);

	*out = NULL;
	return doc ? read_document(doc, out, err) : -1;
}

/* ---- looking ---- */

size_t session_allow_count(const struct session *session)
{
	return session->allow_count;
}

const char *session_allow(const struct session *session, size_t i,
			  const char **origin)
{
	if (i >= session->allow_count)
		bug("entry %zu of %zu", i, session->allow_count);
	*origin = session->allows[i].origin;
	return session->allows[i].entry;
}

const char *session_unrestricted(const struct session *session)
{
	return session->unrestricted;
}

size_t session_unused_count(const struct session *session)
{
	return session->unused_count;
}

const char *session_unused(const struct session *session, size_t i)
{
	if (i >= session->unused_count)
		bug("key %zu of %zu", i, session->unused_count);
	return session->unused[i];
}
