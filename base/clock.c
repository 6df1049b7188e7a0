/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "base/clock.h"

#include <time.h>

static uint64_t read_ns(clockid_t id)
{
	struct timespec now;

	clock_gettime(id, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t clock_epoch_ms(void)
{
	return read_ns(CLOCK_REALTIME) / 1000000u;
}

uint64_t clock_monotonic_ms(void)
{
	return read_ns(CLOCK_MONOTONIC) / 1000000u;
}

uint64_t clock_monotonic_ns(void)
{
	return read_ns(CLOCK_MONOTONIC);
}
