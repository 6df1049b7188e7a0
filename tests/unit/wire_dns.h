/* SPDX-License-Identifier: GPL-3.0-or-later */
/* WIRE DNS - the names of the wire tests, also hostile ones. */
#ifndef TESTS_UNIT_WIRE_DNS_H
#define TESTS_UNIT_WIRE_DNS_H

#include <stddef.h>

/* Answer one question that waits at a datagram socket, and count it. */
void wire_dns_serve(int socket, size_t *asked);

#endif
