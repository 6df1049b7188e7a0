/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DNS - reading and writing messages (RFC 1035, 2181, 6891), never sending.
 * Everything read comes from an attacker: each length is checked against the
 * message, compression pointers only point backwards, and names are held in
 * the same canonical form that policy judges. Two readers: the answer to a
 * question that we asked, and the question that somebody asks us. */
#ifndef BASE_DNS_H
#define BASE_DNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/addr.h"
#include "base/buf.h"
#include "base/compiler.h"
#include "base/hostname.h"
#include "base/span.h"

#define DNS_ADDRS_MAX   32   /* addresses kept of one answer */
#define DNS_HOPS_MAX    8    /* CNAMEs followed inside one answer */
#define DNS_UDP_MAX     1232 /* answers over UDP that need no fragments */
#define DNS_MESSAGE_MAX 65535

enum dns_type {
	DNS_A = 1,
	DNS_NS = 2,
	DNS_CNAME = 5,
	DNS_SOA = 6,
	DNS_PTR = 12,
	DNS_MX = 15,
	DNS_TXT = 16,
	DNS_AAAA = 28,
	DNS_SRV = 33,
	DNS_OPT = 41,
	DNS_SVCB = 64,
	DNS_HTTPS = 65,
	DNS_ANY = 255,
};

enum dns_rcode {
	DNS_NOERROR = 0,
	DNS_FORMERR = 1,
	DNS_SERVFAIL = 2,
	DNS_NXDOMAIN = 3,
	DNS_NOTIMP = 4,
	DNS_REFUSED = 5,
};

enum dns_fault {
	DNS_OK = 0,
	DNS_TRUNCATED_MESSAGE, /* ends before it should */
	DNS_BAD_NAME,
	DNS_BAD_HEADER,   /* not a response, or not a query */
	DNS_BAD_QUESTION, /* not exactly the one that was asked */
	DNS_BAD_RECORD,
	DNS_CHAIN, /* CNAMEs loop, or are more than DNS_HOPS_MAX */
	DNS_NFAULTS
};

const char *dns_fault_text(enum dns_fault fault);

/* ---- the answer to a question of ours ---- */

struct dns_answer {
	enum dns_rcode rcode;
	bool truncated; /* TC: ask again over TCP */
	struct addr addrs[DNS_ADDRS_MAX];
	size_t count;
	uint32_t ttl; /* the least along the chain; 0 without addresses */
	uint32_t negative_ttl; /* of the SOA in an empty answer, else 0 */
	size_t hops;           /* CNAMEs followed */
};

/*
 * Read the response to "host IN type" (type is DNS_A or DNS_AAAA). CNAMEs are
 * followed inside this one message only; records of other names are ignored.
 */
enum dns_fault dns_read_answer(struct span message, const struct hostname *host,
			       enum dns_type type,
			       struct dns_answer *out) MUST_CHECK NONNULL(2, 4);

/* ---- a question that somebody asks ---- */

struct dns_query {
	uint16_t id;
	uint16_t flags; /* as received */
	uint16_t type, class;
	struct hostname name; /* canonical */
	struct span question; /* its bytes in the message: name, type, class */
	bool has_edns;
	uint16_t udp_size; /* what the client takes; at least 512 */
};

/*
 * One question, opcode QUERY, optional OPT record. The query borrows from the
 * message.
 */
enum dns_fault dns_read_query(struct span message,
			      struct dns_query *out) MUST_CHECK NONNULL(2);

/* ---- the answer that we give ----
 * Start with the header and the question, then add records in the order of
 * the sections; counts are kept in the header. The buffer must be empty. */
void dns_reply_start(struct buf *reply, const struct dns_query *query,
		     enum dns_rcode rcode) NONNULL(1, 2);
/* owner NULL: the name in the question. */
void dns_reply_addr(struct buf *reply, const struct hostname *owner,
		    const struct addr *addr, uint32_t ttl) NONNULL(1, 3);
void dns_reply_cname(struct buf *reply, const struct hostname *owner,
		     const struct hostname *target, uint32_t ttl) NONNULL(1, 3);
/* An SOA for negative answers, in the authority section. */
void dns_reply_soa(struct buf *reply, uint32_t minimum) NONNULL(1);
/* Cut to the header and question, with TC set. */
void dns_reply_truncate(struct buf *reply, const struct dns_query *query)
	NONNULL(1, 2);

#endif
