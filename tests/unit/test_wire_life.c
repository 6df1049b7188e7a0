/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tunnels, the log, limits, and the end of the proxy.
 * Ids are those of the list of threats; a letter tells members of one kind
 * apart. */
#include "config.h"

#include "tests/unit/wire_text.h"

#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct wire_case tunnels[] = {
	{ "F1a", RAW(CONNECT_BARE("ok.test:{P}") "hello"), CONNECTED "there",
	  "hello", TUNNELED, .answer = "there", .flags = WIRE_HALF_CLOSE },
	/* what looks like HTTP inside a tunnel is not read */
	{ "F1b",
	  RAW(CONNECT_BARE("ok.test:{P}") "GET http://evil.test/ HTTP/1.1\n\n"),
	  CONNECTED "x", "GET http://evil.test/ HTTP/1.1\n\n", TUNNELED,
	  .answer = "x", .flags = WIRE_HALF_CLOSE },
	{ "F1c", RAW(CONNECT_BARE("ok.test:{P}")), CONNECTED "there", "later",
	  TUNNELED, .answer = "there", .flags = WIRE_HALF_CLOSE,
	  .late = RAW("later") },
	{ "F3",
	  RAW(CONNECT_BARE(
		  "ok.test:{P}") "CONNECT evil.test:443 HTTP/1.1\r\n\r\n"),
	  CONNECTED "no", "CONNECT evil.test:443 HTTP/1.1\r\n\r\n", TUNNELED,
	  .answer = "no", .flags = WIRE_HALF_CLOSE },
	/* the origin ends first; what the client still says gets there */
	{ "F4b", RAW(CONNECT_BARE("ok.test:{P}")), CONNECTED "first", "later",
	  "decision allow allowed; close client closed", .answer = "first",
	  .flags = WIRE_ORIGIN_FIRST | WIRE_HALF_CLOSE | WIRE_LATE_AT_END,
	  .late = RAW("later") },
	{ "F1d",
	  RAW("CONNECT ok.test:{P} HTTP/1.1\r\n"
	      "Host: ok.test:{P}\r\n"
	      "Proxy-Authorization: Basic c2VjcmV0\r\n\r\nx"),
	  CONNECTED "y", "x", TUNNELED, .answer = "y",
	  .flags = WIRE_HALF_CLOSE | WIRE_ONE_BYTE },
};
TABLE_TEST(tunnels)

/* J6: no record, no access; nothing reaches the origin. */
static const struct wire_case unrecorded[] = {
	{ "J6a", RAW(GET("http://ok.test:{P}/x")), "HTTP/1.1 503 ", "", "",
	  .flags = WIRE_LOG_FULL | WIRE_ORIGIN_MUTE },
	{ "J6b", RAW(CONNECT_BARE("ok.test:{P}") "early"), "HTTP/1.1 503 ", "",
	  "", .flags = WIRE_LOG_FULL | WIRE_ORIGIN_MUTE },
	{ "J6c", RAW(GET("http://evil.test/")), "HTTP/1.1 503 ", NULL, "",
	  .flags = WIRE_LOG_FULL },
	{ "J6d", RAW("nonsense\r\n\r\n"), "HTTP/1.1 503 ", NULL, "",
	  .flags = WIRE_LOG_FULL },
};
TABLE_TEST(unrecorded)

/* F4: a reset of the origin's is one for the client. */
static void reset_passes_a_tunnel(void **state)
{
	static const struct wire_case wire = {
		"F4c", RAW(CONNECT_BARE("ok.test:{P}") "x"),
		"",    "x",
		"",    .flags = WIRE_ORIGIN_RESET
	};
	const struct wire_result *result = wire_run(&wire);

	(void)state;
	assert_true(result->reset);
	assert_string_equal(result->rows,
			    "decision allow allowed; close upstream lost");
}

static void idle_tunnel_is_cut(void **state)
{
	static const struct wire_case wire = {
		"I4",
		RAW(CONNECT_BARE("ok.test:{P}")),
		"",
		"",
		"",
		.flags = WIRE_ORIGIN_MUTE,
		.limits = "limits: { idle_ms: 50 }"
	};
	const struct wire_result *result = wire_run(&wire);

	(void)state;
	assert_true(result->reset);
	assert_string_equal(result->rows, "decision allow allowed; close idle");
}

static void one_too_many_is_shed(void **state)
{
	static const struct wire_case wire = {
		"I4b", RAW(""), "",
		NULL,  "",      .limits = "limits: { connections: 2 }"
	};
	int first, second, third;

	(void)state;
	wire_start(&wire);
	first = wire_connect();
	second = wire_connect();
	third = wire_connect();
	assert_true(contains(wire_read_all(third), "HTTP/1.1 503 "));
	close(first);
	close(second);
	assert_string_equal(wire_stop()->rows, "refused too many connections");
}

/* I3: out of descriptors, the proxy rests; with some again, it serves. */
static void survives_want_of_descriptors(void **state)
{
	static const struct wire_case wire = {
		"I3", RAW(""), "", NULL, "", .limits = "#few"
	};
	int fds[40], last;

	(void)state;
	wire_start(&wire);
	for (size_t i = 0; i < ARRAY_SIZE(fds); i++)
		fds[i] = wire_connect();
	for (size_t i = 0; i < ARRAY_SIZE(fds); i++)
		close(fds[i]);
	last = wire_connect();
	wire_send(last, SPAN(CONNECT_BARE("evil.test:443")));
	assert_true(contains(wire_read_all(last), R403));
	assert_string_equal(wire_stop()->rows, NOT_LISTED);
}

static const struct wire_case open_tunnel = {
	"stop", RAW(CONNECT_BARE("ok.test:{P}")), "", "",
	"",     .flags = WIRE_ORIGIN_MUTE
};

static int start_with_tunnel(void)
{
	char bytes[64];
	int fd;

	wire_start(&open_tunnel);
	fd = wire_connect();
	wire_send(fd, open_tunnel.send);
	wire_wait_readable(fd);
	assert_true(read(fd, bytes, sizeof(bytes)) > 0);
	return fd;
}

static void check_stopped(const struct wire_result *result, const char *rows)
{
	assert_true(WIFEXITED(result->status));
	assert_int_equal(WEXITSTATUS(result->status), 0);
	assert_string_equal(result->rows, rows);
}

static void stops_at_end_of_lifetime(void **state)
{
	int fd = start_with_tunnel();

	(void)state;
	check_stopped(wire_stop(), "decision allow allowed; close shutdown");
	close(fd);
}

static void stops_at_sigterm(void **state)
{
	int fd = start_with_tunnel();

	(void)state;
	assert_int_equal(kill(wire_pid(), SIGTERM), 0);
	check_stopped(wire_wait(), "decision allow allowed; close shutdown");
	close(fd);
}

/* A reload is not built; the signal must not end the boundary. */
static void survives_sighup(void **state)
{
	static const struct wire_case wire = { "hup", RAW(""), "", NULL, "" };
	int fd;

	(void)state;
	wire_start(&wire);
	assert_int_equal(kill(wire_pid(), SIGHUP), 0);
	assert_int_equal(kill(wire_pid(), SIGUSR1), 0);
	fd = wire_connect();
	wire_send(fd, SPAN(CONNECT_BARE("evil.test:443")));
	assert_true(contains(wire_read_all(fd), R403));
	check_stopped(wire_stop(), NOT_LISTED);
}

static void unfinished_head_is_refused_at_the_end(void **state)
{
	static const struct wire_case wire = { "half", RAW(""), "", NULL, "" };
	int silent, half;

	(void)state;
	wire_start(&wire);
	silent = wire_connect();
	half = wire_connect();
	wire_send(half, SPAN("GET http://ok"));
	/* a whole exchange later both have been accepted and read */
	{
		int fd = wire_connect();

		wire_send(fd, SPAN(CONNECT_BARE("evil.test:443")));
		assert_true(contains(wire_read_all(fd), R403));
	}
	assert_int_equal(kill(wire_pid(), SIGTERM), 0);
	assert_true(contains(wire_read_all(half), "HTTP/1.1 503 "));
	close(silent);
	check_stopped(wire_wait(), NOT_LISTED "; refused shutdown");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tunnels_as_listed),
		cmocka_unit_test(unrecorded_as_listed),
		cmocka_unit_test(reset_passes_a_tunnel),
		cmocka_unit_test(idle_tunnel_is_cut),
		cmocka_unit_test(one_too_many_is_shed),
		cmocka_unit_test(survives_want_of_descriptors),
		cmocka_unit_test(stops_at_end_of_lifetime),
		cmocka_unit_test(stops_at_sigterm),
		cmocka_unit_test(survives_sighup),
		cmocka_unit_test(unfinished_head_is_refused_at_the_end),
	};

	return cmocka_run_group_tests(tests, wire_setup, wire_teardown);
}
