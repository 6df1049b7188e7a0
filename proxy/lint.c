/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "proxy/lint.h"

#include <stdlib.h>
#include <string.h>

#include "base/audit_read.h"
#include "base/buf.h"
#include "base/cleanup.h"

#define PORTS_MOST  1024 /* in one entry */
#define BITS4_LEAST 16   /* of a prefix; a shorter one is a country */
#define BITS6_LEAST 32

/* The rule of a policy that some record names. */
struct use {
	const char *policy, *rule; /* borrowed from a log */
};

struct lint {
	const struct lint_setup *setup;
	FILE *out;
	const struct judge *judge; /* the one that is looked at */
	struct audit_log *logs;
	struct use *uses; /* sorted */
	size_t use_count;
	size_t findings;
};

/* ---- telling ---- */

static void add_member(struct buf *line, const char *name, const char *text)
{
	if (!text)
		return;
	buf_addf(line, "%s\"%s\":", line->size > 1 ? "," : "", name);
	buf_add_json(line, span_of(text));
}

static void tell_json(struct lint *lint, const char *code,
		      const struct rule *rule, const char *text,
		      const struct rule *other)
{
	cleanup(buf_release) struct buf line = BUF_INIT(65536);

	buf_add_byte(&line, '{');
	add_member(&line, "code", code);
	add_member(&line, "policy", judge_name(lint->judge));
	add_member(&line, "rule", rule ? rule->text : NULL);
	add_member(&line, "origin", rule ? rule->origin : NULL);
	add_member(&line, "text", text);
	add_member(&line, "by", other ? other->text : NULL);
	add_member(&line, "by_origin", other ? other->origin : NULL);
	buf_add_byte(&line, '}');
	fprintf(lint->out, "%s\n  %s", lint->findings ? "," : "",
		buf_span(&line).data);
}

/* rule: NULL where it is the policy as a whole; other: NULL where none is. */
static void tell(struct lint *lint, const char *code, const struct rule *rule,
		 const char *text, const struct rule *other)
{
	if (lint->setup->json)
		tell_json(lint, code, rule, text, other);
	else if (other)
		fprintf(lint->out, "%s: %s: '%s' %s '%s' from %s\n",
			rule->origin, code, rule->text, text, other->text,
			other->origin);
	else if (rule)
		fprintf(lint->out, "%s: %s: '%s' %s\n", rule->origin, code,
			rule->text, text);
	else
		fprintf(lint->out, "policy %s: %s: %s\n",
			judge_name(lint->judge), code, text);
	lint->findings++;
}

/* ---- one entry ---- */

static bool is_wide_prefix(const struct entry *entry)
{
	return entry->kind == ENTRY_CIDR &&
	       entry->cidr.bits <
		       (entry->cidr.addr.size == 4 ? BITS4_LEAST : BITS6_LEAST);
}

static void look_at_breadth(struct lint *lint, const struct rule *rule)
{
	const struct entry *entry = &rule->entry;

	if (entry->kind == ENTRY_ANY)
		tell(lint, "everything", rule, "covers every name", NULL);
	if (entry_over_shared_zone(entry))
		tell(lint, "shared-zone", rule,
		     "covers a zone in which anyone can have a name", NULL);
	if (is_wide_prefix(entry))
		tell(lint, "wide-prefix", rule, "covers very many addresses",
		     NULL);
	if (entry->port_high - entry->port_low >= PORTS_MOST)
		tell(lint, "wide-ports", rule, "covers very many ports", NULL);
}

static int by_use(const void *a, const void *b)
{
	const struct use *x = a, *y = b;
	int order = strcmp(x->policy, y->policy);

	return order ? order : strcmp(x->rule, y->rule);
}

static void look_at_use(struct lint *lint, const struct rule *rule)
{
	const struct use key = { judge_name(lint->judge), rule->text };

	if (lint->setup->log_count &&
	    (!lint->use_count ||
	     !bsearch(&key, lint->uses, lint->use_count, sizeof(key), by_use)))
		tell(lint, "unused", rule, "is used in none of these logs",
		     NULL);
}

/* Of two that cover each other, the later one is too much. */
static bool shadows(const struct rule *wide, size_t at,
		    const struct rule *narrow, size_t narrow_at)
{
	return entry_covers_entry(&wide->entry, &narrow->entry) &&
	       (at < narrow_at ||
		!entry_covers_entry(&narrow->entry, &wide->entry));
}

static void look_at_others(struct lint *lint, size_t at)
{
	const struct policy *policy = judge_rules(lint->judge);
	bool denies, other_denies;
	const struct rule *rule = policy_rule(policy, at, &denies);

	for (size_t i = 0; i < policy_rule_count(policy); i++) {
		const struct rule *other =
			policy_rule(policy, i, &other_denies);

		if (i == at)
			continue;
		if (other_denies && !denies &&
		    entry_covers_entry(&other->entry, &rule->entry)) {
			tell(lint, "useless", rule, "is denied whole by",
			     other);
			return;
		}
		/* permits of its own are what such an entry is there for */
		if (other_denies == denies &&
		    !judge_permits(lint->judge, rule) &&
		    shadows(other, i, rule, at)) {
			tell(lint, "shadowed", rule, "is covered by", other);
			return;
		}
	}
}

static void look_at_policy(struct lint *lint)
{
	const struct policy *policy = judge_rules(lint->judge);

	if (judge_reports(lint->judge))
		tell(lint, "report", NULL,
		     "mode report lets everything through", NULL);
	for (size_t i = 0; i < policy_rule_count(policy); i++) {
		bool denies;
		const struct rule *rule = policy_rule(policy, i, &denies);

		if (!denies) {
			look_at_breadth(lint, rule);
			look_at_use(lint, rule);
		}
		look_at_others(lint, i);
	}
}

/* ---- logs ---- */

static int note_uses(struct lint *lint, const struct audit_log *log,
		     struct error *err)
{
	struct use *grown = reallocarray(
		lint->uses, lint->use_count + log->count + 1, sizeof(*grown));

	if (!grown)
		return error_sys(err, "no memory for what was used");
	lint->uses = grown;
	for (size_t i = 0; i < log->count; i++)
		if (*log->rows[i].rule)
			grown[lint->use_count++] =
				(struct use){ log->rows[i].policy,
					      log->rows[i].rule };
	return 0;
}

static int read_logs(struct lint *lint, struct error *err)
{
	const struct lint_setup *setup = lint->setup;

	lint->logs = calloc(setup->log_count + 1, sizeof(*lint->logs));
	if (!lint->logs)
		return error_sys(err, "no memory for logs");
	for (size_t i = 0; i < setup->log_count; i++)
		if (audit_log_read(setup->logs[i], &lint->logs[i], err) < 0 ||
		    note_uses(lint, &lint->logs[i], err) < 0)
			return -1;
	if (lint->use_count)
		qsort(lint->uses, lint->use_count, sizeof(*lint->uses), by_use);
	return 0;
}

static void lint_release(struct lint *lint)
{
	for (size_t i = 0; lint->logs && i < lint->setup->log_count; i++)
		audit_log_release(&lint->logs[i]);
	free(lint->logs);
	free(lint->uses);
}

int lint_policies(const struct lint_setup *setup, FILE *out, struct error *err)
{
	cleanup(lint_release) struct lint lint = { .setup = setup, .out = out };

	if (read_logs(&lint, err) < 0)
		return -1;
	if (setup->json)
		fputs("{\"findings\":[", out);
	for (size_t i = 0; i < setup->conf->judge_count; i++) {
		lint.judge = setup->conf->judges[i];
		look_at_policy(&lint);
	}
	if (setup->json)
		fprintf(out, "%s],\"count\":%zu}\n", lint.findings ? "\n" : "",
			lint.findings);
	return lint.findings ? 1 : 0;
}
