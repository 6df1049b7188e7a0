/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tests/unit/unit.h"

#include "proxy/listen_fds.h"

static const struct {
	const char *pid, *count, *names;
	const char *error; /* NULL: accepted */
} cases[] = {
	{ "7", "1", NULL,
	  "LISTEN_PID, LISTEN_FDS and LISTEN_FDNAMES belong together" },
	{ NULL, "1", "proxy",
	  "LISTEN_PID, LISTEN_FDS and LISTEN_FDNAMES belong together" },
	{ "7", NULL, "proxy",
	  "LISTEN_PID, LISTEN_FDS and LISTEN_FDNAMES belong together" },
	{ "8", "1", "proxy", "LISTEN_PID is not this process" },
	{ "", "1", "proxy", "LISTEN_PID is not this process" },
	{ "+7", "1", "proxy", "LISTEN_PID is not this process" },
	{ "7 ", "1", "proxy", "LISTEN_PID is not this process" },
	{ "4294967303", "1", "proxy", "LISTEN_PID is not this process" },
	{ "7", "0", "", "LISTEN_FDS is not 1 to 16" },
	{ "7", "17", "proxy", "LISTEN_FDS is not 1 to 16" },
	{ "7", "-1", "proxy", "LISTEN_FDS is not 1 to 16" },
	{ "7", "x", "proxy", "LISTEN_FDS is not 1 to 16" },
	{ "7", "2", "proxy", "LISTEN_FDNAMES does not hold 2 names" },
	{ "7", "1", "proxy:ready", "LISTEN_FDNAMES does not hold 1 names" },
	{ "7", "1", "", "LISTEN_FDNAMES: unknown name \"\"" },
	{ "7", "2", "proxy:", "LISTEN_FDNAMES: unknown name \"\"" },
	{ "7", "1", "Proxy", "LISTEN_FDNAMES: unknown name \"Proxy\"" },
	{ "7", "2", "ready:ready", "LISTEN_FDNAMES: 'ready' twice" },
	{ "7", "2", "lifetime:lifetime", "LISTEN_FDNAMES: 'lifetime' twice" },
	{ "7", "1", "transparent",
	  "LISTEN_FDNAMES: 'transparent' is not built in this version" },
	{ "7", "1", "socks",
	  "LISTEN_FDNAMES: 'socks' is not built in this version" },
	{ "7", "2", "proxy:dns-udp",
	  "LISTEN_FDNAMES: 'dns-udp' is not built in this version" },
	{ "7", "1", "dns-tcp",
	  "LISTEN_FDNAMES: 'dns-tcp' is not built in this version" },
	{ "7", "1", "nflog",
	  "LISTEN_FDNAMES: 'nflog' is not built in this version" },
	{ "7", "1", "heads",
	  "LISTEN_FDNAMES: 'heads' is not built in this version" },
	{ "7", "1", "audit-key",
	  "LISTEN_FDNAMES: 'audit-key' is not built in this version" },
	{ NULL, NULL, NULL, NULL },
	{ "7", "1", "proxy", NULL },
	{ "7", "4", "proxy:lifetime:proxy:ready", NULL },
};

static void names_are_known_or_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct listen_fds fds;
		struct error err;
		int result = listen_fds_parse(cases[i].pid, cases[i].count,
					      cases[i].names, 7, &fds, &err);

		if ((result < 0) != (cases[i].error != NULL))
			fail_msg("%zu: %s", i, result < 0 ? err.text : "taken");
		if (result < 0)
			assert_string_equal(err.text, cases[i].error);
	}
}

static void numbers_begin_at_three(void **state)
{
	struct listen_fds fds;
	struct error err;

	(void)state;
	assert_int_equal(listen_fds_parse("7", "3", "proxy:lifetime:proxy", 7,
					  &fds, &err),
			 0);
	assert_int_equal(listen_fds_take(&fds, LISTEN_FD_READY), -1);
	assert_int_equal(listen_fds_take(&fds, LISTEN_FD_PROXY), 3);
	assert_int_equal(listen_fds_take(&fds, LISTEN_FD_PROXY), 5);
	assert_int_equal(listen_fds_take(&fds, LISTEN_FD_PROXY), -1);
	assert_int_equal(listen_fds_take(&fds, LISTEN_FD_LIFETIME), 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_known_or_refused),
		cmocka_unit_test(numbers_begin_at_three),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
