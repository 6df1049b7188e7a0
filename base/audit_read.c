/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "base/audit_read.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/fd.h"
#include "base/json.h"
#include "base/span.h"

#define LOG_SIZE_MAX (1u << 30)

/* Parsed lines, kept while the rows borrow from them. */
struct rows {
	struct json_row **parsed;
	size_t count, room;
};

void audit_log_release(struct audit_log *log)
{
	struct rows *rows = log->memory;

	for (size_t i = 0; rows && i < rows->count; i++)
		json_row_free(rows->parsed[i]);
	if (rows)
		free(rows->parsed);
	free(rows);
	free(log->rows);
	*log = (struct audit_log){ 0 };
}

static bool blank(struct span line)
{
	for (size_t i = 0; i < line.size; i++)
		if (line.data[i] != ' ')
			return false;
	return true;
}

/* A decision that is neither word is not a decision; nothing is guessed. */
static bool well_formed(const struct json_row *row)
{
	const char *kind = json_row_text(row, "kind");
	const char *decision = json_row_text(row, "decision");

	if (!*kind || strlen(json_row_text(row, "hash")) != 64)
		return false;
	if (strcmp(kind, "decision") != 0)
		return true;
	return *json_row_text(row, "host") && (strcmp(decision, "allow") == 0 ||
					       strcmp(decision, "deny") == 0);
}

static struct audit_row row_view(const struct json_row *row)
{
	struct audit_row view = {
		.kind = json_row_text(row, "kind"),
		.host = json_row_text(row, "host"),
		.decision = json_row_text(row, "decision"),
		.reason = json_row_text(row, "reason"),
		.rule = json_row_text(row, "rule"),
		.via = json_row_text(row, "via"),
		.addr = json_row_text(row, "addr"),
		.would = json_row_text(row, "would"),
		.cause = json_row_text(row, "cause"),
		.policy = json_row_text(row, "policy"),
		.digest = json_row_text(row, "digest"),
	};
	uint64_t port = 0;

	if (json_row_u64(row, "port", &port) && port <= 65535)
		view.port = (uint16_t)port;
	if (!json_row_u64(row, "ts", &view.ts))
		view.ts = 0;
	if (!json_row_u64(row, "seq", &view.seq))
		view.seq = 0;
	return view;
}

static int append(struct audit_log *log, struct json_row *row)
{
	struct rows *rows = log->memory;

	if (rows->count == rows->room) {
		size_t room = rows->room ? rows->room * 2 : 64;
		void *parsed, *views;

		parsed = reallocarray(rows->parsed, room, sizeof(row));
		if (!parsed)
			return -1;
		rows->parsed = parsed;
		views = reallocarray(log->rows, room, sizeof(*log->rows));
		if (!views)
			return -1;
		log->rows = views;
		rows->room = room;
	}
	log->rows[log->count++] = row_view(row);
	rows->parsed[rows->count++] = row;
	return 0;
}

static int read_line(struct audit_log *log, struct span line, struct error *err)
{
	struct json_row *row;

	if (blank(line))
		return 0;
	row = json_row_parse(line);
	if (!row || !well_formed(row)) {
		json_row_free(row);
		log->malformed++;
		return 0;
	}
	if (append(log, row) < 0) {
		json_row_free(row);
		return error_sys(err, "no memory for an audit log");
	}
	return 0;
}

int audit_log_read(const char *path, struct audit_log *log, struct error *err)
{
	autofree char *text = NULL;
	struct span rest;
	size_t size;

	*log = (struct audit_log){ 0 };
	text = fd_read_file(path, LOG_SIZE_MAX, &size, err);
	if (!text)
		return -1;
	log->memory = calloc(1, sizeof(struct rows));
	if (!log->memory)
		return error_sys(err, "no memory for an audit log");
	for (rest = (struct span){ text, size }; rest.size > 0;) {
		size_t end = span_find(rest, '\n');

		if (read_line(log, span_head(rest, end), err) < 0) {
			audit_log_release(log);
			return -1;
		}
		rest = span_skip(rest, end < rest.size ? end + 1 : end);
	}
	return 0;
}
