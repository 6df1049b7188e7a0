/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The policies of the proxy file. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "proxy/conf_int.h"

struct reading {
	struct judge *judge;
	bool denies;
	const struct yaml_node *origin; /* of the entry at hand; NULL: here */
};

/* As conf_placed(), pointing at the character of the entry that is wrong. */
static int placed_at(const struct yaml_node *node, unsigned column,
		     struct error *err)
{
	struct place place = yaml_place(node);
	unsigned skip = column - 1 + (yaml_quoted(node) ? 1 : 0);

	if (err->kind != ERROR_INPUT)
		return -1;
	conf_placed(node, err);
	snprintf(err->where, sizeof(err->where), "%s:%u:%u", place.file,
		 place.line, place.column + skip);
	err->caret += skip;
	err->caret_len = 1;
	return -1;
}

static int add_entry(const struct reading *reading,
		     const struct yaml_node *text, struct error *err)
{
	struct place place = yaml_place(text);
	struct policy *policy = judge_policy(reading->judge);
	autofree char *origin = NULL;
	unsigned column = 1;
	int result;

	if (conf_need_text(text, err) < 0 ||
	    (reading->origin && conf_need_text(reading->origin, err) < 0))
		return -1;
	/* What wrote the file may say where the entry really comes from. */
	if (reading->origin)
		origin = strdup(yaml_text(reading->origin));
	else if (asprintf(&origin, "%s:%u:%u", place.file, place.line,
			  place.column) < 0)
		origin = NULL;
	if (!origin)
		return error_sys(err, "no memory for an entry");
	result = (reading->denies ? policy_deny : policy_allow)(
		policy, yaml_text(text), origin, &column, err);
	return result < 0 ? placed_at(text, column, err) : 0;
}

static int take_entry_permit(void *where, const struct yaml_node *item,
			     struct error *err)
{
	const struct reading *reading = where;

	if (conf_need_text(item, err) < 0)
		return -1;
	if (judge_permit_last(reading->judge, yaml_text(item), err) < 0)
		return conf_placed(item, err);
	return 0;
}

static int read_entry_text(const struct yaml_field *field,
			   const struct yaml_node *value, void *where,
			   struct error *err)
{
	(void)field;
	return add_entry(where, value, err);
}

static int read_entry_permits(const struct yaml_field *field,
			      const struct yaml_node *value, void *where,
			      struct error *err)
{
	const struct reading *reading = where;

	if (reading->denies)
		return yaml_error(err, value, "'%s' belongs to an allow entry",
				  field->name);
	return conf_each_text(field, value, where, take_entry_permit, err);
}

/* First the entry itself, then what hangs on it, whatever their order. */
static const struct yaml_field entry_fields[] = {
	{ .name = "entry", .read = read_entry_text, .required = true },
	{ .name = "permit_addresses", .read = yaml_read_nothing },
	{ .name = "origin", .read = yaml_read_nothing },
	NOT_BUILT("tls"),
	NOT_BUILT("sni"),
	NOT_BUILT("ech"),
	NOT_BUILT("bytes"),
};

static int take_entry(void *where, const struct yaml_node *item,
		      struct error *err)
{
	static const struct yaml_field permits = {
		.name = "permit_addresses",
	};
	const struct yaml_node *list;
	struct reading *reading = where;

	reading->origin = NULL;
	if (yaml_kind(item) != YAML_MAP)
		return add_entry(where, item, err);
	reading->origin = yaml_get(item, "origin");
	if (yaml_read_map(item, entry_fields, ARRAY_SIZE(entry_fields), where,
			  err) < 0)
		return -1;
	list = yaml_get(item, permits.name);
	return list ? read_entry_permits(&permits, list, where, err) : 0;
}

int conf_read_allow(const struct yaml_field *field,
		    const struct yaml_node *value, void *where,
		    struct error *err)
{
	struct reading reading = { .judge = where };

	return conf_each_text(field, value, &reading, take_entry, err);
}

static int read_deny(const struct yaml_field *field,
		     const struct yaml_node *value, void *where,
		     struct error *err)
{
	struct reading reading = { .judge = where, .denies = true };

	return conf_each_text(field, value, &reading, take_entry, err);
}

static int read_unrestricted(const struct yaml_field *field,
			     const struct yaml_node *value, void *where,
			     struct error *err)
{
	struct place place = yaml_place(value);
	char origin[256];
	bool on = false;

	if (yaml_read_bool(field, value, &on, err) < 0)
		return -1;
	if (!on)
		return 0;
	snprintf(origin, sizeof(origin), "%s:%u:%u", place.file, place.line,
		 place.column);
	return policy_set_unrestricted(judge_policy(where), origin, err);
}

static int read_mode(const struct yaml_field *field,
		     const struct yaml_node *value, void *where,
		     struct error *err)
{
	static const char *const modes[] = { "enforce", "report", NULL };
	const struct yaml_field choice = { .name = field->name, .more = modes };
	int mode = 0;

	if (yaml_read_choice(&choice, value, &mode, err) < 0)
		return -1;
	if (mode == 1)
		judge_report(where);
	return 0;
}

static int take_permit(void *where, const struct yaml_node *item,
		       struct error *err)
{
	if (conf_need_text(item, err) < 0)
		return -1;
	if (policy_permit(judge_policy(where), yaml_text(item), err) < 0)
		return conf_placed(item, err);
	return 0;
}

static int read_permits(const struct yaml_field *field,
			const struct yaml_node *value, void *where,
			struct error *err)
{
	return conf_each_text(field, value, where, take_permit, err);
}

static const struct yaml_field policy_fields[] = {
	{ .name = "allow", .read = conf_read_allow },
	{ .name = "deny", .read = read_deny },
	{ .name = "include", .read = conf_read_include },
	{ .name = "unrestricted", .read = read_unrestricted },
	{ .name = "mode", .read = read_mode },
	{ .name = "permit_addresses", .read = read_permits },
};

int conf_read_policies(const struct yaml_field *field,
		       const struct yaml_node *value, void *where,
		       struct error *err)
{
	if (yaml_kind(value) == YAML_NULL)
		return 0;
	if (yaml_kind(value) != YAML_MAP)
		return yaml_error(err, value, "'%s' holds policies by name",
				  field->name);
	for (size_t i = 0; i < yaml_count(value); i++) {
		const char *name = yaml_text(yaml_key(value, i));
		struct judge *judge = conf_add_judge(where, name, err);

		if (!judge ||
		    yaml_read_map(yaml_item(value, i), policy_fields,
				  ARRAY_SIZE(policy_fields), judge, err) < 0)
			return -1;
	}
	return 0;
}
