/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "base/words.h"

#include <string.h>

#define WORD_MAX 48

static unsigned least(unsigned a, unsigned b, unsigned c)
{
	unsigned m = a < b ? a : b;

	return m < c ? m : c;
}

/* Levenshtein's distance, one row at a time. */
static unsigned distance(const char *a, const char *b)
{
	unsigned row[WORD_MAX + 1];
	size_t rows = strlen(a), columns = strlen(b);

	if (rows > WORD_MAX || columns > WORD_MAX)
		return WORD_MAX;
	for (size_t j = 0; j <= columns; j++)
		row[j] = (unsigned)j;
	for (size_t i = 1; i <= rows; i++) {
		unsigned diagonal = row[0];

		row[0] = (unsigned)i;
		for (size_t j = 1; j <= columns; j++) {
			unsigned above = row[j];

			row[j] = least(above + 1, row[j - 1] + 1,
				       diagonal + (a[i - 1] != b[j - 1]));
			diagonal = above;
		}
	}
	return row[columns];
}

struct words_guess words_guess_start(const char *word)
{
	unsigned allowed = (unsigned)strlen(word) / 3;

	return (struct words_guess){ .word = word,
				     .distance =
					     allowed < 3 ? allowed + 1 : 4 };
}

void words_guess_try(struct words_guess *guess, const char *known)
{
	unsigned d = distance(guess->word, known);

	if (d < guess->distance) {
		guess->distance = d;
		guess->best = known;
	}
}
