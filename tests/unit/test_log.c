/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tests/unit/unit.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/log.h"

static const struct {
	struct span bytes;
	const char *quoted;
} quote_cases[] = {
	{ SPAN(""), "\"\"" },
	{ SPAN("a b~"), "\"a b~\"" },
	{ SPAN("a\"b\\c"), "\"a\\x22b\\x5cc\"" },
	{ SPAN("a\r\nerror: forged"), "\"a\\x0d\\x0aerror: forged\"" },
	{ SPAN("\0\x1b\x7f"), "\"\\x00\\x1b\\x7f\"" },
	{ SPAN("\xc2\x9b"), "\"\\xc2\\x9b\"" },
	{ SPAN("\xff"), "\"\\xff\"" },
};

static void log_quote_forges_no_line(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(quote_cases); i++)
		assert_string_equal(log_quote(quote_cases[i].bytes).text,
				    quote_cases[i].quoted);
}

/* Every length, of bytes that take one place and of bytes that take four. */
static void log_quote_always_fits(void **state)
{
	char bytes[400];

	(void)state;
	for (int plain = 0; plain < 2; plain++)
		for (size_t n = 0; n <= sizeof(bytes); n++) {
			struct log_quoted out;
			size_t size;

			memset(bytes, plain ? 'a' : 0x1b, sizeof(bytes));
			out = log_quote((struct span){ bytes, n });
			size = strlen(out.text);
			assert_in_range(size, 2, sizeof(out.text) - 1);
			assert_int_equal(out.text[size - 1], '"');
			if (n > sizeof(out.text))
				assert_memory_equal(out.text + size - 4, "...",
						    3);
		}
}

/* What say() writes to a descriptor that stands in for stderr. */
static void capture(char *out, size_t size, void (*say)(void))
{
	int pipe_fds[2];
	int saved = dup(STDERR_FILENO);
	ssize_t n;

	assert_int_equal(pipe(pipe_fds), 0);
	assert_true(saved >= 0 && dup2(pipe_fds[1], STDERR_FILENO) >= 0);
	close(pipe_fds[1]);
	say();
	assert_true(dup2(saved, STDERR_FILENO) >= 0);
	close(saved);
	n = read(pipe_fds[0], out, size - 1);
	close(pipe_fds[0]);
	assert_true(n >= 0);
	out[n] = '\0';
}

static void say_each_level(void)
{
	errno = EEXIST;
	log_error("%d", 1);
	log_warn("%d", 2);
	log_notice("%d", 3);
	log_info("%d", 4);
	log_debug("%d", 5);
	assert_int_equal(errno, EEXIST);
}

static void log_says_what_was_asked_for(void **state)
{
	char said[400];

	(void)state;
	log_open("p", LOG_LEVEL_WARN);
	capture(said, sizeof(said), say_each_level);
	assert_string_equal(said, "p: error: 1\np: warning: 2\n");
	log_open("p", LOG_LEVEL_DEBUG);
	capture(said, sizeof(said), say_each_level);
	assert_string_equal(said, "p: error: 1\np: warning: 2\np: notice: 3\n"
				  "p: info: 4\np: debug: 5\n");
	assert_string_equal(log_program(), "p");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(log_quote_forges_no_line),
		cmocka_unit_test(log_quote_always_fits),
		cmocka_unit_test(log_says_what_was_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
