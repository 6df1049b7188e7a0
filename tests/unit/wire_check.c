/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tests/unit/unit.h"

#include "tests/unit/wire.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "base/buf.h"

void wire_check_text(const char *id, const char *what, struct span got,
		     const char *wanted, bool prefix)
{
	struct buf text = BUF_INIT(16u << 20);
	struct span full;

	wire_expand(span_of(wanted), &text);
	full = buf_span(&text);
	if (prefix ? !span_starts(got, full) : !span_equal(got, full))
		fail_msg("%s: %s is\n<%.*s>\nand not\n<%.*s>", id, what,
			 (int)got.size, got.data, (int)full.size, full.data);
	buf_release(&text);
}

void wire_add_row(char *rows, size_t size, const struct audit_row *row)
{
	size_t used = strlen(rows);
	const char *said = *row->reason ? row->reason : row->cause;

	if (strcmp(row->kind, "start") == 0 || strcmp(row->kind, "stop") == 0)
		return;
	snprintf(rows + used, size - used, "%s%s%s%s%s%s%s%s", used ? "; " : "",
		 row->kind, *row->decision ? " " : "", row->decision,
		 *said ? " " : "", said, *row->would ? ", would " : "",
		 row->would);
}

/* What is refused by its head or its name must not even be asked of DNS. */
static bool asks_nothing(const struct wire_case *wire)
{
	const char *rows = wire->rows;

	if (wire->origin)
		return false;
	return strncmp(rows, "refused", 7) == 0 ||
	       (!strstr(rows, "would") &&
		(strstr(rows, "allowlist") || strstr(rows, "denylist")));
}

void wire_check(const struct wire_case *wire)
{
	const struct wire_result *result = wire_run_shared(wire);

	if (!WIFEXITED(result->status) || WEXITSTATUS(result->status) != 0)
		fail_msg("%s: the proxy ended with %x", wire->id,
			 (unsigned)result->status);
	wire_check_text(wire->id, "the log", span_of(result->rows), wire->rows,
			false);
	wire_check_text(wire->id, "the reply", result->reply, wire->reply,
			true);
	wire_check_text(wire->id, "what reached the origin", result->origin,
			wire->origin ? wire->origin : "", false);
	if ((result->connections > 0) != (wire->origin != NULL))
		fail_msg("%s: %zu connections reached the origin", wire->id,
			 result->connections);
	if (asks_nothing(wire) && result->queries > 0)
		fail_msg("%s: %zu questions were asked", wire->id,
			 result->queries);
}
