/* SPDX-License-Identifier: GPL-3.0-or-later */
/* WORDS - the nearest known word to a misspelt one. */
#ifndef BASE_WORDS_H
#define BASE_WORDS_H

#include "base/compiler.h"

struct words_guess {
	const char *word;
	const char *best; /* NULL while nothing is near enough */
	unsigned distance;
};

struct words_guess words_guess_start(const char *word) NONNULL(1);
void words_guess_try(struct words_guess *guess, const char *known)
	NONNULL(1, 2);

#endif
