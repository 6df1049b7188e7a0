/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "probe/world_trick.h"

#include <string.h>

#define HEADER_SIZE 12

/* ---- spoiling: of a whole message, header and question at least ---- */

static void spoil_id(struct buf *message)
{
	message->data[1] ^= 1;
}

/* Another first letter: the same length, another name. */
static void spoil_question(struct buf *message)
{
	char *letter = &message->data[HEADER_SIZE + 1];

	*letter = *letter == 'x' ? 'y' : 'x';
}

/* The records stay, for whoever does not look. */
static void spoil_truncated(struct buf *message)
{
	message->data[2] |= 2;
}

static void spoil_rcode(struct buf *message)
{
	message->data[3] = (char)((message->data[3] & 0xf0) | DNS_SERVFAIL);
}

static void spoil_end(struct buf *message)
{
	message->size -= 3;
}

static size_t question_end(const struct buf *message)
{
	size_t at = HEADER_SIZE;

	while (at < message->size && message->data[at] != 0)
		at += 1u + (unsigned char)message->data[at];
	return at + 1 + 4; /* the root, type and class */
}

/* The first record's owner becomes a pointer to itself. */
static void spoil_pointer(struct buf *message)
{
	size_t at = question_end(message);

	if (at + 2 > message->size)
		return;
	message->data[at] = (char)(0xc0 | at >> 8);
	message->data[at + 1] = (char)at;
}

/* ---- the table ---- */

/* clang-format off */
#define TRUTH		     { .forged = false }
#define SPOILED(how)	     { .spoil = spoil_##how }
#define FORGED(...)	     { .forged = true, __VA_ARGS__ }
#define ALONE(...)	     .sends = { __VA_ARGS__ }, .count = 1
#define BOTH(first, second)  .sends = { first, second }, .count = 2
#define WITH_TCP(how)	     ALONE(SPOILED(how)), .spoil_tcp = spoil_##how
#define WRONG(what, ...)					     \
	{ .name = "wrong-" what,				     \
	  .sends = { FORGED(__VA_ARGS__), TRUTH }, .count = 2 },     \
	{ .name = "only-wrong-" what, ALONE(FORGED(__VA_ARGS__)) }

const struct world_trick world_honest = { .name = "honest", ALONE(TRUTH) };

static const struct world_trick tricks[] = {
	{ .name = "silent",	     .mute_tcp = true },
	{ .name = "silent-a",	     ALONE(TRUTH), .mute = DNS_A },
	{ .name = "silent-aaaa",     ALONE(TRUTH), .mute = DNS_AAAA },
	{ .name = "late",	     ALONE({ .delay_ms = WORLD_LATE_MS }) },
	{ .name = "servfail",	     WITH_TCP(rcode) },
	{ .name = "short",	     WITH_TCP(end) },
	{ .name = "pointer-loop",    WITH_TCP(pointer) },
	{ .name = "oversize",	     ALONE(TRUTH), .uncut = true },
	{ .name = "truncated",	     ALONE(SPOILED(truncated)) },
	{ .name = "truncated-tcp",   WITH_TCP(truncated) },
	{ .name = "truncated-alone", ALONE(SPOILED(truncated)),
	  .mute_tcp = true },
	{ .name = "second-answer",   BOTH(TRUTH, FORGED(.spoil = NULL)) },
	WRONG("id",	  .spoil = spoil_id),
	WRONG("question", .spoil = spoil_question),
	WRONG("address",  .from = WORLD_FROM_ADDR),
	WRONG("port",	  .from = WORLD_FROM_PORT),
};
/* clang-format on */

const struct world_trick *world_trick_find(struct span name)
{
	for (size_t i = 0; i < ARRAY_SIZE(tricks); i++)
		if (span_equal(name, span_of(tricks[i].name)))
			return &tricks[i];
	return NULL;
}

void world_trick_forge(const struct dns_query *query, struct buf *out)
{
	struct addr decoy;
	bool v4 = query->type == DNS_A;

	if (!addr_parse(span_of(v4 ? WORLD_DECOY4 : WORLD_DECOY6), &decoy))
		bug("the decoy is no address");
	dns_reply_start(out, query, DNS_NOERROR);
	if (v4 || query->type == DNS_AAAA)
		dns_reply_addr(out, NULL, &decoy, 60);
}
