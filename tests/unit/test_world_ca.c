/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tests/unit/unit.h"

#include <stdio.h>
#include <unistd.h>

#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include "base/fd.h"

#include "probe/world_ca.h"

static struct world_ca *ca;
static X509 *root; /* as others read it */

static int make_ca(void **state)
{
	struct error err;
	FILE *file = tmpfile();

	(void)state;
	ca = world_ca_new(&err);
	if (!ca || !file || world_ca_write(ca, fileno(file), &err) < 0)
		return -1;
	rewind(file);
	root = PEM_read_X509(file, NULL, NULL, NULL);
	fclose(file);
	return root ? 0 : -1;
}

static int free_ca(void **state)
{
	(void)state;
	X509_free(root);
	world_ca_free(ca);
	return 0;
}

static struct world_subject subject(const char *text)
{
	struct world_subject s = { .host = { 0 } };

	if (!addr_parse(span_of(text), &s.addr))
		assert_int_equal(hostname_parse(span_of(text), &s.host),
				 HOSTNAME_OK);
	return s;
}

static X509 *must_make(const char *text)
{
	struct world_subject s = subject(text);
	X509 *leaf = world_ca_leaf(ca, &s);

	assert_non_null(leaf);
	return leaf;
}

static bool chains(X509 *leaf, int purpose)
{
	X509_STORE *store = X509_STORE_new();
	X509_STORE_CTX *context = X509_STORE_CTX_new();
	bool ok;

	assert_int_equal(X509_STORE_add_cert(store, root), 1);
	assert_int_equal(X509_STORE_CTX_init(context, store, leaf, NULL), 1);
	X509_STORE_CTX_set_purpose(context, purpose);
	X509_STORE_CTX_set_flags(context, X509_V_FLAG_X509_STRICT);
	ok = X509_verify_cert(context) == 1;
	if (!ok)
		print_message("# %s\n",
			      X509_verify_cert_error_string(
				      X509_STORE_CTX_get_error(context)));
	X509_STORE_CTX_free(context);
	X509_STORE_free(store);
	return ok;
}

static const struct {
	const char *made_for, *asked;
	bool valid;
} names[] = {
	{ "a.example", "b.example", false },
	{ "a.example", "x.a.example", false },
	{ "a.example", "example", false },
	{ "a.example", "192.0.2.80", false },
	{ "192.0.2.80", "192.0.2.81", false },
	{ "192.0.2.80", "a.example", false },
	{ "2001:db8::80", "192.0.2.80", false },
	{ "a.example", "a.example", true },
	{ "A.Example", "a.example", true },
	{ "192.0.2.80", "192.0.2.80", true },
	{ "2001:db8::80", "2001:db8::80", true },
	{ "a-label-that-is-long.and-another-one-that-is-long-too."
	  "and-so-on-until-it-no-longer-fits-a-common-name.example",
	  "a-label-that-is-long.and-another-one-that-is-long-too."
	  "and-so-on-until-it-no-longer-fits-a-common-name.example",
	  true },
};

static void a_leaf_is_for_one_name(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		X509 *leaf = must_make(names[i].made_for);
		struct world_subject asked = subject(names[i].asked);
		GENERAL_NAMES *sans;
		bool valid;

		valid = asked.host.size
				? X509_check_host(leaf, names[i].asked, 0, 0,
						  NULL) == 1
				: X509_check_ip_asc(leaf, names[i].asked, 0) ==
					  1;
		if (valid != names[i].valid)
			fail_msg("%s for %s", names[i].made_for,
				 names[i].asked);
		sans = X509_get_ext_d2i(leaf, NID_subject_alt_name, NULL, NULL);
		assert_int_equal(sk_GENERAL_NAME_num(sans), 1);
		GENERAL_NAMES_free(sans);
	}
}

static void a_leaf_chains_to_the_authority(void **state)
{
	X509 *leaf = must_make("a.example");

	(void)state;
	assert_true(chains(leaf, X509_PURPOSE_SSL_SERVER));
	assert_false(chains(leaf, X509_PURPOSE_SSL_CLIENT));
	assert_int_equal(X509_check_ca(leaf), 0);
	assert_int_equal(X509_check_ca(root), 1);
	assert_int_equal(X509_get_pathlen(root), 0);
}

static void two_authorities_do_not_trust_each_other(void **state)
{
	struct world_subject s = subject("a.example");
	struct world_ca *other;
	struct error err;
	X509 *leaf;

	(void)state;
	other = world_ca_new(&err);
	assert_non_null(other);
	leaf = world_ca_leaf(other, &s);
	assert_non_null(leaf);
	assert_false(chains(leaf, X509_PURPOSE_SSL_SERVER));
	world_ca_free(other);
	world_ca_free(NULL);
}

static void leaves_are_kept_but_not_for_ever(void **state)
{
	unsigned char before[20], after[20];
	unsigned size;
	X509 *first = must_make("kept.example");
	char name[32];

	(void)state;
	assert_ptr_equal(must_make("kept.example"), first);
	assert_int_equal(X509_digest(first, EVP_sha1(), before, &size), 1);
	for (int i = 0; i < WORLD_LEAVES_MAX; i++) {
		snprintf(name, sizeof(name), "n%d.example", i);
		assert_true(X509_check_host(must_make(name), name, 0, 0,
					    NULL) == 1);
	}
	assert_int_equal(X509_digest(must_make("kept.example"), EVP_sha1(),
				     after, &size),
			 1);
	assert_memory_not_equal(before, after, sizeof(before));
}

static void a_certificate_that_cannot_be_written_is_an_error(void **state)
{
	struct error err;

	(void)state;
	assert_int_equal(world_ca_write(ca, -1, &err), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_leaf_is_for_one_name),
		cmocka_unit_test(a_leaf_chains_to_the_authority),
		cmocka_unit_test(two_authorities_do_not_trust_each_other),
		cmocka_unit_test(leaves_are_kept_but_not_for_ever),
		cmocka_unit_test(
			a_certificate_that_cannot_be_written_is_an_error),
	};

	return cmocka_run_group_tests(tests, make_ca, free_ca);
}
