/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tests/unit/unit.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fd.h"

#include "probe/world_recorder.h"
#include "probe/world_report.h"

static char path[] = "/tmp/test_world_report.XXXXXX";

static int make_file(void **state)
{
	int fd = mkstemp(path);

	(void)state;
	if (fd < 0)
		return -1;
	close(fd);
	return 0;
}

static int remove_file(void **state)
{
	(void)state;
	return unlink(path);
}

static void file_holds(const char *text)
{
	autofile FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
}

#define GOOD "{\"ts\":1,\"kind\":\"tcp\",\"addr\":\"192.0.2.80\",\"port\":80}\n"

/* Behind a good line each; all must be errors in line 2. */
static const char *const malformed[] = {
	"\n",
	"   \n",
	"x\n",
	"[]\n",
	"{}\n",
	"null\n",
	"{\"ts\":1}\n",
	"{\"kind\":\"tls\",\"sni\":\"a\"}\n",
	"{\"ts\":-1,\"kind\":\"tls\",\"sni\":\"a\"}\n",
	"{\"ts\":1,\"kind\":\"gopher\",\"name\":\"a\"}\n",
	"{\"ts\":1,\"kind\":\"dns\",\"name\":\"a\"}\n",
	"{\"ts\":1,\"kind\":\"tcp\",\"port\":80}\n",
	"{\"ts\":1,\"kind\":\"tcp\",\"addr\":\"192.0.2.80\"}\n",
	"{\"ts\":1,\"kind\":\"tcp\",\"addr\":\"192.0.2.80\",\"port\":\"80\"}\n",
	"{\"ts\":1,\"kind\":\"tcp\",\"addr\":\"192.0.2.80\",\"port\":0}\n",
	"{\"ts\":1,\"kind\":\"tcp\",\"addr\":\"192.0.2.80\",\"port\":65536}\n",
	"{\"ts\":1,\"kind\":\"tcp\",\"addr\":\"192.0.2\",\"port\":80}\n",
	"{\"ts\":1,\"kind\":\"udp\",\"addr\":\"192.0.2.80\",\"port\":80}\n",
	"{\"ts\":1,\"kind\":\"http\",\"host\":\"a\",\"path\":\"/\"}\n",
	"{\"ts\":1,\"kind\":\"tls\",\"sni\":\"a\"} {}\n",
	"{\"ts\":1,\"kind\":\"tls\",\"sni\":\"a\",\"sni\":\"b\"}\n",
	"{\"ts\":1,\"kind\":\"tls\",\"sni\":\"a\"}", /* torn */
	"{\"ts\":1,\"kind\":\"tls\",\"sn",
	"{\"ts\":1,\"kind\":\"overflow\"}\n",
};

static void a_malformed_line_is_an_error(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(malformed); i++) {
		struct world_report report;
		char text[256], where[64];
		struct error err;

		snprintf(text, sizeof(text), GOOD "%s", malformed[i]);
		snprintf(where, sizeof(where), "%s:2:1", path);
		file_holds(text);
		if (world_report_read(path, &report, &err) == 0)
			fail_msg("accepted: %s", malformed[i]);
		assert_null(report.rows);
		assert_int_equal(report.count, 0);
		assert_string_equal(err.where, where);
	}
}

static void a_missing_report_is_an_error(void **state)
{
	struct world_report report;
	struct error err;

	(void)state;
	assert_int_equal(
		world_report_read("/nonexistent/report", &report, &err), -1);
	assert_int_equal(err.kind, ERROR_SYSTEM);
	world_report_release(&report);
}

static void an_empty_report_saw_nothing(void **state)
{
	struct world_report report;
	struct error err;
	struct addr addr = addr_v4(192, 0, 2, 80);

	(void)state;
	file_holds("");
	assert_int_equal(world_report_read(path, &report, &err), 0);
	assert_int_equal(report.count, 0);
	assert_false(world_report_saw_name(&report, "example.com"));
	assert_false(world_report_saw_name(&report, ""));
	assert_false(world_report_saw_addr(&report, &addr, 0));
	world_report_release(&report);
}

static struct world_recorder *must_open(size_t max)
{
	struct error err;
	struct world_recorder *r = world_recorder_open(path, max, &err);

	if (!r)
		fail_msg("%s", err.text);
	return r;
}

static void record_one_of_each(void)
{
	struct world_recorder *r = must_open(WORLD_REPORT_MAX);
	struct endpoint web = { addr_v4(192, 0, 2, 80), 443 };
	struct endpoint ntp = { .port = 123 };

	assert_true(addr_parse(SPAN("2001:db8::7"), &ntp.addr));
	assert_true(world_record_dns(r, SPAN("dns.example.com"), "A"));
	assert_true(world_record_dns(r, SPAN(""), "NS"));
	assert_true(world_record_tcp(r, &web));
	assert_true(world_record_tls(r, SPAN("tls.example.com")));
	assert_true(world_record_tls(r, SPAN("")));
	assert_true(world_record_http(r, SPAN("http.example.com"), SPAN("GET"),
				      SPAN("/a\"b\n\xff?x"), true));
	assert_true(world_record_udp(r, &ntp, 48));
	world_recorder_close(r);
}

/* name NULL: ask for the address. */
static const struct {
	const char *name, *addr;
	uint16_t port;
	bool seen;
} questions[] = {
	{ "example.com", NULL, 0, false },
	{ "x.dns.example.com", NULL, 0, false },
	{ "dns.example.co", NULL, 0, false },
	{ "", NULL, 0, false },
	{ ".", NULL, 0, false },
	{ NULL, "192.0.2.81", 0, false },
	{ NULL, "192.0.2.80", 80, false },
	{ NULL, "::ffff:192.0.2.80", 443, false },
	{ NULL, "2001:db8::7", 124, false },
	{ "dns.example.com", NULL, 0, true },
	{ "DNS.Example.Com.", NULL, 0, true },
	{ "tls.example.com", NULL, 0, true },
	{ "http.example.com", NULL, 0, true },
	{ NULL, "192.0.2.80", 443, true },
	{ NULL, "192.0.2.80", 0, true },
	{ NULL, "2001:db8::7", 123, true },
};

static void what_was_recorded_is_read_back(void **state)
{
	static const size_t counts[] = { [WORLD_DNS] = 2,
					 [WORLD_TCP] = 1,
					 [WORLD_TLS] = 2,
					 [WORLD_HTTP] = 1,
					 [WORLD_UDP] = 1 };
	struct world_report report;
	struct error err;

	(void)state;
	file_holds("");
	record_one_of_each();
	if (world_report_read(path, &report, &err) < 0)
		fail_msg("%s: %s", err.where, err.text);
	for (size_t i = 0; i < ARRAY_SIZE(counts); i++)
		assert_int_equal(world_report_count(&report,
						    (enum world_kind)i),
				 counts[i]);
	for (size_t i = 0; i < ARRAY_SIZE(questions); i++) {
		struct addr addr = { 0 };
		bool seen;

		if (questions[i].addr)
			assert_true(
				addr_parse(span_of(questions[i].addr), &addr));
		seen = questions[i].name
			       ? world_report_saw_name(&report,
						       questions[i].name)
			       : world_report_saw_addr(&report, &addr,
						       questions[i].port);
		if (seen != questions[i].seen)
			fail_msg("question %zu was %s", i,
				 seen ? "seen" : "not seen");
	}
	assert_string_equal(report.rows[5].path, "/a\"b\n\xef\xbf\xbd?x");
	assert_string_equal(report.rows[5].method, "GET");
	assert_int_equal(report.rows[6].size, 48);
	world_report_release(&report);
}

static void long_values_are_cut(void **state)
{
	char longer[4 * WORLD_VALUE_MAX];
	struct span span = { longer, sizeof(longer) };
	struct world_recorder *r;
	struct world_report report;
	struct error err;

	(void)state;
	memset(longer, '\x01', sizeof(longer)); /* six bytes each in JSON */
	file_holds("");
	r = must_open(WORLD_REPORT_MAX);
	assert_true(world_record_http(r, span, span, span, false));
	world_recorder_close(r);
	if (world_report_read(path, &report, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(strlen(report.rows[0].path), WORLD_VALUE_MAX);
	world_report_release(&report);
}

static void a_full_report_refuses_and_says_so(void **state)
{
	struct endpoint to = { addr_v4(192, 0, 2, 80), 80 };
	struct world_recorder *r;
	struct world_report report;
	struct error err;
	struct stat st;
	int written = 0;

	(void)state;
	file_holds(GOOD);
	r = must_open(400);
	while (world_record_tcp(r, &to))
		assert_true(++written < 10);
	assert_true(written > 0);
	assert_false(world_record_tls(r, SPAN("a")));
	world_recorder_close(r);
	assert_int_equal(stat(path, &st), 0);
	assert_true(st.st_size < 400 + 64);
	assert_int_equal(world_report_read(path, &report, &err), -1);
	assert_non_null(strstr(err.text, "ran full"));
}

static void limit_file_size(rlim_t bytes)
{
	struct rlimit limit;

	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void count_failure(void *arg)
{
	++*(int *)arg;
}

static void a_report_that_cannot_be_written_refuses(void **state)
{
	struct endpoint to = { addr_v4(192, 0, 2, 80), 80 };
	struct world_recorder *r;
	struct error err;
	int failures = 0;

	(void)state;
	assert_null(world_recorder_open("/nonexistent/r", 1000, &err));
	assert_null(world_recorder_open("/dev/null", 1000, &err));
	assert_null(world_recorder_open("/tmp", 1000, &err));
	r = world_recorder_open(NULL, 1000, &err);
	assert_non_null(r);
	assert_true(world_record_tcp(r, &to)); /* keeps nothing, on purpose */
	world_recorder_close(r);

	signal(SIGXFSZ, SIG_IGN);
	file_holds("");
	r = must_open(WORLD_REPORT_MAX);
	world_recorder_on_failure(r, count_failure, &failures);
	assert_true(world_record_tcp(r, &to));
	/* EFBIG, the nearest thing to a full disk that is always at hand */
	limit_file_size(1);
	assert_false(world_record_tcp(r, &to));
	assert_false(world_record_tcp(r, &to));
	limit_file_size(RLIM_INFINITY);
	assert_false(world_record_tcp(r, &to));
	assert_int_equal(failures, 1);
	world_recorder_close(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_malformed_line_is_an_error),
		cmocka_unit_test(a_missing_report_is_an_error),
		cmocka_unit_test(an_empty_report_saw_nothing),
		cmocka_unit_test(what_was_recorded_is_read_back),
		cmocka_unit_test(long_values_are_cut),
		cmocka_unit_test(a_full_report_refuses_and_says_so),
		cmocka_unit_test(a_report_that_cannot_be_written_refuses),
	};

	return cmocka_run_group_tests(tests, make_file, remove_file);
}
