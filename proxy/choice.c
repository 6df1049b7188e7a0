/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "proxy/choice.h"

const char *choice_fault_text(enum choice_fault fault)
{
	static const char *const text[] = {
		[CHOICE_OK] = "chosen",
		[CHOICE_MISSING] = "a credential is required",
		[CHOICE_WRONG] = "the credential is not known",
	};

	return text[fault];
}

static bool meets_clients(const struct conf_choice *item,
			  const struct conf_listener *listener,
			  const struct addr *client)
{
	if (item->client_count == 0)
		return true;
	if (listener->fd)
		return false;
	for (size_t i = 0; i < item->client_count; i++)
		if (cidr_contains(&item->clients[i], client))
			return true;
	return false;
}

static bool meets_token(const struct conf_choice *item,
			const struct credential *credential)
{
	return !item->token[0] ||
	       (credential->kind == CREDENTIAL_TOKEN &&
		digest_equal(item->token, credential->sha256));
}

/* Every item is looked at, whichever it is that has the token. */
static enum choice_fault check(const struct proxy_conf *conf,
			       const struct conf_listener *listener,
			       const struct addr *client,
			       const struct credential *credential)
{
	bool tokens = false, known = false;

	for (size_t i = 0; i < conf->choice_count; i++) {
		const struct conf_choice *item = &conf->choices[i];

		if (!item->token[0])
			continue;
		tokens = true;
		if (meets_token(item, credential) &&
		    meets_clients(item, listener, client))
			known = true;
	}
	if (credential->kind == CREDENTIAL_NONE)
		return listener->auth == CONF_AUTH_TOKEN ? CHOICE_MISSING
							 : CHOICE_OK;
	return known || !tokens ? CHOICE_OK : CHOICE_WRONG;
}

struct choice choice_make(const struct proxy_conf *conf,
			  const struct conf_listener *listener,
			  const struct addr *client,
			  const struct credential *credential)
{
	enum choice_fault fault = check(conf, listener, client, credential);

	if (fault != CHOICE_OK)
		return (struct choice){ .fault = fault };
	for (size_t i = 0; i < conf->choice_count; i++) {
		const struct conf_choice *item = &conf->choices[i];

		if (meets_clients(item, listener, client) &&
		    meets_token(item, credential))
			return (struct choice){ CHOICE_OK, item->judge,
						item->session };
	}
	return (struct choice){ CHOICE_OK, listener->judge, NULL };
}
