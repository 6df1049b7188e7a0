/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tests/unit/netns.h"
#include "tests/unit/unit.h"

#include <sys/socket.h>

#include "base/addr.h"
#include "base/cleanup.h"
#include "sandbox/link.h"

static struct addr must_addr(const char *text)
{
	struct addr addr;

	if (!addr_parse(span_of(text), &addr))
		fail_msg("'%s' is no address", text);
	return addr;
}

static struct link_addrs sealed(void)
{
	return (struct link_addrs){
		.client4 = must_addr("100.64.0.2"),
		.client6 = must_addr("fd64::2"),
		.gateway4 = must_addr("100.64.0.1"),
		.gateway6 = must_addr("fd64::1"),
	};
}

/* errno of connecting there, 0 if there is a way; *from is whence. */
static int way_to(const char *text, int type, struct addr *from)
{
	struct endpoint to = { must_addr(text), 9 };
	struct endpoint local;
	struct sockaddr_storage bytes;
	socklen_t size = endpoint_to_sockaddr(&to, &bytes);
	autoclose int fd = socket(bytes.ss_family, type | SOCK_CLOEXEC, 0);

	assert_true(fd >= 0);
	if (connect(fd, (struct sockaddr *)&bytes, size) < 0)
		return errno;
	size = sizeof(bytes);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&bytes, &size), 0);
	assert_true(endpoint_from_sockaddr((struct sockaddr *)&bytes, &local));
	*from = local.addr;
	return 0;
}

static const struct {
	const char *to, *from;
} sources[] = {
	{ "100.64.0.1", "100.64.0.2" }, /* never from itself */
	{ "fd64::1", "fd64::2" },
	{ "1.2.3.4", "100.64.0.2" },
	{ "169.254.169.254", "100.64.0.2" },
	{ "10.0.0.1", "100.64.0.2" },
	{ "255.255.255.254", "100.64.0.2" },
	{ "2001:db8::1", "fd64::2" },
	{ "fd00::1", "fd64::2" },
	{ "64:ff9b::102:304", "fd64::2" },
	{ "100.64.0.2", "100.64.0.2" },
	{ "fd64::2", "fd64::2" },
	{ "127.0.0.1", "127.0.0.1" },
	{ "::1", "::1" },
};

static void everything_is_local_and_spoken_to_as_client(void **state)
{
	const struct link_addrs addrs = sealed();
	struct error err;

	(void)state;
	enter_netns();
	if (link_up_sealed(&addrs, &err) < 0)
		fail_msg("%s", err.text);
	for (size_t i = 0; i < ARRAY_SIZE(sources); i++) {
		struct addr from;
		int number = way_to(sources[i].to, SOCK_DGRAM, &from);

		if (number)
			fail_msg("%s: %s", sources[i].to, strerror(number));
		if (strcmp(addr_print(&from).text, sources[i].from) != 0)
			fail_msg("%s is spoken to from %s", sources[i].to,
				 addr_print(&from).text);
		/* Really delivered here: this host says that nobody listens. */
		assert_int_equal(way_to(sources[i].to, SOCK_STREAM, &from),
				 ECONNREFUSED);
	}
}

static void the_world_has_its_own_addresses_only(void **state)
{
	const struct addr own[] = { must_addr("192.0.2.1"),
				    must_addr("2001:db8::1") };
	const struct link_addrs addrs = { .own = own, .own_count = 2 };
	struct error err;
	struct addr from;

	(void)state;
	enter_netns();
	if (link_up_sealed(&addrs, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(way_to("192.0.2.2", SOCK_DGRAM, &from), ENETUNREACH);
	assert_int_equal(way_to("2001:db8::2", SOCK_DGRAM, &from), ENETUNREACH);
	assert_int_equal(way_to("192.0.2.1", SOCK_DGRAM, &from), 0);
	assert_int_equal(way_to("2001:db8::1", SOCK_DGRAM, &from), 0);
}

static void a_refusal_names_the_address(void **state)
{
	const struct link_addrs addrs = sealed();
	struct error err;

	(void)state;
	enter_netns();
	assert_int_equal(link_up_sealed(&addrs, &err), 0);
	assert_int_equal(link_up_sealed(&addrs, &err), -1);
	assert_int_equal(err.number, EEXIST);
	assert_non_null(strstr(err.text, "add 100.64.0.1 to lo"));
}

static void a_gateway_needs_a_client(void **state)
{
	struct link_addrs addrs = sealed();
	struct error err;

	(void)state;
	enter_netns();
	addrs.client6 = (struct addr){ 0 };
	assert_int_equal(link_up_sealed(&addrs, &err), -1);
	assert_non_null(strstr(err.text, "fd64::1"));
}

static void without_rights_nothing_changes(void **state)
{
	const struct link_addrs addrs = sealed();
	struct error err;

	(void)state;
	enter_netns();
	assert_int_equal(unshare(CLONE_NEWUSER), 0);
	assert_int_equal(link_up_sealed(&addrs, &err), -1);
	assert_int_equal(err.number, EPERM);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everything_is_local_and_spoken_to_as_client),
		cmocka_unit_test(the_world_has_its_own_addresses_only),
		cmocka_unit_test(a_refusal_names_the_address),
		cmocka_unit_test(a_gateway_needs_a_client),
		cmocka_unit_test(without_rights_nothing_changes),
	};
	int status;

	if (!enter_sandbox(&status))
		return status;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
