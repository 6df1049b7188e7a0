/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tests/unit/unit.h"

#include "base/addr.h"

static const struct {
	const char *text, *printed; /* NULL: refused */
} addr_cases[] = {
	{ "127.1", NULL },
	{ "2130706433", NULL },
	{ "0x7f000001", NULL },
	{ "0177.0.0.1", NULL },
	{ "00000177.1", NULL },
	{ "0x7f.1", NULL },
	{ "127.0.0.1.", NULL },
	{ "127.0.0.01", NULL },
	{ "1.2.3", NULL },
	{ "1.2.3.4.5", NULL },
	{ "256.1.1.1", NULL },
	{ "1.2.3.4;x", NULL },
	{ "1.2.3.4 ", NULL },
	{ " 1.2.3.4", NULL },
	{ "", NULL },
	{ "fe80::1%eth0", NULL },
	{ "::ffff:1.2.3.4%x.wild.test", NULL },
	{ "[::1]", NULL },
	{ ":::", NULL },
	{ "1::2::3", NULL },
	{ "12345::", NULL },
	{ "1.2.3.4", "1.2.3.4" },
	{ "0.0.0.0", "0.0.0.0" },
	{ "::", "::" },
	{ "2001:DB8:0:0::1", "2001:db8::1" },
	{ "::ffff:1.2.3.4", "::ffff:1.2.3.4" },
};

static void addr_has_one_spelling(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(addr_cases); i++) {
		struct addr addr;
		bool ok = addr_parse(span_of(addr_cases[i].text), &addr);

		if (ok != (addr_cases[i].printed != NULL))
			fail_msg("'%s' was %s", addr_cases[i].text,
				 ok ? "accepted" : "refused");
		if (ok)
			assert_string_equal(addr_print(&addr).text,
					    addr_cases[i].printed);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(addr_has_one_spelling),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
