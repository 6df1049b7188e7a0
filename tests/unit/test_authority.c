/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tests/unit/unit.h"

#include "base/buf.h"
#include "proxy/authority.h"

/* printed NULL: refused. The default port is 80, and 0 where one is needed. */
static const struct {
	const char *text;
	uint16_t default_port;
	enum authority_fault fault;
	const char *printed;
} cases[] = {
	{ "", 80, AUTHORITY_EMPTY, NULL },
	{ ":80", 80, AUTHORITY_EMPTY, NULL },
	{ "ok.test", 0, AUTHORITY_NO_PORT, NULL },
	{ "ok.test:", 80, AUTHORITY_PORT, NULL },
	{ "ok.test:0", 80, AUTHORITY_PORT, NULL },
	{ "ok.test:00", 80, AUTHORITY_PORT, NULL },
	{ "ok.test:080", 80, AUTHORITY_PORT, NULL },
	{ "ok.test:65536", 80, AUTHORITY_PORT, NULL },
	{ "ok.test:4294967739", 80, AUTHORITY_PORT, NULL },
	{ "ok.test:+80", 80, AUTHORITY_PORT, NULL },
	{ "ok.test:-80", 80, AUTHORITY_PORT, NULL },
	{ "ok.test: 80", 80, AUTHORITY_PORT, NULL },
	{ "ok.test:80 ", 80, AUTHORITY_PORT, NULL },
	{ "ok.test:80:90", 80, AUTHORITY_PORT, NULL },
	{ "ok.test:http", 80, AUTHORITY_PORT, NULL },
	{ "ok..test", 80, AUTHORITY_NAME, NULL },
	{ "ok.test..", 80, AUTHORITY_NAME, NULL },
	{ ".", 80, AUTHORITY_NAME, NULL },
	{ "ok test", 80, AUTHORITY_NAME, NULL },
	{ "a,b", 80, AUTHORITY_NAME, NULL },
	{ "user@ok.test", 80, AUTHORITY_NAME, NULL },
	{ "ok.test/", 80, AUTHORITY_NAME, NULL },
	{ "ok%2etest", 80, AUTHORITY_NAME, NULL },
	{ "ok.test\\x", 80, AUTHORITY_NAME, NULL },
	{ "*.ok.test", 80, AUTHORITY_NAME, NULL },
	{ "1.2.3", 80, AUTHORITY_NAME, NULL },
	{ "1.2.3.256", 80, AUTHORITY_NAME, NULL },
	{ "1.2.3.4.", 80, AUTHORITY_NAME, NULL },
	{ "0x7f.1", 80, AUTHORITY_NAME, NULL },
	{ "::1", 80, AUTHORITY_EMPTY, NULL },
	{ "fe80::1", 80, AUTHORITY_PORT, NULL },
	{ "[::1", 80, AUTHORITY_BRACKETS, NULL },
	{ "[]", 80, AUTHORITY_BRACKETS, NULL },
	{ "[::1%lo]", 80, AUTHORITY_BRACKETS, NULL },
	{ "[ok.test]", 80, AUTHORITY_BRACKETS, NULL },
	{ "[1.2.3.4]", 80, AUTHORITY_BRACKETS, NULL },
	{ "[[::1]]", 80, AUTHORITY_BRACKETS, NULL },
	{ "[::1]x", 80, AUTHORITY_PORT, NULL },
	{ "[::1]80", 80, AUTHORITY_PORT, NULL },
	{ "[::1]]:80", 80, AUTHORITY_PORT, NULL },
	{ "ok.test", 80, AUTHORITY_OK, "ok.test" },
	{ "OK.Test.", 80, AUTHORITY_OK, "ok.test" },
	{ "ok.test:80", 80, AUTHORITY_OK, "ok.test" },
	{ "ok.test:443", 0, AUTHORITY_OK, "ok.test:443" },
	{ "1.2.3.4:65535", 80, AUTHORITY_OK, "1.2.3.4:65535" },
	{ "[2001:DB8::1]", 80, AUTHORITY_OK, "[2001:db8::1]" },
	{ "[::ffff:1.2.3.4]:1", 0, AUTHORITY_OK, "[::ffff:1.2.3.4]:1" },
};

static void authority_has_one_grammar(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct buf text = BUF_INIT(512);
		struct target target;
		enum authority_fault fault = authority_parse(
			span_of(cases[i].text), cases[i].default_port, &target);

		if (fault != cases[i].fault)
			fail_msg("'%s': %s", cases[i].text,
				 authority_fault_text(fault));
		if (fault == AUTHORITY_OK) {
			authority_print(&target, 80, &text);
			assert_string_equal(text.data, cases[i].printed);
		} else {
			assert_int_equal(target.port, 0);
			assert_int_equal(target.addr.size, 0);
			assert_int_equal(target.host.size, 0);
		}
		buf_release(&text);
	}
}

/* NUL is a byte like any other that no name has. */
static void authority_sees_nul(void **state)
{
	struct target target;

	(void)state;
	assert_int_equal(authority_parse(SPAN("evil.test\0.ok.test:80"), 80,
					 &target),
			 AUTHORITY_NAME);
	assert_int_equal(authority_parse(SPAN("127.0.0.1\0.ok.test"), 80,
					 &target),
			 AUTHORITY_NAME);
	assert_int_equal(authority_parse(SPAN("ok.test:80\0"), 80, &target),
			 AUTHORITY_PORT);
	assert_int_equal(authority_parse(SPAN("[::1\0]"), 80, &target),
			 AUTHORITY_BRACKETS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(authority_has_one_grammar),
		cmocka_unit_test(authority_sees_nul),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
