/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "base/dns.h"

#include <string.h>

#define HEADER_SIZE 12
#define CLASS_IN    1
#define FLAG_QR     0x8000
#define FLAG_TC     0x0200
#define FLAG_RD     0x0100
#define FLAG_RA     0x0080
#define OPCODE(f)   ((f) >> 11 & 15)
#define POINTER     0xc0
#define LABELS_MAX  127 /* of 255 bytes */

static const char *const fault_text[] = {
	[DNS_OK] = "well-formed",
	[DNS_TRUNCATED_MESSAGE] = "the message ends too early",
	[DNS_BAD_NAME] = "a name is malformed",
	[DNS_BAD_HEADER] = "not the kind of message that was expected",
	[DNS_BAD_QUESTION] = "the question is not the one that was asked",
	[DNS_BAD_RECORD] = "a record is malformed",
	[DNS_CHAIN] = "the chain of aliases loops or is too long",
};
static_assert(ARRAY_SIZE(fault_text) == DNS_NFAULTS, "each fault has a text");

const char *dns_fault_text(enum dns_fault fault)
{
	return fault_text[fault];
}

/* ---- a reader that never leaves the message ---- */

struct reader {
	const unsigned char *data;
	size_t size, at;
	bool short_; /* something lay beyond the end */
};

static unsigned take(struct reader *r, unsigned bytes)
{
	unsigned value = 0;

	if (r->size - r->at < bytes) {
		r->short_ = true;
		r->at = r->size;
		return 0;
	}
	while (bytes-- > 0)
		value = value << 8 | r->data[r->at++];
	return value;
}

/* Where a compression pointer leads; 0 where that is not allowed. */
static size_t pointer_target(const struct reader *r, size_t at, size_t limit)
{
	size_t to = (size_t)(r->data[at] & ~POINTER) << 8 | r->data[at + 1];

	return to >= HEADER_SIZE && to < limit ? to : 0;
}

static enum dns_fault add_label(const struct reader *r, size_t at,
				char out[HOSTNAME_MAX + 1], size_t *size)
{
	size_t length = r->data[at], dot = *size > 0;

	if (length > HOSTNAME_LABEL_MAX || *size + dot + length > HOSTNAME_MAX)
		return DNS_BAD_NAME;
	if (at + 1 + length > r->size)
		return DNS_TRUNCATED_MESSAGE;
	/* a dot inside a label would change the labels */
	if (memchr(r->data + at + 1, '.', length))
		return DNS_BAD_NAME;
	if (dot)
		out[(*size)++] = '.';
	memcpy(out + *size, r->data + at + 1, length);
	*size += length;
	return DNS_OK;
}

/*
 * A name in presentation form; *end is where the reader goes on. Pointers must
 * point in front of where they stand, so that reading ends, and there are no
 * more than labels, so that it ends soon: a message of 64 KiB can hold
 * thousands of names that share one chain of thousands of pointers.
 */
static enum dns_fault name_text(const struct reader *r, size_t at,
				char out[HOSTNAME_MAX + 1], size_t *size,
				size_t *end)
{
	size_t limit = at; /* a pointer's target lies before this */
	unsigned jumps = 0;

	*size = 0;
	while (at < r->size && r->data[at] != 0) {
		enum dns_fault fault;

		if ((r->data[at] & POINTER) != POINTER) {
			fault = add_label(r, at, out, size);
			if (fault != DNS_OK)
				return fault;
			at += 1u + r->data[at];
			continue;
		}
		if (at + 1 >= r->size)
			return DNS_TRUNCATED_MESSAGE;
		if (jumps++ == 0)
			*end = at + 2;
		limit = at = pointer_target(r, at, limit);
		if (at == 0 || jumps > LABELS_MAX)
			return DNS_BAD_NAME;
	}
	if (at >= r->size)
		return DNS_TRUNCATED_MESSAGE;
	if (jumps == 0)
		*end = at + 1;
	return DNS_OK;
}

/*
 * Read a name. One that is well-formed as DNS but no host name (a root, odd
 * characters) is empty in out: it equals nothing that was asked.
 */
static enum dns_fault take_name(struct reader *r, struct hostname *out)
{
	char text[HOSTNAME_MAX + 1];
	size_t size, end = 0;
	enum dns_fault fault = name_text(r, r->at, text, &size, &end);

	*out = (struct hostname){ 0 };
	if (fault != DNS_OK)
		return fault;
	r->at = end;
	if (hostname_parse((struct span){ text, size }, out) != HOSTNAME_OK)
		*out = (struct hostname){ 0 };
	return DNS_OK;
}

struct header {
	unsigned id, flags, questions, answers, authorities, additionals;
};

static struct header take_header(struct reader *r)
{
	struct header h;

	h.id = take(r, 2);
	h.flags = take(r, 2);
	h.questions = take(r, 2);
	h.answers = take(r, 2);
	h.authorities = take(r, 2);
	h.additionals = take(r, 2);
	return h;
}

struct record {
	struct hostname owner;
	unsigned type, class;
	uint32_t ttl;
	size_t data, size; /* where the data stands */
};

static enum dns_fault take_record(struct reader *r, struct record *record)
{
	enum dns_fault fault = take_name(r, &record->owner);

	if (fault != DNS_OK)
		return fault;
	record->type = take(r, 2);
	record->class = take(r, 2);
	record->ttl = take(r, 4);
	record->size = take(r, 2);
	record->data = r->at;
	if (r->short_ || r->size - r->at < record->size)
		return DNS_TRUNCATED_MESSAGE;
	r->at += record->size;
	/* RFC 2181, 8: a TTL with the top bit set counts as zero */
	if (record->ttl & 0x80000000u)
		record->ttl = 0;
	return DNS_OK;
}

/* ---- answers ---- */

/* The records of the answer section, walked once per name of the chain. */
struct section {
	struct reader start;
	unsigned count;
};

static enum dns_fault add_addr(const struct reader *r,
			       const struct record *record,
			       struct dns_answer *out)
{
	size_t size = record->type == DNS_A ? 4 : 16;
	struct addr addr = { .size = (uint8_t)size };

	if (record->size != size)
		return DNS_BAD_RECORD;
	memcpy(addr.bytes, r->data + record->data, size);
	if (out->count < DNS_ADDRS_MAX)
		out->addrs[out->count++] = addr;
	if (record->ttl < out->ttl)
		out->ttl = record->ttl;
	return DNS_OK;
}

/*
 * Collect the addresses of one name, or find its alias (RFC 2181, 10.1: a name
 * with a CNAME has nothing else; where both stand, that is malformed).
 */
static enum dns_fault read_name(const struct section *section,
				const struct hostname *name, enum dns_type type,
				struct dns_answer *out, struct hostname *alias)
{
	struct reader r = section->start;
	size_t before = out->count;

	*alias = (struct hostname){ 0 };
	for (unsigned i = 0; i < section->count; i++) {
		struct record record;
		struct reader data;
		enum dns_fault fault = take_record(&r, &record);

		if (fault != DNS_OK)
			return fault;
		if (record.class != CLASS_IN ||
		    !hostname_equal(&record.owner, name))
			continue;
		if (record.type == type)
			fault = add_addr(&r, &record, out);
		if (record.type == DNS_CNAME) {
			if (alias->size)
				return DNS_BAD_RECORD;
			data = r;
			data.at = record.data;
			fault = take_name(&data, alias);
			if (fault == DNS_OK &&
			    (!alias->size ||
			     data.at != record.data + record.size))
				return DNS_BAD_RECORD;
			if (record.ttl < out->ttl)
				out->ttl = record.ttl;
		}
		if (fault != DNS_OK)
			return fault;
	}
	return alias->size && out->count > before ? DNS_BAD_RECORD : DNS_OK;
}

static enum dns_fault follow_chain(const struct section *section,
				   const struct hostname *host,
				   enum dns_type type, struct dns_answer *out)
{
	struct hostname name = *host, alias;

	for (;;) {
		enum dns_fault fault =
			read_name(section, &name, type, out, &alias);

		if (fault != DNS_OK)
			return fault;
		if (!alias.size)
			return DNS_OK;
		if (++out->hops > DNS_HOPS_MAX)
			return DNS_CHAIN;
		name = alias;
	}
}

/* RFC 2308: the lesser of the SOA's own TTL and its last field. */
static enum dns_fault read_negative(struct reader *r, unsigned count,
				    struct dns_answer *out)
{
	while (count-- > 0) {
		struct record record;
		struct reader data;
		enum dns_fault fault = take_record(r, &record);
		uint32_t minimum;

		if (fault != DNS_OK)
			return fault;
		if (record.type != DNS_SOA || record.size < 22)
			continue;
		data = *r;
		data.at = record.data + record.size - 4;
		minimum = take(&data, 4);
		out->negative_ttl = minimum < record.ttl ? minimum : record.ttl;
		return DNS_OK;
	}
	return DNS_OK;
}

static enum dns_fault read_sections(struct reader *r, const struct header *h,
				    const struct hostname *host,
				    enum dns_type type, struct dns_answer *out)
{
	const struct section answers = { *r, h->answers };
	enum dns_fault fault = DNS_OK;

	if (out->rcode == DNS_NOERROR)
		fault = follow_chain(&answers, host, type, out);
	for (unsigned i = 0; fault == DNS_OK && i < h->answers; i++) {
		struct record record;

		fault = take_record(r, &record);
	}
	if (fault == DNS_OK)
		fault = read_negative(r, h->authorities, out);
	return fault;
}

static enum dns_fault read_answer(struct span message,
				  const struct hostname *host,
				  enum dns_type type, struct dns_answer *out)
{
	struct reader r = { .data = (const unsigned char *)message.data,
			    .size = message.size };
	struct header h = take_header(&r);
	struct hostname name;
	enum dns_fault fault;

	if (r.short_)
		return DNS_TRUNCATED_MESSAGE;
	if (!(h.flags & FLAG_QR) || OPCODE(h.flags) != 0)
		return DNS_BAD_HEADER;
	if (h.questions != 1 || !host->size)
		return DNS_BAD_QUESTION;
	fault = take_name(&r, &name);
	if (fault != DNS_OK)
		return fault;
	if (!hostname_equal(&name, host) || take(&r, 2) != type ||
	    take(&r, 2) != CLASS_IN)
		return DNS_BAD_QUESTION;
	out->rcode = h.flags & 15;
	out->truncated = h.flags & FLAG_TC;
	return out->truncated ? DNS_OK : read_sections(&r, &h, host, type, out);
}

enum dns_fault dns_read_answer(struct span message, const struct hostname *host,
			       enum dns_type type, struct dns_answer *out)
{
	enum dns_fault fault;

	*out = (struct dns_answer){ .ttl = UINT32_MAX };
	fault = read_answer(message, host, type, out);
	if (fault != DNS_OK)
		out->count = 0;
	if (out->count == 0)
		out->ttl = 0;
	else
		out->negative_ttl = 0;
	return fault;
}

/* ---- questions ---- */

static enum dns_fault read_edns(struct reader *r, unsigned count,
				struct dns_query *out)
{
	while (count-- > 0) {
		bool root = r->at < r->size && r->data[r->at] == 0;
		struct record record;
		enum dns_fault fault = take_record(r, &record);

		if (fault != DNS_OK)
			return fault;
		if (record.type != DNS_OPT)
			continue;
		if (out->has_edns || !root) /* RFC 6891, 6.1.1 and 6.1.2 */
			return DNS_BAD_RECORD;
		out->has_edns = true;
		if (record.class > out->udp_size)
			out->udp_size = (uint16_t)record.class;
	}
	return DNS_OK;
}

enum dns_fault dns_read_query(struct span message, struct dns_query *out)
{
	struct reader r = { .data = (const unsigned char *)message.data,
			    .size = message.size };
	struct header h = take_header(&r);
	enum dns_fault fault;

	*out = (struct dns_query){ .id = (uint16_t)h.id,
				   .flags = (uint16_t)h.flags,
				   .udp_size = 512 };
	if (r.short_)
		return DNS_TRUNCATED_MESSAGE;
	if (h.flags & FLAG_QR || OPCODE(h.flags) != 0)
		return DNS_BAD_HEADER;
	if (h.questions != 1 || h.answers || h.authorities)
		return DNS_BAD_QUESTION;
	fault = take_name(&r, &out->name);
	if (fault != DNS_OK)
		return fault;
	out->type = (uint16_t)take(&r, 2);
	out->class = (uint16_t)take(&r, 2);
	if (r.short_)
		return DNS_TRUNCATED_MESSAGE;
	out->question =
		(struct span){ message.data + HEADER_SIZE, r.at - HEADER_SIZE };
	return read_edns(&r, h.additionals, out);
}

/* ---- replies ---- */

static void put16(struct buf *buf, unsigned value)
{
	char bytes[2] = { (char)(value >> 8), (char)value };

	buf_add(buf, (struct span){ bytes, 2 });
}

static void put32(struct buf *buf, uint32_t value)
{
	put16(buf, value >> 16);
	put16(buf, value & 0xffff);
}

/* NULL: a pointer to the question's name, which follows the header. */
static void put_name(struct buf *buf, const struct hostname *name)
{
	struct span rest;

	if (!name) {
		put16(buf, POINTER << 8 | HEADER_SIZE);
		return;
	}
	for (rest = (struct span){ name->name, name->size }; rest.size > 0;) {
		size_t dot = span_find(rest, '.');

		buf_add_byte(buf, (char)dot);
		buf_add(buf, span_head(rest, dot));
		rest = span_skip(rest, dot < rest.size ? dot + 1 : dot);
	}
	buf_add_byte(buf, '\0');
}

enum {
	COUNT_ANSWERS = 6,
	COUNT_AUTHORITIES = 8
};

static void count_up(struct buf *reply, size_t at)
{
	unsigned char *count = (unsigned char *)reply->data + at;

	if (buf_failed(reply))
		return;
	if (++count[1] == 0)
		count[0]++;
}

void dns_reply_start(struct buf *reply, const struct dns_query *query,
		     enum dns_rcode rcode)
{
	put16(reply, query->id);
	put16(reply, FLAG_QR | FLAG_RA | (query->flags & FLAG_RD) | rcode);
	put16(reply, 1);
	put16(reply, 0);
	put16(reply, 0);
	put16(reply, 0);
	buf_add(reply, query->question);
}

static void put_record_head(struct buf *reply, const struct hostname *owner,
			    enum dns_type type, uint32_t ttl)
{
	put_name(reply, owner);
	put16(reply, type);
	put16(reply, CLASS_IN);
	put32(reply, ttl);
}

void dns_reply_addr(struct buf *reply, const struct hostname *owner,
		    const struct addr *addr, uint32_t ttl)
{
	put_record_head(reply, owner, addr->size == 4 ? DNS_A : DNS_AAAA, ttl);
	put16(reply, addr->size);
	buf_add(reply, (struct span){ (const char *)addr->bytes, addr->size });
	count_up(reply, COUNT_ANSWERS);
}

void dns_reply_cname(struct buf *reply, const struct hostname *owner,
		     const struct hostname *target, uint32_t ttl)
{
	put_record_head(reply, owner, DNS_CNAME, ttl);
	put16(reply, target->size + 2u);
	put_name(reply, target);
	count_up(reply, COUNT_ANSWERS);
}

void dns_reply_soa(struct buf *reply, uint32_t minimum)
{
	put_record_head(reply, NULL, DNS_SOA, minimum);
	put16(reply, 2 + 2 + 5 * 4);
	put_name(reply, NULL); /* MNAME and RNAME: the name itself */
	put_name(reply, NULL);
	put32(reply, 1);
	put32(reply, 3600);
	put32(reply, 600);
	put32(reply, 86400);
	put32(reply, minimum);
	count_up(reply, COUNT_AUTHORITIES);
}

void dns_reply_truncate(struct buf *reply, const struct dns_query *query)
{
	/* without memory there is not even a header */
	enum dns_rcode rcode = reply->size < HEADER_SIZE
				       ? DNS_SERVFAIL
				       : (unsigned char)reply->data[3] & 15;

	buf_clear(reply);
	dns_reply_start(reply, query, rcode);
	if (!buf_failed(reply))
		reply->data[2] |= FLAG_TC >> 8;
}
