/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "base/json.h"

#include <stdlib.h>

#include "base/cleanup.h"
#include "base/fd.h"

void json_cleanup(json_t **json)
{
	json_decref(*json);
}

json_t *json_read_file(const char *path, struct error *err)
{
	autofree char *text = NULL;
	json_error_t why;
	json_t *json;
	size_t size;

	text = fd_read_file(path, JSON_SIZE_MAX, &size, err);
	if (!text)
		return NULL;
	json = json_loadb(text, size, JSON_REJECT_DUPLICATES, &why);
	if (!json) {
		struct place place = { path, (unsigned)why.line,
				       (unsigned)why.column };

		error_at(err, &place, "not JSON: %s", why.text);
	}
	return json;
}

struct json_row {
	json_t *object;
};

struct json_row *json_row_parse(struct span line)
{
	json_error_t why;
	json_t *object =
		json_loadb(line.data, line.size, JSON_REJECT_DUPLICATES, &why);
	struct json_row *row = NULL;

	if (json_is_object(object))
		row = calloc(1, sizeof(*row));
	if (row)
		row->object = object;
	else
		json_decref(object);
	return row;
}

void json_row_free(struct json_row *row)
{
	if (!row)
		return;
	json_decref(row->object);
	free(row);
}

const char *json_row_text(const struct json_row *row, const char *key)
{
	const char *text = json_string_value(json_object_get(row->object, key));

	return text ? text : "";
}

bool json_row_u64(const struct json_row *row, const char *key, uint64_t *out)
{
	const json_t *value = json_object_get(row->object, key);

	if (!json_is_integer(value) || json_integer_value(value) < 0)
		return false;
	*out = (uint64_t)json_integer_value(value);
	return true;
}
