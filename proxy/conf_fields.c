/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The keys of the proxy file, table by table. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "proxy/conf_int.h"
#include "proxy/fields.h"
#include "proxy/resolver_cache.h"

#define AT(member) offsetof(struct proxy_conf, member)

/* A whole part that this version does not have; switched off it is welcome. */
static int read_off(const struct yaml_field *field,
		    const struct yaml_node *value, void *where,
		    struct error *err)
{
	const struct yaml_node *inner =
		field->more ? yaml_get(value, field->more) : NULL;

	(void)where;
	if (yaml_kind(value) == YAML_NULL ||
	    (inner && yaml_count(value) == 1 && yaml_kind(inner) == YAML_NULL))
		return 0;
	return yaml_error(err, value, "'%s' is not built in this version",
			  field->name);
}

/* A list of texts, each handed to one function. */
int conf_each_text(const struct yaml_field *field, const struct yaml_node *list,
		   void *where,
		   int (*take)(void *where, const struct yaml_node *item,
			       struct error *err),
		   struct error *err)
{
	if (yaml_kind(list) == YAML_NULL)
		return 0;
	if (yaml_kind(list) != YAML_LIST)
		return yaml_error(err, list, "'%s' is a list", field->name);
	for (size_t i = 0; i < yaml_count(list); i++) {
		const struct yaml_node *item = yaml_item(list, i);

		if (take(where, item, err) < 0)
			return -1;
	}
	return 0;
}

int conf_need_text(const struct yaml_node *item, struct error *err)
{
	return yaml_kind(item) == YAML_SCALAR
		       ? 0
		       : yaml_error(err, item, "expected a text here");
}

/* An error without a place gets the node's. */
int conf_placed(const struct yaml_node *node, struct error *err)
{
	struct error inner = *err;

	return inner.kind == ERROR_INPUT && !inner.where[0]
		       ? yaml_error(err, node, "%s", inner.text)
		       : -1;
}

/* ---- listeners ---- */

static int read_kind(const struct yaml_field *field,
		     const struct yaml_node *value, void *where,
		     struct error *err)
{
	static const char *const kinds[] = { "proxy",   "transparent", "socks",
					     "dns-udp", "dns-tcp",     NULL };
	const struct yaml_field choice = { .name = field->name, .more = kinds };
	int kind = 0;

	(void)where;
	if (yaml_read_choice(&choice, value, &kind, err) < 0)
		return -1;
	return kind == 0 ? 0
			 : yaml_error(err, value,
				      "kind '%s' is not built in this version",
				      kinds[kind]);
}

static int read_endpoint(const struct yaml_field *field,
			 const struct yaml_node *value, void *where,
			 struct error *err)
{
	if (yaml_kind(value) == YAML_SCALAR &&
	    endpoint_parse(span_of(yaml_text(value)), where))
		return 0;
	return yaml_error(err, value,
			  "'%s' is ADDRESS:PORT, with IPv6 in brackets",
			  field->name);
}

static const char *const auth_names[] = { "none", "token", NULL };

static const struct yaml_field listener_fields[] = {
	{ .name = "kind", .read = read_kind, .required = true },
	{ .name = "address",
	  .read = read_endpoint,
	  .offset = offsetof(struct conf_listener, at) },
	{ .name = "fd",
	  .read = yaml_read_text,
	  .offset = offsetof(struct conf_listener, fd) },
	{ .name = "policy",
	  .read = yaml_read_text,
	  .offset = offsetof(struct conf_listener, policy) },
	{ .name = "auth",
	  .read = yaml_read_choice,
	  .offset = offsetof(struct conf_listener, auth),
	  .more = auth_names },
	NOT_BUILT("tls"),
};

static int read_listener(struct proxy_conf *conf, const struct yaml_node *item,
			 struct error *err)
{
	struct conf_listener *listener = conf_add_listener(conf, err);

	if (!listener ||
	    yaml_read_map(item, listener_fields, ARRAY_SIZE(listener_fields),
			  listener, err) < 0)
		return -1;
	if (!listener->fd == !listener->at.port)
		return yaml_error(err, item,
				  "a listener has either an address or an fd");
	return 0;
}

static int read_listen(const struct yaml_field *field,
		       const struct yaml_node *value, void *where,
		       struct error *err)
{
	if (yaml_kind(value) != YAML_LIST || yaml_count(value) == 0 ||
	    yaml_count(value) > CONF_LISTENERS_MAX)
		return yaml_error(err, value,
				  "'%s' is a list of 1 to %d listeners",
				  field->name, CONF_LISTENERS_MAX);
	for (size_t i = 0; i < yaml_count(value); i++)
		if (read_listener(where, yaml_item(value, i), err) < 0)
			return -1;
	return 0;
}

/* ---- resolver, audit, limits ---- */

/* "ADDRESS" or "ADDRESS:PORT". */
static int take_server(void *where, const struct yaml_node *item,
		       struct error *err)
{
	struct proxy_conf *conf = where;
	struct endpoint *server =
		&conf->resolver.servers[conf->resolver.server_count];
	struct span text;

	if (conf_need_text(item, err) < 0)
		return -1;
	if (conf->resolver.server_count == CONF_SERVERS_MAX)
		return yaml_error(err, item, "at most %d servers",
				  CONF_SERVERS_MAX);
	text = span_of(yaml_text(item));
	server->port = 53;
	if (!addr_parse(text, &server->addr) && !endpoint_parse(text, server))
		return yaml_error(err, item,
				  "a server is ADDRESS or ADDRESS:PORT");
	conf->resolver.server_count++;
	return 0;
}

static int read_servers(const struct yaml_field *field,
			const struct yaml_node *value, void *where,
			struct error *err)
{
	return conf_each_text(field, value, where, take_server, err);
}

static int read_none(const struct yaml_field *field,
		     const struct yaml_node *value, void *where,
		     struct error *err)
{
	(void)where;
	if (yaml_kind(value) == YAML_SCALAR &&
	    strcmp(yaml_text(value), "none") == 0)
		return 0;
	return yaml_error(err, value, "'%s' takes only 'none' in this version",
			  field->name);
}

/* A number of answers, or 'none'. */
static int read_cache(const struct yaml_field *field,
		      const struct yaml_node *value, void *where,
		      struct error *err)
{
	uint64_t *answers = where;

	if (yaml_kind(value) != YAML_SCALAR ||
	    strcmp(yaml_text(value), "none") != 0)
		return yaml_read_u64(field, value, where, err);
	*answers = 0;
	return 0;
}

static const struct yaml_field resolver_fields[] = {
	{ .name = "servers", .read = read_servers },
	{ .name = "timeout_ms",
	  .read = yaml_read_u64,
	  .offset = AT(resolver.timeout_ms),
	  .min = 10,
	  .max = 60000 },
	{ .name = "cache",
	  .read = read_cache,
	  .offset = AT(resolver.cache),
	  .max = RESOLVER_CACHE_MAX },
	{ .name = "hosts_file", .read = read_none },
};

static const char *const sync_names[] = { "none", "batch", "each", NULL };

static const struct yaml_field audit_fields[] = {
	{ .name = "path",
	  .read = yaml_read_text,
	  .offset = AT(audit.path),
	  .required = true },
	{ .name = "sync",
	  .read = yaml_read_choice,
	  .offset = AT(audit.sync),
	  .more = sync_names },
	NOT_BUILT("max_bytes"),
	NOT_BUILT("copies"),
};

#define LIMIT(key, least, most)                                                \
	{                                                                      \
		.name = #key, .read = yaml_read_u64, .offset = AT(limits.key), \
		.min = (least), .max = (most)                                  \
	}

#define HOUR_MS 3600000

static const struct yaml_field limit_fields[] = {
	LIMIT(head_ms, 10, HOUR_MS),         LIMIT(connect_ms, 10, HOUR_MS),
	LIMIT(first_byte_ms, 10, HOUR_MS),   LIMIT(idle_ms, 10, 24 * HOUR_MS),
	LIMIT(head_bytes, 1024, 65536),      LIMIT(headers, 1, FIELDS_MAX),
	LIMIT(connections, 1, 1000000),      NOT_BUILT("life_ms"),
	NOT_BUILT("connections_per_client"), NOT_BUILT("tunnel_bytes"),
	NOT_BUILT("session_bytes"),
};

struct table {
	const struct yaml_field *fields;
	size_t count;
};

static const struct table resolver_table = { resolver_fields,
					     ARRAY_SIZE(resolver_fields) };
static const struct table audit_table = { audit_fields,
					  ARRAY_SIZE(audit_fields) };
static const struct table limit_table = { limit_fields,
					  ARRAY_SIZE(limit_fields) };

static int read_table(const struct yaml_field *field,
		      const struct yaml_node *value, void *where,
		      struct error *err)
{
	const struct table *table = field->more;

	return yaml_read_map(value, table->fields, table->count, where, err);
}

static int read_workers(const struct yaml_field *field,
			const struct yaml_node *value, void *where,
			struct error *err)
{
	const char *text = yaml_text(value);

	(void)where;
	if (yaml_kind(value) == YAML_SCALAR &&
	    (strcmp(text, "auto") == 0 || strcmp(text, "1") == 0))
		return 0;
	return yaml_error(err, value, "'%s' is 'auto' or 1 in this version",
			  field->name);
}

static const struct yaml_field file_fields[] = {
	{ .name = "listen", .read = read_listen, .required = true },
	{ .name = "policies", .read = conf_read_policies },
	{ .name = "select", .read = conf_read_select },
	{ .name = "tls", .read = read_off },
	{ .name = "resolver", .read = read_table, .more = &resolver_table },
	{ .name = "audit",
	  .read = read_table,
	  .more = &audit_table,
	  .required = true },
	{ .name = "limits", .read = read_table, .more = &limit_table },
	{ .name = "upstream_proxy", .read = read_off },
	{ .name = "control", .read = read_off, .more = "path" },
	{ .name = "metrics", .read = read_off, .more = "address" },
	{ .name = "workers", .read = read_workers },
};

/* ---- what holds between keys ---- */

static int tie_listeners(const struct yaml_node *list, struct proxy_conf *conf,
			 struct error *err)
{
	for (size_t i = 0; i < conf->listener_count; i++) {
		const struct yaml_node *item = yaml_item(list, i);
		const struct yaml_node *name = yaml_get(item, "policy");

		if (conf->listeners[i].auth == CONF_AUTH_TOKEN &&
		    !conf_has_token(conf))
			return yaml_error(err, yaml_get(item, "auth"),
					  "no item of 'select' has a token");
		if (conf_tie(conf, &conf->listeners[i], err) < 0)
			return conf_placed(name ? name : item, err);
	}
	return 0;
}

static bool is_used(const struct proxy_conf *conf, const struct judge *judge)
{
	for (size_t i = 0; i < conf->listener_count; i++)
		if (conf->listeners[i].judge == judge)
			return true;
	for (size_t i = 0; i < conf->choice_count; i++)
		if (conf->choices[i].judge == judge)
			return true;
	return false;
}

/* A policy that nobody obeys is a mistake in a name. */
static int check_used(const struct yaml_node *policies,
		      const struct proxy_conf *conf, struct error *err)
{
	for (size_t i = 0; policies && i < yaml_count(policies); i++) {
		const struct yaml_node *key = yaml_key(policies, i);

		if (!is_used(conf, conf_judge(conf, yaml_text(key))))
			return yaml_error(err, key,
					  "no listener uses the policy '%s'",
					  yaml_text(key));
	}
	return 0;
}

int conf_read(const struct yaml_node *root, struct proxy_conf *conf,
	      struct error *err)
{
	if (yaml_read_map(root, file_fields, ARRAY_SIZE(file_fields), conf,
			  err) < 0)
		return -1;
	if (tie_listeners(yaml_get(root, "listen"), conf, err) < 0)
		return -1;
	if (conf_tie_select(yaml_get(root, "select"), conf, err) < 0)
		return -1;
	return check_used(yaml_get(root, "policies"), conf, err);
}
