/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ADDRCLASS - what kind of place an address is, from the registries.
 * Sources: IANA IPv4 and IPv6 Special-Purpose Address Registries (RFC 6890),
 * RFC 1918, 4193, 6598, and the cloud vendors' metadata services. An IPv6
 * address that carries an IPv4 one is looked through (mapped, compatible,
 * translated, NAT64, 6to4, Teredo, ISATAP) and takes the worse class. */
#ifndef POLICY_ADDRCLASS_H
#define POLICY_ADDRCLASS_H

#include "base/addr.h"

/* From worst to best; 0 is what an unfilled value means. */
enum addr_class {
	ADDR_NONE = 0, /* no address at all */
	ADDR_METADATA, /* a cloud's instance metadata or key service */
	ADDR_LOOPBACK,
	ADDR_UNSPECIFIED, /* 0.0.0.0/8, :: */
	ADDR_LINK_LOCAL,
	ADDR_MULTICAST,     /* also broadcast */
	ADDR_RESERVED,      /* every other special range */
	ADDR_DOCUMENTATION, /* also benchmarking */
	ADDR_PRIVATE,       /* RFC 1918, ULA, CGNAT */
	ADDR_GLOBAL,
	ADDR_NCLASSES
};

enum addr_class addr_classify(const struct addr *addr) NONNULL(1);

/* "loopback", "private" ... for messages. */
const char *addr_class_name(enum addr_class class);

#endif
