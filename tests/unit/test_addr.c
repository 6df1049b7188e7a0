/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tests/unit/unit.h"

#include <netinet/in.h>
#include <stdio.h>
#include <sys/un.h>

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
	{ "0x7f.0.0.1", NULL },
	{ "127.0.0.1.", NULL },
	{ ".127.0.0.1", NULL },
	{ "127.0.0.01", NULL },
	{ "127.0..1", NULL },
	{ "1.2.3", NULL },
	{ "1.2.3.4.5", NULL },
	{ "256.1.1.1", NULL },
	{ "1.2.3.4096", NULL },
	{ "+1.2.3.4", NULL },
	{ "1.2.3.-4", NULL },
	{ "1.2.3.4;x", NULL },
	{ "1.2.3.4/32", NULL },
	{ "1.2.3.4:80", NULL },
	{ "1.2.3.4 ", NULL },
	{ " 1.2.3.4", NULL },
	{ "1.2.3.4\n", NULL },
	{ "", NULL },
	{ ":", NULL },
	{ "fe80::1%eth0", NULL },
	{ "fe80::1%1", NULL },
	{ "::ffff:1.2.3.4%x.wild.test", NULL },
	{ "[::1]", NULL },
	{ ":::", NULL },
	{ "1::2::3", NULL },
	{ "12345::", NULL },
	{ "1:2:3:4:5:6:7", NULL },
	{ "1:2:3:4:5:6:7:8:9", NULL },
	{ "::1.2.3", NULL },
	{ "::1.2.3.04", NULL },
	{ "::g", NULL },
	{ "\xef\xbc\x91.2.3.4", NULL }, /* a full-width one */
	{ "0000:0000:0000:0000:0000:0000:255.255.255.2555", NULL },
	{ "1.2.3.4", "1.2.3.4" },
	{ "0.0.0.0", "0.0.0.0" },
	{ "255.255.255.255", "255.255.255.255" },
	{ "::", "::" },
	{ "2001:DB8:0:0::1", "2001:db8::1" },
	{ "2001:0db8::0001", "2001:db8::1" },
	{ "::ffff:1.2.3.4", "::ffff:1.2.3.4" },
	{ "0000:0000:0000:0000:0000:ffff:255.255.255.255",
	  "::ffff:255.255.255.255" },
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
		else
			assert_int_equal(addr.size, 0);
	}
}

static void addr_refuses_nul(void **state)
{
	struct addr addr;

	(void)state;
	assert_false(addr_parse(SPAN("1.2.3.4\0"), &addr));
	assert_false(addr_parse(SPAN("1.2.3.4\0.wild.test"), &addr));
	assert_false(addr_parse(SPAN("\0::1"), &addr));
	assert_false(addr_parse((struct span){ 0 }, &addr));
}

static void addr_without_address_prints_nothing(void **state)
{
	const struct addr none = { 0 };

	(void)state;
	assert_string_equal(addr_print(&none).text, "");
}

static void addr_equal_compares_family_and_bytes(void **state)
{
	const struct addr a = addr_v4(1, 2, 3, 4);
	const struct addr b = addr_v4(1, 2, 3, 5);
	const struct addr wide = { 16, { 1, 2, 3, 4 } };

	(void)state;
	assert_true(addr_equal(&a, &a));
	assert_false(addr_equal(&a, &b));
	assert_false(addr_equal(&a, &wide));
}

static const struct {
	const char *text;
	int bits; /* -1: refused */
} cidr_cases[] = {
	{ "10.0.0.0/0", -1 }, /* bits behind the prefix */
	{ "1.2.3.5/31", -1 },
	{ "1.2.3.4/33", -1 },
	{ "1.2.3.4", -1 }, /* an address is not a prefix */
	{ "2001:db8::", -1 },
	{ "0x0a/8", -1 },
	{ "10/8", -1 },
	{ "10.0.0.0/", -1 },
	{ "10.0.0.0/08", -1 },
	{ "10.0.0.0/+8", -1 },
	{ "10.0.0.0/-8", -1 },
	{ "10.0.0.0/8 ", -1 },
	{ "10.0.0.0/8/8", -1 },
	{ "10.0.0.0/255.0.0.0", -1 },
	{ "10.0.0.0/4294967304", -1 },
	{ "/8", -1 },
	{ "", -1 },
	{ "/", -1 },
	{ "::/129", -1 },
	{ "::1/127", -1 },
	{ "fe80::%1/64", -1 },
	{ "2001:db8::1/64", -1 },
	{ "[2001:db8::]/32", -1 },
	{ "0.0.0.0/0", 0 },
	{ "10.0.0.0/8", 8 },
	{ "10.0.0.0/7", 7 },
	{ "1.2.3.4/32", 32 },
	{ "::/0", 0 },
	{ "::ffff:0:0/96", 96 },
	{ "2001:db8::/32", 32 },
	{ "::1/128", 128 },
};

static void cidr_has_no_bits_behind_it(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cidr_cases); i++) {
		struct cidr cidr;
		bool ok = cidr_parse(span_of(cidr_cases[i].text), &cidr);

		if (ok != (cidr_cases[i].bits >= 0))
			fail_msg("'%s' was %s", cidr_cases[i].text,
				 ok ? "accepted" : "refused");
		if (ok)
			assert_int_equal(cidr.bits, cidr_cases[i].bits);
	}
}

static const struct {
	const char *cidr, *addr;
	bool inside;
} inside_cases[] = {
	{ "10.0.0.0/8", "9.255.255.255", false },
	{ "10.0.0.0/8", "11.0.0.0", false },
	{ "172.16.0.0/12", "172.15.255.255", false },
	{ "172.16.0.0/12", "172.32.0.0", false },
	{ "1.2.3.4/32", "1.2.3.5", false },
	{ "0.0.0.0/0", "::", false }, /* the other family */
	{ "::/0", "1.2.3.4", false },
	{ "::ffff:0:0/96", "1.2.3.4", false },
	{ "2001:db8::/33", "2001:db8:8000::", false },
	{ "10.0.0.0/8", "10.0.0.0", true },
	{ "10.0.0.0/8", "10.255.255.255", true },
	{ "172.16.0.0/12", "172.31.255.255", true },
	{ "1.2.3.4/32", "1.2.3.4", true },
	{ "0.0.0.0/0", "255.255.255.255", true },
	{ "::/0", "ffff::", true },
	{ "2001:db8::/33", "2001:db8:7fff::", true },
};

static void cidr_contains_its_range_only(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(inside_cases); i++) {
		struct cidr cidr;
		struct addr addr;

		assert_true(cidr_parse(span_of(inside_cases[i].cidr), &cidr));
		assert_true(addr_parse(span_of(inside_cases[i].addr), &addr));
		if (cidr_contains(&cidr, &addr) != inside_cases[i].inside)
			fail_msg("%s in %s", inside_cases[i].addr,
				 inside_cases[i].cidr);
	}
}

static void cidr_never_contains_no_address(void **state)
{
	const struct addr none = { 0 };
	const struct cidr empty = { 0 };

	(void)state;
	assert_false(cidr_contains(&empty, &none));
}

static const struct {
	const char *text;
	int port; /* 0: refused */
} port_cases[] = {
	{ "4294967739", 0 }, /* 443 modulo 2^32 */
	{ "65979", 0 },      /* 443 modulo 2^16 */
	{ "65536", 0 },
	{ "+443", 0 },
	{ "-1", 0 },
	{ "0443", 0 },
	{ "0", 0 },
	{ "00", 0 },
	{ "", 0 },
	{ " 443", 0 },
	{ "443 ", 0 },
	{ "443abc", 0 },
	{ "0x1bb", 0 },
	{ "4 43", 0 },
	{ "44.3", 0 },
	{ "\xd9\xa4\xd9\xa4\xd9\xa3", 0 }, /* Arabic digits */
	{ "18446744073709552059", 0 },
	{ "1", 1 },
	{ "443", 443 },
	{ "65535", 65535 },
};

static void port_is_digits_in_range(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(port_cases); i++) {
		uint16_t port = 7;
		bool ok = port_parse(span_of(port_cases[i].text), &port);

		if (ok != (port_cases[i].port != 0) ||
		    port != port_cases[i].port)
			fail_msg("'%s' gave %u", port_cases[i].text, port);
	}
	assert_false(port_parse(SPAN("443\0"), &(uint16_t){ 0 }));
}

static const struct {
	const char *text, *printed; /* NULL: refused */
} endpoint_cases[] = {
	{ "1.2.3.4", NULL },
	{ "1.2.3.4:", NULL },
	{ ":80", NULL },
	{ "", NULL },
	{ ":", NULL },
	{ "80", NULL },
	{ "1.2.3.4:0", NULL },
	{ "1.2.3.4:65536", NULL },
	{ "1.2.3.4:080", NULL },
	{ "1.2.3.4:80:80", NULL },
	{ "1.2.3.4 :80", NULL },
	{ "[1.2.3.4]:80", NULL },
	{ "::1:80", NULL }, /* without brackets: which part is the port? */
	{ "[::1]", NULL },
	{ "[]:80", NULL },
	{ "[::1]80", NULL },
	{ "[[::1]]:80", NULL },
	{ "[fe80::1%lo]:80", NULL },
	{ "[::1:80", NULL },
	{ "::1]:80", NULL },
	{ "localhost:80", NULL },
	{ "127.1:80", NULL },
	{ "1.2.3.4:80", "1.2.3.4:80" },
	{ "[::1]:65535", "[::1]:65535" },
	{ "[2001:DB8::1]:1", "[2001:db8::1]:1" },
	{ "[ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255]:65535",
	  "[ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff]:65535" },
};

static void endpoint_has_one_spelling(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(endpoint_cases); i++) {
		struct endpoint ep;
		bool ok = endpoint_parse(span_of(endpoint_cases[i].text), &ep);

		if (ok != (endpoint_cases[i].printed != NULL))
			fail_msg("'%s' was %s", endpoint_cases[i].text,
				 ok ? "accepted" : "refused");
		if (ok)
			assert_string_equal(endpoint_print(&ep).text,
					    endpoint_cases[i].printed);
	}
}

static void endpoint_survives_the_kernels_form(void **state)
{
	static const struct {
		const char *text;
		socklen_t size;
	} cases[] = {
		{ "1.2.3.4:80", sizeof(struct sockaddr_in) },
		{ "[2001:db8::1]:443", sizeof(struct sockaddr_in6) },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct sockaddr_storage kernel;
		struct endpoint before, after;

		assert_true(endpoint_parse(span_of(cases[i].text), &before));
		assert_int_equal(endpoint_to_sockaddr(&before, &kernel),
				 cases[i].size);
		assert_true(endpoint_from_sockaddr((struct sockaddr *)&kernel,
						   &after));
		assert_string_equal(endpoint_print(&after).text, cases[i].text);
	}
}

static void endpoint_knows_no_other_family(void **state)
{
	const struct sockaddr_un other = { .sun_family = AF_UNIX };
	struct endpoint ep;

	(void)state;
	assert_false(
		endpoint_from_sockaddr((const struct sockaddr *)&other, &ep));
	assert_int_equal(ep.addr.size, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(addr_has_one_spelling),
		cmocka_unit_test(addr_refuses_nul),
		cmocka_unit_test(addr_without_address_prints_nothing),
		cmocka_unit_test(addr_equal_compares_family_and_bytes),
		cmocka_unit_test(cidr_has_no_bits_behind_it),
		cmocka_unit_test(cidr_contains_its_range_only),
		cmocka_unit_test(cidr_never_contains_no_address),
		cmocka_unit_test(port_is_digits_in_range),
		cmocka_unit_test(endpoint_has_one_spelling),
		cmocka_unit_test(endpoint_survives_the_kernels_form),
		cmocka_unit_test(endpoint_knows_no_other_family),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
