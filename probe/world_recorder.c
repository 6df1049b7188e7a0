/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "probe/world_recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/log.h"

/* Escaping makes six bytes of one; a line holds at most three values. */
#define LINE_MAX_BYTES (3 * 6 * WORLD_VALUE_MAX + 512)

struct world_recorder {
	int fd; /* -1: keeps nothing */
	size_t size, max;
	bool closed; /* full, or broken: everything is refused */
	struct buf line;
	void (*failed)(void *arg);
	void *arg;
};

void world_recorder_close(struct world_recorder *recorder)
{
	if (!recorder)
		return;
	fd_close(&recorder->fd);
	buf_release(&recorder->line);
	free(recorder);
}

static int open_file(struct world_recorder *recorder, const char *path,
		     struct error *err)
{
	struct stat st;

	recorder->fd = open(path,
			    O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC |
				    O_NOCTTY | O_NONBLOCK,
			    0600);
	if (recorder->fd < 0 || fstat(recorder->fd, &st) < 0)
		return error_sys(err, "cannot open the report '%s'", path);
	if (!S_ISREG(st.st_mode))
		return error_kind_set(err, ERROR_INPUT,
				      "the report '%s' is not a regular file",
				      path);
	recorder->size = (size_t)st.st_size;
	return 0;
}

struct world_recorder *world_recorder_open(const char *path, size_t max_bytes,
					   struct error *err)
{
	struct world_recorder *recorder = calloc(1, sizeof(*recorder));

	if (!recorder) {
		error_sys(err, "no memory for a report");
		return NULL;
	}
	recorder->fd = -1;
	recorder->max = max_bytes;
	recorder->line = BUF_INIT(LINE_MAX_BYTES);
	if (path && open_file(recorder, path, err) < 0) {
		world_recorder_close(recorder);
		return NULL;
	}
	return recorder;
}

void world_recorder_on_failure(struct world_recorder *recorder,
			       void (*failed)(void *arg), void *arg)
{
	recorder->failed = failed;
	recorder->arg = arg;
}

/* ---- lines ---- */

static void begin(struct world_recorder *recorder, const char *kind)
{
	buf_clear(&recorder->line);
	buf_addf(&recorder->line, "{\"ts\":%llu,\"kind\":\"%s\"",
		 (unsigned long long)clock_epoch_ms(), kind);
}

static void add_text(struct world_recorder *recorder, const char *name,
		     struct span value)
{
	if (value.size > WORLD_VALUE_MAX)
		value.size = WORLD_VALUE_MAX;
	buf_addf(&recorder->line, ",\"%s\":", name);
	buf_add_json(&recorder->line, value);
}

static void add_number(struct world_recorder *recorder, const char *name,
		       size_t value)
{
	buf_addf(&recorder->line, ",\"%s\":%zu", name, value);
}

static void add_endpoint(struct world_recorder *recorder,
			 const struct endpoint *to)
{
	struct addr_text text = addr_print(&to->addr);

	add_text(recorder, "addr", span_of(text.text));
	add_number(recorder, "port", to->port);
}

/* A short write leaves half a line, which no reader takes for a whole one. */
static bool write_line(struct world_recorder *recorder)
{
	const struct buf *line = &recorder->line;
	ssize_t n;

	do
		n = write(recorder->fd, line->data, line->size);
	while (n < 0 && errno == EINTR);
	if (n == (ssize_t)line->size) {
		recorder->size += line->size;
		return true;
	}
	recorder->closed = true;
	log_error("the report cannot be written; nothing is answered any more");
	if (recorder->failed)
		recorder->failed(recorder->arg);
	return false;
}

static bool overflow(struct world_recorder *recorder)
{
	begin(recorder, "overflow");
	buf_add_text(&recorder->line, "}\n");
	if (write_line(recorder))
		log_error("the report is full; nothing is answered any more");
	recorder->closed = true;
	return false;
}

static bool end(struct world_recorder *recorder)
{
	if (recorder->fd < 0)
		return true;
	if (recorder->closed)
		return false;
	buf_add_text(&recorder->line, "}\n");
	if (buf_failed(&recorder->line))
		return overflow(recorder); /* no memory: equally incomplete */
	if (recorder->size > recorder->max ||
	    recorder->line.size > recorder->max - recorder->size)
		return overflow(recorder);
	return write_line(recorder);
}

/* ---- kinds ---- */

bool world_record_dns(struct world_recorder *recorder, struct span name,
		      const char *type)
{
	begin(recorder, "dns");
	add_text(recorder, "name", name);
	add_text(recorder, "type", span_of(type));
	return end(recorder);
}

bool world_record_tcp(struct world_recorder *recorder,
		      const struct endpoint *to)
{
	begin(recorder, "tcp");
	add_endpoint(recorder, to);
	return end(recorder);
}

bool world_record_tls(struct world_recorder *recorder, struct span sni)
{
	begin(recorder, "tls");
	add_text(recorder, "sni", sni);
	return end(recorder);
}

bool world_record_http(struct world_recorder *recorder, struct span host,
		       struct span method, struct span path, bool tls)
{
	begin(recorder, "http");
	add_text(recorder, "host", host);
	add_text(recorder, "method", method);
	add_text(recorder, "path", path);
	buf_addf(&recorder->line, ",\"tls\":%s", tls ? "true" : "false");
	return end(recorder);
}

bool world_record_udp(struct world_recorder *recorder,
		      const struct endpoint *to, size_t size)
{
	begin(recorder, "udp");
	add_endpoint(recorder, to);
	add_number(recorder, "size", size);
	return end(recorder);
}
