/* SPDX-License-Identifier: GPL-3.0-or-later */
/* WORLD CA - a certificate authority made on the spot, gone with the process.
 * EC P-256. A certificate names exactly one host or address, never a wildcard;
 * its keys never leave memory. */
#ifndef PROBE_WORLD_CA_H
#define PROBE_WORLD_CA_H

#include <openssl/evp.h>
#include <openssl/x509.h>

#include "base/addr.h"
#include "base/compiler.h"
#include "base/error.h"
#include "base/hostname.h"

#define WORLD_LEAVES_MAX 64 /* certificates kept; the oldest go first */

struct world_ca;

struct world_ca *world_ca_new(struct error *err) MUST_CHECK NONNULL(1);
void world_ca_free(struct world_ca *ca);

/* Its own certificate as PEM, written to fd. */
MUST_CHECK int world_ca_write(const struct world_ca *ca, int fd,
			      struct error *err) NONNULL(1, 3);

/* A certificate for the host, or, where that is empty, for the address. */
struct world_subject {
	struct hostname host;
	struct addr addr;
};

/*
 * Made when first asked for. Borrowed, until the next call; NULL if it could
 * not be made. All leaves have one key.
 */
X509 *world_ca_leaf(struct world_ca *ca,
		    const struct world_subject *subject) MUST_CHECK
	NONNULL(1, 2);
EVP_PKEY *world_ca_leaf_key(const struct world_ca *ca) NONNULL(1);

#endif
