/* SPDX-License-Identifier: GPL-3.0-or-later */
/* world_saw REPORT name NAME | addr ADDRESS:PORT | count KIND: asks a report of
 * the pretend world, in the words that probes use; prints yes, no or a number.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "probe/world_report.h"

#define PROGRAM "world_saw"

static int say(bool seen)
{
	puts(seen ? "yes" : "no");
	return 0;
}

static int ask(const struct world_report *report, const char *question,
	       const char *subject)
{
	static const char *const kinds[] = {
		[WORLD_DNS] = "dns",   [WORLD_TCP] = "tcp", [WORLD_TLS] = "tls",
		[WORLD_HTTP] = "http", [WORLD_UDP] = "udp",
	};
	struct endpoint to;

	if (strcmp(question, "name") == 0)
		return say(world_report_saw_name(report, subject));
	if (strcmp(question, "addr") == 0 &&
	    endpoint_parse(span_of(subject), &to))
		return say(world_report_saw_addr(report, &to.addr, to.port));
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (strcmp(question, "count") == 0 &&
		    strcmp(subject, kinds[i]) == 0) {
			printf("%zu\n",
			       world_report_count(report, (enum world_kind)i));
			return 0;
		}
	return 2;
}

int main(int argc, char **argv)
{
	struct world_report report;
	struct error err;
	int result;

	if (argc != 4)
		return 2;
	if (world_report_read(argv[1], &report, &err) < 0) {
		error_print(stderr, PROGRAM, &err);
		return 1;
	}
	result = ask(&report, argv[2], argv[3]);
	world_report_release(&report);
	return result;
}
