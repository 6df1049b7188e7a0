/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "probe/world_ca.h"

#include <stdlib.h>
#include <string.h>

#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include "base/cleanup.h"
#include "base/fd.h"

#define DAY_SECONDS (24L * 60 * 60)
#define LIFE_DAYS   30

struct leaf {
	struct world_subject subject;
	X509 *cert; /* NULL: a free place */
};

struct world_ca {
	EVP_PKEY *key, *leaf_key;
	X509 *cert;
	struct leaf leaves[WORLD_LEAVES_MAX];
	size_t next; /* the place to fill next: the oldest */
};

void world_ca_free(struct world_ca *ca)
{
	if (!ca)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(ca->leaves); i++)
		X509_free(ca->leaves[i].cert);
	X509_free(ca->cert);
	EVP_PKEY_free(ca->key);
	EVP_PKEY_free(ca->leaf_key);
	free(ca);
}

/* ---- certificates ---- */

static bool set_serial(X509 *cert)
{
	BIGNUM *number = BN_new();
	bool ok = number && BN_rand(number, 127, BN_RAND_TOP_ANY, 0) == 1 &&
		  BN_to_ASN1_INTEGER(number, X509_get_serialNumber(cert));

	BN_free(number);
	return ok;
}

static bool set_name(X509_NAME *name, const char *text)
{
	return X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
					  (const unsigned char *)text, -1, -1,
					  0) == 1;
}

/* A day of leeway for clients whose clock is behind. */
static bool set_life(X509 *cert)
{
	return X509_gmtime_adj(X509_getm_notBefore(cert), -DAY_SECONDS) &&
	       X509_gmtime_adj(X509_getm_notAfter(cert),
			       LIFE_DAYS * DAY_SECONDS);
}

static X509 *cert_new(const char *name, EVP_PKEY *key)
{
	X509 *cert = X509_new();

	if (cert && X509_set_version(cert, X509_VERSION_3) == 1 &&
	    set_serial(cert) && set_life(cert) &&
	    set_name(X509_get_subject_name(cert), name) &&
	    X509_set_pubkey(cert, key) == 1)
		return cert;
	X509_free(cert);
	return NULL;
}

static bool add_extension(X509 *cert, X509 *issuer, int nid, const char *value)
{
	X509_EXTENSION *extension;
	X509V3_CTX context;
	bool ok;

	X509V3_set_ctx_nodb(&context);
	X509V3_set_ctx(&context, issuer, cert, NULL, NULL, 0);
	extension = X509V3_EXT_conf_nid(NULL, &context, nid, value);
	ok = extension && X509_add_ext(cert, extension, -1) == 1;
	X509_EXTENSION_free(extension);
	return ok;
}

struct extension {
	int nid;
	const char *value;
};

static const struct extension ca_extensions[] = {
	{ NID_basic_constraints, "critical,CA:TRUE,pathlen:0" },
	{ NID_key_usage, "critical,keyCertSign,cRLSign" },
	{ NID_subject_key_identifier, "hash" },
};

static const struct extension leaf_extensions[] = {
	{ NID_basic_constraints, "critical,CA:FALSE" },
	{ NID_key_usage, "critical,digitalSignature" },
	{ NID_ext_key_usage, "serverAuth" },
	{ NID_subject_key_identifier, "hash" },
	{ NID_authority_key_identifier, "keyid:always" },
};

static bool add_extensions(X509 *cert, X509 *issuer,
			   const struct extension *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!add_extension(cert, issuer, list[i].nid, list[i].value))
			return false;
	return true;
}

static X509 *make_ca(EVP_PKEY *key)
{
	X509 *cert = cert_new("cowork-world CA", key);

	if (cert &&
	    X509_set_issuer_name(cert, X509_get_subject_name(cert)) == 1 &&
	    add_extensions(cert, cert, ca_extensions,
			   ARRAY_SIZE(ca_extensions)) &&
	    X509_sign(cert, key, EVP_sha256()) > 0)
		return cert;
	X509_free(cert);
	return NULL;
}

/*
 * The name goes in as a value: OpenSSL's text form of this extension would take
 * a comma in it for the beginning of another name.
 */
static bool add_subject(X509 *cert, const struct world_subject *subject)
{
	bool is_host = subject->host.size > 0;
	const void *bytes = is_host ? (const void *)subject->host.name
				    : subject->addr.bytes;
	int size = is_host ? subject->host.size : subject->addr.size;
	GENERAL_NAMES *names = GENERAL_NAMES_new();
	GENERAL_NAME *name = GENERAL_NAME_new();
	ASN1_STRING *text =
		is_host ? ASN1_IA5STRING_new() : ASN1_OCTET_STRING_new();
	bool ok = names && name && text &&
		  ASN1_STRING_set(text, bytes, size) == 1 &&
		  sk_GENERAL_NAME_push(names, name) > 0;

	if (ok) {
		GENERAL_NAME_set0_value(name, is_host ? GEN_DNS : GEN_IPADD,
					text);
		ok = X509_add1_ext_i2d(cert, NID_subject_alt_name, names, 0,
				       0) == 1;
	} else {
		ASN1_STRING_free(text);
		GENERAL_NAME_free(name);
	}
	GENERAL_NAMES_free(names);
	return ok;
}

static X509 *make_leaf(const struct world_ca *ca,
		       const struct world_subject *subject)
{
	X509 *cert = cert_new("cowork-world", ca->leaf_key);

	if (cert &&
	    X509_set_issuer_name(cert, X509_get_subject_name(ca->cert)) == 1 &&
	    add_extensions(cert, ca->cert, leaf_extensions,
			   ARRAY_SIZE(leaf_extensions)) &&
	    add_subject(cert, subject) &&
	    X509_sign(cert, ca->key, EVP_sha256()) > 0)
		return cert;
	X509_free(cert);
	return NULL;
}

/* ---- the authority ---- */

struct world_ca *world_ca_new(struct error *err)
{
	struct world_ca *ca = calloc(1, sizeof(*ca));

	if (ca) {
		ca->key = EVP_EC_gen("P-256");
		ca->leaf_key = EVP_EC_gen("P-256");
	}
	if (ca && ca->key && ca->leaf_key)
		ca->cert = make_ca(ca->key);
	if (ca && ca->cert)
		return ca;
	world_ca_free(ca);
	error_kind_set(err, ERROR_SYSTEM,
		       "cannot make a certificate authority");
	return NULL;
}

int world_ca_write(const struct world_ca *ca, int fd, struct error *err)
{
	BIO *memory = BIO_new(BIO_s_mem());
	char *text = NULL;
	long size = 0;
	int result;

	if (memory && PEM_write_bio_X509(memory, ca->cert) == 1)
		size = BIO_get_mem_data(memory, &text);
	if (size > 0)
		result = fd_write_all(fd, text, (size_t)size, err);
	else
		result = error_set(err, "cannot print a certificate");
	BIO_free(memory);
	return result;
}

static bool same_subject(const struct world_subject *a,
			 const struct world_subject *b)
{
	return hostname_equal(&a->host, &b->host) &&
	       (a->host.size > 0 || addr_equal(&a->addr, &b->addr));
}

X509 *world_ca_leaf(struct world_ca *ca, const struct world_subject *subject)
{
	struct leaf *place = &ca->leaves[ca->next];
	X509 *cert;

	for (size_t i = 0; i < ARRAY_SIZE(ca->leaves); i++)
		if (ca->leaves[i].cert &&
		    same_subject(&ca->leaves[i].subject, subject))
			return ca->leaves[i].cert;
	cert = make_leaf(ca, subject);
	if (!cert)
		return NULL;
	X509_free(place->cert);
	*place = (struct leaf){ *subject, cert };
	ca->next = (ca->next + 1) % ARRAY_SIZE(ca->leaves);
	return cert;
}

EVP_PKEY *world_ca_leaf_key(const struct world_ca *ca)
{
	return ca->leaf_key;
}
