/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "proxy/credential.h"

#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"

#define TOKEN_LEAST 16 /* of a token in a file: 64 bits in hexadecimal */

/* What a user and a password may have, in base64. */
#define ENCODED_MAX (2 * CREDENTIAL_MAX)

static bool is_token_text(struct span text)
{
	for (size_t i = 0; i < text.size; i++)
		if (text.data[i] <= ' ' || text.data[i] >= 0x7f)
			return false;
	return text.size > 0 && text.size <= CREDENTIAL_MAX;
}

static bool take_token(struct span token, struct credential *out)
{
	if (!is_token_text(token))
		return false;
	digest_hex(token, out->sha256);
	return true;
}

/* RFC 4648, 4; 64 stands for '=' and 255 for what is no digit. */
static unsigned base64_digit(char c)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "abcdefghijklmnopqrstuvwxyz"
				     "0123456789+/=";
	const char *at = c ? strchr(digits, c) : NULL;

	return at ? (unsigned)(at - digits) : 255;
}

/*
 * One spelling only: whole groups of four, padding at the end alone, no bit set
 * behind the last byte. Returns the size, 0 where that is not so.
 */
static size_t base64_decode(struct span text, char *out)
{
	size_t size = 0, pad = 0;
	uint32_t bits = 0;

	if (text.size == 0 || text.size % 4 || text.size > ENCODED_MAX)
		return 0;
	for (size_t i = 0; i < text.size; i++) {
		unsigned digit = base64_digit(text.data[i]);

		if (digit > 64 || (pad && digit != 64))
			return 0;
		if (digit == 64 && (++pad > 2 || i + 2 < text.size))
			return 0;
		bits = bits << 6 | (digit & 63);
		if (i % 4 != 3)
			continue;
		for (size_t k = 0; k < 3 - pad; k++)
			out[size++] = (char)(bits >> (16 - 8 * k));
		if (pad && bits & ((1u << 8 * pad) - 1))
			return 0;
		bits = 0;
	}
	return size;
}

static bool take_basic(struct span encoded, struct credential *out)
{
	char plain[ENCODED_MAX];
	struct span text = { plain, base64_decode(encoded, plain) };
	size_t colon = span_find(text, ':');
	bool ok = colon < text.size &&
		  take_token(span_skip(text, colon + 1), out);

	explicit_bzero(plain, sizeof(plain));
	return ok;
}

struct credential credential_read(const struct fields *fields)
{
	struct credential out = { CREDENTIAL_NONE, "" };
	struct span value, scheme;
	size_t count = fields_find(fields, SPAN("Proxy-Authorization"), &value);
	size_t space = span_find(value, ' ');
	bool ok = false;

	if (count == 0)
		return out;
	scheme = span_head(value, space);
	if (count == 1 && space < value.size) {
		value = span_skip(value, space + 1);
		if (span_equal_nocase(scheme, SPAN("Bearer")))
			ok = take_token(value, &out);
		else if (span_equal_nocase(scheme, SPAN("Basic")))
			ok = take_basic(value, &out);
	}
	out.kind = ok ? CREDENTIAL_TOKEN : CREDENTIAL_MALFORMED;
	return out;
}

/* ---- from a file ---- */

/* Without a link it is memory that somebody handed in, which has no mode. */
static int check_file(int fd, const char *path, struct error *err)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return error_sys(err, "cannot read '%s'", path);
	if (!S_ISREG(st.st_mode))
		return error_kind_set(err, ERROR_INPUT,
				      "'%s' is not a regular file", path);
	if (st.st_nlink > 0 && st.st_mode & (S_IRWXG | S_IRWXO))
		return error_kind_set(err, ERROR_INPUT,
				      "'%s' holds a token and is open to "
				      "others than its owner",
				      path);
	return 0;
}

/* One line, its newline left out. */
static bool hash_line(struct span text, char sha256[DIGEST_HEX + 1])
{
	if (text.size > 0 && text.data[text.size - 1] == '\n')
		text.size--;
	if (text.size < TOKEN_LEAST || !is_token_text(text))
		return false;
	digest_hex(text, sha256);
	return true;
}

int credential_load(const char *path, char sha256[DIGEST_HEX + 1],
		    struct error *err)
{
	autoclose int fd =
		open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	char bytes[CREDENTIAL_MAX + 2];
	bool ok = false;
	ssize_t n;

	if (fd < 0)
		return error_sys(err, "cannot read '%s'", path);
	if (check_file(fd, path, err) < 0)
		return -1;
	n = pread(fd, bytes, sizeof(bytes), 0);
	if (n < 0)
		return error_sys(err, "cannot read '%s'", path);
	ok = hash_line((struct span){ bytes, (size_t)n }, sha256);
	explicit_bzero(bytes, sizeof(bytes));
	if (ok)
		return 0;
	return error_kind_set(err, ERROR_INPUT,
			      "'%s' is not one line of %d to %d visible "
			      "characters",
			      path, TOKEN_LEAST, CREDENTIAL_MAX);
}
