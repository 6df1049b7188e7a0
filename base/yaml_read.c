/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading a document's maps by tables; the tree itself is yaml_tree.c's. */
#include "config.h"

#include "base/yaml.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"

static const struct yaml_field *field_find(const struct yaml_field *fields,
					   size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(fields[i].name, name) == 0)
			return &fields[i];
	return NULL;
}

static int unknown_key(const struct yaml_node *key,
		       const struct yaml_field *fields, size_t count,
		       struct error *err)
{
	struct words_guess guess = words_guess_start(yaml_text(key));

	for (size_t i = 0; i < count; i++)
		words_guess_try(&guess, fields[i].name);
	if (guess.best)
		return yaml_error(err, key,
				  "unknown key '%s' (did you mean '%s'?)",
				  yaml_text(key), guess.best);
	return yaml_error(err, key, "unknown key '%s'", yaml_text(key));
}

int yaml_read_map(const struct yaml_node *node, const struct yaml_field *fields,
		  size_t count, void *out, struct error *err)
{
	if (yaml_kind(node) != YAML_MAP && yaml_kind(node) != YAML_NULL)
		return yaml_error(err, node, "expected keys and values here");
	for (size_t i = 0; i < yaml_count(node); i++) {
		const struct yaml_node *key = yaml_key(node, i);
		const struct yaml_field *field =
			field_find(fields, count, yaml_text(key));

		if (!field)
			return unknown_key(key, fields, count, err);
		if (field->read == yaml_read_not_built)
			return yaml_error(err, key,
					  "key '%s' is not built in this "
					  "version",
					  field->name);
		if (field->read(field, yaml_item(node, i),
				(char *)out + field->offset, err) < 0)
			return -1;
	}
	for (size_t i = 0; i < count; i++)
		if (fields[i].required && !yaml_get(node, fields[i].name))
			return yaml_error(err, node, "key '%s' is missing",
					  fields[i].name);
	return 0;
}

static bool plain(const struct yaml_node *value)
{
	return yaml_kind(value) == YAML_SCALAR && !yaml_quoted(value);
}

int yaml_read_bool(const struct yaml_field *field,
		   const struct yaml_node *value, void *where,
		   struct error *err)
{
	const char *text = yaml_text(value);

	if (plain(value) && strcmp(text, "true") == 0)
		*(bool *)where = true;
	else if (plain(value) && strcmp(text, "false") == 0)
		*(bool *)where = false;
	else
		return yaml_error(err, value, "'%s' is true or false",
				  field->name);
	return 0;
}

int yaml_read_u64(const struct yaml_field *field, const struct yaml_node *value,
		  void *where, struct error *err)
{
	const char *text = yaml_text(value);
	uint64_t max = field->max ? field->max : UINT64_MAX;
	uint64_t number = 0;
	char *end;

	errno = 0;
	if (plain(value) && *text >= '0' && *text <= '9' &&
	    (text[0] != '0' || !text[1])) {
		number = strtoull(text, &end, 10);
		if (!*end && errno == 0 && number >= field->min &&
		    number <= max) {
			*(uint64_t *)where = number;
			return 0;
		}
	}
	return yaml_error(err, value,
			  "'%s' is a whole number from %" PRIu64 " to %" PRIu64,
			  field->name, field->min, max);
}

int yaml_read_text(const struct yaml_field *field,
		   const struct yaml_node *value, void *where,
		   struct error *err)
{
	char **out = where;

	if (yaml_kind(value) != YAML_SCALAR || !*yaml_text(value))
		return yaml_error(err, value,
				  "'%s' is a text that is not empty",
				  field->name);
	free(*out);
	*out = strdup(yaml_text(value));
	return *out ? 0 : error_sys(err, "cannot load '%s'", field->name);
}

int yaml_read_choice(const struct yaml_field *field,
		     const struct yaml_node *value, void *where,
		     struct error *err)
{
	const char *const *choices = field->more;
	char list[256] = "";

	for (int i = 0; choices[i]; i++) {
		size_t used = strlen(list);

		if (yaml_kind(value) == YAML_SCALAR &&
		    strcmp(yaml_text(value), choices[i]) == 0) {
			*(int *)where = i;
			return 0;
		}
		snprintf(list + used, sizeof(list) - used, "%s%s",
			 i ? ", " : "", choices[i]);
	}
	return yaml_error(err, value, "'%s' is one of: %s", field->name, list);
}

int yaml_read_not_built(const struct yaml_field *field,
			const struct yaml_node *value, void *where,
			struct error *err)
{
	(void)where;
	return yaml_error(err, value, "key '%s' is not built in this version",
			  field->name);
}

int yaml_read_nothing(const struct yaml_field *field,
		      const struct yaml_node *value, void *where,
		      struct error *err)
{
	(void)field;
	(void)value;
	(void)where;
	(void)err;
	return 0;
}
