/* SPDX-License-Identifier: GPL-3.0-or-later */
/* OPTIONS - command lines, read through tables.
 * "--name value" and "--name=value"; a switch takes no value; an empty value or
 * one that looks like an option is an error, as are unknown and repeated
 * options (lists may repeat). "--" ends the options. */
#ifndef BASE_OPTIONS_H
#define BASE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/compiler.h"
#include "base/error.h"

#define OPTIONS_POSITIONAL_MAX 64
#define OPTIONS_LIST_MAX       256

struct options_list {
	const char *items[OPTIONS_LIST_MAX]; /* borrowed from argv */
	size_t count;
};

enum options_kind {
	OPTIONS_SWITCH, /* bool */
	OPTIONS_TEXT,   /* const char *, borrowed */
	OPTIONS_LIST,   /* struct options_list */
	OPTIONS_CHOICE, /* int: index in choices */
};

struct options_field {
	const char *name; /* with its dashes */
	enum options_kind kind;
	size_t offset;
	const char *argument; /* "FILE", for the help; NULL for a switch */
	const char *help;     /* NULL: not shown */
	const char *const *choices; /* NULL-terminated */
};

struct options_rest {
	const char *positional[OPTIONS_POSITIONAL_MAX];
	size_t count;
	char **after; /* what follows "--", NULL-terminated; NULL: no "--" */
};

/* argv[0] is skipped. Errors are ERROR_INPUT. */
MUST_CHECK int options_read(const struct options_field *fields, size_t count,
			    char **argv, void *out, struct options_rest *rest,
			    struct error *err) NONNULL(1, 3, 4, 5, 6);

/* One aligned line an option. */
void options_print(const struct options_field *fields, size_t count, FILE *out)
	NONNULL(1, 3);

#endif
