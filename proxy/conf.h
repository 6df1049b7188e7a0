/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CONF - the proxy file, read whole and checked whole before anything acts.
 * Immutable afterwards. A key of the contract that this version does not build
 * is refused by its name, so that nobody believes in a wall that is not there.
 */
#ifndef PROXY_CONF_H
#define PROXY_CONF_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/addr.h"
#include "base/compiler.h"
#include "base/digest.h"
#include "base/error.h"
#include "base/span.h"
#include "proxy/judge.h"

#define CONF_SERVERS_MAX   8
#define CONF_LISTENERS_MAX 16
#define CONF_CHOICES_MAX   1024

enum conf_auth {
	CONF_AUTH_NONE = 0,
	CONF_AUTH_TOKEN,
};

/* Where clients come in: an address of ours, or descriptors by their name. */
struct conf_listener {
	struct endpoint at; /* unless fd is set */
	char *fd;
	int auth; /* enum conf_auth */
	char *policy;
	const struct judge *judge; /* the policy of that name */
};

/* An item of 'select': all that it names must hold. */
struct conf_choice {
	struct cidr *clients;
	size_t client_count;        /* 0: whoever it is */
	char token[DIGEST_HEX + 1]; /* its SHA-256; empty: none is needed */
	char *session;              /* NULL: the proxy's own */
	char *policy;
	const struct judge *judge; /* the policy of that name */
};

enum conf_sync {
	CONF_SYNC_NONE = 0,
	CONF_SYNC_BATCH,
	CONF_SYNC_EACH,
};

struct conf_limits {
	uint64_t head_ms, connect_ms, first_byte_ms, idle_ms;
	uint64_t head_bytes, headers, connections;
};

struct proxy_conf {
	struct conf_listener *listeners;
	size_t listener_count;
	struct judge **judges;
	size_t judge_count;
	struct conf_choice *choices; /* in their order */
	size_t choice_count;
	struct {
		struct endpoint servers[CONF_SERVERS_MAX];
		size_t server_count; /* 0: those of the system */
		uint64_t timeout_ms;
		uint64_t cache; /* answers kept; 0: none */
	} resolver;
	struct {
		char *path;
		int sync; /* enum conf_sync */
	} audit;
	struct conf_limits limits;
};

struct proxy_conf *conf_load_file(const char *path,
				  struct error *err) MUST_CHECK NONNULL(1, 2);
/* name stands for the file in messages and origins. */
struct proxy_conf *conf_load_text(const char *name, struct span text,
				  struct error *err) MUST_CHECK NONNULL(1, 3);

/* The simple case, from the command line alone. */
struct conf_words {
	const char *const *allow;
	size_t allow_count;
	const char *const *listen; /* ADDRESS:PORT */
	size_t listen_count;
	const char *audit;
};
struct proxy_conf *conf_from_words(const struct conf_words *words,
				   struct error *err) MUST_CHECK NONNULL(1, 2);

void conf_free(struct proxy_conf *conf);

/* The policy of that name, or NULL. */
struct judge *conf_judge(const struct proxy_conf *conf, const char *name)
	NONNULL(1, 2);

/*
 * Of everything that decides. With one policy and nothing to select it is
 * judge_digest(); otherwise it is made of the names and digests of all, and of
 * the items of 'select' in their order.
 */
MUST_CHECK int conf_digest(const struct proxy_conf *conf,
			   char hex[DIGEST_HEX + 1], struct error *err)
	NONNULL(1, 2, 3);

/*
 * The effective configuration as a proxy file, each rule with its origin in a
 * comment. Tokens appear as what they are compared by, never as they are.
 */
MUST_CHECK int conf_print(const struct proxy_conf *conf, FILE *out,
			  struct error *err) NONNULL(1, 2, 3);

#endif
