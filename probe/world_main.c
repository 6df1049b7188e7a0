/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cowork-world: options in, world_run(), an exit code out. */
#include "config.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fd.h"
#include "base/log.h"
#include "base/options.h"

#include "probe/world.h"

#define PROGRAM "cowork-world"

enum {
	EXIT_ENDED = 0, /* told to end */
	EXIT_FAILED = 1,
	EXIT_USAGE = 2,
};

struct arguments {
	struct options_list records;
	const char *report, *ca, *ready_fd, *lifetime_fd;
	bool version, help;
};

static const struct options_field fields[] = {
	{ "--record", OPTIONS_LIST, offsetof(struct arguments, records),
	  "NAME=ADDR[,ADDR...]",
	  "addresses of a name; NAME= for none, NAME=@TARGET for an alias; "
	  "!TRICK behind it lies",
	  NULL },
	{ "--report", OPTIONS_TEXT, offsetof(struct arguments, report), "FILE",
	  "append what reaches the world, as JSON Lines", NULL },
	{ "--ca", OPTIONS_TEXT, offsetof(struct arguments, ca), "FILE",
	  "write the certificate to trust, as PEM", NULL },
	{ "--ready-fd", OPTIONS_TEXT, offsetof(struct arguments, ready_fd), "N",
	  "write one line of JSON there when the world is ready", NULL },
	{ "--lifetime-fd", OPTIONS_TEXT,
	  offsetof(struct arguments, lifetime_fd), "N",
	  "end when this descriptor is at its end", NULL },
	{ "--version", OPTIONS_SWITCH, offsetof(struct arguments, version),
	  NULL, "print the version", NULL },
	{ "--help", OPTIONS_SWITCH, offsetof(struct arguments, help), NULL,
	  "print this", NULL },
};

static int print_help(void)
{
	printf("usage: " PROGRAM " [OPTION]...\n"
	       "The pretend outside: DNS, web servers and sinks in a network "
	       "namespace.\n\n");
	options_print(fields, ARRAY_SIZE(fields), stdout);
	return EXIT_ENDED;
}

/* A descriptor that is open and not one of the standard three. */
static int take_fd(const char *option, const char *text, int *fd,
		   struct error *err)
{
	size_t digits = text ? strspn(text, "0123456789") : 0;
	int number;

	*fd = -1;
	if (!text)
		return 0;
	number = digits < 6 && !text[digits] ? atoi(text) : 0;
	if (number < 3)
		return error_kind_set(err, ERROR_INPUT,
				      "%s is a number from 3 on", option);
	if (fcntl(number, F_GETFD) < 0)
		return error_kind_set(err, ERROR_INPUT,
				      "%s: descriptor %d is not open", option,
				      number);
	*fd = number;
	return fd_set_cloexec(*fd, true, err);
}

static int read_arguments(char **argv, struct arguments *arguments,
			  struct world_options *options, struct error *err)
{
	struct options_rest rest;

	if (options_read(fields, ARRAY_SIZE(fields), argv, arguments, &rest,
			 err) < 0)
		return -1;
	if (rest.count > 0 || rest.after)
		return error_kind_set(err, ERROR_INPUT,
				      "there are no arguments, only options");
	options->records = arguments->records.items;
	options->record_count = arguments->records.count;
	options->report = arguments->report;
	options->ca = arguments->ca;
	if (take_fd("--ready-fd", arguments->ready_fd, &options->ready_fd,
		    err) < 0)
		return -1;
	return take_fd("--lifetime-fd", arguments->lifetime_fd,
		       &options->lifetime_fd, err);
}

int main(int argc, char **argv)
{
	struct arguments arguments = { .report = NULL };
	struct world_options options;
	struct error err;

	(void)argc;
	fd_fill_standard();
	log_open(PROGRAM, LOG_LEVEL_NOTICE);
	if (read_arguments(argv, &arguments, &options, &err) < 0) {
		error_print(stderr, PROGRAM, &err);
		return EXIT_USAGE;
	}
	if (arguments.help)
		return print_help();
	if (arguments.version) {
		printf(PROGRAM " " PACKAGE_VERSION "\n");
		return EXIT_ENDED;
	}
	if (world_run(&options, &err) == 0)
		return EXIT_ENDED;
	error_print(stderr, PROGRAM, &err);
	return err.kind == ERROR_INPUT ? EXIT_USAGE : EXIT_FAILED;
}
