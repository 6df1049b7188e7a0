/* SPDX-License-Identifier: GPL-3.0-or-later */
/* WIRE TEXT - the bytes and records that the tables of the wire tests share. */
#ifndef TESTS_UNIT_WIRE_TEXT_H
#define TESTS_UNIT_WIRE_TEXT_H

#include "tests/unit/unit.h"

#include "tests/unit/wire.h"

/* A row leaves out what it does not need. */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

#define NOT_LISTED "decision deny not on allowlist"
#define AUTHORITY  "refused the target's host or port is malformed"
#define FORM                                                      \
	"refused the target is neither http://HOST/ nor CONNECT " \
	"HOST:PORT"
#define EXCHANGED "request; decision allow allowed; close complete"
#define TUNNELED  "decision allow allowed; close upstream closed"
#define HI        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"
#define VIA       "Via: 1.1 cowork\r\n"
/* Each ends with its answer; test_wire_keep.c has those that do not. */
#define CLOSE     "Connection: close\r\n"
#define HI_REPLY                                       \
	"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n" VIA \
	"Connection: close\r\n\r\nhi"
#define CONNECTED            "HTTP/1.1 200 Connection established\r\n\r\n"
#define R400                 "HTTP/1.1 400 Bad Request\r\n"
#define R403                 "HTTP/1.1 403 Forbidden\r\n"
#define CONNECT(target)      "CONNECT " target " HTTP/1.1\r\nHost: ok.test\r\n\r\n"
#define CONNECT_BARE(target) "CONNECT " target " HTTP/1.0\r\n\r\n"
#define GET(target)          "GET " target " HTTP/1.1\r\nHost: ok.test\r\n" CLOSE "\r\n"
/* A good request but for one more header line. */
#define GET_WITH(lines)                                                      \
	"GET http://ok.test:{P}/x HTTP/1.1\r\nHost: ok.test\r\n" lines CLOSE \
	"\r\n"
#define POST_WITH(lines, body)                                                \
	"POST http://ok.test:{P}/x HTTP/1.1\r\nHost: ok.test\r\n" lines CLOSE \
	"\r\n" body
#define UP(path, lines)                                            \
	"GET " path " HTTP/1.1\r\nHost: ok.test:{P}\r\n" lines VIA \
	"Connection: close\r\n\r\n"
#define POST_UP(lines, body)                                  \
	"POST /x HTTP/1.1\r\nHost: ok.test:{P}\r\n" lines VIA \
	"Connection: close\r\n\r\n" body
/* Refused: the bytes, and why. */
#define BAD(id, bytes, why)                     \
	{                                       \
		id, RAW(bytes), R400, NULL, why \
	}
#define DENIED(id, bytes, why)                  \
	{                                       \
		id, RAW(bytes), R403, NULL, why \
	}
/* Passed on as these bytes. */
#define PASSED(id, bytes, up)                                         \
	{                                                             \
		id, RAW(bytes), HI_REPLY, up, EXCHANGED, .answer = HI \
	}

#define TABLE_TEST(table)                                      \
	static void table##_as_listed(void **state)            \
	{                                                      \
		(void)state;                                   \
		for (size_t i = 0; i < ARRAY_SIZE(table); i++) \
			wire_check(&table[i]);                 \
		wire_end_table();                              \
	}

static inline bool contains(struct span text, const char *what)
{
	return memmem(text.data, text.size, what, strlen(what)) != NULL;
}

#endif
