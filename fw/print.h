/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PRINT - a plan as nft(8) text, ready for 'nft -f'. */
#ifndef FW_PRINT_H
#define FW_PRINT_H

#include <stdio.h>

#include "fw/plan.h"

MUST_CHECK int fw_print_nft(const struct fw_plan *plan, FILE *out,
			    struct error *err) NONNULL(1, 2, 3);

#endif
