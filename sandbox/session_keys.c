/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sandbox/session_keys.h"

#include <stdlib.h>
#include <string.h>

/* What YAML's core schema takes for a number, near enough. */
static bool reads_as_number(const char *text)
{
	const char *digits = text + strspn(text, "+-.");
	char *end;

	if (*digits < '0' || *digits > '9')
		return false;
	strtod(text, &end);
	return *end == '\0';
}

static bool is_text(const struct yaml_node *value)
{
	const char *text = yaml_text(value);

	if (yaml_kind(value) != YAML_SCALAR || !*text)
		return false;
	return yaml_quoted(value) ||
	       (strcmp(text, "true") != 0 && strcmp(text, "false") != 0 &&
		!reads_as_number(text));
}

static int not_text(const struct yaml_node *value, const char *name,
		    const char *kind, struct error *err)
{
	bool unquoted = yaml_kind(value) == YAML_SCALAR && *yaml_text(value);

	return yaml_error(err, value, "'%s' is %s%s", name, kind,
			  unquoted ? "; put this in quotes" : "");
}

int session_check_text(const struct yaml_field *field,
		       const struct yaml_node *value, void *where,
		       struct error *err)
{
	(void)where;
	if (is_text(value))
		return 0;
	return not_text(value, field->name, "a text that is not empty", err);
}

int session_check_nullable(const struct yaml_field *field,
			   const struct yaml_node *value, void *where,
			   struct error *err)
{
	if (yaml_kind(value) == YAML_NULL)
		return 0;
	return session_check_text(field, value, where, err);
}

int session_check_list(const struct yaml_field *field,
		       const struct yaml_node *value, struct error *err)
{
	if (yaml_kind(value) == YAML_LIST)
		return 0;
	return yaml_error(err, value, "'%s' is a list; write [] for none",
			  field->name);
}

int session_check_texts(const struct yaml_field *field,
			const struct yaml_node *value, void *where,
			struct error *err)
{
	(void)where;
	if (session_check_list(field, value, err) < 0)
		return -1;
	for (size_t i = 0; i < yaml_count(value); i++)
		if (!is_text(yaml_item(value, i)))
			return not_text(yaml_item(value, i), field->name,
					"a list of texts that are not empty",
					err);
	return 0;
}

int session_check_bool(const struct yaml_field *field,
		       const struct yaml_node *value, void *where,
		       struct error *err)
{
	bool ignored;

	(void)where;
	return yaml_read_bool(field, value, &ignored, err);
}

int session_check_count(const struct yaml_field *field,
			const struct yaml_node *value, void *where,
			struct error *err)
{
	const struct yaml_field ranged = { .name = field->name,
					   .min = 1,
					   .max = INT32_MAX };
	uint64_t ignored;

	(void)where;
	return yaml_read_u64(&ranged, value, &ignored, err);
}

int session_check_choice(const struct yaml_field *field,
			 const struct yaml_node *value, void *where,
			 struct error *err)
{
	int ignored;

	(void)where;
	return yaml_read_choice(field, value, &ignored, err);
}
