/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tests/unit/unit.h"

#include "base/words.h"

#define LONG                                                               \
	"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" \
	"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

static const struct {
	const char *word, *guess; /* NULL: nothing is near */
} cases[] = {
	{ "", NULL },
	{ "x", NULL },
	{ "zzzzz", NULL },
	{ "unrelated", NULL },
	{ "alow", "allow" },
	{ "allwo", NULL }, /* a swap is two edits, too many for five letters */
	{ "denny", "deny" },
	{ "unrestricte", "unrestricted" },
	{ "unristricded", "unrestricted" },
	{ "max_client", "max_clients" },
	{ LONG, NULL },
};

static void words_guess_what_was_meant(void **state)
{
	static const char *const known[] = { "allow", "deny", "unrestricted",
					     "max_clients", LONG "b" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct words_guess guess = words_guess_start(cases[i].word);

		for (size_t k = 0; k < ARRAY_SIZE(known); k++)
			words_guess_try(&guess, known[k]);
		if (!cases[i].guess)
			assert_null(guess.best);
		else
			assert_string_equal(guess.best, cases[i].guess);
	}
}

static void words_keep_the_nearest(void **state)
{
	struct words_guess guess = words_guess_start("listening");

	(void)state;
	words_guess_try(&guess, "listenin_x");
	words_guess_try(&guess, "listenings");
	words_guess_try(&guess, "xlistenin");
	assert_string_equal(guess.best, "listenings");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_guess_what_was_meant),
		cmocka_unit_test(words_keep_the_nearest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
