/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "base/audit.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/json.h"

#define PAGE    4096
#define LOOK_MS 500
static_assert(AUDIT_RECORD_MAX <= PAGE, "a record fits a page");

static const char genesis[DIGEST_HEX + 1] =
	"0000000000000000000000000000000000000000000000000000000000000000";

struct audit {
	int fd;
	char *path;
	dev_t device; /* the file that was opened, and still must be there */
	ino_t inode;
	uint64_t looked; /* when that was last made sure of; monotonic ms */
	uint64_t offset; /* where the next byte goes */
	bool torn;       /* the file may not end in a newline */
	char chain[48];  /* start time, process, which log of the process */
	uint64_t seq;    /* of the last record */
	char prev[DIGEST_HEX + 1];
	char last[DIGEST_HEX + 1];
	uint64_t failed; /* writes that failed since the last good one */
	uint64_t failed_since;
	char failed_why[128];
	uint64_t incidents;
	struct buf line;
};

/* ---- which members a kind carries, in the order of the record ---- */

enum member_type {
	MEMBER_TEXT,
	MEMBER_SPAN,
	MEMBER_PORT,
	MEMBER_STATUS,
	MEMBER_COUNT, /* always written */
	MEMBER_ID,    /* written unless 0 */
};

struct member {
	const char *name;
	enum member_type type;
	size_t offset;
	unsigned kinds;
};

#define OF(kind)  BIT(AUDIT_##kind)
#define ATTEMPT   (OF(DECISION) | OF(REQUEST) | OF(REFUSED) | OF(ERROR))
#define TRAFFIC   (ATTEMPT | OF(CLOSE))
#define AT(field) offsetof(struct audit_event, field)

static const struct member members[] = {
	{ "host", MEMBER_TEXT, AT(host), TRAFFIC },
	{ "decision", MEMBER_TEXT, AT(decision), OF(DECISION) },
	{ "port", MEMBER_PORT, AT(port), TRAFFIC },
	{ "method", MEMBER_TEXT, AT(method), TRAFFIC },
	{ "path", MEMBER_SPAN, AT(path), TRAFFIC },
	{ "reason", MEMBER_TEXT, AT(reason), OF(DECISION) },
	{ "rule", MEMBER_TEXT, AT(rule), TRAFFIC },
	{ "origin", MEMBER_TEXT, AT(origin), ATTEMPT },
	{ "via", MEMBER_TEXT, AT(via), TRAFFIC },
	{ "addr", MEMBER_TEXT, AT(addr), TRAFFIC },
	{ "would", MEMBER_TEXT, AT(would), OF(DECISION) },
	{ "cause", MEMBER_TEXT, AT(cause),
	  OF(REFUSED) | OF(ERROR) | OF(CLOSE) | OF(GAP) | OF(STOP) },
	{ "status", MEMBER_STATUS, AT(status), TRAFFIC },
	{ "bytes_up", MEMBER_COUNT, AT(bytes_up), OF(CLOSE) },
	{ "bytes_down", MEMBER_COUNT, AT(bytes_down), OF(CLOSE) },
	{ "duration_ms", MEMBER_COUNT, AT(duration_ms), OF(CLOSE) },
	{ "client", MEMBER_TEXT, AT(client), TRAFFIC },
	{ "conn", MEMBER_ID, AT(conn), TRAFFIC },
	{ "session", MEMBER_TEXT, AT(session), TRAFFIC | OF(START) },
	{ "policy", MEMBER_TEXT, AT(policy), TRAFFIC },
	{ "incident", MEMBER_TEXT, AT(incident), TRAFFIC },
	{ "since", MEMBER_COUNT, AT(since), OF(GAP) },
	{ "until", MEMBER_COUNT, AT(until), OF(GAP) },
	{ "refused", MEMBER_COUNT, AT(refused), OF(GAP) },
	{ "version", MEMBER_TEXT, AT(version), OF(START) },
	{ "digest", MEMBER_TEXT, AT(digest), OF(START) },
	{ "generation", MEMBER_COUNT, AT(generation), OF(START) },
	{ "last", MEMBER_TEXT, AT(last), OF(START) },
};

/* Names, quotes and numbers of all members, and the texts at their least. */
static_assert(ARRAY_SIZE(members) * (16 + 20 + DIGEST_HEX) < 3000,
	      "every record can be made to fit");

static const char *const kind_name[] = {
	[AUDIT_DECISION] = "decision", [AUDIT_REQUEST] = "request",
	[AUDIT_REFUSED] = "refused",   [AUDIT_ERROR] = "error",
	[AUDIT_CLOSE] = "close",       [AUDIT_GAP] = "gap",
	[AUDIT_START] = "start",       [AUDIT_STOP] = "stop",
};
static_assert(ARRAY_SIZE(kind_name) == AUDIT_NKINDS, "each kind has a name");

const char *audit_kind_name(enum audit_kind kind)
{
	return kind_name[kind];
}

static void add_name(struct buf *line, const char *name)
{
	buf_add(line, SPAN(",\""));
	buf_add_text(line, name);
	buf_add(line, SPAN("\":"));
}

static void add_text(struct buf *line, const char *name, struct span value,
		     size_t max)
{
	if (!value.data)
		return;
	add_name(line, name);
	buf_add_json_cut(line, value, max);
}

/* Never beyond what every reader of JSON takes for a whole number. */
static void add_number(struct buf *line, const char *name, uint64_t value)
{
	if (value > INT64_MAX)
		value = INT64_MAX;
	add_name(line, name);
	buf_add_u64(line, value);
}

static void add_member(struct buf *line, const struct member *member,
		       const struct audit_event *event, size_t max)
{
	const void *at = (const char *)event + member->offset;
	const char *text;

	switch (member->type) {
	case MEMBER_TEXT:
		text = *(const char *const *)at;
		if (text)
			add_text(line, member->name, span_of(text), max);
		break;
	case MEMBER_SPAN:
		add_text(line, member->name, *(const struct span *)at, max);
		break;
	case MEMBER_PORT:
		if (*(const uint16_t *)at)
			add_number(line, member->name, *(const uint16_t *)at);
		break;
	case MEMBER_STATUS:
		if (*(const int *)at)
			add_number(line, member->name,
				   (uint64_t) * (const int *)at);
		break;
	case MEMBER_ID:
		if (!*(const uint64_t *)at)
			break;
		/* fall through */
	case MEMBER_COUNT:
		add_number(line, member->name, *(const uint64_t *)at);
		break;
	}
}

/* ---- one record ---- */

/* Everything but padding, hash and newline; texts have at most max bytes. */
static void render(struct audit *audit, const struct audit_event *event,
		   size_t max, struct buf *line)
{
	buf_clear(line);
	buf_addf(line, "{\"ts\":%" PRIu64 ",\"v\":1,\"kind\":\"%s\"",
		 clock_epoch_ms(), kind_name[event->kind]);
	buf_addf(line, ",\"seq\":%" PRIu64 ",\"chain\":\"%s\"", audit->seq + 1,
		 audit->chain);
	for (size_t i = 0; i < ARRAY_SIZE(members); i++)
		if (members[i].kinds & BIT(event->kind))
			add_member(line, &members[i], event, max);
	add_text(line, "prev", span_of(audit->prev), DIGEST_HEX);
}

#define HASH_TAIL_SIZE (sizeof(",\"hash\":\"\"}\n") - 1 + DIGEST_HEX)

#define VALUE_LEAST DIGEST_HEX /* of every text, whatever the others are */

/*
 * Hostile values must not make a record too long to write, and with it the
 * request refused without a trace: then all are cut shorter.
 */
static int render_to_fit(struct audit *audit, const struct audit_event *event,
			 struct buf *body)
{
	for (size_t max = AUDIT_VALUE_MAX; max >= VALUE_LEAST; max /= 2) {
		render(audit, event, max, body);
		if (!buf_failed(body))
			return 0;
	}
	return -1;
}

/* Spaces in front, where the record would cross a page of the file. */
static size_t padding(uint64_t offset, size_t size)
{
	size_t left = PAGE - (size_t)(offset % PAGE);

	return size <= left ? 0 : left;
}

/* The bytes to write; the record itself starts behind an optional newline. */
static int compose(struct audit *audit, const struct audit_event *event,
		   char hash[DIGEST_HEX + 1], struct error *err)
{
	cleanup(buf_release) struct buf body =
		BUF_INIT(AUDIT_RECORD_MAX - HASH_TAIL_SIZE);
	struct buf *line = &audit->line;
	size_t start = audit->torn ? 1 : 0, pad;

	if (render_to_fit(audit, event, &body) < 0)
		return error_set(err, "no memory for an audit record");
	buf_clear(line);
	if (audit->torn)
		buf_add_byte(line, '\n');
	pad = padding(audit->offset + start, body.size + HASH_TAIL_SIZE);
	for (size_t i = 0; i < pad; i++)
		buf_add_byte(line, ' ');
	buf_add(line, buf_span(&body));
	if (buf_failed(line))
		return error_set(err, "no memory for an audit record");
	digest_hex(span_skip(buf_span(line), start), hash);
	buf_addf(line, ",\"hash\":\"%s\"}\n", hash);
	return buf_failed(line)
		       ? error_set(err, "no memory for an audit record")
		       : 0;
}

/*
 * A short write leaves a torn line; what is in the file is what counts. Where
 * only the newline is missing, the record stands there whole and every reader
 * takes it: then it is written, and the next one brings the newline.
 */
static int put(struct audit *audit, struct error *err)
{
	const struct buf *line = &audit->line;
	ssize_t n;

	do
		n = write(audit->fd, line->data, line->size);
	while (n < 0 && errno == EINTR);
	if (n > 0) {
		audit->offset += (uint64_t)n;
		audit->torn = (size_t)n < line->size;
	}
	if (n < 0)
		return error_sys(err, "cannot write the audit log");
	if ((size_t)n + 1 < line->size)
		return error_set(err,
				 "cannot write the audit log: only %zd of "
				 "%zu bytes were taken",
				 n, line->size);
	return 0;
}

static int write_record(struct audit *audit, const struct audit_event *event,
			struct error *err)
{
	char hash[DIGEST_HEX + 1];

	if (compose(audit, event, hash, err) < 0 || put(audit, err) < 0)
		return -1;
	audit->seq++;
	memcpy(audit->prev, hash, sizeof(audit->prev));
	return 0;
}

static int write_gap(struct audit *audit, struct error *err)
{
	const struct audit_event gap = {
		.kind = AUDIT_GAP,
		.since = audit->failed_since,
		.until = clock_epoch_ms(),
		.refused = audit->failed,
		.cause = audit->failed_why,
	};

	if (audit->failed == 0)
		return 0;
	if (write_record(audit, &gap, err) < 0)
		return -1;
	audit->failed = 0;
	return 0;
}

/*
 * Is what we write to still the log that people read? Deleted, replaced and
 * truncated files are noticed here, at least once a second while records come.
 */
static int look_after_file(struct audit *audit, struct error *err)
{
	uint64_t now = clock_monotonic_ms();
	struct stat open_file, named;

	if (now - audit->looked < LOOK_MS && !audit->failed)
		return 0;
	if (fstat(audit->fd, &open_file) < 0)
		return error_sys(err, "cannot look after the audit log");
	if (stat(audit->path, &named) < 0 || named.st_dev != audit->device ||
	    named.st_ino != audit->inode)
		return error_set(err,
				 "the audit log '%s' was deleted or "
				 "replaced",
				 audit->path);
	if ((uint64_t)open_file.st_size != audit->offset)
		return error_set(err,
				 "the audit log '%s' was changed by "
				 "somebody else",
				 audit->path);
	audit->looked = now;
	return 0;
}

int audit_write(struct audit *audit, const struct audit_event *event,
		struct error *err)
{
	if (look_after_file(audit, err) == 0 && write_gap(audit, err) == 0 &&
	    write_record(audit, event, err) == 0)
		return 0;
	if (audit->failed++ == 0)
		audit->failed_since = clock_epoch_ms();
	snprintf(audit->failed_why, sizeof(audit->failed_why), "%.127s",
		 err->text);
	return -1;
}

void audit_incident(struct audit *audit, char out[AUDIT_INCIDENT_MAX])
{
	char hash[DIGEST_HEX + 1];
	char seed[96];

	snprintf(seed, sizeof(seed), "%s/%" PRIu64, audit->chain,
		 ++audit->incidents);
	digest_hex(span_of(seed), hash);
	snprintf(out, AUDIT_INCIDENT_MAX, "i-%.16s", hash);
}

/* ---- opening ---- */

/* The hash in the last whole record of the tail, if there is one. */
static void find_last(struct audit *audit, struct span tail)
{
	while (tail.size > 0) {
		size_t end = tail.size, start;
		struct json_row *row;

		if (tail.data[end - 1] == '\n')
			end--;
		for (start = end; start > 0 && tail.data[start - 1] != '\n';)
			start--;
		row = json_row_parse(
			(struct span){ tail.data + start, end - start });
		if (row && strlen(json_row_text(row, "hash")) == DIGEST_HEX) {
			memcpy(audit->last, json_row_text(row, "hash"),
			       DIGEST_HEX + 1);
			json_row_free(row);
			return;
		}
		json_row_free(row);
		tail = span_head(tail, start);
	}
}

static int read_tail(struct audit *audit, const char *path, struct error *err)
{
	autofree char *tail = malloc(4 * PAGE);
	off_t from =
		audit->offset > 4 * PAGE ? (off_t)audit->offset - 4 * PAGE : 0;
	ssize_t n;

	if (!tail)
		return error_sys(err, "cannot open '%s'", path);
	n = pread(audit->fd, tail, 4 * PAGE, from);
	if (n < 0)
		return error_sys(err, "cannot read '%s'", path);
	if (n > 0)
		audit->torn = tail[n - 1] != '\n';
	find_last(audit, (struct span){ tail, (size_t)n });
	return 0;
}

static int open_file(struct audit *audit, const char *path, struct error *err)
{
	struct stat st;

	audit->fd = open(path,
			 O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW |
				 O_NONBLOCK | O_NOCTTY,
			 0600);
	if (audit->fd < 0 || fstat(audit->fd, &st) < 0)
		return error_sys(err, "cannot open the audit log '%s'", path);
	if (!S_ISREG(st.st_mode))
		return error_kind_set(err, ERROR_INPUT,
				      "the audit log '%s' is not a regular "
				      "file",
				      path);
	audit->offset = (uint64_t)st.st_size;
	audit->device = st.st_dev;
	audit->inode = st.st_ino;
	audit->looked = clock_monotonic_ms();
	audit->path = strdup(path);
	if (!audit->path)
		return error_sys(err, "cannot open the audit log '%s'", path);
	return read_tail(audit, path, err);
}

struct audit *audit_open(const char *path, struct error *err)
{
	static unsigned opened; /* one chain each, also within a millisecond */
	struct audit *audit = calloc(1, sizeof(*audit));

	if (!audit) {
		error_sys(err, "cannot open the audit log '%s'", path);
		return NULL;
	}
	audit->fd = -1;
	audit->line = BUF_INIT(3 * PAGE);
	memcpy(audit->prev, genesis, sizeof(genesis));
	snprintf(audit->chain, sizeof(audit->chain), "%" PRIu64 "-%d-%u",
		 clock_epoch_ms(), (int)getpid(),
		 __atomic_fetch_add(&opened, 1, __ATOMIC_RELAXED));
	if (open_file(audit, path, err) < 0) {
		audit_close(audit);
		return NULL;
	}
	return audit;
}

void audit_close(struct audit *audit)
{
	if (!audit)
		return;
	fd_close(&audit->fd);
	buf_release(&audit->line);
	free(audit->path);
	free(audit);
}

const char *audit_last(const struct audit *audit)
{
	return audit->last[0] ? audit->last : NULL;
}
