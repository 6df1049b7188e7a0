/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cowork-run: finds the command and hands over. */
#include "config.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "base/fd.h"
#include "base/log.h"
#include "base/words.h"
#include "runner/command.h"

/* NULL: part of the plan, not of this build. */
static const struct command {
	const char *name;
	int (*run)(char **argv);
	const char *help;
} commands[] = {
	{ "exec", command_exec, "run one command in the sealed sandbox" },
	{ "doctor", command_doctor, "say what this machine can do" },
	{ "run", NULL, NULL },
	{ "skill", NULL, NULL },
	{ "chat", NULL, NULL },
	{ "status", NULL, NULL },
	{ "trace", NULL, NULL },
	{ "verify-run", NULL, NULL },
	{ "record", NULL, NULL },
	{ "replay", NULL, NULL },
	{ "lint", NULL, NULL },
	{ "scaffold", NULL, NULL },
	{ "diff", NULL, NULL },
	{ "stats", NULL, NULL },
	{ "decide", NULL, NULL },
	{ "gates", NULL, NULL },
	{ "answer", NULL, NULL },
	{ "verify-cassettes", NULL, NULL },
	{ "vm", NULL, NULL },
};

static void usage(FILE *out)
{
	fputs("usage: cowork-run COMMAND [OPTION]...\n\n", out);
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		if (commands[i].help)
			fprintf(out, "  %-10s %s\n", commands[i].name,
				commands[i].help);
	fputs("\n'cowork-run COMMAND --help' says more, and so does "
	      "cowork-run(1).\n",
	      out);
}

static int unknown_command(const char *name)
{
	struct words_guess guess = words_guess_start(name);

	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		words_guess_try(&guess, commands[i].name);
	fprintf(stderr, "cowork-run: unknown command '%s'", name);
	if (guess.best)
		fprintf(stderr, " (did you mean '%s'?)", guess.best);
	fputc('\n', stderr);
	return 2;
}

int main(int argc, char **argv)
{
	fd_fill_standard();
	log_open("cowork-run", LOG_LEVEL_NOTICE);
	/* A reader that goes away must not stop the clean-up. */
	signal(SIGPIPE, SIG_IGN);
	if (argc < 2) {
		usage(stderr);
		return 2;
	}
	if (strcmp(argv[1], "--version") == 0) {
		puts("cowork-run " PACKAGE_VERSION);
		return 0;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
		usage(stdout);
		return 0;
	}
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++) {
		if (strcmp(argv[1], commands[i].name) != 0)
			continue;
		if (commands[i].run)
			return commands[i].run(argv + 1);
		fprintf(stderr,
			"cowork-run: '%s' is not built in this "
			"version\n",
			argv[1]);
		return 2;
	}
	return unknown_command(argv[1]);
}
