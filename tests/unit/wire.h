/* SPDX-License-Identifier: GPL-3.0-or-later */
/* WIRE - the real coworkproxy between a raw client and a raw origin.
 * All on loopback: the proxy gets its listening socket, its lifetime pipe and a
 * tiny DNS server of ours; the origin records every byte that reaches it, from
 * one connection after another. In texts "{P}" is the origin's port, "{C}" a
 * port where nobody listens. */
#ifndef TESTS_UNIT_WIRE_H
#define TESTS_UNIT_WIRE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/audit_read.h"
#include "base/buf.h"
#include "base/span.h"

/* In what the origin gets and says: from here on, the next connection's. */
#define WIRE_NEXT "\f"

enum wire_flag {
	WIRE_HALF_CLOSE = 1
			  << 0, /* the client ends its side when all is sent */
	WIRE_ORIGIN_FIRST = 1 << 1, /* the origin speaks when it is connected */
	WIRE_ORIGIN_RESET = 1 << 2, /* and resets instead of closing */
	WIRE_ORIGIN_MUTE = 1 << 3,  /* never answers, never closes */
	WIRE_LOG_FULL = 1 << 4,     /* the log takes the start record alone */
	WIRE_ONE_BYTE = 1 << 5,     /* the client sends byte by byte */
	WIRE_ORIGIN_OPEN = 1 << 6,  /* the origin answers and does not end */
	WIRE_LATE_AT_END = 1 << 8,  /* late, when the reply has ended */
	WIRE_NO_PERMIT = 1 << 7,    /* no address is permitted */
};

struct wire_case {
	const char *id; /* as in the list of threats */
	struct span send;
	const char *reply;  /* how the client's answer begins */
	const char *origin; /* every byte there; NULL: not even a connection */
	const char *rows;   /* the log between start and stop */
	const char *answer; /* what the origin says, to each or one by one */
	unsigned flags;
	const char *limits;   /* more lines for the proxy file */
	const char *listener; /* more keys of the listener */
	const char *policy;   /* more lines of the policy */
	const char *greeting; /* the origin says it at once, without ports */
	struct span late;     /* sent once the reply has begun */
};

#define RAW(text)                      \
	{                              \
		text, sizeof(text) - 1 \
	}

struct wire_result {
	struct span reply;  /* all that the client got */
	struct span origin; /* all that the origin got */
	char rows[8192];    /* "kind decision reason; kind cause; ..." */
	size_t queries;     /* DNS questions asked */
	size_t connections; /* accepted by the origin */
	bool reset;         /* the client was reset */
	int status;         /* of the proxy, as from waitpid(2) */
};

/* Sockets and a folder; once a program. */
int wire_setup(void **state);
int wire_teardown(void **state);

/* Run one case; the result is valid until the next. Fails the test on a hang. */
const struct wire_result *wire_run(const struct wire_case *wire);

/* The same with a proxy that earlier cases left running, where that can be. */
const struct wire_result *wire_run_shared(const struct wire_case *wire);

/* Run it and compare everything. Cases that can share a proxy do. */
void wire_check(const struct wire_case *wire);
/* Compare, and show both where they differ. prefix: what follows is free. */
void wire_check_text(const char *id, const char *what, struct span got,
		     const char *wanted, bool prefix);
/* Stop the shared one, which must end well. */
void wire_end_table(void);

/* "{P}" and "{C}" become ports. */
void wire_expand(struct span text, struct buf *out);

/* ---- by hand ---- */

/* Start and stop a proxy; wire gives its flags and limits. */
void wire_start(const struct wire_case *wire);
int wire_connect(void);
void wire_send(int fd, struct span text);
/* Everything until end of file; the fd is closed. */
struct span wire_read_all(int fd);
/* Serve DNS and the origin until the client's fd can be read. */
void wire_wait_readable(int fd);
/* Where the last log is, until the next proxy starts. */
const char *wire_log(void);
/* The process id, for signals. */
int wire_pid(void);
/* End the lifetime pipe, wait, and read the log. */
const struct wire_result *wire_stop(void);
/* Only wait: something else made it end. */
const struct wire_result *wire_wait(void);

/* Add "kind decision reason" to the rows of a result; start and stop are not. */
void wire_add_row(char *rows, size_t size, const struct audit_row *row);

#endif
