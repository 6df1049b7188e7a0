/* SPDX-License-Identifier: GPL-3.0-or-later */
/* AUDIT - the evidence log, one JSON object a line, chained by SHA-256.
 * An event is written whole before what it records is acted on; a caller that
 * could not write must refuse. Each record is padded in front with spaces so
 * that it never crosses a 4,096-byte boundary of the file (a killed writer
 * tears writes only there), and carries `seq`, `prev` and `hash`:
 * SHA-256 over the line's bytes, padding included, up to `,"hash"`.
 * Values that are too long, alone or together, are cut. One process, one file,
 * one chain. Format: docs/audit-log.md. */
#ifndef BASE_AUDIT_H
#define BASE_AUDIT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/digest.h"
#include "base/error.h"
#include "base/span.h"

#define AUDIT_RECORD_MAX   4096 /* with its newline */
#define AUDIT_VALUE_MAX    512  /* of a value as written; "..." marks a cut */
#define AUDIT_INCIDENT_MAX 24

enum audit_kind {
	AUDIT_DECISION, /* policy let it through, or refused it */
	AUDIT_REQUEST,  /* a plain HTTP request is about to go upstream */
	AUDIT_REFUSED,  /* not a matter of policy: malformed, caps, shutdown */
	AUDIT_ERROR,    /* allowed, but could not be reached */
	AUDIT_CLOSE,    /* the end of a tunnel or request */
	AUDIT_GAP,      /* the log could not be written for a while */
	AUDIT_START,
	AUDIT_STOP,
	AUDIT_NKINDS
};

/*
 * What a record may carry. Strings are borrowed, NULL means "absent"; which
 * members a kind carries is one table in audit.c.
 */
struct audit_event {
	enum audit_kind kind;
	const char *host;     /* canonical name, or address text */
	const char *decision; /* "allow" or "deny" */
	uint16_t port;        /* 0: absent */
	const char *method;
	struct span path;   /* without the query */
	const char *reason; /* from a closed list, policy/policy.h */
	const char *rule;   /* the entry as written */
	const char *origin; /* file:line:col of the rule */
	const char *via;    /* "connect" or "http" */
	const char *addr;   /* the address dialed */
	const char *client;
	const char *session;
	const char *policy;
	const char *would; /* report mode: "deny" */
	const char *incident;
	const char *cause; /* refused, error, close, gap */
	int status;        /* HTTP status told to the client, 0: absent */
	uint64_t conn;     /* which connection; 0: absent */
	uint64_t bytes_up, bytes_down, duration_ms; /* close */
	uint64_t since, until, refused;             /* gap */
	const char *version;                        /* start */
	const char *digest;  /* start: of the effective policy */
	uint64_t generation; /* start */
	const char *last;    /* start: last hash found in the file, or NULL */
};

struct audit;

/*
 * Open or create the log (mode 0600) for appending, note the last hash in it
 * and close an unfinished last line. Refuses anything but a regular file.
 */
struct audit *audit_open(const char *path, struct error *err) MUST_CHECK
	NONNULL(1, 2);
void audit_close(struct audit *audit);

/* The hash of the last record found at opening, or NULL if there was none. */
const char *audit_last(const struct audit *audit) NONNULL(1);

/*
 * Write one event. On failure nothing may be acted on; the next call begins a
 * new line and continues the chain as if this one had never been. When writing
 * works again after failures, a `gap` record that counts them goes first.
 */
MUST_CHECK int audit_write(struct audit *audit, const struct audit_event *event,
			   struct error *err) NONNULL(1, 2, 3);

/* A fresh incident id: unique in this log, safe anywhere, NUL-terminated. */
void audit_incident(struct audit *audit, char out[AUDIT_INCIDENT_MAX])
	NONNULL(1, 2);

const char *audit_kind_name(enum audit_kind kind);

#endif
