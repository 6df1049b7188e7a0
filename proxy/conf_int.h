/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CONF INT - between the tables of keys and what is made of them. */
#ifndef PROXY_CONF_INT_H
#define PROXY_CONF_INT_H

#include "base/compiler.h"
#include "base/error.h"
#include "base/yaml.h"
#include "proxy/conf.h"

#define CONF_DEFAULT_POLICY "default"

/* A configuration in which nothing listens and nothing is allowed. */
struct proxy_conf *conf_new(struct error *err) MUST_CHECK NONNULL(1);

/* Fill it from a document, key by key. */
MUST_CHECK int conf_read(const struct yaml_node *root, struct proxy_conf *conf,
			 struct error *err) NONNULL(1, 2, 3);

/* Add an empty policy, or a listener; both belong to the configuration. */
struct judge *conf_add_judge(struct proxy_conf *conf, const char *name,
			     struct error *err) MUST_CHECK NONNULL(1, 2, 3);
struct conf_listener *conf_add_listener(struct proxy_conf *conf,
					struct error *err) MUST_CHECK
	NONNULL(1, 2);

/* Tie every listener to its policy; its policy's name may not exist. */
MUST_CHECK int conf_tie(struct proxy_conf *conf, struct conf_listener *listener,
			struct error *err) NONNULL(1, 2, 3);

#endif
