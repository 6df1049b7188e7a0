/* SPDX-License-Identifier: GPL-3.0-or-later */
/* FUZZ - what every target has: libFuzzer's entry, and assertions that hold in
 * every build. A target asserts what must be true of any input, not merely
 * that nothing crashes. */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/span.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MUST(condition)                        \
	do {                                   \
		if (!(condition))              \
			bug("%s", #condition); \
	} while (0)

static inline struct span fuzz_span(const uint8_t *data, size_t size)
{
	return (struct span){ (const char *)data, size };
}

#endif
