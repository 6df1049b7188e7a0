/* SPDX-License-Identifier: GPL-3.0-or-later */
/* AUDIT CHECK - what a verifier of the evidence log does, once more. */
#ifndef TESTS_UNIT_AUDIT_CHECK_H
#define TESTS_UNIT_AUDIT_CHECK_H

#include "tests/unit/scratch.h"

#include "base/audit.h"
#include "base/fd.h"
#include "base/json.h"

static inline void audit_cleanup(struct audit **audit)
{
	audit_close(*audit);
}

#define autoaudit cleanup(audit_cleanup)

static inline struct audit *must_open(const char *path)
{
	struct error err;
	struct audit *audit = audit_open(path, &err);

	if (!audit)
		fail_msg("%s", err.text);
	return audit;
}

static inline void must_write(struct audit *audit,
			      const struct audit_event *event)
{
	struct error err;

	if (audit_write(audit, event, &err) < 0)
		fail_msg("%s", err.text);
}

static const struct audit_event denial = {
	.kind = AUDIT_DECISION,
	.host = "bad.test",
	.decision = "deny",
	.port = 443,
	.reason = "not on allowlist",
};

static inline char *must_read(const char *path, size_t *size)
{
	struct error err;
	char *text = fd_read_file(path, 1u << 28, size, &err);

	if (!text)
		fail_msg("%s", err.text);
	return text;
}

/* What a verifier does, written once more and plainly. */
struct checked {
	size_t records;    /* whole ones, of all chains */
	uint64_t last_seq; /* of the last chain */
	char chain[64], hash[DIGEST_HEX + 1];
};

static inline void check_record(struct span line, struct checked *c)
{
	static const char mark[] = ",\"hash\":\"";
	const char *at = memmem(line.data, line.size, mark, sizeof(mark) - 1);
	char zeros[DIGEST_HEX + 1], hash[DIGEST_HEX + 1];
	struct json_row *row = json_row_parse(line);
	uint64_t seq = 0, version = 0;
	bool new_chain;

	assert_non_null(row);
	assert_non_null(at);
	memset(zeros, '0', DIGEST_HEX);
	zeros[DIGEST_HEX] = '\0';
	digest_hex(span_head(line, (size_t)(at - line.data)), hash);
	assert_string_equal(json_row_text(row, "hash"), hash);
	assert_true(json_row_u64(row, "seq", &seq));
	assert_true(json_row_u64(row, "v", &version) && version == 1);
	new_chain = strcmp(json_row_text(row, "chain"), c->chain) != 0;
	assert_string_equal(json_row_text(row, "prev"),
			    new_chain ? zeros : c->hash);
	assert_int_equal(seq, new_chain ? 1 : c->last_seq + 1);
	c->last_seq = seq;
	snprintf(c->chain, sizeof(c->chain), "%s", json_row_text(row, "chain"));
	memcpy(c->hash, hash, sizeof(c->hash));
	c->records++;
	json_row_free(row);
}

/* Every line of the file but "torn" ones is a record in its chain and page. */
static inline struct checked check_file(const char *path, size_t torn)
{
	struct checked c = { 0 };
	size_t size, at = 0;
	autofree char *text = must_read(path, &size);

	while (at < size) {
		struct span line = {
			text + at,
			span_find((struct span){ text + at, size - at }, '\n')
		};
		size_t pad = strspn(line.data, " ");

		assert_true(at + line.size < size); /* ends in a newline */
		assert_in_range(line.size - pad, 0, AUDIT_RECORD_MAX - 1);
		if (line.size > pad && line.data[line.size - 1] != '}') {
			assert_int_not_equal(torn--, 0);
		} else if (line.size > pad) {
			assert_int_equal((at + pad) / 4096,
					 (at + line.size) / 4096);
			check_record(line, &c);
		}
		at += line.size + 1;
	}
	assert_int_equal(torn, 0);
	return c;
}

#endif
