/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CLOCK - wall time for records, monotonic time for durations. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>

uint64_t clock_epoch_ms(void);
uint64_t clock_monotonic_ms(void);
uint64_t clock_monotonic_ns(void);

#endif
