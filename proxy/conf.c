/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "proxy/conf.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/yaml.h"
#include "proxy/conf_int.h"

static const struct proxy_conf defaults = {
	.resolver = { .timeout_ms = 2000, .cache = 4096 },
	.audit = { .sync = CONF_SYNC_BATCH },
	.limits = {
		.head_ms = 10000,
		.connect_ms = 10000,
		.first_byte_ms = 60000,
		.idle_ms = 600000,
		.head_bytes = 16384,
		.headers = 100,
		.connections = 4096,
	},
};

struct proxy_conf *conf_new(struct error *err)
{
	struct proxy_conf *conf = malloc(sizeof(*conf));

	if (conf)
		*conf = defaults;
	else
		error_sys(err, "no memory for a configuration");
	return conf;
}

void conf_free(struct proxy_conf *conf)
{
	if (!conf)
		return;
	for (size_t i = 0; i < conf->listener_count; i++) {
		free(conf->listeners[i].fd);
		free(conf->listeners[i].policy);
	}
	for (size_t i = 0; i < conf->judge_count; i++)
		judge_free(conf->judges[i]);
	conf_release_select(conf);
	free(conf->listeners);
	free(conf->judges);
	free(conf->audit.path);
	free(conf);
}

static void conf_cleanup(struct proxy_conf **conf)
{
	conf_free(*conf);
}

struct judge *conf_judge(const struct proxy_conf *conf, const char *name)
{
	for (size_t i = 0; i < conf->judge_count; i++)
		if (strcmp(judge_name(conf->judges[i]), name) == 0)
			return conf->judges[i];
	return NULL;
}

struct judge *conf_add_judge(struct proxy_conf *conf, const char *name,
			     struct error *err)
{
	struct judge **grown = reallocarray(conf->judges, conf->judge_count + 1,
					    sizeof(struct judge *));
	struct judge *judge;

	if (!grown) {
		error_sys(err, "no memory for a policy");
		return NULL;
	}
	conf->judges = grown;
	judge = judge_new(name, err);
	if (judge)
		grown[conf->judge_count++] = judge;
	return judge;
}

struct conf_listener *conf_add_listener(struct proxy_conf *conf,
					struct error *err)
{
	struct conf_listener *grown =
		reallocarray(conf->listeners, conf->listener_count + 1,
			     sizeof(*conf->listeners));

	if (!grown) {
		error_sys(err, "no memory for a listener");
		return NULL;
	}
	conf->listeners = grown;
	grown[conf->listener_count] = (struct conf_listener){ 0 };
	return &grown[conf->listener_count++];
}

/* The default policy needs no words: it then denies everything. */
int conf_tie(struct proxy_conf *conf, struct conf_listener *listener,
	     struct error *err)
{
	const char *name =
		listener->policy ? listener->policy : CONF_DEFAULT_POLICY;

	listener->judge = conf_judge(conf, name);
	if (!listener->judge && !listener->policy)
		listener->judge = conf_add_judge(conf, name, err);
	else if (!listener->judge)
		error_kind_set(err, ERROR_INPUT, "there is no policy '%s'",
			       name);
	return listener->judge ? 0 : -1;
}

static void doc_cleanup(struct yaml_doc **doc)
{
	yaml_doc_free(*doc);
}

static struct proxy_conf *conf_of_doc(const struct yaml_doc *doc,
				      struct error *err)
{
	cleanup(conf_cleanup) struct proxy_conf *conf = conf_new(err);

	if (!conf || conf_read(yaml_root(doc), conf, err) < 0)
		return NULL;
	return steal(conf);
}

struct proxy_conf *conf_load_file(const char *path, struct error *err)
{
	cleanup(doc_cleanup) struct yaml_doc *doc = yaml_load_file(path, err);

	return doc ? conf_of_doc(doc, err) : NULL;
}

struct proxy_conf *conf_load_text(const char *name, struct span text,
				  struct error *err)
{
	cleanup(doc_cleanup) struct yaml_doc *doc =
		yaml_load_text(name, text, err);

	return doc ? conf_of_doc(doc, err) : NULL;
}

/* ---- from the command line ---- */

static int add_listen_word(struct proxy_conf *conf, const char *word,
			   struct error *err)
{
	struct conf_listener *listener = conf_add_listener(conf, err);

	if (!listener)
		return -1;
	if (!endpoint_parse(span_of(word), &listener->at))
		return error_kind_set(err, ERROR_INPUT,
				      "--listen '%s' is not ADDRESS:PORT",
				      word);
	return conf_tie(conf, listener, err);
}

static int fill_from_words(struct proxy_conf *conf,
			   const struct conf_words *words, struct error *err)
{
	struct judge *judge = conf_add_judge(conf, CONF_DEFAULT_POLICY, err);
	unsigned column;

	if (!judge)
		return -1;
	for (size_t i = 0; i < words->allow_count; i++)
		if (policy_allow(judge_policy(judge), words->allow[i],
				 "--allow", &column, err) < 0)
			return error_wrap(err, "--allow '%s'", words->allow[i]);
	for (size_t i = 0; i < words->listen_count; i++)
		if (add_listen_word(conf, words->listen[i], err) < 0)
			return -1;
	if (!words->listen_count || !words->audit)
		return error_kind_set(err, ERROR_INPUT,
				      "without --config, --listen and --audit "
				      "are needed");
	conf->audit.path = strdup(words->audit);
	return conf->audit.path ? 0 : error_sys(err, "no memory");
}

struct proxy_conf *conf_from_words(const struct conf_words *words,
				   struct error *err)
{
	cleanup(conf_cleanup) struct proxy_conf *conf = conf_new(err);

	if (!conf || fill_from_words(conf, words, err) < 0)
		return NULL;
	return steal(conf);
}

/* ---- what is in force ---- */

static void add_choice(const struct conf_choice *choice, struct buf *all)
{
	buf_add(all, SPAN("select"));
	for (size_t i = 0; i < choice->client_count; i++)
		buf_addf(all, " %s/%u",
			 addr_print(&choice->clients[i].addr).text,
			 choice->clients[i].bits);
	buf_addf(all, " token %s policy %s\n", choice->token, choice->policy);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(judge_name(*(struct judge *const *)a),
		      judge_name(*(struct judge *const *)b));
}

static int digest_all(const struct proxy_conf *conf, struct judge **judges,
		      char hex[DIGEST_HEX + 1], struct error *err)
{
	cleanup(buf_release) struct buf all = BUF_INIT(SIZE_MAX / 2);
	size_t count = conf->judge_count;
	char one[DIGEST_HEX + 1];

	qsort(judges, count, sizeof(struct judge *), by_name);
	for (size_t i = 0; i < count; i++) {
		if (judge_digest(judges[i], one, err) < 0)
			return -1;
		buf_addf(&all, "%s %s\n", judge_name(judges[i]), one);
	}
	for (size_t i = 0; i < conf->choice_count; i++)
		add_choice(&conf->choices[i], &all);
	if (buf_failed(&all))
		return error_sys(err, "no memory for a digest");
	digest_hex(buf_span(&all), hex);
	return 0;
}

int conf_digest(const struct proxy_conf *conf, char hex[DIGEST_HEX + 1],
		struct error *err)
{
	autofree struct judge **sorted = NULL;

	if (conf->judge_count == 1 && conf->choice_count == 0)
		return judge_digest(conf->judges[0], hex, err);
	sorted = reallocarray(NULL, conf->judge_count + 1,
			      sizeof(struct judge *));
	if (!sorted)
		return error_sys(err, "no memory for a digest");
	if (conf->judge_count)
		memcpy(sorted, conf->judges,
		       conf->judge_count * sizeof(struct judge *));
	return digest_all(conf, sorted, hex, err);
}
