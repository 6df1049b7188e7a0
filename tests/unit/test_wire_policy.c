/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Policies that only report, and policies chosen by a credential. */
#include "config.h"

#include "tests/unit/wire_text.h"

#include <stdlib.h>

#include "base/fd.h"

#define REPORT "mode: report"

/* Trying a policy out opens names, and never a special address. */
static const struct wire_case reported[] = {
	{ "R1", RAW(GET("http://h7f000001.unlisted.test:{P}/")), R403, NULL,
	  NOT_LISTED },
	{ "R2", RAW(GET("http://h0a000001.addr.test:{C}/")), R403, NULL,
	  "decision deny private address", .policy = REPORT },
	{ "R3", RAW(GET("http://ha9fea9fe.addr.test:{C}/")), R403, NULL,
	  "decision deny metadata address", .policy = REPORT },
	{ "R4", RAW(CONNECT_BARE("10.0.0.1:{P}")), R403, NULL,
	  "decision deny private address", .policy = REPORT },
	{ "R5", RAW(CONNECT_BARE("[::1]:{P}")), R403, NULL,
	  "decision deny loopback address", .policy = REPORT },
	{ "R6", RAW(GET("http://other.localhost.test:{P}/")), "HTTP/1.1 502",
	  NULL, "error the name has no addresses", .policy = REPORT },
	{ "R7", RAW(GET("http://h7f000001.addr.test:{P}/")), R403, NULL,
	  "decision deny loopback address", .policy = REPORT,
	  .flags = WIRE_NO_PERMIT },
	{ "R8", RAW(CONNECT("ok.test..:443")), R400, NULL, AUTHORITY,
	  .policy = REPORT },
};
TABLE_TEST(reported)

#define LET(id, name, why)                                                 \
	{                                                                  \
		id, RAW(GET("http://" name "/")), HI_REPLY,                \
			"GET / HTTP/1.1\r\nHost: " name "\r\n" VIA         \
			"Connection: close\r\n\r\n",                       \
			"request; decision allow " why "; close complete", \
			.answer = HI, .policy = REPORT                     \
	}

static const struct wire_case let_through[] = {
	LET("R9", "ok.test:{P}", "allowed"),
	LET("R10", "no.wild.test:{P}", "on denylist, would deny"),
	LET("R11", "h7f000001.unlisted.test:{P}",
	    "not on allowlist, would deny"),
	LET("R12", "127.0.0.1:{P}", "allowed"),
	{ "R13", RAW(CONNECT_BARE("h7f000001.unlisted.test:{P}") "hello"),
	  CONNECTED "there", "hello",
	  "decision allow not on allowlist, would deny; close upstream closed",
	  "there", .flags = WIRE_HALF_CLOSE, .policy = REPORT },
};
TABLE_TEST(let_through)

#define TOKEN    "correct-horse-battery"
#define HASH     "62249369389075490555a758353aec61500c6218fa597252d52dc4bd0148f12d"
#define SELECT   "select: [ { token_sha256: " HASH ", policy: default } ]"
#define R407     "HTTP/1.1 407 Proxy Authentication Required\r\n"
#define UNKNOWN  "refused the credential is not known"
#define REQUIRED "refused a credential is required"
#define WITH(line)                                                        \
	RAW("GET http://ok.test:{P}/x HTTP/1.1\r\nHost: ok.test\r\n" line \
	    "Connection: close\r\n\r\n")

#define UNAUTHORIZED(id, line, why)                                          \
	{                                                                    \
		id, WITH(line), R407, NULL, why, .limits = SELECT,           \
						 .listener = ", auth: token" \
	}

static const struct wire_case unauthorized[] = {
	UNAUTHORIZED("P1", "", REQUIRED),
	UNAUTHORIZED("P2", "Authorization: Bearer " TOKEN "\r\n", REQUIRED),
	UNAUTHORIZED("P3", "Proxy-Authorization: Bearer wrong\r\n", UNKNOWN),
	UNAUTHORIZED("P4", "Proxy-Authorization: Bearer " TOKEN "x\r\n",
		     UNKNOWN),
	UNAUTHORIZED("P5", "Proxy-Authorization: Bearer " HASH "\r\n", UNKNOWN),
	UNAUTHORIZED("P6", "Proxy-Authorization: Bearer\r\n", UNKNOWN),
	UNAUTHORIZED("P7", "Proxy-Authorization: Bearer  " TOKEN "\r\n",
		     UNKNOWN),
	UNAUTHORIZED("P8", "Proxy-Authorization: " TOKEN "\r\n", UNKNOWN),
	UNAUTHORIZED("P9", "Proxy-Authorization: Digest " TOKEN "\r\n",
		     UNKNOWN),
	UNAUTHORIZED(
		"P10",
		"Proxy-Authorization: Basic Y29ycmVjdC1ob3JzZS1iYXR0ZXJ5\r\n",
		UNKNOWN),
	UNAUTHORIZED("P11", "Proxy-Authorization: Basic dXNlcjo=\r\n", UNKNOWN),
	UNAUTHORIZED(
		"P12",
		"Proxy-Authorization: Basic Y29ycmVjdC1ob3JzZS1iYXR0ZXJ5Ong=\r\n",
		UNKNOWN),
	UNAUTHORIZED("P13",
		     "Proxy-Authorization: Bearer " TOKEN "\r\n"
		     "Proxy-Authorization: Bearer " TOKEN "\r\n",
		     UNKNOWN),
	{ "P22", RAW(CONNECT_BARE("ok.test:{P}") "hello"), R407, NULL, REQUIRED,
	  .limits = SELECT, .listener = ", auth: token" },
	/* a name that is denied is not told to strangers either */
	{ "P23", RAW(CONNECT_BARE("evil.test:443")), R407, NULL, REQUIRED,
	  .limits = SELECT, .listener = ", auth: token" },
	/* one that is not required is not ignored either */
	{ "P14", WITH("Proxy-Authorization: Bearer wrong\r\n"), R407, NULL,
	  UNKNOWN, .limits = SELECT },
	/* inside a sealed namespace an address says nothing */
	{ "P15", WITH("Proxy-Authorization: Bearer " TOKEN "\r\n"), R407, NULL,
	  UNKNOWN,
	  .limits = "select: [ { token_sha256: " HASH ", policy: default, "
		    "clients: [ 127.0.0.0/8 ] } ]" },
};
TABLE_TEST(unauthorized)

static const struct wire_case authorized[] = {
	{ "P16", WITH("Proxy-Authorization: Bearer " TOKEN "\r\n"), HI_REPLY,
	  UP("/x", ""), EXCHANGED, HI, .limits = SELECT,
	  .listener = ", auth: token" },
	{ "P17",
	  WITH("proxy-authorization: bASIC YW55OmNvcnJlY3QtaG9yc2UtYmF0dGVyeQ==\r\n"),
	  HI_REPLY, UP("/x", ""), EXCHANGED, HI, .limits = SELECT,
	  .listener = ", auth: token" },
	{ "P18", WITH(""), HI_REPLY, UP("/x", ""), EXCHANGED, HI,
	  .limits = SELECT },
	{ "P21",
	  RAW("CONNECT ok.test:{P} HTTP/1.1\r\nHost: ok.test:{P}\r\n"
	      "Proxy-Authorization: Bearer " TOKEN "\r\n\r\nhello"),
	  CONNECTED "there", "hello", TUNNELED, "there",
	  .flags = WIRE_HALF_CLOSE, .limits = SELECT,
	  .listener = ", auth: token" },
	/* where nobody knows a token, it is no credential of ours */
	{ "P19", WITH("Proxy-Authorization: Bearer wrong\r\n"), HI_REPLY,
	  UP("/x", ""), EXCHANGED, HI },
};
TABLE_TEST(authorized)

/* The challenge names both schemes, and nothing of what is expected. */
static void challenge_is_given(void **state)
{
	const struct wire_result *result = wire_run(&unauthorized[2]);

	(void)state;
	assert_true(
		contains(result->reply,
			 "\r\nProxy-Authenticate: Basic realm=\"coworkproxy\""
			 ", charset=\"UTF-8\"\r\n"
			 "Proxy-Authenticate: Bearer realm=\"coworkproxy\""
			 "\r\n"));
	assert_true(
		contains(result->reply, "{\"error\":\"credential_required\","));
	assert_false(contains(result->reply, "wrong"));
	assert_false(contains(result->reply, HASH));
}

/* A record names the session and the policy, never the credential. */
static void record_names_the_session(void **state)
{
	static const struct wire_case wire = {
		"P20",
		WITH("Proxy-Authorization: Bearer " TOKEN "\r\n"),
		HI_REPLY,
		UP("/x", ""),
		EXCHANGED,
		HI,
		.limits = "select: [ { token_sha256: " HASH ", session: s-42, "
			  "policy: default } ]"
	};
	struct error err;
	size_t size;
	char *log;

	(void)state;
	wire_run(&wire);
	log = fd_read_file(wire_log(), 1u << 20, &size, &err);
	assert_non_null(log);
	assert_non_null(strstr(log, "\"session\":\"s-42\",\"policy\":"
				    "\"default\""));
	assert_null(strstr(log, TOKEN));
	assert_null(strstr(log, HASH));
	free(log);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reported_as_listed),
		cmocka_unit_test(let_through_as_listed),
		cmocka_unit_test(unauthorized_as_listed),
		cmocka_unit_test(authorized_as_listed),
		cmocka_unit_test(challenge_is_given),
		cmocka_unit_test(record_names_the_session),
	};

	return cmocka_run_group_tests(tests, wire_setup, wire_teardown);
}
