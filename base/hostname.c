/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "base/hostname.h"

#include <stdlib.h>
#include <string.h>

#include <idn2.h>

#include "base/cleanup.h"

static const char *const fault_text[HOSTNAME_NFAULTS] = {
	[HOSTNAME_OK] = "a host name",
	[HOSTNAME_EMPTY] = "the name is empty",
	[HOSTNAME_TOO_LONG] = "the name is longer than 253 bytes",
	[HOSTNAME_LABEL_EMPTY] = "a label is empty",
	[HOSTNAME_LABEL_TOO_LONG] = "a label is longer than 63 bytes",
	[HOSTNAME_LABEL_HYPHEN] = "a label begins or ends with '-'",
	[HOSTNAME_CHARACTER] = "only a-z, 0-9, '-', '_' and '.' may be in it",
	[HOSTNAME_NUMERIC] = "the last label is a number",
	[HOSTNAME_IDN] = "not a valid international name",
};

const char *hostname_fault_text(enum hostname_fault fault)
{
	return fault_text[fault];
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_hex(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'f');
}

/* Lower-case form of an allowed character, or 0. */
static char canonical(char c)
{
	if (c >= 'A' && c <= 'Z')
		return (char)(c - 'A' + 'a');
	if ((c >= 'a' && c <= 'z') || is_digit(c) || c == '-' || c == '_')
		return c;
	return 0;
}

static enum hostname_fault check_label(struct span label)
{
	if (label.size == 0)
		return HOSTNAME_LABEL_EMPTY;
	if (label.size > HOSTNAME_LABEL_MAX)
		return HOSTNAME_LABEL_TOO_LONG;
	if (label.data[0] == '-' || label.data[label.size - 1] == '-')
		return HOSTNAME_LABEL_HYPHEN;
	return HOSTNAME_OK;
}

/* All digits, or 0x and hexadecimal digits: what inet_aton would read. */
static bool numeric(struct span label)
{
	bool hex =
		label.size >= 2 && label.data[0] == '0' && label.data[1] == 'x';

	for (size_t i = hex ? 2 : 0; i < label.size; i++)
		if (hex ? !is_hex(label.data[i]) : !is_digit(label.data[i]))
			return false;
	return true;
}

/* The name is in lower case and has no trailing dot. */
static enum hostname_fault check_labels(const struct hostname *host)
{
	struct span rest = { host->name, host->size };

	for (;;) {
		size_t end = span_find(rest, '.');
		struct span label = span_head(rest, end);
		enum hostname_fault fault = check_label(label);

		if (fault != HOSTNAME_OK)
			return fault;
		if (end == rest.size)
			return numeric(label) ? HOSTNAME_NUMERIC : HOSTNAME_OK;
		rest = span_skip(rest, end + 1);
	}
}

static enum hostname_fault copy_canonical(struct span text,
					  struct hostname *out)
{
	if (text.size && text.data[text.size - 1] == '.')
		text.size--;
	if (text.size == 0)
		return HOSTNAME_EMPTY;
	if (text.size > HOSTNAME_MAX)
		return HOSTNAME_TOO_LONG;
	for (size_t i = 0; i < text.size; i++) {
		char c = text.data[i] == '.' ? '.' : canonical(text.data[i]);

		if (!c)
			return HOSTNAME_CHARACTER;
		out->name[i] = c;
	}
	out->name[text.size] = '\0';
	out->size = (uint8_t)text.size;
	return check_labels(out);
}

enum hostname_fault hostname_parse(struct span text, struct hostname *out)
{
	enum hostname_fault fault;

	*out = (struct hostname){ 0 };
	fault = copy_canonical(text, out);
	if (fault != HOSTNAME_OK)
		*out = (struct hostname){ 0 };
	return fault;
}

static bool all_ascii(struct span text)
{
	for (size_t i = 0; i < text.size; i++)
		if ((unsigned char)text.data[i] >= 0x80)
			return false;
	return true;
}

static void cleanup_idn2(char **text)
{
	idn2_free(*text);
}

/* Does the A-label decode to a U-label, and that encode to the A-label? */
static bool label_round_trips(struct span label)
{
	cleanup(cleanup_idn2) char *unicode = NULL;
	cleanup(cleanup_idn2) char *ascii = NULL;
	char text[HOSTNAME_LABEL_MAX + 1];

	memcpy(text, label.data, label.size);
	text[label.size] = '\0';
	return idn2_to_unicode_8z8z(text, &unicode, 0) == IDN2_OK &&
	       idn2_to_ascii_8z(unicode, &ascii,
				IDN2_NONTRANSITIONAL |
					IDN2_USE_STD3_ASCII_RULES) == IDN2_OK &&
	       strcmp(ascii, text) == 0;
}

/*
 * Label by label: next to an A-label others may have '_', which no
 * international label may.
 */
static bool round_trips(const struct hostname *host)
{
	struct span rest = { host->name, host->size };

	while (rest.size > 0) {
		struct span label = span_head(rest, span_find(rest, '.'));

		if (span_starts(label, SPAN("xn--")) &&
		    !label_round_trips(label))
			return false;
		rest = span_skip(rest, label.size + (label.size < rest.size));
	}
	return true;
}

/* The text, read back from its own A-labels, must be what was written. */
static enum hostname_fault encode(struct span text, struct hostname *out)
{
	cleanup(cleanup_idn2) char *ascii = NULL;
	cleanup(cleanup_idn2) char *unicode = NULL;
	autofree char *written = strndup(text.data, text.size);

	if (!written || strlen(written) != text.size ||
	    idn2_to_ascii_8z(written, &ascii, IDN2_NFC_INPUT) != IDN2_OK ||
	    idn2_to_unicode_8z8z(ascii, &unicode, 0) != IDN2_OK ||
	    strcmp(unicode, written) != 0)
		return HOSTNAME_IDN;
	return hostname_parse(span_of(ascii), out);
}

enum hostname_fault hostname_parse_written(struct span text,
					   struct hostname *out)
{
	enum hostname_fault fault;

	*out = (struct hostname){ 0 };
	if (text.size == 0)
		return HOSTNAME_EMPTY;
	fault = all_ascii(text) ? hostname_parse(text, out) : encode(text, out);
	if (fault == HOSTNAME_OK && !round_trips(out)) {
		*out = (struct hostname){ 0 };
		return HOSTNAME_IDN;
	}
	return fault;
}

bool hostname_under(const struct hostname *host, const struct hostname *zone)
{
	size_t skip;

	if (host->size <= zone->size || zone->size == 0)
		return false;
	skip = (size_t)host->size - zone->size;
	return host->name[skip - 1] == '.' &&
	       memcmp(host->name + skip, zone->name, zone->size) == 0;
}

bool hostname_equal(const struct hostname *a, const struct hostname *b)
{
	return a->size == b->size && memcmp(a->name, b->name, a->size) == 0;
}
