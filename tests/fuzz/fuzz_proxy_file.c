/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A whole proxy file. What is refused is refused at a place, for a reason; what
 * is accepted prints as a proxy file that decides the same, and denies a name
 * that no entry covers. */
#include "config.h"

#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>

#include "proxy/conf.h"

static char *print(const struct proxy_conf *conf, size_t *size)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, size);
	struct error err;

	MUST(out != NULL);
	MUST(conf_print(conf, out, &err) == 0);
	MUST(fclose(out) == 0);
	return text;
}

static void check_same(const struct proxy_conf *conf)
{
	char one[DIGEST_HEX + 1], two[DIGEST_HEX + 1];
	struct proxy_conf *again;
	struct error err;
	size_t size;
	char *text = print(conf, &size);

	again = conf_load_text("printed", (struct span){ text, size }, &err);
	MUST(again != NULL);
	MUST(conf_digest(conf, one, &err) == 0);
	MUST(conf_digest(again, two, &err) == 0);
	MUST(strcmp(one, two) == 0);
	MUST(again->listener_count == conf->listener_count);
	MUST(again->judge_count == conf->judge_count);
	MUST(again->choice_count == conf->choice_count);
	conf_free(again);
	free(text);
}

/* Every listener and every item has a policy, and it decides by its rules. */
static void check_judge(const struct judge *judge)
{
	struct target target = { .port = 443 };
	bool covered = false, denies;

	MUST(judge != NULL);
	MUST(hostname_parse(SPAN("nobody-asks.test"), &target.host) ==
	     HOSTNAME_OK);
	for (size_t i = 0; i < policy_rule_count(judge_rules(judge)); i++) {
		const struct rule *rule =
			policy_rule(judge_rules(judge), i, &denies);

		MUST(rule->origin[0] && rule->text[0]);
		covered |= entry_covers_host(&rule->entry, &target.host) &&
			   entry_covers_port(&rule->entry, 443);
	}
	MUST(covered || judge_decide(judge, &target).verdict == VERDICT_DENY);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct error err = { 0 };
	struct proxy_conf *conf =
		conf_load_text("f", fuzz_span(data, size), &err);

	if (!conf) {
		MUST(err.kind == ERROR_INPUT);
		MUST(err.text[0] && err.where[0]);
		return 0;
	}
	for (size_t i = 0; i < conf->listener_count; i++)
		check_judge(conf->listeners[i].judge);
	for (size_t i = 0; i < conf->choice_count; i++) {
		check_judge(conf->choices[i].judge);
		MUST(conf->choices[i].client_count ||
		     conf->choices[i].token[0]);
	}
	check_same(conf);
	conf_free(conf);
	return 0;
}
