/* SPDX-License-Identifier: GPL-3.0-or-later */
/* coworkproxy: what the command line asks for; everything else is elsewhere. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/log.h"
#include "base/options.h"
#include "proxy/authority.h"
#include "proxy/conf.h"
#include "proxy/listen_fds.h"
#include "proxy/server.h"

#define PROGRAM "coworkproxy"

enum {
	EXIT_ALLOWED = 0,
	EXIT_DENIED = 1,
	EXIT_USAGE = 2,
};

struct options {
	const char *config, *audit, *session, *netns;
	const char *subject; /* the one plain argument */
	struct options_list allow, listen;
	bool check, dump, verbose;
};

/* ---- options ---- */

#define TEXT(name, member, argument, help)                            \
	{                                                             \
		name, OPTIONS_TEXT, offsetof(struct options, member), \
			argument, help, NULL                          \
	}
#define LIST(name, member, argument, help)                            \
	{                                                             \
		name, OPTIONS_LIST, offsetof(struct options, member), \
			argument, help, NULL                          \
	}
#define SWITCH(name, member, help)                                            \
	{                                                                     \
		name, OPTIONS_SWITCH, offsetof(struct options, member), NULL, \
			help, NULL                                            \
	}

static const struct options_field serve_options[] = {
	TEXT("--config", config, "FILE", "the proxy file"),
	LIST("--allow", allow, "HOST", "one more allowed entry"),
	LIST("--listen", listen, "ADDR:PORT", "where to listen"),
	TEXT("--audit", audit, "PATH", "the audit log"),
	TEXT("--session", session, "ID", "goes into every record"),
	TEXT("--netns", netns, "INODE", "start in no other network namespace"),
	SWITCH("--check", check, "check everything and exit"),
	SWITCH("--dump", dump, "print what is in force and exit"),
	SWITCH("--verbose", verbose, "log what happens"),
};

static const struct options_field explain_options[] = {
	TEXT("--config", config, "FILE", "the proxy file"),
	LIST("--allow", allow, "HOST", "one more allowed entry"),
};

struct command {
	const char *name, *summary;
	const struct options_field *options;
	size_t option_count;
	const char *subject; /* the one plain argument, or NULL */
	int (*run)(const struct options *options, struct error *err);
};

/* argv[0] is the command's name. */
static int parse_options(const struct command *command, char **argv,
			 struct options *out, struct error *err)
{
	struct options_rest rest;
	size_t wanted = command->subject ? 1 : 0;

	if (options_read(command->options, command->option_count, argv, out,
			 &rest, err) < 0)
		return error_wrap(err, "%s", command->name);
	if (rest.after || rest.count > wanted)
		return error_kind_set(err, ERROR_INPUT,
				      "%s: too many arguments", command->name);
	if (rest.count < wanted)
		return error_kind_set(err, ERROR_INPUT, "%s needs %s",
				      command->name, command->subject);
	out->subject = wanted ? rest.positional[0] : NULL;
	return 0;
}

/* ---- configuration ---- */

static void conf_cleanup(struct proxy_conf **conf)
{
	conf_free(*conf);
}

/* Weakened on request, in builds for mutation tests alone. */
static int apply_mutant(struct proxy_conf *conf, struct error *err)
{
#ifdef ENABLE_MUTANTS
	const char *mutant = getenv("COWORK_MUTANT");
	unsigned column;

	if (!mutant || strcmp(mutant, "proxy-extra-host") != 0)
		return 0;
	log_warn("MUTANT: example.com is allowed; never use this build");
	for (size_t i = 0; i < conf->judge_count; i++)
		if (policy_allow(judge_policy(conf->judges[i]), "example.com",
				 "COWORK_MUTANT", &column, err) < 0)
			return -1;
#else
	(void)conf;
	(void)err;
#endif
	return 0;
}

static int add_allowed(struct proxy_conf *conf,
		       const struct options_list *allow, struct error *err)
{
	struct judge *judge = conf_judge(conf, "default");
	unsigned column;

	if (allow->count && !judge)
		return error_kind_set(err, ERROR_INPUT,
				      "--allow needs the policy 'default'");
	for (size_t i = 0; i < allow->count; i++)
		if (policy_allow(judge_policy(judge), allow->items[i],
				 "--allow", &column, err) < 0)
			return error_wrap(err, "--allow '%s'", allow->items[i]);
	return 0;
}

static struct proxy_conf *load_file(const struct options *options,
				    struct error *err)
{
	cleanup(conf_cleanup) struct proxy_conf *conf = NULL;

	if (options->listen.count || options->audit) {
		error_kind_set(err, ERROR_INPUT,
			       "--listen and --audit stand in the file that "
			       "--config names");
		return NULL;
	}
	conf = conf_load_file(options->config, err);
	if (!conf || add_allowed(conf, &options->allow, err) < 0)
		return NULL;
	return steal(conf);
}

static struct proxy_conf *load(const struct options *options, struct error *err)
{
	const struct conf_words words = {
		.allow = options->allow.items,
		.allow_count = options->allow.count,
		.listen = options->listen.items,
		.listen_count = options->listen.count,
		.audit = options->audit,
	};
	cleanup(conf_cleanup) struct proxy_conf *conf =
		options->config ? load_file(options, err)
				: conf_from_words(&words, err);

	if (!conf || apply_mutant(conf, err) < 0)
		return NULL;
	return steal(conf);
}

/* ---- serve ---- */

/* So that a proxy meant for a pretend world never dials the real one. */
static int check_netns(const char *wanted, struct error *err)
{
	struct stat st;
	char inode[24];

	if (!wanted)
		return 0;
	if (stat("/proc/self/ns/net", &st) < 0)
		return error_sys(err, "cannot tell the network namespace");
	snprintf(inode, sizeof(inode), "%" PRIuMAX, (uintmax_t)st.st_ino);
	if (strcmp(inode, wanted) != 0)
		return error_kind_set(err, ERROR_BOUNDARY,
				      "this is network namespace %s, not '%s'",
				      inode, wanted);
	return 0;
}

static void fds_cleanup(struct listen_fds *fds)
{
	listen_fds_release(fds);
}

static int serve(const struct options *options, struct error *err)
{
	cleanup(conf_cleanup) struct proxy_conf *conf = load(options, err);
	cleanup(fds_cleanup) struct listen_fds fds = { 0 };
	struct server_setup setup = {
		.conf = conf,
		.fds = &fds,
		.session = options->session,
	};

	if (!conf)
		return -1;
	if (options->dump)
		return conf_print(conf, stdout, err);
	if (options->check)
		return 0;
	if (check_netns(options->netns, err) < 0 ||
	    listen_fds_receive(&fds, err) < 0)
		return -1;
	return server_run(&setup, err);
}

/* ---- explain ---- */

static void explain_one(const struct judge *judge, const struct target *target,
			struct decision decision)
{
	enum deny_reason reason = decision.reason;

	if (decision.verdict == VERDICT_ALLOW && target->addr.size)
		reason = judge_vet(judge, &decision, &target->addr, false);
	printf("%s: %s", judge_name(judge),
	       reason == DENY_NOT ? "allowed" : "denied");
	if (reason != DENY_NOT)
		printf(" (%s)", deny_reason_text(reason));
	if (decision.rule)
		printf(" by '%s' from %s", decision.rule->text,
		       decision.rule->origin);
	printf("\n");
}

static int explain(const struct options *options, struct error *err)
{
	cleanup(conf_cleanup) struct proxy_conf *conf = NULL;
	struct target target;
	enum authority_fault fault =
		authority_parse(span_of(options->subject), 443, &target);
	int result = EXIT_ALLOWED;

	if (fault != AUTHORITY_OK)
		return error_kind_set(err, ERROR_INPUT, "'%s': %s",
				      options->subject,
				      authority_fault_text(fault));
	if (!options->config)
		return error_kind_set(err, ERROR_INPUT,
				      "explain needs --config FILE");
	conf = load(options, err);
	for (size_t i = 0; conf && i < conf->judge_count; i++) {
		const struct judge *judge = conf->judges[i];
		struct decision decision = judge_decide(judge, &target);

		explain_one(judge, &target, decision);
		if (decision.verdict != VERDICT_ALLOW ||
		    (target.addr.size &&
		     judge_vet(judge, &decision, &target.addr, false) !=
			     DENY_NOT))
			result = EXIT_DENIED;
	}
	return conf ? result : -1;
}

/* ---- commands ---- */

static const struct command commands[] = {
	{ "serve", "run the proxy", serve_options, ARRAY_SIZE(serve_options),
	  NULL, serve },
	{ "explain", "say what the policy makes of a target", explain_options,
	  ARRAY_SIZE(explain_options), "HOST[:PORT]", explain },
};

/* Known by name, so that nobody takes a missing one for a typing error. */
static const char *const later_commands[] = { "tail", "verify", "stats" };

static void print_help(void)
{
	printf("usage: " PROGRAM " COMMAND [OPTION...]\n");
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++) {
		const struct command *command = &commands[i];

		printf("\n%s%s%s - %s\n", command->name,
		       command->subject ? " " : "",
		       command->subject ? command->subject : "",
		       command->summary);
		options_print(command->options, command->option_count, stdout);
	}
	printf("\n" PROGRAM " --version, " PROGRAM " --help\n");
}

static int run(const struct command *command, char **argv, struct error *err)
{
	autofree struct options *options = calloc(1, sizeof(*options));

	if (!options)
		return error_sys(err, "no memory");
	if (parse_options(command, argv, options, err) < 0)
		return -1;
	if (options->verbose)
		log_open(PROGRAM, LOG_LEVEL_DEBUG);
	return command->run(options, err);
}

static int dispatch(const char *name, char **argv, struct error *err)
{
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		if (strcmp(commands[i].name, name) == 0)
			return run(&commands[i], argv, err);
	for (size_t i = 0; i < ARRAY_SIZE(later_commands); i++)
		if (strcmp(later_commands[i], name) == 0)
			return error_kind_set(err, ERROR_UNSUPPORTED,
					      "'%s' is not built in this "
					      "version",
					      name);
	return error_kind_set(err, ERROR_INPUT,
			      "unknown command '%s' (see --help)", name);
}

int main(int argc, char **argv)
{
	struct error err = { 0 };
	int result;

	fd_fill_standard();
	log_open(PROGRAM, LOG_LEVEL_NOTICE);
	if (argc == 2 && strcmp(argv[1], "--help") == 0) {
		print_help();
		return 0;
	}
	if (argc == 2 && strcmp(argv[1], "--version") == 0) {
		printf(PROGRAM " " PACKAGE_VERSION "\n");
		return 0;
	}
	if (argc < 2) {
		print_help();
		return EXIT_USAGE;
	}
	result = dispatch(argv[1], argv + 1, &err);
	if (result < 0) {
		error_print(stderr, PROGRAM, &err);
		return EXIT_USAGE;
	}
	if (fflush(stdout) != 0 || ferror(stdout))
		return EXIT_USAGE;
	return result;
}
