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
#include "proxy/authority.h"
#include "proxy/conf.h"
#include "proxy/listen_fds.h"
#include "proxy/server.h"

#define PROGRAM   "coworkproxy"
#define WORDS_MAX 1024 /* of one repeated option */

enum {
	EXIT_ALLOWED = 0,
	EXIT_DENIED = 1,
	EXIT_USAGE = 2,
};

struct words {
	const char *list[WORDS_MAX];
	size_t count;
};

struct options {
	const char *config, *audit, *session, *netns, *subject;
	struct words allow, listen;
	bool check, dump, verbose;
};

/* ---- options ---- */

struct option {
	const char *name;
	const char *value; /* what it takes, for the help; NULL: nothing */
	size_t offset;
	int (*set)(void *where, const char *value, struct error *err);
	const char *help;
};

static int set_text(void *where, const char *value, struct error *err)
{
	if (*(const char **)where)
		return error_kind_set(err, ERROR_INPUT, "given twice");
	*(const char **)where = value;
	return 0;
}

static int add_word(void *where, const char *value, struct error *err)
{
	struct words *words = where;

	if (words->count == WORDS_MAX)
		return error_kind_set(err, ERROR_INPUT, "at most %d times",
				      WORDS_MAX);
	words->list[words->count++] = value;
	return 0;
}

static int set_flag(void *where, const char *value, struct error *err)
{
	(void)value;
	(void)err;
	*(bool *)where = true;
	return 0;
}

#define AT(member) offsetof(struct options, member)

static const struct option serve_options[] = {
	{ "--config", "FILE", AT(config), set_text, "the proxy file" },
	{ "--allow", "HOST", AT(allow), add_word, "one more allowed entry" },
	{ "--listen", "ADDR:PORT", AT(listen), add_word, "where to listen" },
	{ "--audit", "PATH", AT(audit), set_text, "the audit log" },
	{ "--session", "ID", AT(session), set_text, "goes into every record" },
	{ "--netns", "INODE", AT(netns), set_text,
	  "refuse to start in any other network namespace" },
	{ "--check", NULL, AT(check), set_flag, "check everything and exit" },
	{ "--dump", NULL, AT(dump), set_flag, "print what is in force, exit" },
	{ "--verbose", NULL, AT(verbose), set_flag, "log what happens" },
};

static const struct option explain_options[] = {
	{ "--config", "FILE", AT(config), set_text, "the proxy file" },
	{ "--allow", "HOST", AT(allow), add_word, "one more allowed entry" },
};

struct command {
	const char *name, *summary;
	const struct option *options;
	size_t option_count;
	const char *subject; /* the one plain argument, or NULL */
	int (*run)(const struct options *options, struct error *err);
};

/* The value of "--name=value" or of the next argument. */
static int take_option(const struct command *command, struct options *out,
		       char **argv, int *i, struct error *err)
{
	const char *word = argv[*i], *equals = strchr(word, '=');
	size_t size = equals ? (size_t)(equals - word) : strlen(word);

	for (size_t k = 0; k < command->option_count; k++) {
		const struct option *option = &command->options[k];
		const char *value = equals ? equals + 1 : NULL;

		if (strlen(option->name) != size ||
		    strncmp(option->name, word, size) != 0)
			continue;
		if (!option->value && value)
			return error_kind_set(err, ERROR_INPUT,
					      "%s takes no value",
					      option->name);
		if (option->value && !value)
			value = argv[++*i];
		if (option->value && !value)
			return error_kind_set(err, ERROR_INPUT, "%s needs %s",
					      option->name, option->value);
		if (option->set((char *)out + option->offset, value, err) < 0)
			return error_wrap(err, "%s", option->name);
		return 0;
	}
	return error_kind_set(err, ERROR_INPUT, "%s: unknown option '%s'",
			      command->name, word);
}

static int parse_options(const struct command *command, char **argv,
			 struct options *out, struct error *err)
{
	for (int i = 0; argv[i]; i++) {
		if (strncmp(argv[i], "--", 2) == 0) {
			if (take_option(command, out, argv, &i, err) < 0)
				return -1;
		} else if (command->subject && !out->subject) {
			out->subject = argv[i];
		} else {
			return error_kind_set(err, ERROR_INPUT,
					      "%s: unexpected argument '%s'",
					      command->name, argv[i]);
		}
	}
	if (command->subject && !out->subject)
		return error_kind_set(err, ERROR_INPUT, "%s needs %s",
				      command->name, command->subject);
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

static int add_allowed(struct proxy_conf *conf, const struct words *allow,
		       struct error *err)
{
	struct judge *judge = conf_judge(conf, "default");
	unsigned column;

	if (allow->count && !judge)
		return error_kind_set(err, ERROR_INPUT,
				      "--allow needs the policy 'default'");
	for (size_t i = 0; i < allow->count; i++)
		if (policy_allow(judge_policy(judge), allow->list[i], "--allow",
				 &column, err) < 0)
			return error_wrap(err, "--allow '%s'", allow->list[i]);
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
		.allow = options->allow.list,
		.allow_count = options->allow.count,
		.listen = options->listen.list,
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
		for (size_t k = 0; k < command->option_count; k++) {
			const struct option *option = &command->options[k];
			char left[40];

			snprintf(left, sizeof(left), "%s%s%s", option->name,
				 option->value ? " " : "",
				 option->value ? option->value : "");
			printf("  %-20s %s\n", left, option->help);
		}
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
	result = dispatch(argv[1], argv + 2, &err);
	if (result < 0) {
		error_print(stderr, PROGRAM, &err);
		return EXIT_USAGE;
	}
	if (fflush(stdout) != 0 || ferror(stdout))
		return EXIT_USAGE;
	return result;
}
