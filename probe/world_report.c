/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "probe/world_report.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/cleanup.h"
#include "base/fd.h"
#include "base/hostname.h"
#include "base/json.h"
#include "base/span.h"

#include "probe/world_recorder.h"

/* Parsed lines, kept while the rows borrow from them. */
struct parsed {
	struct json_row **rows;
	size_t count, room;
};

void world_report_release(struct world_report *report)
{
	struct parsed *parsed = report->memory;

	for (size_t i = 0; parsed && i < parsed->count; i++)
		json_row_free(parsed->rows[i]);
	if (parsed)
		free(parsed->rows);
	free(parsed);
	free(report->rows);
	*report = (struct world_report){ 0 };
}

/* ---- one line ---- */

static bool take_endpoint(const struct json_row *line, struct world_row *row)
{
	uint64_t port;

	if (!json_row_u64(line, "port", &port) || port == 0 || port > 65535)
		return false;
	row->port = (uint16_t)port;
	return addr_parse(span_of(json_row_text(line, "addr")), &row->addr);
}

static bool take_dns(const struct json_row *line, struct world_row *row)
{
	row->name = json_row_text(line, "name");
	row->type = json_row_text(line, "type");
	return *row->type; /* the root's name is empty */
}

static bool take_tls(const struct json_row *line, struct world_row *row)
{
	row->name = json_row_text(line, "sni");
	return true;
}

static bool take_http(const struct json_row *line, struct world_row *row)
{
	row->name = json_row_text(line, "host");
	row->method = json_row_text(line, "method");
	row->path = json_row_text(line, "path");
	return *row->method && *row->path;
}

static bool take_udp(const struct json_row *line, struct world_row *row)
{
	return json_row_u64(line, "size", &row->size) &&
	       take_endpoint(line, row);
}

static const struct {
	const char *name;
	bool (*take)(const struct json_row *line, struct world_row *row);
} kinds[] = {
	[WORLD_DNS] = { "dns", take_dns },
	[WORLD_TCP] = { "tcp", take_endpoint },
	[WORLD_TLS] = { "tls", take_tls },
	[WORLD_HTTP] = { "http", take_http },
	[WORLD_UDP] = { "udp", take_udp },
};
static_assert(ARRAY_SIZE(kinds) == WORLD_NKINDS, "each kind has a reader");

static bool take_row(const struct json_row *line, struct world_row *row)
{
	const char *kind = json_row_text(line, "kind");

	*row = (struct world_row){
		.name = "", .type = "", .method = "", .path = ""
	};
	if (!json_row_u64(line, "ts", &row->ts))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (strcmp(kinds[i].name, kind) == 0) {
			row->kind = (enum world_kind)i;
			return kinds[i].take(line, row);
		}
	return false;
}

/* ---- the file ---- */

static int append(struct world_report *report, struct json_row *line,
		  const struct world_row *row)
{
	struct parsed *parsed = report->memory;

	if (parsed->count == parsed->room) {
		size_t room = parsed->room ? parsed->room * 2 : 64;
		void *lines, *rows;

		lines = reallocarray(parsed->rows, room, sizeof(line));
		if (!lines)
			return -1;
		parsed->rows = lines;
		rows = reallocarray(report->rows, room, sizeof(*row));
		if (!rows)
			return -1;
		report->rows = rows;
		parsed->room = room;
	}
	report->rows[report->count++] = *row;
	parsed->rows[parsed->count++] = line;
	return 0;
}

static int read_line(struct world_report *report, struct span text,
		     const struct place *place, struct error *err)
{
	struct json_row *line = json_row_parse(text);
	struct world_row row;
	int result;

	if (line && strcmp(json_row_text(line, "kind"), "overflow") == 0)
		result = error_at(err, place,
				  "the world's report is not whole: it ran "
				  "full");
	else if (!line || !take_row(line, &row))
		result = error_at(err, place,
				  "the world's report holds a malformed line");
	else if (append(report, line, &row) < 0)
		result = error_sys(err, "no memory for the world's report");
	else
		return 0;
	json_row_free(line);
	return result;
}

static int read_lines(struct world_report *report, const char *path,
		      struct span rest, struct error *err)
{
	struct place place = { path, 0, 1 };

	while (rest.size > 0) {
		size_t end = span_find(rest, '\n');

		place.line++;
		if (end == rest.size)
			return error_at(err, &place,
					"the world's report ends inside a "
					"line");
		if (read_line(report, span_head(rest, end), &place, err) < 0)
			return -1;
		rest = span_skip(rest, end + 1);
	}
	return 0;
}

int world_report_read(const char *path, struct world_report *report,
		      struct error *err)
{
	autofree char *text = NULL;
	size_t size;

	*report = (struct world_report){ 0 };
	text = fd_read_file(path, WORLD_REPORT_MAX + 4096, &size, err);
	if (!text)
		return -1;
	report->memory = calloc(1, sizeof(struct parsed));
	if (!report->memory)
		return error_sys(err, "no memory for the world's report");
	if (read_lines(report, path, (struct span){ text, size }, err) == 0)
		return 0;
	world_report_release(report);
	return -1;
}

/* ---- questions ---- */

bool world_report_saw_name(const struct world_report *report, const char *name)
{
	struct hostname canonical;
	const char *wanted = name;

	if (hostname_parse(span_of(name), &canonical) == HOSTNAME_OK)
		wanted = canonical.name;
	for (size_t i = 0; i < report->count; i++)
		if (*report->rows[i].name &&
		    strcasecmp(report->rows[i].name, wanted) == 0)
			return true;
	return false;
}

bool world_report_saw_addr(const struct world_report *report,
			   const struct addr *addr, uint16_t port)
{
	for (size_t i = 0; i < report->count; i++) {
		const struct world_row *row = &report->rows[i];

		if (row->addr.size && addr_equal(&row->addr, addr) &&
		    (port == 0 || row->port == port))
			return true;
	}
	return false;
}

size_t world_report_count(const struct world_report *report,
			  enum world_kind kind)
{
	size_t n = 0;

	for (size_t i = 0; i < report->count; i++)
		n += report->rows[i].kind == kind;
	return n;
}
