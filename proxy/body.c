/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "proxy/body.h"

#include "proxy/fields.h"

#define CHUNK_DIGITS_MAX 15 /* below INT64_MAX whatever they are */

void body_init(struct body *body, const struct framing *framing)
{
	*body = (struct body){
		.kind = framing->kind,
		.left = framing->kind == BODY_LENGTH ? framing->length : 0,
	};
	body->ended = framing->kind == BODY_NONE ||
		      (framing->kind == BODY_LENGTH && body->left == 0);
}

bool body_may_stop(const struct body *body)
{
	return !body->broken && (body->ended || body->kind == BODY_UNTIL_CLOSE);
}

/* ---- one byte of framing: the next state, or false ---- */

static int hex_value(unsigned char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

static bool enter(struct body *body, enum chunk_state state)
{
	body->state = state;
	return true;
}

static bool size_byte(struct body *body, unsigned char c)
{
	int value = hex_value(c);

	if (value >= 0) {
		if (++body->digits > CHUNK_DIGITS_MAX)
			return false;
		body->left = body->left << 4 | (uint64_t)value;
		return true;
	}
	if (body->digits == 0)
		return false;
	if (c == '\r')
		return enter(body, CHUNK_SIZE_LF);
	return c == ';' && enter(body, CHUNK_EXTENSION);
}

/* Text that is dropped: no controls, and not without end. */
static bool dropped(struct body *body, unsigned char c)
{
	return ++body->overhead <= BODY_OVERHEAD_MAX &&
	       (c >= ' ' || c == '\t') && c != 0x7f;
}

static bool extension_byte(struct body *body, unsigned char c)
{
	if (c == '\r')
		return enter(body, CHUNK_SIZE_LF);
	return dropped(body, c);
}

static bool size_lf_byte(struct body *body, unsigned char c)
{
	body->digits = 0;
	return c == '\n' &&
	       enter(body, body->left ? CHUNK_DATA : CHUNK_TRAILER);
}

static bool data_cr_byte(struct body *body, unsigned char c)
{
	return c == '\r' && enter(body, CHUNK_DATA_LF);
}

static bool data_lf_byte(struct body *body, unsigned char c)
{
	return c == '\n' && enter(body, CHUNK_SIZE);
}

static bool trailer_name_byte(struct body *body, unsigned char c)
{
	char byte = (char)c;

	if (c == ':' && body->state == CHUNK_TRAILER_NAME)
		return dropped(body, c) && enter(body, CHUNK_TRAILER_VALUE);
	return is_token((struct span){ &byte, 1 }) && dropped(body, c) &&
	       enter(body, CHUNK_TRAILER_NAME);
}

static bool trailer_byte(struct body *body, unsigned char c)
{
	return c == '\r' ? enter(body, CHUNK_END_LF)
			 : trailer_name_byte(body, c);
}

static bool trailer_value_byte(struct body *body, unsigned char c)
{
	if (c == '\r')
		return enter(body, CHUNK_TRAILER_LF);
	return dropped(body, c);
}

static bool trailer_lf_byte(struct body *body, unsigned char c)
{
	return c == '\n' && enter(body, CHUNK_TRAILER);
}

static bool end_lf_byte(struct body *body, unsigned char c)
{
	body->ended = c == '\n';
	return body->ended;
}

static bool (*const on_byte[CHUNK_NSTATES])(struct body *, unsigned char) = {
	[CHUNK_SIZE] = size_byte,
	[CHUNK_EXTENSION] = extension_byte,
	[CHUNK_SIZE_LF] = size_lf_byte,
	[CHUNK_DATA] = NULL, /* payload is taken in runs */
	[CHUNK_DATA_CR] = data_cr_byte,
	[CHUNK_DATA_LF] = data_lf_byte,
	[CHUNK_TRAILER] = trailer_byte,
	[CHUNK_TRAILER_NAME] = trailer_name_byte,
	[CHUNK_TRAILER_VALUE] = trailer_value_byte,
	[CHUNK_TRAILER_LF] = trailer_lf_byte,
	[CHUNK_END_LF] = end_lf_byte,
};

/* ---- runs ---- */

static void take_run(struct body *body, struct span rest,
		     struct body_step *step)
{
	size_t n = rest.size;

	if (body->kind != BODY_UNTIL_CLOSE) {
		if (n > body->left)
			n = (size_t)body->left;
		body->left -= n;
	}
	step->data = span_head(rest, n);
	step->taken += n;
	if (body->kind == BODY_LENGTH && body->left == 0)
		body->ended = true;
	if (body->kind == BODY_CHUNKED && body->left == 0)
		body->state = CHUNK_DATA_CR;
}

static bool at_payload(const struct body *body)
{
	return body->kind != BODY_CHUNKED || body->state == CHUNK_DATA;
}

struct body_step body_take(struct body *body, struct span input)
{
	struct body_step step = { .verdict = BODY_MORE };

	while (!body->ended && !body->broken && step.taken < input.size) {
		struct span rest = span_skip(input, step.taken);

		if (at_payload(body)) {
			take_run(body, rest, &step);
			break;
		}
		if (on_byte[body->state](body, (unsigned char)rest.data[0]))
			step.taken++;
		else
			body->broken = true;
	}
	if (body->broken)
		return (struct body_step){ .verdict = BODY_BROKEN };
	if (body->ended)
		step.verdict = BODY_ENDED;
	return step;
}
