/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tests/unit/unit.h"

#include "base/digest.h"

/* The vectors of FIPS 180-4's examples. */
static const struct {
	const char *text, *hex;
} cases[] = {
	{ "", "e3b0c44298fc1c149afbf4c8996fb924"
	      "27ae41e4649b934ca495991b7852b855" },
	{ "abc", "ba7816bf8f01cfea414140de5dae2223"
		 "b00361a396177a9cb410ff61f20015ad" },
	{ "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
	  "248d6a61d20638b8e5c026930c3e6039"
	  "a33ce45964ff2167f6ecedd419db06c1" },
};

static void digest_is_sha256(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char hex[DIGEST_HEX + 1];

		digest_hex(span_of(cases[i].text), hex);
		assert_string_equal(hex, cases[i].hex);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(digest_is_sha256),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
