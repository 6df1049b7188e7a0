/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "policy/addrclass.h"

#include <string.h>

static const char *const class_name[] = {
	[ADDR_NONE] = "absent",
	[ADDR_METADATA] = "metadata",
	[ADDR_LOOPBACK] = "loopback",
	[ADDR_UNSPECIFIED] = "unspecified",
	[ADDR_LINK_LOCAL] = "link-local",
	[ADDR_MULTICAST] = "multicast",
	[ADDR_RESERVED] = "reserved",
	[ADDR_DOCUMENTATION] = "documentation",
	[ADDR_PRIVATE] = "private",
	[ADDR_GLOBAL] = "global",
};
static_assert(ARRAY_SIZE(class_name) == ADDR_NCLASSES, "each class has a name");

const char *addr_class_name(enum addr_class class)
{
	return class_name[class];
}

struct range {
	struct cidr cidr;
	enum addr_class class;
};

#define V4(a, b, c, d, bits, class)                    \
	{                                              \
		{ { 4, { a, b, c, d } }, bits }, class \
	}

/* The first range that holds the address decides: narrow before wide. */
static const struct range v4_ranges[] = {
	V4(169, 254, 169, 254, 32, ADDR_METADATA), /* most clouds */
	V4(169, 254, 170, 2, 32, ADDR_METADATA),   /* ECS task roles */
	V4(169, 254, 170, 23, 32, ADDR_METADATA),  /* EKS pod identity */
	V4(100, 100, 100, 200, 32, ADDR_METADATA), /* Alibaba */
	V4(168, 63, 129, 16, 32, ADDR_METADATA),   /* Azure host agent */
	V4(192, 0, 0, 192, 32, ADDR_METADATA),     /* Oracle, older */
	V4(0, 0, 0, 0, 8, ADDR_UNSPECIFIED),       /* RFC 791 "this network" */
	V4(10, 0, 0, 0, 8, ADDR_PRIVATE),          /* RFC 1918 */
	V4(100, 64, 0, 0, 10, ADDR_PRIVATE),       /* RFC 6598 CGNAT */
	V4(127, 0, 0, 0, 8, ADDR_LOOPBACK),        /* RFC 1122 */
	V4(169, 254, 0, 0, 16, ADDR_LINK_LOCAL),   /* RFC 3927 */
	V4(172, 16, 0, 0, 12, ADDR_PRIVATE),       /* RFC 1918 */
	V4(192, 0, 0, 0, 24, ADDR_RESERVED),       /* RFC 6890 */
	V4(192, 0, 2, 0, 24, ADDR_DOCUMENTATION),  /* RFC 5737 */
	V4(192, 31, 196, 0, 24, ADDR_RESERVED),    /* RFC 7535 AS112 */
	V4(192, 52, 193, 0, 24, ADDR_RESERVED),    /* RFC 7450 AMT */
	V4(192, 88, 99, 0, 24, ADDR_RESERVED),     /* RFC 7526 6to4 relay */
	V4(192, 168, 0, 0, 16, ADDR_PRIVATE),      /* RFC 1918 */
	V4(192, 175, 48, 0, 24, ADDR_RESERVED),    /* RFC 7534 AS112 */
	V4(198, 18, 0, 0, 15, ADDR_DOCUMENTATION), /* RFC 2544 benchmarks */
	V4(198, 51, 100, 0, 24, ADDR_DOCUMENTATION), /* RFC 5737 */
	V4(203, 0, 113, 0, 24, ADDR_DOCUMENTATION),  /* RFC 5737 */
	V4(224, 0, 0, 0, 4, ADDR_MULTICAST),         /* RFC 5771 */
	V4(255, 255, 255, 255, 32, ADDR_MULTICAST),  /* RFC 919 broadcast */
	V4(240, 0, 0, 0, 4, ADDR_RESERVED),          /* RFC 1112 */
};

#define V6(bits, class, ...)                             \
	{                                                \
		{ { 16, { __VA_ARGS__ } }, bits }, class \
	}

static const struct range v6_ranges[] = {
	/* AWS fd00:ec2::254, ::23; others as published by their vendors */
	V6(128, ADDR_METADATA, 0xfd, 0, 0x0e, 0xc2, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	   0, 0x02, 0x54),
	V6(128, ADDR_METADATA, 0xfd, 0, 0x0e, 0xc2, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	   0, 0, 0x23),
	/* fd20:ce::254 (Google) */
	V6(128, ADDR_METADATA, 0xfd, 0x20, 0, 0xce, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	   0, 0x02, 0x54),
	/* fd00:c1::a9fe:a9fe (Oracle) */
	V6(128, ADDR_METADATA, 0xfd, 0, 0, 0xc1, 0, 0, 0, 0, 0, 0, 0, 0, 0xa9,
	   0xfe, 0xa9, 0xfe),
	/* fd00:42::42 (Scaleway) */
	V6(128, ADDR_METADATA, 0xfd, 0, 0, 0x42, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	   0, 0x42),
	/* fd00:a9fe:a9fe::1 */
	V6(128, ADDR_METADATA, 0xfd, 0, 0xa9, 0xfe, 0xa9, 0xfe, 0, 0, 0, 0, 0,
	   0, 0, 0, 0, 0x01),
	/* fd00:100::100:200 (Alibaba) */
	V6(128, ADDR_METADATA, 0xfd, 0, 0x01, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x01,
	   0, 0x02, 0),
	V6(128, ADDR_LOOPBACK, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1),
	V6(128, ADDR_UNSPECIFIED, 0),
	/* RFC 9637 3fff::/20, RFC 3849 2001:db8::/32, RFC 5180 2001:2::/48 */
	V6(20, ADDR_DOCUMENTATION, 0x3f, 0xff),
	V6(32, ADDR_DOCUMENTATION, 0x20, 0x01, 0x0d, 0xb8),
	V6(48, ADDR_DOCUMENTATION, 0x20, 0x01, 0, 0x02),
	V6(7, ADDR_PRIVATE, 0xfc),           /* RFC 4193 ULA */
	V6(10, ADDR_LINK_LOCAL, 0xfe, 0x80), /* RFC 4291 */
	V6(10, ADDR_RESERVED, 0xfe, 0xc0),   /* RFC 3879 site-local */
	V6(8, ADDR_MULTICAST, 0xff),         /* RFC 4291 */
	V6(23, ADDR_RESERVED, 0x20, 0x01),   /* RFC 2928 */
	V6(16, ADDR_RESERVED, 0x20, 0x02),   /* RFC 3056 6to4 */
	V6(48, ADDR_RESERVED, 0, 0x64, 0xff, 0x9b, 0, 0x01), /* RFC 8215 */
	V6(96, ADDR_RESERVED, 0, 0x64, 0xff, 0x9b),          /* RFC 6052 */
	V6(16, ADDR_RESERVED, 0x01, 0), /* RFC 6666 and below */
	V6(16, ADDR_RESERVED, 0x5f, 0), /* RFC 9602 SRv6 */
	/* 2620:4f:8000::/48, RFC 7534 AS112 */
	V6(48, ADDR_RESERVED, 0x26, 0x20, 0, 0x4f, 0x80, 0),
};

/* Today's global unicast space (RFC 4291, 2.4); the rest is nobody's. */
static const struct cidr v6_global = { { 16, { 0x20 } }, 3 };

/* IPv6 forms that carry IPv4: where it stands, and whether inverted. */
static const struct carrier {
	struct cidr cidr;
	unsigned at;
	bool inverted;
} carriers[] = {
	/* ::ffff:a.b.c.d, RFC 4291 mapped */
	{ { { 16, { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff } }, 96 },
	  12,
	  false },
	/* ::ffff:0:a.b.c.d, RFC 2765 translated */
	{ { { 16, { 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0 } }, 96 },
	  12,
	  false },
	/* ::a.b.c.d, RFC 4291 compatible */
	{ { { 16, { 0 } }, 96 }, 12, false },
	/* 64:ff9b::/96, RFC 6052 NAT64 */
	{ { { 16, { 0, 0x64, 0xff, 0x9b } }, 96 }, 12, false },
	/* 64:ff9b:1::/48, RFC 8215: by RFC 6052 the address may start at 6,
	 * straddling the byte at 8; as commonly used it is the last four */
	{ { { 16, { 0, 0x64, 0xff, 0x9b, 0, 0x01 } }, 48 }, 12, false },
	/* 2002::/16, RFC 3056 6to4 */
	{ { { 16, { 0x20, 0x02 } }, 16 }, 2, false },
	/* 2001::/32, RFC 4380 Teredo: server, and inverted client */
	{ { { 16, { 0x20, 0x01, 0, 0 } }, 32 }, 4, false },
	{ { { 16, { 0x20, 0x01, 0, 0 } }, 32 }, 12, true },
};

/* RFC 5214: ...:0000:5efe:a.b.c.d or ...:0200:5efe:a.b.c.d in any prefix. */
static bool isatap(const struct addr *addr)
{
	return (addr->bytes[8] & 0xfc) == 0 && addr->bytes[9] == 0 &&
	       addr->bytes[10] == 0x5e && addr->bytes[11] == 0xfe;
}

static enum addr_class find_range(const struct range *ranges, size_t count,
				  const struct addr *addr,
				  enum addr_class otherwise)
{
	for (size_t i = 0; i < count; i++)
		if (cidr_contains(&ranges[i].cidr, addr))
			return ranges[i].class;
	return otherwise;
}

static enum addr_class classify_v4(const struct addr *addr)
{
	return find_range(v4_ranges, ARRAY_SIZE(v4_ranges), addr, ADDR_GLOBAL);
}

static enum addr_class worse(enum addr_class a, enum addr_class b)
{
	return a < b ? a : b;
}

static enum addr_class classify_carried(const struct addr *addr, unsigned at,
					bool inverted)
{
	struct addr v4 = { .size = 4 };

	for (unsigned i = 0; i < 4; i++)
		v4.bytes[i] =
			(uint8_t)(addr->bytes[at + i] ^ (inverted ? 0xff : 0));
	return classify_v4(&v4);
}

static enum addr_class classify_v6(const struct addr *addr)
{
	enum addr_class class = find_range(
		v6_ranges, ARRAY_SIZE(v6_ranges), addr,
		cidr_contains(&v6_global, addr) ? ADDR_GLOBAL : ADDR_RESERVED);

	/* ::1 and :: are themselves, not compatible forms of 0.0.0.x */
	if (class == ADDR_LOOPBACK || class == ADDR_UNSPECIFIED)
		return class;
	for (size_t i = 0; i < ARRAY_SIZE(carriers); i++)
		if (cidr_contains(&carriers[i].cidr, addr))
			class = worse(class,
				      classify_carried(addr, carriers[i].at,
						       carriers[i].inverted));
	if (isatap(addr))
		class = worse(class, classify_carried(addr, 12, false));
	return class;
}

enum addr_class addr_classify(const struct addr *addr)
{
	if (addr->size == 4)
		return classify_v4(addr);
	if (addr->size == 16)
		return classify_v6(addr);
	return ADDR_NONE;
}
