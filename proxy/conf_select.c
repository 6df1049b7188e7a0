/* SPDX-License-Identifier: GPL-3.0-or-later */
/* 'select' of the proxy file: who obeys another policy than the listener's. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "proxy/conf_int.h"
#include "proxy/credential.h"

static int take_client(void *where, const struct yaml_node *item,
		       struct error *err)
{
	struct conf_choice *choice = where;
	struct cidr *grown = reallocarray(
		choice->clients, choice->client_count + 1, sizeof(*grown));
	struct cidr *client;
	struct span text;

	if (!grown)
		return error_sys(err, "no memory for a client");
	choice->clients = grown;
	client = &grown[choice->client_count];
	if (conf_need_text(item, err) < 0)
		return -1;
	text = span_of(yaml_text(item));
	if (addr_parse(text, &client->addr))
		client->bits = (uint8_t)(client->addr.size * 8);
	else if (!cidr_parse(text, client))
		return yaml_error(err, item,
				  "a client is an address or a prefix like "
				  "10.0.0.0/8");
	choice->client_count++;
	return 0;
}

/* No client at all is a mistake, and must not mean every client. */
static int read_clients(const struct yaml_field *field,
			const struct yaml_node *value, void *where,
			struct error *err)
{
	if (yaml_kind(value) != YAML_LIST || yaml_count(value) == 0)
		return yaml_error(err, value, "'%s' is a list of addresses",
				  field->name);
	return conf_each_text(field, value, where, take_client, err);
}

static int read_sha256(const struct yaml_field *field,
		       const struct yaml_node *value, void *where,
		       struct error *err)
{
	struct conf_choice *choice = where;

	if (yaml_kind(value) != YAML_SCALAR ||
	    strlen(yaml_text(value)) != DIGEST_HEX ||
	    strspn(yaml_text(value), "0123456789abcdef") != DIGEST_HEX)
		return yaml_error(err, value,
				  "'%s' is 64 hexadecimal digits, lower case",
				  field->name);
	memcpy(choice->token, yaml_text(value), DIGEST_HEX + 1);
	return 0;
}

static int read_token_file(const struct yaml_field *field,
			   const struct yaml_node *value, void *where,
			   struct error *err)
{
	struct conf_choice *choice = where;
	struct error inner;

	if (yaml_kind(value) != YAML_SCALAR)
		return yaml_error(err, value, "'%s' is the path of a file",
				  field->name);
	if (credential_load(yaml_text(value), choice->token, &inner) < 0)
		return yaml_error(err, value, "%s", inner.text);
	return 0;
}

#define AT(member) offsetof(struct conf_choice, member)

static const struct yaml_field choice_fields[] = {
	{ .name = "clients", .read = read_clients },
	{ .name = "token_sha256", .read = read_sha256 },
	{ .name = "token_file", .read = read_token_file },
	{ .name = "session", .read = yaml_read_text, .offset = AT(session) },
	{ .name = "policy",
	  .read = yaml_read_text,
	  .offset = AT(policy),
	  .required = true },
};

static int check_choice(const struct yaml_node *item,
			const struct proxy_conf *conf, struct error *err)
{
	const struct conf_choice *choice =
		&conf->choices[conf->choice_count - 1];
	const struct yaml_node *hashed = yaml_get(item, "token_sha256");
	const struct yaml_node *file = yaml_get(item, "token_file");

	if (hashed && file)
		return yaml_error(err, file,
				  "a token stands in one place, not in two");
	if (!choice->token[0] && choice->client_count == 0)
		return yaml_error(err, item,
				  "neither clients nor a token: nothing to "
				  "select by");
	for (size_t i = 0; i + 1 < conf->choice_count; i++)
		if (choice->token[0] &&
		    strcmp(conf->choices[i].token, choice->token) == 0)
			return yaml_error(err, hashed ? hashed : file,
					  "this token was given before");
	return 0;
}

static int read_choice(struct proxy_conf *conf, const struct yaml_node *item,
		       struct error *err)
{
	struct conf_choice *grown = reallocarray(
		conf->choices, conf->choice_count + 1, sizeof(*conf->choices));

	if (!grown)
		return error_sys(err, "no memory for an item of 'select'");
	conf->choices = grown;
	grown += conf->choice_count++;
	*grown = (struct conf_choice){ 0 };
	if (yaml_read_map(item, choice_fields, ARRAY_SIZE(choice_fields), grown,
			  err) < 0)
		return -1;
	return check_choice(item, conf, err);
}

int conf_read_select(const struct yaml_field *field,
		     const struct yaml_node *value, void *where,
		     struct error *err)
{
	if (yaml_kind(value) == YAML_NULL)
		return 0;
	if (yaml_kind(value) != YAML_LIST ||
	    yaml_count(value) > CONF_CHOICES_MAX)
		return yaml_error(err, value, "'%s' is a list of at most %d",
				  field->name, CONF_CHOICES_MAX);
	for (size_t i = 0; i < yaml_count(value); i++)
		if (read_choice(where, yaml_item(value, i), err) < 0)
			return -1;
	return 0;
}

int conf_tie_select(const struct yaml_node *list, struct proxy_conf *conf,
		    struct error *err)
{
	for (size_t i = 0; i < conf->choice_count; i++) {
		struct conf_choice *choice = &conf->choices[i];

		choice->judge = conf_judge(conf, choice->policy);
		if (!choice->judge)
			return yaml_error(
				err, yaml_get(yaml_item(list, i), "policy"),
				"there is no policy '%s'", choice->policy);
	}
	return 0;
}

bool conf_has_token(const struct proxy_conf *conf)
{
	for (size_t i = 0; i < conf->choice_count; i++)
		if (conf->choices[i].token[0])
			return true;
	return false;
}

void conf_release_select(struct proxy_conf *conf)
{
	for (size_t i = 0; i < conf->choice_count; i++) {
		free(conf->choices[i].clients);
		free(conf->choices[i].policy);
		free(conf->choices[i].session);
	}
	free(conf->choices);
}
