/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The effective configuration as a proxy file: what is read back from it has
 * the same digest. */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/utf8.h"
#include "proxy/conf.h"

/* Quoted, so that no text can be anything but a text. */
static void print_text(const char *text, FILE *out)
{
	cleanup(buf_release) struct buf quoted = BUF_INIT(1u << 20);

	buf_add_json(&quoted, span_of(text));
	fwrite(buf_span(&quoted).data, 1, quoted.size, out);
}

static void print_comment(const char *text, FILE *out)
{
	char shown[512];

	snprintf(shown, sizeof(shown), "%s", text);
	utf8_make_printable(shown, '?');
	fprintf(out, " # %s\n", shown);
}

static void print_cidrs(const struct cidr *cidrs, size_t count, FILE *out)
{
	fputs("[ ", out);
	for (size_t i = 0; i < count; i++)
		fprintf(out, "%s\"%s/%u\"", i ? ", " : "",
			addr_print(&cidrs[i].addr).text, cidrs[i].bits);
	fputs(" ]", out);
}

static void print_permits(const struct policy *policy, FILE *out)
{
	fputs("permit_addresses: [ ", out);
	for (size_t i = 0; i < policy_permit_count(policy); i++) {
		struct cidr cidr = policy_permit_at(policy, i);

		fprintf(out, "%s\"%s/%u\"", i ? ", " : "",
			addr_print(&cidr.addr).text, cidr.bits);
	}
	fputs(" ]", out);
}

static void print_rule(const struct judge *judge, const struct rule *rule,
		       FILE *out)
{
	const struct policy *own = judge_permits(judge, rule);

	fputs(own ? "      - entry: " : "      - ", out);
	print_text(rule->text, out);
	print_comment(rule->origin, out);
	if (own) {
		fputs("        ", out);
		print_permits(own, out);
		fputc('\n', out);
	}
}

static void print_rules(const struct judge *judge, bool denied, FILE *out)
{
	const struct policy *policy = judge_rules(judge);
	bool first = true;

	for (size_t i = 0; i < policy_rule_count(policy); i++) {
		bool denies;
		const struct rule *rule = policy_rule(policy, i, &denies);

		if (denies != denied)
			continue;
		if (first)
			fputs(denied ? "    deny:\n" : "    allow:\n", out);
		first = false;
		print_rule(judge, rule, out);
	}
}

static void print_judge(const struct judge *judge, FILE *out)
{
	const struct policy *policy = judge_rules(judge);
	bool reports = judge_reports(judge);

	fputs("  ", out);
	print_text(judge_name(judge), out);
	fprintf(out, ":\n    mode: %s\n", reports ? "report" : "enforce");
	print_rules(judge, true, out);
	print_rules(judge, false, out);
	if (policy_permit_count(policy)) {
		fputs("    ", out);
		print_permits(policy, out);
		fputc('\n', out);
	}
	fprintf(out, "    # anything else is %s\n",
		reports ? "let through and reported" : "denied");
}

static void print_listeners(const struct proxy_conf *conf, FILE *out)
{
	fputs("listen:\n", out);
	for (size_t i = 0; i < conf->listener_count; i++) {
		const struct conf_listener *listener = &conf->listeners[i];

		fprintf(out, "  - { kind: proxy, %s: ",
			listener->fd ? "fd" : "address");
		print_text(listener->fd ? listener->fd
					: endpoint_print(&listener->at).text,
			   out);
		fputs(", policy: ", out);
		print_text(judge_name(listener->judge), out);
		if (listener->auth == CONF_AUTH_TOKEN)
			fputs(", auth: token", out);
		fputs(" }\n", out);
	}
}

static void print_choices(const struct proxy_conf *conf, FILE *out)
{
	if (conf->choice_count)
		fputs("select:\n", out);
	for (size_t i = 0; i < conf->choice_count; i++) {
		const struct conf_choice *choice = &conf->choices[i];

		fputs("  - policy: ", out);
		print_text(choice->policy, out);
		if (choice->client_count) {
			fputs("\n    clients: ", out);
			print_cidrs(choice->clients, choice->client_count, out);
		}
		if (choice->token[0])
			fprintf(out, "\n    token_sha256: \"%s\"",
				choice->token);
		if (choice->session) {
			fputs("\n    session: ", out);
			print_text(choice->session, out);
		}
		fputc('\n', out);
	}
}

static void print_resolver(const struct proxy_conf *conf, FILE *out)
{
	fprintf(out, "resolver:\n  timeout_ms: %" PRIu64 "\n",
		conf->resolver.timeout_ms);
	if (conf->resolver.cache)
		fprintf(out, "  cache: %" PRIu64 "\n", conf->resolver.cache);
	else
		fputs("  cache: none\n", out);
	if (!conf->resolver.server_count)
		fputs("  servers: [] # those of the system\n", out);
	else
		fputs("  servers:\n", out);
	for (size_t i = 0; i < conf->resolver.server_count; i++)
		fprintf(out, "    - \"%s\"\n",
			endpoint_print(&conf->resolver.servers[i]).text);
}

static void print_audit(const struct proxy_conf *conf, FILE *out)
{
	static const char *const sync_name[] = {
		[CONF_SYNC_NONE] = "none",
		[CONF_SYNC_BATCH] = "batch",
		[CONF_SYNC_EACH] = "each",
	};

	fputs("audit:\n  path: ", out);
	print_text(conf->audit.path, out);
	fprintf(out, "\n  sync: %s\n", sync_name[conf->audit.sync]);
}

static void print_limits(const struct conf_limits *limits, FILE *out)
{
	fprintf(out,
		"limits:\n  head_ms: %" PRIu64 "\n  connect_ms: %" PRIu64
		"\n  first_byte_ms: %" PRIu64 "\n  idle_ms: %" PRIu64
		"\n  head_bytes: %" PRIu64 "\n  headers: %" PRIu64
		"\n  connections: %" PRIu64 "\n",
		limits->head_ms, limits->connect_ms, limits->first_byte_ms,
		limits->idle_ms, limits->head_bytes, limits->headers,
		limits->connections);
}

int conf_print(const struct proxy_conf *conf, FILE *out, struct error *err)
{
	char digest[DIGEST_HEX + 1];

	if (conf_digest(conf, digest, err) < 0)
		return -1;
	fprintf(out, "# digest %s\n", digest);
	print_listeners(conf, out);
	fputs("policies:\n", out);
	for (size_t i = 0; i < conf->judge_count; i++)
		print_judge(conf->judges[i], out);
	print_choices(conf, out);
	print_resolver(conf, out);
	print_audit(conf, out);
	print_limits(&conf->limits, out);
	return 0;
}
