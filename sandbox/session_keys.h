/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SESSION KEYS - checks of a value's type, for keys that nothing acts on yet.
 * A text must read as one in any YAML reader: a plain true, 5 or null is not
 * one, as it would be something else elsewhere. */
#ifndef SANDBOX_SESSION_KEYS_H
#define SANDBOX_SESSION_KEYS_H

#include "base/compiler.h"
#include "base/error.h"
#include "base/yaml.h"

/* One reader for each type; *where is not written. */
int session_check_text(const struct yaml_field *field,
		       const struct yaml_node *value, void *where,
		       struct error *err);
/* A text, or null. */
int session_check_nullable(const struct yaml_field *field,
			   const struct yaml_node *value, void *where,
			   struct error *err);
int session_check_texts(const struct yaml_field *field,
			const struct yaml_node *value, void *where,
			struct error *err);
int session_check_bool(const struct yaml_field *field,
		       const struct yaml_node *value, void *where,
		       struct error *err);
/* A whole number of at least 1. */
int session_check_count(const struct yaml_field *field,
			const struct yaml_node *value, void *where,
			struct error *err);
/* One of the words in field->more, a NULL-terminated list. */
int session_check_choice(const struct yaml_field *field,
			 const struct yaml_node *value, void *where,
			 struct error *err);

/* The value is a list, else an error that names the key. */
MUST_CHECK int session_check_list(const struct yaml_field *field,
				  const struct yaml_node *value,
				  struct error *err) NONNULL(1, 2, 3);

#endif
