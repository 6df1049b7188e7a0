/* SPDX-License-Identifier: GPL-3.0-or-later */
/* UNIT - what every cmocka test includes, in the order that cmocka needs. */
#ifndef TESTS_UNIT_UNIT_H
#define TESTS_UNIT_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "base/span.h"

#endif
