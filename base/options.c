/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "base/options.h"

#include <string.h>

#include "base/span.h"
#include "base/words.h"

static const struct options_field *find(const struct options_field *fields,
					size_t count, struct span name)
{
	for (size_t i = 0; i < count; i++)
		if (span_equal(span_of(fields[i].name), name))
			return &fields[i];
	return NULL;
}

static int unknown(const struct options_field *fields, size_t count,
		   struct span name, struct error *err)
{
	char word[64];
	struct words_guess guess;

	snprintf(word, sizeof(word), "%.*s", (int)name.size, name.data);
	guess = words_guess_start(word);
	for (size_t i = 0; i < count; i++)
		words_guess_try(&guess, fields[i].name);
	if (guess.best)
		return error_kind_set(err, ERROR_INPUT,
				      "unknown option '%s' (did you mean "
				      "'%s'?)",
				      word, guess.best);
	return error_kind_set(err, ERROR_INPUT, "unknown option '%s'", word);
}

static int store_choice(const struct options_field *field, const char *value,
			int *where, struct error *err)
{
	char list[256] = "";

	for (int i = 0; field->choices[i]; i++) {
		size_t used = strlen(list);

		if (strcmp(field->choices[i], value) == 0) {
			*where = i;
			return 0;
		}
		snprintf(list + used, sizeof(list) - used, "%s%s",
			 i ? ", " : "", field->choices[i]);
	}
	return error_kind_set(err, ERROR_INPUT, "%s is one of: %s", field->name,
			      list);
}

static int store(const struct options_field *field, const char *value,
		 void *out, struct error *err)
{
	void *where = (char *)out + field->offset;
	struct options_list *list = where;

	switch (field->kind) {
	case OPTIONS_SWITCH:
		*(bool *)where = true;
		return 0;
	case OPTIONS_TEXT:
		*(const char **)where = value;
		return 0;
	case OPTIONS_CHOICE:
		return store_choice(field, value, where, err);
	case OPTIONS_LIST:
		if (list->count == OPTIONS_LIST_MAX)
			return error_kind_set(err, ERROR_INPUT,
					      "%s is given more than %d times",
					      field->name, OPTIONS_LIST_MAX);
		list->items[list->count++] = value;
		return 0;
	}
	bug("option %s of kind %d", field->name, (int)field->kind);
}

/* The value of the option at **at, moving on where it is the next word. */
static int take_value(const struct options_field *field, char ***at,
		      size_t name_size, const char **value, struct error *err)
{
	const char *word = **at;

	*value = NULL;
	if (field->kind == OPTIONS_SWITCH)
		return word[name_size] == '='
			       ? error_kind_set(err, ERROR_INPUT,
						"%s takes no value",
						field->name)
			       : 0;
	if (word[name_size] == '=')
		*value = word + name_size + 1;
	else if ((*at)[1] && (*at)[1][0] != '-')
		*value = *++*at;
	if (!*value || !**value)
		return error_kind_set(err, ERROR_INPUT, "%s needs a value: %s",
				      field->name, field->argument);
	return 0;
}

static int read_option(const struct options_field *fields, size_t count,
		       char ***at, void *out, bool *seen, struct error *err)
{
	struct span word = span_of(**at);
	struct span name = span_head(word, span_find(word, '='));
	const struct options_field *field = find(fields, count, name);
	const char *value;

	if (!field)
		return unknown(fields, count, name, err);
	if (take_value(field, at, name.size, &value, err) < 0)
		return -1;
	if (seen[field - fields] && field->kind != OPTIONS_LIST)
		return error_kind_set(err, ERROR_INPUT, "%s is given twice",
				      field->name);
	seen[field - fields] = true;
	return store(field, value, out, err);
}

int options_read(const struct options_field *fields, size_t count, char **argv,
		 void *out, struct options_rest *rest, struct error *err)
{
	bool seen[64] = { false };

	if (count > ARRAY_SIZE(seen))
		bug("%zu options", count);
	*rest = (struct options_rest){ .count = 0 };
	for (char **at = argv + 1; *at; at++) {
		if (strcmp(*at, "--") == 0) {
			rest->after = at + 1;
			return 0;
		}
		if (**at == '-' && (*at)[1]) {
			if (read_option(fields, count, &at, out, seen, err) < 0)
				return -1;
		} else if (rest->count == OPTIONS_POSITIONAL_MAX) {
			return error_kind_set(err, ERROR_INPUT,
					      "too many arguments");
		} else {
			rest->positional[rest->count++] = *at;
		}
	}
	return 0;
}

void options_print(const struct options_field *fields, size_t count, FILE *out)
{
	for (size_t i = 0; i < count; i++) {
		char left[64];

		if (!fields[i].help)
			continue;
		snprintf(left, sizeof(left), "%s%s%s", fields[i].name,
			 fields[i].argument ? " " : "",
			 fields[i].argument ? fields[i].argument : "");
		fprintf(out, "  %-28s %s\n", left, fields[i].help);
	}
}
