/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tests/unit/unit.h"

#include "policy/addrclass.h"

static const struct {
	const char *addr;
	enum addr_class class;
} class_cases[] = {
	/* B7: metadata services, and their neighbours that are none */
	{ "169.254.169.254", ADDR_METADATA },
	{ "169.254.169.253", ADDR_LINK_LOCAL },
	{ "169.254.169.255", ADDR_LINK_LOCAL },
	{ "169.254.170.2", ADDR_METADATA },
	{ "169.254.170.23", ADDR_METADATA },
	{ "169.254.170.3", ADDR_LINK_LOCAL },
	{ "100.100.100.200", ADDR_METADATA },
	{ "100.100.100.201", ADDR_PRIVATE },
	{ "168.63.129.16", ADDR_METADATA },
	{ "168.63.129.15", ADDR_GLOBAL },
	{ "168.63.129.17", ADDR_GLOBAL },
	{ "192.0.0.192", ADDR_METADATA },
	{ "192.0.0.193", ADDR_RESERVED },
	{ "fd00:ec2::254", ADDR_METADATA },
	{ "fd00:ec2::23", ADDR_METADATA },
	{ "fd00:ec2::253", ADDR_PRIVATE },
	{ "fd20:ce::254", ADDR_METADATA },
	{ "fd00:c1::a9fe:a9fe", ADDR_METADATA },
	{ "fd00:42::42", ADDR_METADATA },
	{ "fd00:a9fe:a9fe::1", ADDR_METADATA },
	{ "fd00:100::100:200", ADDR_METADATA },
	{ "fd00:100::100:201", ADDR_PRIVATE },
	/* B5, B6 */
	{ "0.0.0.0", ADDR_UNSPECIFIED },
	{ "0.1.2.3", ADDR_UNSPECIFIED },
	{ "0.255.255.255", ADDR_UNSPECIFIED },
	{ "1.0.0.0", ADDR_GLOBAL },
	{ "::", ADDR_UNSPECIFIED },
	{ "126.255.255.255", ADDR_GLOBAL },
	{ "127.0.0.0", ADDR_LOOPBACK },
	{ "127.8.8.8", ADDR_LOOPBACK },
	{ "127.255.255.255", ADDR_LOOPBACK },
	{ "128.0.0.0", ADDR_GLOBAL },
	{ "::1", ADDR_LOOPBACK },
	/* B8: each range, just inside and just outside */
	{ "9.255.255.255", ADDR_GLOBAL },
	{ "10.0.0.0", ADDR_PRIVATE },
	{ "10.255.255.255", ADDR_PRIVATE },
	{ "11.0.0.0", ADDR_GLOBAL },
	{ "100.63.255.255", ADDR_GLOBAL },
	{ "100.64.0.0", ADDR_PRIVATE },
	{ "100.127.255.255", ADDR_PRIVATE },
	{ "100.128.0.0", ADDR_GLOBAL },
	{ "169.253.255.255", ADDR_GLOBAL },
	{ "169.254.0.0", ADDR_LINK_LOCAL },
	{ "169.254.255.255", ADDR_LINK_LOCAL },
	{ "169.255.0.0", ADDR_GLOBAL },
	{ "172.15.255.255", ADDR_GLOBAL },
	{ "172.16.0.0", ADDR_PRIVATE },
	{ "172.31.255.255", ADDR_PRIVATE },
	{ "172.32.0.0", ADDR_GLOBAL },
	{ "191.255.255.255", ADDR_GLOBAL },
	{ "192.0.0.0", ADDR_RESERVED },
	{ "192.0.0.255", ADDR_RESERVED },
	{ "192.0.1.0", ADDR_GLOBAL },
	{ "192.0.2.0", ADDR_DOCUMENTATION },
	{ "192.0.2.255", ADDR_DOCUMENTATION },
	{ "192.0.3.0", ADDR_GLOBAL },
	{ "192.31.195.255", ADDR_GLOBAL },
	{ "192.31.196.0", ADDR_RESERVED },
	{ "192.31.197.0", ADDR_GLOBAL },
	{ "192.52.192.255", ADDR_GLOBAL },
	{ "192.52.193.1", ADDR_RESERVED },
	{ "192.52.194.0", ADDR_GLOBAL },
	{ "192.88.98.255", ADDR_GLOBAL },
	{ "192.88.99.1", ADDR_RESERVED },
	{ "192.88.100.0", ADDR_GLOBAL },
	{ "192.167.255.255", ADDR_GLOBAL },
	{ "192.168.0.0", ADDR_PRIVATE },
	{ "192.168.255.255", ADDR_PRIVATE },
	{ "192.169.0.0", ADDR_GLOBAL },
	{ "192.175.47.255", ADDR_GLOBAL },
	{ "192.175.48.1", ADDR_RESERVED },
	{ "192.175.49.0", ADDR_GLOBAL },
	{ "198.17.255.255", ADDR_GLOBAL },
	{ "198.18.0.0", ADDR_DOCUMENTATION },
	{ "198.19.255.255", ADDR_DOCUMENTATION },
	{ "198.20.0.0", ADDR_GLOBAL },
	{ "198.51.99.255", ADDR_GLOBAL },
	{ "198.51.100.0", ADDR_DOCUMENTATION },
	{ "198.51.101.0", ADDR_GLOBAL },
	{ "203.0.112.255", ADDR_GLOBAL },
	{ "203.0.113.255", ADDR_DOCUMENTATION },
	{ "203.0.114.0", ADDR_GLOBAL },
	{ "223.255.255.255", ADDR_GLOBAL },
	{ "224.0.0.1", ADDR_MULTICAST },
	{ "239.255.255.255", ADDR_MULTICAST },
	{ "240.0.0.0", ADDR_RESERVED },
	{ "255.255.255.254", ADDR_RESERVED },
	{ "255.255.255.255", ADDR_MULTICAST },
	{ "fbff:ffff::", ADDR_RESERVED },
	{ "fc00::", ADDR_PRIVATE },
	{ "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", ADDR_PRIVATE },
	{ "fe00::", ADDR_RESERVED },
	{ "fe7f:ffff::", ADDR_RESERVED },
	{ "fe80::1", ADDR_LINK_LOCAL },
	{ "febf:ffff::", ADDR_LINK_LOCAL },
	{ "fec0::1", ADDR_RESERVED },
	{ "feff:ffff::", ADDR_RESERVED },
	{ "ff00::", ADDR_MULTICAST },
	{ "ff02::1", ADDR_MULTICAST },
	{ "100::1", ADDR_RESERVED },
	{ "100:0:0:1::1", ADDR_RESERVED },
	{ "5f00::1", ADDR_RESERVED },
	{ "3ffe:ffff::1", ADDR_GLOBAL },
	{ "3fff::1", ADDR_DOCUMENTATION },
	{ "3fff:fff:ffff::1", ADDR_DOCUMENTATION },
	{ "3fff:1000::1", ADDR_GLOBAL },
	{ "2001:db7:ffff::1", ADDR_GLOBAL },
	{ "2001:db8::1", ADDR_DOCUMENTATION },
	{ "2001:db8:ffff::1", ADDR_DOCUMENTATION },
	{ "2001:db9::1", ADDR_GLOBAL },
	{ "2001:2::1", ADDR_DOCUMENTATION },
	{ "2001:2:1::1", ADDR_RESERVED },
	{ "2001:10::1", ADDR_RESERVED }, /* ORCHID */
	{ "2001:20::1", ADDR_RESERVED },
	{ "2001:1ff:ffff::1", ADDR_RESERVED },
	{ "2001:200::1", ADDR_GLOBAL },
	{ "2620:4f:7fff::1", ADDR_GLOBAL },
	{ "2620:4f:8000::1", ADDR_RESERVED },
	{ "2620:4f:8001::1", ADDR_GLOBAL },
	{ "1fff:ffff::", ADDR_RESERVED }, /* nobody's */
	{ "2000::1", ADDR_GLOBAL },
	{ "4000::", ADDR_RESERVED },
	{ "2606:2800:220:1:248:1893:25c8:1946", ADDR_GLOBAL },
	{ "93.184.216.34", ADDR_GLOBAL },
	/* B2: mapped, compatible, translated */
	{ "::ffff:127.0.0.1", ADDR_LOOPBACK },
	{ "::ffff:169.254.169.254", ADDR_METADATA },
	{ "::ffff:10.0.0.1", ADDR_RESERVED },
	{ "::ffff:93.184.216.34", ADDR_RESERVED },
	{ "::7f00:1", ADDR_LOOPBACK },
	{ "::a9fe:a9fe", ADDR_METADATA },
	{ "::5db8:d822", ADDR_RESERVED },
	{ "::2", ADDR_UNSPECIFIED },
	{ "::ffff:0:7f00:1", ADDR_LOOPBACK },
	{ "::ffff:0:a9fe:a9fe", ADDR_METADATA },
	{ "::ffff:0:5db8:d822", ADDR_RESERVED },
	/* B3: NAT64 */
	{ "64:ff9b::a9fe:a9fe", ADDR_METADATA },
	{ "64:ff9b::7f00:1", ADDR_LOOPBACK },
	{ "64:ff9b::a00:1", ADDR_RESERVED },
	{ "64:ff9b::5db8:d822", ADDR_RESERVED },
	{ "64:ff9b:1::a9fe:a9fe", ADDR_METADATA },
	{ "64:ff9b:1:fffe::7f00:1", ADDR_LOOPBACK },
	{ "64:ff9b:1::5db8:d822", ADDR_RESERVED },
	{ "64:ff9b:2::5db8:d822", ADDR_RESERVED },
	/* B4: 6to4, Teredo (server, inverted client), ISATAP */
	{ "2002:7f00:1::", ADDR_LOOPBACK },
	{ "2002:a9fe:a9fe::1", ADDR_METADATA },
	{ "2002:a00:1::1", ADDR_RESERVED },
	{ "2002:5db8:d822::1", ADDR_RESERVED },
	{ "2001:0:7f00:1::", ADDR_LOOPBACK },
	{ "2001:0:a9fe:a9fe::5db8:d822", ADDR_METADATA },
	{ "2001:0:5db8:d822:0:0:80ff:fffe", ADDR_LOOPBACK },
	{ "2001:0:5db8:d822:0:0:5601:5601", ADDR_METADATA },
	{ "2001:0:5db8:d822:0:0:a247:27dd", ADDR_RESERVED },
	{ "2606:2800::5efe:7f00:1", ADDR_LOOPBACK },
	{ "2606:2800::5efe:a9fe:a9fe", ADDR_METADATA },
	{ "2606:2800::5efe:a00:1", ADDR_PRIVATE },
	{ "2606:2800::200:5efe:192.168.1.1", ADDR_PRIVATE },
	{ "2606:2800::100:5efe:7f00:1", ADDR_LOOPBACK },
	{ "2606:2800::300:5efe:7f00:1", ADDR_LOOPBACK },
	{ "2606:2800::400:5efe:7f00:1", ADDR_GLOBAL }, /* no such form */
	{ "2606:2800::5eff:7f00:1", ADDR_GLOBAL },
	{ "2606:2800::5efe:5db8:d822", ADDR_GLOBAL },
	{ "fe80::5efe:7f00:1", ADDR_LOOPBACK },
	{ "fc00::5efe:5db8:d822", ADDR_PRIVATE },
};

static void addr_classes_follow_the_registries(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(class_cases); i++) {
		struct addr addr;
		enum addr_class class;

		assert_true(addr_parse(span_of(class_cases[i].addr), &addr));
		class = addr_classify(&addr);
		if (class != class_cases[i].class)
			fail_msg("%s is %s, not %s", class_cases[i].addr,
				 addr_class_name(class_cases[i].class),
				 addr_class_name(class));
	}
}

/* Every carrier, with every class inside: never better than what it carries. */
static void carried_addresses_are_looked_through(void **state)
{
	static const struct {
		const char *prefix;
		unsigned at;
		uint8_t mask;
	} forms[] = {
		{ "::ffff:0.0.0.0", 12, 0 },
		{ "::ffff:0:0:0", 12, 0 },
		{ "::", 12, 0 },
		{ "64:ff9b::", 12, 0 },
		{ "64:ff9b:1::", 12, 0 },
		{ "2002::", 2, 0 },
		{ "2001:0:5db8:d822::", 4, 0 },
		{ "2001:0:5db8:d822::", 12, 255 },
		{ "2606::5efe:0:0", 12, 0 },
		{ "2606::200:5efe:0:0", 12, 0 },
	};
	static const char *const inner[] = {
		"127.0.0.1",  "0.0.0.0",         "10.1.2.3",
		"172.16.1.1", "192.168.1.1",     "100.64.1.1",
		"224.0.0.1",  "255.255.255.255", "240.0.0.1",
		"192.0.2.1",  "198.18.0.1",      "169.254.1.1",
		"192.0.0.8",  "169.254.169.254",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(forms); i++)
		for (size_t k = 0; k < ARRAY_SIZE(inner); k++) {
			struct addr v6, v4;

			assert_true(addr_parse(span_of(forms[i].prefix), &v6));
			assert_true(addr_parse(span_of(inner[k]), &v4));
			for (unsigned b = 0; b < 4; b++)
				v6.bytes[forms[i].at + b] =
					v4.bytes[b] ^ forms[i].mask;
			if (addr_classify(&v6) > addr_classify(&v4))
				fail_msg("%s is %s", addr_print(&v6).text,
					 addr_class_name(addr_classify(&v6)));
		}
}

static void no_address_has_no_class(void **state)
{
	const struct addr none = { 0 }, odd = { .size = 5 };

	(void)state;
	assert_int_equal(addr_classify(&none), ADDR_NONE);
	assert_int_equal(addr_classify(&odd), ADDR_NONE);
}

static void classes_have_names(void **state)
{
	(void)state;
	for (int class = 0; class < ADDR_NCLASSES; class ++)
		assert_non_null(addr_class_name(class));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(addr_classes_follow_the_registries),
		cmocka_unit_test(carried_addresses_are_looked_through),
		cmocka_unit_test(no_address_has_no_class),
		cmocka_unit_test(classes_have_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
