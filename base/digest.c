/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "base/digest.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>

/* Fetched once: an implicit fetch costs more than a short digest. */
static EVP_MD *sha256(void)
{
	static EVP_MD *md;

	if (!md)
		md = EVP_MD_fetch(NULL, "SHA256", NULL);
	if (!md)
		bug("OpenSSL has no SHA-256");
	return md;
}

static EVP_MD_CTX *context(void)
{
	static EVP_MD_CTX *ctx;

	if (!ctx)
		ctx = EVP_MD_CTX_new();
	if (!ctx)
		bug("OpenSSL has no memory for a digest");
	return ctx;
}

void digest_hex(struct span bytes, char hex[DIGEST_HEX + 1])
{
	static const char digits[] = "0123456789abcdef";
	unsigned char sum[DIGEST_SIZE];
	EVP_MD_CTX *ctx = context();

	if (!EVP_DigestInit_ex2(ctx, sha256(), NULL) ||
	    !EVP_DigestUpdate(ctx, bytes.data, bytes.size) ||
	    !EVP_DigestFinal_ex(ctx, sum, NULL))
		bug("OpenSSL cannot digest");
	for (size_t i = 0; i < DIGEST_SIZE; i++) {
		hex[2 * i] = digits[sum[i] >> 4];
		hex[2 * i + 1] = digits[sum[i] & 15];
	}
	hex[DIGEST_HEX] = '\0';
}

bool digest_equal(const char a[DIGEST_HEX + 1], const char b[DIGEST_HEX + 1])
{
	return CRYPTO_memcmp(a, b, DIGEST_HEX) == 0;
}
