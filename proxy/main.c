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
#include "proxy/conf.h"
#include "proxy/explain.h"
#include "proxy/learn.h"
#include "proxy/lint.h"
#include "proxy/listen_fds.h"
#include "proxy/server.h"

#define PROGRAM "coworkproxy"

enum {
	EXIT_USAGE = 2,
};

struct options {
	const char *config, *audit, *session, *netns;
	const char *policy;
	const char *subjects[OPTIONS_POSITIONAL_MAX]; /* plain arguments */
	size_t subject_count;
	struct options_list allow, listen;
	bool check, dump, verbose, allowed, json;
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
	TEXT("--policy", policy, "NAME", "only this one"),
};

static const struct options_field learn_options[] = {
	SWITCH("--allowed", allowed, "also what was let through"),
};

static const struct options_field lint_options[] = {
	TEXT("--config", config, "FILE", "the proxy file"),
	SWITCH("--json", json, "findings as JSON"),
};

struct command {
	const char *name, *summary;
	const struct options_field *options;
	size_t option_count;
	const char *subject; /* what plain arguments are, or NULL */
	size_t subject_least, subject_most;
	int (*run)(const struct options *options, struct error *err);
};

/* argv[0] is the command's name. */
static int parse_options(const struct command *command, char **argv,
			 struct options *out, struct error *err)
{
	struct options_rest rest;

	if (options_read(command->options, command->option_count, argv, out,
			 &rest, err) < 0)
		return error_wrap(err, "%s", command->name);
	if (rest.after || rest.count > command->subject_most)
		return error_kind_set(err, ERROR_INPUT,
				      "%s: too many arguments", command->name);
	if (rest.count < command->subject_least)
		return error_kind_set(err, ERROR_INPUT, "%s needs %s",
				      command->name, command->subject);
	for (size_t i = 0; i < rest.count; i++)
		out->subjects[i] = rest.positional[i];
	out->subject_count = rest.count;
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

/* Nobody should take a trial for a wall. */
static void warn_of_reports(const struct proxy_conf *conf)
{
	for (size_t i = 0; i < conf->judge_count; i++)
		if (judge_reports(conf->judges[i]))
			log_warn("policy '%s' only reports: it lets every name "
				 "through",
				 judge_name(conf->judges[i]));
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
	warn_of_reports(conf);
	return server_run(&setup, err);
}

/* ---- what only looks ---- */

static int need_config(const struct options *options, const char *command,
		       struct error *err)
{
	return options->config
		       ? 0
		       : error_kind_set(err, ERROR_INPUT,
					"%s needs --config FILE", command);
}

static int explain(const struct options *options, struct error *err)
{
	cleanup(conf_cleanup) struct proxy_conf *conf = NULL;

	if (need_config(options, "explain", err) < 0)
		return -1;
	conf = load(options, err);
	return conf ? explain_target(conf, options->subjects[0],
				     options->policy, stdout, err)
		    : -1;
}

static int learn(const struct options *options, struct error *err)
{
	const struct learn_setup setup = { options->subjects,
					   options->subject_count,
					   options->allowed };

	return learn_policy(&setup, stdout, err);
}

static int lint(const struct options *options, struct error *err)
{
	cleanup(conf_cleanup) struct proxy_conf *conf = NULL;
	struct lint_setup setup = { NULL, options->subjects,
				    options->subject_count, options->json };

	if (need_config(options, "lint", err) < 0)
		return -1;
	conf = load(options, err);
	if (!conf)
		return -1;
	setup.conf = conf;
	return lint_policies(&setup, stdout, err);
}

/* ---- commands ---- */

static const struct command commands[] = {
	{ "serve", "run the proxy", serve_options, ARRAY_SIZE(serve_options),
	  NULL, 0, 0, serve },
	{ "explain", "say what the policy makes of a target", explain_options,
	  ARRAY_SIZE(explain_options), "HOST[:PORT]", 1, 1, explain },
	{ "learn", "draft a policy from what was asked for", learn_options,
	  ARRAY_SIZE(learn_options), "LOG...", 1, OPTIONS_POSITIONAL_MAX,
	  learn },
	{ "lint", "say which entries to look at again", lint_options,
	  ARRAY_SIZE(lint_options), "[LOG...]", 0, OPTIONS_POSITIONAL_MAX,
	  lint },
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
