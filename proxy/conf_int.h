/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CONF INT - between the tables of keys and what is made of them. */
#ifndef PROXY_CONF_INT_H
#define PROXY_CONF_INT_H

#include "base/compiler.h"
#include "base/error.h"
#include "base/yaml.h"
#include "proxy/conf.h"

#define CONF_DEFAULT_POLICY "default"

/* A key that this version knows by name alone. */
#define NOT_BUILT(key)                                   \
	{                                                \
		.name = key, .read = yaml_read_not_built \
	}

/* A configuration in which nothing listens and nothing is allowed. */
struct proxy_conf *conf_new(struct error *err) MUST_CHECK NONNULL(1);

/* Fill it from a document, key by key. */
MUST_CHECK int conf_read(const struct yaml_node *root, struct proxy_conf *conf,
			 struct error *err) NONNULL(1, 2, 3);

/* The value of 'policies'; where is the configuration. */
int conf_read_policies(const struct yaml_field *field,
		       const struct yaml_node *value, void *where,
		       struct error *err);

/* Those of 'allow', 'include' and 'select'; the first two fill a judge. */
int conf_read_allow(const struct yaml_field *field,
		    const struct yaml_node *value, void *where,
		    struct error *err);
int conf_read_include(const struct yaml_field *field,
		      const struct yaml_node *value, void *where,
		      struct error *err);
int conf_read_select(const struct yaml_field *field,
		     const struct yaml_node *value, void *where,
		     struct error *err);

/* Tie every item of 'select' to its policy; list may be NULL for none. */
MUST_CHECK int conf_tie_select(const struct yaml_node *list,
			       struct proxy_conf *conf, struct error *err)
	NONNULL(2, 3);
bool conf_has_token(const struct proxy_conf *conf) NONNULL(1);
void conf_release_select(struct proxy_conf *conf) NONNULL(1);

/* A list, each item handed to one function. */
MUST_CHECK int conf_each_text(const struct yaml_field *field,
			      const struct yaml_node *list, void *where,
			      int (*take)(void *where,
					  const struct yaml_node *item,
					  struct error *err),
			      struct error *err);
MUST_CHECK int conf_need_text(const struct yaml_node *item, struct error *err);

/* An error without a place gets the node's. */
int conf_placed(const struct yaml_node *node, struct error *err);

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
