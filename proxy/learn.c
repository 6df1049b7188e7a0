/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "proxy/learn.h"

#include <stdlib.h>
#include <string.h>

#include "base/addr.h"
#include "base/audit_read.h"
#include "base/cleanup.h"
#include "base/hostname.h"
#include "policy/policy.h"

/* One decision of a log. Its strings are the log's, and checked. */
struct wish {
	const char *policy, *host;
	const char *reason; /* NULL: an entry is what it takes */
	uint16_t port;
	bool address6;
};

struct wishes {
	struct wish *list;
	size_t count, room;
	size_t rows, malformed;
};

static int add_wish(struct wishes *wishes, const struct wish *wish,
		    struct error *err)
{
	if (wishes->count == wishes->room) {
		size_t room = wishes->room ? wishes->room * 2 : 256;
		struct wish *grown =
			reallocarray(wishes->list, room, sizeof(*grown));

		if (!grown)
			return error_sys(err, "no memory for what was asked");
		wishes->list = grown;
		wishes->room = room;
	}
	wishes->list[wishes->count++] = *wish;
	return 0;
}

/* ---- reading ---- */

static bool is_word(const char *word)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyz"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789-_.";

	return strspn(word, allowed) == strlen(word);
}

/*
 * A log is no more to be trusted than what was asked for: only a target in its
 * one spelling becomes an entry.
 */
static bool read_target(const struct audit_row *row, struct wish *wish)
{
	struct hostname name;
	struct addr addr;

	wish->host = row->host;
	wish->port = row->port;
	wish->policy = *row->policy ? row->policy : "default";
	if (row->port == 0 || !is_word(wish->policy))
		return false;
	if (addr_parse(span_of(row->host), &addr)) {
		wish->address6 = addr.size == 16;
		return strcmp(addr_print(&addr).text, row->host) == 0;
	}
	return hostname_parse(span_of(row->host), &name) == HOSTNAME_OK &&
	       strcmp(name.name, row->host) == 0;
}

/* Would one more entry have let it through? */
static bool is_missing(const char *reason)
{
	static const enum deny_reason missing[] = { DENY_NOT_LISTED, DENY_PORT,
						    DENY_LITERAL };

	for (size_t i = 0; i < ARRAY_SIZE(missing); i++)
		if (strcmp(reason, deny_reason_text(missing[i])) == 0)
			return true;
	return false;
}

/* The reason in our own words; a log's are not repeated. */
static const char *known_reason(const char *reason)
{
	for (int i = 0; i < DENY_NREASONS; i++)
		if (strcmp(reason, deny_reason_text((enum deny_reason)i)) == 0)
			return deny_reason_text((enum deny_reason)i);
	return "for another reason";
}

static int take_row(const struct audit_row *row, bool allowed,
		    struct wishes *wishes, struct error *err)
{
	bool denied = strcmp(row->decision, "deny") == 0 ||
		      strcmp(row->would, "deny") == 0;
	struct wish wish = { 0 };

	if (strcmp(row->kind, "decision") != 0)
		return 0;
	wishes->rows++;
	if (!denied && !allowed)
		return 0;
	if (!read_target(row, &wish)) {
		wishes->malformed++;
		return 0;
	}
	if (denied && !is_missing(row->reason))
		wish.reason = known_reason(row->reason);
	return add_wish(wishes, &wish, err);
}

static int take_log(const struct audit_log *log, bool allowed,
		    struct wishes *wishes, struct error *err)
{
	wishes->malformed += log->malformed;
	for (size_t i = 0; i < log->count; i++)
		if (take_row(&log->rows[i], allowed, wishes, err) < 0)
			return -1;
	return 0;
}

/* ---- writing ---- */

static int by_target(const void *a, const void *b)
{
	const struct wish *x = a, *y = b;
	int order = strcmp(x->policy, y->policy);

	if (order == 0)
		order = !!x->reason - !!y->reason;
	if (order == 0)
		order = strcmp(x->host, y->host);
	if (order == 0)
		order = (x->port > y->port) - (x->port < y->port);
	if (order == 0 && x->reason)
		order = strcmp(x->reason, y->reason);
	return order;
}

/* How many from here on are the same. */
static size_t run(const struct wish *list, size_t count)
{
	size_t n = 0;

	while (n < count && by_target(&list[0], &list[n]) == 0)
		n++;
	return n;
}

static void print_asked(size_t times, FILE *out)
{
	fprintf(out, " # asked %zu time%s\n", times, times == 1 ? "" : "s");
}

static void print_host(const struct wish *wish, FILE *out)
{
	fprintf(out, wish->address6 ? "[%s]" : "%s", wish->host);
}

/* One entry; the two usual ports together need none. Returns what it took. */
static size_t print_entry(const struct wish *list, size_t count, FILE *out)
{
	size_t n = run(list, count), more = 0;

	if (n < count && list->port == 80 && list[n].port == 443 &&
	    strcmp(list[n].policy, list->policy) == 0 && !list[n].reason &&
	    strcmp(list[n].host, list->host) == 0)
		more = run(list + n, count - n);
	fputs("      - \"", out);
	print_host(list, out);
	if (!more)
		fprintf(out, ":%u", list->port);
	fputc('"', out);
	print_asked(n + more, out);
	return n + more;
}

static size_t print_left_out(const struct wish *list, size_t count, FILE *out)
{
	size_t n = run(list, count);

	fputs("    # left out: ", out);
	print_host(list, out);
	fprintf(out, ":%u, %s", list->port, list->reason);
	print_asked(n, out);
	return n;
}

/* One policy; returns how much of the list is its. */
static size_t print_policy(const struct wish *list, size_t count, FILE *out)
{
	size_t i = 0;

	fprintf(out, "  \"%s\":\n", list->policy);
	fputs(list->reason ? "    allow: []\n" : "    allow:\n", out);
	while (i < count && strcmp(list[i].policy, list->policy) == 0)
		i += (list[i].reason ? print_left_out
				     : print_entry)(list + i, count - i, out);
	return i;
}

static void print(const struct wishes *wishes, FILE *out)
{
	fprintf(out,
		"# Learned from %zu decisions. Read it before it is used: "
		"whoever was asked\n# for once is not therefore to be "
		"trusted.\n",
		wishes->rows);
	if (wishes->malformed)
		fprintf(out, "# %zu malformed lines were left out.\n",
			wishes->malformed);
	fputs(wishes->count ? "policies:\n" : "policies: {}\n", out);
	for (size_t i = 0; i < wishes->count;)
		i += print_policy(wishes->list + i, wishes->count - i, out);
}

static void release_logs(struct audit_log *logs, size_t count)
{
	for (size_t i = 0; i < count; i++)
		audit_log_release(&logs[i]);
	free(logs);
}

int learn_policy(const struct learn_setup *setup, FILE *out, struct error *err)
{
	struct audit_log *logs = calloc(setup->log_count + 1, sizeof(*logs));
	struct wishes wishes = { 0 };
	int result = 0;

	if (!logs)
		return error_sys(err, "no memory for logs");
	for (size_t i = 0; result == 0 && i < setup->log_count; i++) {
		result = audit_log_read(setup->logs[i], &logs[i], err);
		if (result == 0)
			result = take_log(&logs[i], setup->allowed, &wishes,
					  err);
	}
	if (result == 0 && wishes.count)
		qsort(wishes.list, wishes.count, sizeof(*wishes.list),
		      by_target);
	if (result == 0)
		print(&wishes, out);
	free(wishes.list);
	release_logs(logs, setup->log_count);
	return result;
}
