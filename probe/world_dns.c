/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "probe/world_dns.h"

#include <stdio.h>

#include "base/dns.h"

const struct world_service world_dns_service = { false, world_dns_serve };

/* More than any resolver should follow. */
#define HOPS_MAX 16

/* A question on its way along aliases to what answers it. */
struct walk {
	struct world_zone *zone;
	struct dns_query query;
	const struct world_name *hops[HOPS_MAX];
	size_t hop_count;
	struct hostname name;            /* the last one */
	struct world_name *found;        /* what it is */
	const struct world_trick *trick; /* of the name that was asked for */
};

/* ---- behaviours: what a name at the end of the walk adds to a reply ---- */

/* NULL for the owner is the question's own name. */
static const struct hostname *owner_of(const struct walk *walk)
{
	return walk->hop_count ? &walk->name : NULL;
}

static bool add_nothing(const struct walk *walk, struct buf *reply)
{
	(void)walk;
	(void)reply;
	return false;
}

static bool add_addrs(const struct walk *walk, struct buf *reply)
{
	struct world_set set = world_name_turn(walk->found, walk->query.type);
	bool added = false;

	for (size_t i = 0; i < set.count; i++) {
		const struct addr *addr = &set.addrs[i];
		enum dns_type type = addr->size == 4 ? DNS_A : DNS_AAAA;

		if (walk->query.type != type)
			continue;
		dns_reply_addr(reply, owner_of(walk), addr, set.ttl);
		added = true;
	}
	return added;
}

/* true: the reply answers the question; false: it needs an SOA. */
static const struct {
	enum dns_rcode rcode;
	bool (*add)(const struct walk *walk, struct buf *reply);
} behaviours[] = {
	[WORLD_NOTHING] = { DNS_NXDOMAIN, add_nothing },
	[WORLD_ADDRS] = { DNS_NOERROR, add_addrs },
	/* the end of a walk where aliases loop or go on for too long */
	[WORLD_ALIAS] = { DNS_NOERROR, add_nothing },
};
static_assert(ARRAY_SIZE(behaviours) == WORLD_NBEHAVIOURS, "one row for each");

/* ---- replies ---- */

static bool walked(const struct walk *walk)
{
	for (size_t i = 0; i < walk->hop_count; i++)
		if (walk->hops[i] == walk->found)
			return true;
	return false;
}

/* A loop is shown once round, as a careless name server would. */
static void walk_aliases(struct walk *walk)
{
	walk->name = walk->query.name;
	walk->found = world_zone_find(walk->zone, &walk->name);
	walk->trick = walk->found->trick;
	while (walk->found->behaviour == WORLD_ALIAS && !walked(walk) &&
	       walk->hop_count < HOPS_MAX) {
		walk->hops[walk->hop_count++] = walk->found;
		if (walk->query.type == DNS_CNAME)
			return; /* it is the alias itself that was asked for */
		walk->name = walk->found->target;
		walk->found = world_zone_find(walk->zone, &walk->name);
	}
}

static void build(const struct walk *walk, struct buf *reply)
{
	enum world_behaviour behaviour = walk->found->behaviour;
	bool answered = walk->query.type == DNS_CNAME && walk->hop_count;

	dns_reply_start(reply, &walk->query, behaviours[behaviour].rcode);
	for (size_t i = 0; i < walk->hop_count; i++)
		dns_reply_cname(reply, i ? &walk->hops[i]->name : NULL,
				&walk->hops[i]->target, WORLD_TTL);
	if (behaviours[behaviour].add(walk, reply))
		answered = true;
	if (!answered)
		dns_reply_soa(reply, WORLD_TTL);
}

/* ---- what is recorded ---- */

static const struct {
	enum dns_type type;
	const char *name;
} type_names[] = {
	{ DNS_A, "A" },       { DNS_NS, "NS" },       { DNS_CNAME, "CNAME" },
	{ DNS_SOA, "SOA" },   { DNS_PTR, "PTR" },     { DNS_MX, "MX" },
	{ DNS_TXT, "TXT" },   { DNS_AAAA, "AAAA" },   { DNS_SRV, "SRV" },
	{ DNS_SVCB, "SVCB" }, { DNS_HTTPS, "HTTPS" }, { DNS_ANY, "ANY" },
};

static void write_type(unsigned type, char out[16])
{
	snprintf(out, 16, "TYPE%u", type); /* RFC 3597, 5 */
	for (size_t i = 0; i < ARRAY_SIZE(type_names); i++)
		if (type_names[i].type == type)
			snprintf(out, 16, "%s", type_names[i].name);
}

/*
 * A name that is none of a host still carries what somebody wanted to get out:
 * its labels as they came, joined by dots.
 */
static void write_odd_name(struct span question, struct buf *out)
{
	while (question.size > 0) {
		size_t label = (unsigned char)question.data[0];

		question = span_skip(question, 1);
		if (label == 0 || label > question.size)
			return;
		if (out->size)
			buf_add_byte(out, '.');
		buf_add(out, span_head(question, label));
		question = span_skip(question, label);
	}
}

static bool record(struct world_recorder *recorder,
		   const struct dns_query *query)
{
	struct buf odd = BUF_INIT(2 * HOSTNAME_MAX);
	struct span name = { query->name.name, query->name.size };
	char type[16];
	bool done;

	write_type(query->type, type);
	if (name.size == 0) {
		write_odd_name(query->question, &odd);
		name = buf_span(&odd);
	}
	done = world_record_dns(recorder, name, type);
	buf_release(&odd);
	return done;
}

/* The truth, whole. */
static bool tell(struct walk *walk, struct world_recorder *recorder,
		 struct span message, struct buf *reply)
{
	if (dns_read_query(message, &walk->query) != DNS_OK ||
	    !record(recorder, &walk->query))
		return false;
	walk_aliases(walk);
	build(walk, reply);
	if (walk->trick->mute && walk->trick->mute == walk->query.type)
		return false;
	return !buf_failed(reply);
}

/* To what the client takes over UDP. */
static void cut(const struct dns_query *query, struct buf *reply)
{
	size_t most =
		query->udp_size < DNS_UDP_MAX ? query->udp_size : DNS_UDP_MAX;

	if (reply->size > most)
		dns_reply_truncate(reply, query);
}

bool world_dns_answer(struct world_zone *zone, struct world_recorder *recorder,
		      struct span message, enum world_carrier carrier,
		      struct buf *reply)
{
	struct walk walk = { .zone = zone };

	if (!tell(&walk, recorder, message, reply))
		return false;
	if (carrier == WORLD_OVER_UDP) {
		cut(&walk.query, reply);
		return !buf_failed(reply);
	}
	if (walk.trick->spoil_tcp)
		walk.trick->spoil_tcp(reply);
	return !walk.trick->mute_tcp;
}

static void send_one(const struct walk *walk, const struct world_send *send,
		     const struct buf *truth, world_send_fn *to, void *arg)
{
	struct buf message = BUF_INIT(DNS_MESSAGE_MAX);

	if (send->forged)
		world_trick_forge(&walk->query, &message);
	else
		buf_add(&message, buf_span(truth));
	if (!buf_failed(&message)) {
		if (send->spoil)
			send->spoil(&message);
		to(send, buf_span(&message), arg);
	}
	buf_release(&message);
}

void world_dns_datagrams(struct world_zone *zone,
			 struct world_recorder *recorder, struct span message,
			 world_send_fn *send, void *arg)
{
	struct walk walk = { .zone = zone };
	struct buf truth = BUF_INIT(DNS_MESSAGE_MAX);

	if (tell(&walk, recorder, message, &truth)) {
		if (!walk.trick->uncut)
			cut(&walk.query, &truth);
		for (size_t i = 0; i < walk.trick->count; i++)
			send_one(&walk, &walk.trick->sends[i], &truth, send,
				 arg);
	}
	buf_release(&truth);
}

enum world_next world_dns_serve(const struct world_context *context, bool tls,
				struct buf *in, struct buf *out)
{
	struct buf reply = BUF_INIT(DNS_MESSAGE_MAX);
	const unsigned char *bytes = (const unsigned char *)in->data;
	struct span message;
	bool answered;

	(void)tls;
	if (in->size < 2)
		return WORLD_READ_ON;
	message = span_skip(buf_span(in), 2);
	if (message.size < (size_t)(bytes[0] << 8 | bytes[1]))
		return bytes[0] << 8 > WORLD_QUESTION_MAX ? WORLD_DROP
							  : WORLD_READ_ON;
	message.size = (size_t)(bytes[0] << 8 | bytes[1]);
	answered = world_dns_answer(context->zone, context->recorder, message,
				    WORLD_OVER_TCP, &reply);
	if (answered) {
		buf_add_byte(out, (char)(reply.size >> 8));
		buf_add_byte(out, (char)reply.size);
		buf_add(out, buf_span(&reply));
	}
	buf_consume(in, message.size + 2);
	buf_release(&reply);
	return answered ? WORLD_REPLY : WORLD_DROP;
}
