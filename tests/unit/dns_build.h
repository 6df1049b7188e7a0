/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DNS BUILD - messages byte by byte, also ones that no server would send. */
#ifndef TESTS_UNIT_DNS_BUILD_H
#define TESTS_UNIT_DNS_BUILD_H

#include "tests/unit/unit.h"

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/dns.h"

#define autobuf cleanup(buf_release)

/* Where the question's name stands in every message. */
#define QNAME "@12"

static inline void put_u16(struct buf *m, unsigned value)
{
	buf_add_byte(m, (char)(value >> 8));
	buf_add_byte(m, (char)value);
}

static inline void put_u32(struct buf *m, uint32_t value)
{
	put_u16(m, value >> 16);
	put_u16(m, value & 0xffff);
}

/* "a.b", "" for the root, "a.@12" or "@12" with a pointer at the end. */
static inline void put_dns_name(struct buf *m, const char *name)
{
	while (*name && *name != '@') {
		size_t n = strcspn(name, ".");

		buf_add_byte(m, (char)n);
		buf_add(m, (struct span){ name, n });
		name += n + (name[n] == '.');
	}
	if (*name == '@')
		put_u16(m, 0xc000u | (unsigned)strtoul(name + 1, NULL, 10));
	else
		buf_add_byte(m, '\0');
}

/* A header of flags and counts, with id 0x1234. */
static inline void put_header(struct buf *m, unsigned flags, unsigned questions,
			      unsigned answers, unsigned authorities,
			      unsigned additionals)
{
	put_u16(m, 0x1234);
	put_u16(m, flags);
	put_u16(m, questions);
	put_u16(m, answers);
	put_u16(m, authorities);
	put_u16(m, additionals);
}

static inline void put_question(struct buf *m, const char *name, unsigned type)
{
	put_dns_name(m, name);
	put_u16(m, type);
	put_u16(m, 1);
}

static inline void put_record(struct buf *m, const char *owner, unsigned type,
			      uint32_t ttl, struct span data)
{
	put_dns_name(m, owner);
	put_u16(m, type);
	put_u16(m, 1);
	put_u32(m, ttl);
	put_u16(m, (unsigned)data.size);
	buf_add(m, data);
}

static inline void put_alias(struct buf *m, const char *owner, uint32_t ttl,
			     const char *target)
{
	autobuf struct buf data = BUF_INIT(300);

	put_dns_name(&data, target);
	put_record(m, owner, DNS_CNAME, ttl, buf_span(&data));
}

/* ---- answers to "ok.test IN A" ---- */

#define RESPONSE 0x8180 /* QR, RD, RA */

static const struct span ok_v4 = SPAN("\x5d\xb8\xd8\x22");

static inline struct hostname must_name(const char *text)
{
	struct hostname name;

	assert_int_equal(hostname_parse(span_of(text), &name), 0);
	return name;
}

static inline enum dns_fault read_a(const struct buf *m,
				    struct dns_answer *answer)
{
	struct hostname host = must_name("ok.test");

	return dns_read_answer(buf_span(m), &host, DNS_A, answer);
}

/* What reading gives; a fault must never leave an address to dial. */
static inline void expect(const struct buf *m, enum dns_fault fault,
			  const char *what)
{
	struct dns_answer answer;
	enum dns_fault got = read_a(m, &answer);

	if (got != fault)
		fail_msg("%s: %s", what, dns_fault_text(got));
	if (fault != DNS_OK) {
		assert_int_equal(answer.count, 0);
		assert_int_equal(answer.ttl, 0);
	}
}

#endif
