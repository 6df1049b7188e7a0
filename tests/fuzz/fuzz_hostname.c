/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A name that was accepted is in the one form, and is nothing but a name. */
#include "config.h"

#include "tests/fuzz/fuzz.h"

#include "base/addr.h"
#include "base/hostname.h"

static const char charset[] = "abcdefghijklmnopqrstuvwxyz0123456789-_.";

static void check_canonical(const struct hostname *host)
{
	struct span name = { host->name, host->size };
	struct hostname again;
	struct addr addr;

	MUST(host->size >= 1 && host->size <= HOSTNAME_MAX);
	MUST(strlen(host->name) == host->size);
	MUST(strspn(host->name, charset) == host->size);
	MUST(!strstr(host->name, "..") && host->name[0] != '.');
	MUST(host->name[host->size - 1] != '.');
	MUST(hostname_parse(name, &again) == HOSTNAME_OK);
	MUST(hostname_equal(host, &again));
	MUST(!addr_parse(name, &addr));
	MUST(!hostname_under(host, host));
}

/* Capitals and one trailing dot make no other name. */
static void check_spellings(const struct hostname *host)
{
	char text[HOSTNAME_MAX + 2];
	struct hostname again;

	for (size_t i = 0; i < host->size; i++)
		text[i] = host->name[i] >= 'a' && host->name[i] <= 'z'
				  ? (char)(host->name[i] - 'a' + 'A')
				  : host->name[i];
	text[host->size] = '.';
	MUST(hostname_parse((struct span){ text, host->size + 1u }, &again) ==
	     HOSTNAME_OK);
	MUST(hostname_equal(host, &again));
	text[host->size + 1u] = '.';
	MUST(hostname_parse((struct span){ text, host->size + 2u }, &again) !=
	     HOSTNAME_OK);
	MUST(again.size == 0);
}

/* The labels above the first are a zone that the name is under. */
static void check_zone(const struct hostname *host)
{
	const char *dot = strchr(host->name, '.');
	struct hostname zone;

	if (!dot)
		return;
	MUST(hostname_parse(span_of(dot + 1), &zone) == HOSTNAME_OK);
	MUST(hostname_under(host, &zone));
	MUST(!hostname_under(&zone, host));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span text = fuzz_span(data, size);
	struct hostname wire, written, again;

	if (hostname_parse(text, &wire) == HOSTNAME_OK) {
		check_canonical(&wire);
		check_spellings(&wire);
		check_zone(&wire);
	} else {
		MUST(wire.size == 0 && wire.name[0] == '\0');
	}
	if (hostname_parse_written(text, &written) == HOSTNAME_OK) {
		check_canonical(&written);
		MUST(hostname_parse_written((struct span){ written.name,
							   written.size },
					    &again) == HOSTNAME_OK);
		MUST(hostname_equal(&written, &again));
		MUST(!wire.size || hostname_equal(&wire, &written));
	} else {
		MUST(written.size == 0 && written.name[0] == '\0');
	}
	return 0;
}
