/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cowork-fw: show, load, check and remove the firewall of a profile. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/log.h"
#include "base/netlink.h"
#include "base/options.h"
#include "base/words.h"

#include "fw/alone.h"
#include "fw/kernel.h"
#include "fw/plan.h"
#include "fw/print.h"

#define PROGRAM "cowork-fw"

enum {
	EXIT_OK = 0,
	EXIT_BROKEN = 1,
	EXIT_USAGE = 2
};

struct settings {
	const char *profile;
	int format;
	const char *gateway4, *gateway6, *client4, *client6;
	struct options_list ports;
	const char *mark;
	bool help, version;
};

static const char *const formats[] = { "nft", "json", "iptables", NULL };

#define AT(member) offsetof(struct settings, member)

static const struct options_field fields[] = {
	{ "--profile", OPTIONS_TEXT, AT(profile), "NAME",
	  "whose firewall: sealed", NULL },
	{ "--format", OPTIONS_CHOICE, AT(format), "NAME",
	  "what render prints: nft", formats },
	{ "--gateway4", OPTIONS_TEXT, AT(gateway4), "ADDRESS",
	  "where the appliance listens (100.64.0.1)", NULL },
	{ "--gateway6", OPTIONS_TEXT, AT(gateway6), "ADDRESS",
	  "likewise (fd64::1)", NULL },
	{ "--client4", OPTIONS_TEXT, AT(client4), "ADDRESS",
	  "the other address inside (100.64.0.2)", NULL },
	{ "--client6", OPTIONS_TEXT, AT(client6), "ADDRESS",
	  "likewise (fd64::2)", NULL },
	{ "--port", OPTIONS_LIST, AT(ports), "PORT",
	  "a TCP port of the gateway; ascending (3128)", NULL },
	{ "--mark", OPTIONS_TEXT, AT(mark), "NUMBER",
	  "on the appliance's sockets (0x5ea1)", NULL },
	{ "--help", OPTIONS_SWITCH, AT(help), NULL, "show this", NULL },
	{ "--version", OPTIONS_SWITCH, AT(version), NULL, "show the version",
	  NULL },
};

/* ---- from settings to a plan ---- */

static int read_addr(const char *text, const char *option, struct addr *out,
		     struct error *err)
{
	if (!text || addr_parse(span_of(text), out))
		return 0;
	return error_kind_set(err, ERROR_INPUT, "%s: '%s' is not an address",
			      option, text);
}

static int read_ports(const struct options_list *list, struct fw_sealed *out,
		      struct error *err)
{
	if (list->count == 0)
		return 0;
	if (list->count > FW_PORTS_MAX)
		return error_kind_set(err, ERROR_INPUT,
				      "--port is given more than %d times",
				      FW_PORTS_MAX);
	for (size_t i = 0; i < list->count; i++)
		if (!port_parse(span_of(list->items[i]),
				&out->gateway_ports[i]))
			return error_kind_set(err, ERROR_INPUT,
					      "--port: '%s' is not a port",
					      list->items[i]);
	out->gateway_port_count = list->count;
	return 0;
}

static int read_mark(const char *text, uint32_t *out, struct error *err)
{
	unsigned long long value;
	char *end;

	if (!text)
		return 0;
	value = strtoull(text, &end, 0);
	if (*text < '0' || *text > '9' || *end || value > UINT32_MAX)
		return error_kind_set(err, ERROR_INPUT,
				      "--mark: '%s' is not a number of 32 bits",
				      text);
	*out = (uint32_t)value;
	return 0;
}

static struct fw_plan *make_plan(const struct settings *settings,
				 struct error *err)
{
	struct fw_sealed sealed = fw_sealed_default();

	if (!settings->profile || strcmp(settings->profile, "sealed") != 0) {
		error_kind_set(err, ERROR_INPUT,
			       "--profile is %s; there is: sealed",
			       settings->profile ? "not known" : "missing");
		return NULL;
	}
	if (read_addr(settings->gateway4, "--gateway4", &sealed.gateway4, err) <
		    0 ||
	    read_addr(settings->gateway6, "--gateway6", &sealed.gateway6, err) <
		    0 ||
	    read_addr(settings->client4, "--client4", &sealed.client4, err) <
		    0 ||
	    read_addr(settings->client6, "--client6", &sealed.client6, err) <
		    0 ||
	    read_ports(&settings->ports, &sealed, err) < 0 ||
	    read_mark(settings->mark, &sealed.mark, err) < 0)
		return NULL;
	return fw_plan_sealed(&sealed, err);
}

/* ---- commands: 0, or -1 with *err ---- */

static int render(const struct settings *settings, const struct fw_plan *plan,
		  struct error *err)
{
	if (settings->format != 0)
		return error_kind_set(err, ERROR_UNSUPPORTED,
				      "--format %s is not in this build",
				      formats[settings->format]);
	return fw_print_nft(plan, stdout, err);
}

static int apply(const struct settings *settings, const struct fw_plan *plan,
		 struct error *err)
{
	cleanup(netlink_cleanup) struct netlink *link = NULL;

	(void)settings;
	if (fw_alone(err) < 0)
		return -1;
	link = netlink_open(NETLINK_NETFILTER, err);
	if (!link || fw_commit(link, plan, err) < 0)
		return -1;
	return fw_verify(link, plan, err);
}

static int verify(const struct settings *settings, const struct fw_plan *plan,
		  struct error *err)
{
	cleanup(netlink_cleanup) struct netlink *link =
		netlink_open(NETLINK_NETFILTER, err);

	(void)settings;
	return link ? fw_verify(link, plan, err) : -1;
}

static int remove_table(const struct settings *settings,
			const struct fw_plan *plan, struct error *err)
{
	cleanup(netlink_cleanup) struct netlink *link =
		netlink_open(NETLINK_NETFILTER, err);

	(void)settings;
	return link ? fw_remove(link, plan, err) : -1;
}

static const struct command {
	const char *name;
	int (*run)(const struct settings *settings, const struct fw_plan *plan,
		   struct error *err); /* NULL: not in this build */
	const char *help;
} commands[] = {
	{ "render", render, "print the rules as nft(8) text" },
	{ "apply", apply, "load the rules into this network namespace" },
	{ "verify", verify, "compare what is loaded with the rules" },
	{ "remove", remove_table, "take the rules away again" },
	{ "explain", NULL, NULL },
	{ "diff", NULL, NULL },
};

static const struct command *find_command(const struct options_rest *rest,
					  struct error *err)
{
	struct words_guess guess;

	if (rest->count != 1 || rest->after) {
		error_kind_set(err, ERROR_INPUT,
			       "one command is needed; see --help");
		return NULL;
	}
	guess = words_guess_start(rest->positional[0]);
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++) {
		if (strcmp(commands[i].name, rest->positional[0]) == 0) {
			if (commands[i].run)
				return &commands[i];
			error_kind_set(err, ERROR_UNSUPPORTED,
				       "'%s' is not in this build",
				       commands[i].name);
			return NULL;
		}
		words_guess_try(&guess, commands[i].name);
	}
	error_kind_set(err, ERROR_INPUT, "unknown command '%s'%s%s%s",
		       rest->positional[0],
		       guess.best ? " (did you mean '" : "",
		       guess.best ? guess.best : "", guess.best ? "'?)" : "");
	return NULL;
}

static void print_help(void)
{
	printf("usage: " PROGRAM " COMMAND --profile NAME [OPTION ...]\n\n"
	       "commands:\n");
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		if (commands[i].help)
			printf("  %-28s %s\n", commands[i].name,
			       commands[i].help);
	printf("\noptions:\n");
	options_print(fields, ARRAY_SIZE(fields), stdout);
}

/* Exit 2 is for what was never tried. */
static int give_up(const struct error *err)
{
	error_print(stderr, PROGRAM, err);
	return err->kind == ERROR_INPUT || err->kind == ERROR_UNSUPPORTED
		       ? EXIT_USAGE
		       : EXIT_BROKEN;
}

int main(int argc, char **argv)
{
	cleanup(fw_plan_cleanup) struct fw_plan *plan = NULL;
	struct settings settings = { 0 };
	struct options_rest rest;
	const struct command *command;
	struct error err;

	(void)argc;
	fd_fill_standard();
	log_open(PROGRAM, LOG_LEVEL_NOTICE);
	if (options_read(fields, ARRAY_SIZE(fields), argv, &settings, &rest,
			 &err) < 0)
		return give_up(&err);
	if (settings.help) {
		print_help();
		return EXIT_OK;
	}
	if (settings.version) {
		printf(PROGRAM " " PACKAGE_VERSION "\n");
		return EXIT_OK;
	}
	command = find_command(&rest, &err);
	if (!command)
		return give_up(&err);
	plan = make_plan(&settings, &err);
	if (!plan || command->run(&settings, plan, &err) < 0)
		return give_up(&err);
	return EXIT_OK;
}
