/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sandbox/proxy_service.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fd.h"
#include "base/where.h"

/* The proxy's handed-in descriptors, in the order of LISTEN_FDNAMES. */
enum {
	FD_PROXY = 3,
	FD_LIFETIME,
	FD_READY,
	FD_USER_NS,
	FD_NET_NS
};

#define FD_NAMES   "LISTEN_FDNAMES=proxy:lifetime:ready"
#define FD_COUNT   "LISTEN_FDS=3"
#define CONFIG_MAX (8u << 20)

/* ---- the proxy file ---- */

/*
 * Texts are quoted as JSON, which YAML reads too: an origin with a newline in
 * it must not become a line of its own.
 */
static void add_entries(const struct policy *policy, bool denies,
			struct buf *out)
{
	size_t count = policy_rule_count(policy);
	const char *key = denies ? "deny" : "allow";
	bool any = false;

	for (size_t i = 0; i < count; i++) {
		bool rule_denies;
		const struct rule *rule = policy_rule(policy, i, &rule_denies);

		if (rule_denies != denies)
			continue;
		if (!any)
			buf_addf(out, "    %s:\n", key);
		any = true;
		buf_add_text(out, "      - { entry: ");
		buf_add_json(out, span_of(rule->text));
		buf_add_text(out, ", origin: ");
		buf_add_json(out, span_of(rule->origin));
		buf_add_text(out, " }\n");
	}
	if (!any)
		buf_addf(out, "    %s: []\n", key);
}

static void add_permits(const struct proxy_spec *spec, struct buf *out)
{
	size_t count = policy_permit_count(spec->policy);

	if (count > 0)
		buf_add_text(out, "    permit_addresses:\n");
	for (size_t i = 0; i < count; i++) {
		struct cidr permit = policy_permit_at(spec->policy, i);

		buf_addf(out, "      - \"%s/%u\"\n",
			 addr_print(&permit.addr).text, permit.bits);
	}
}

static void add_resolver(const struct outside *outside, struct buf *out)
{
	if (outside->dns_count == 0)
		return;
	buf_add_text(out, "resolver:\n  servers:\n");
	for (size_t i = 0; i < outside->dns_count; i++)
		buf_addf(out, "    - \"%s\"\n",
			 addr_print(&outside->dns[i]).text);
}

void proxy_service_config(const struct proxy_spec *spec, struct buf *out)
{
	buf_add_text(out, "listen:\n  - { kind: proxy, fd: proxy }\n"
			  "policies:\n  default:\n");
	add_entries(spec->policy, false, out);
	add_entries(spec->policy, true, out);
	add_permits(spec, out);
	add_resolver(spec->outside, out);
	buf_add_text(out, "audit:\n  path: ");
	buf_add_json(out, span_of(spec->audit));
	buf_add_byte(out, '\n');
}

/* Readable by the proxy's user, who owns the folder it lies in. */
static int write_config(const struct proxy_spec *spec, struct error *err)
{
	cleanup(buf_release) struct buf text = BUF_INIT(CONFIG_MAX);
	autoclose int fd = open(spec->config,
				O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);

	proxy_service_config(spec, &text);
	if (buf_failed(&text))
		return error_set(err, "the proxy file is too large");
	/* Whatever the umask: the proxy may be another user. */
	if (fd < 0 || fchmod(fd, 0644) < 0)
		return error_sys(err, "cannot write '%s'", spec->config);
	if (fd_write_all(fd, text.data, text.size, err) < 0)
		return error_wrap(err, "'%s'", spec->config);
	return 0;
}

/* ---- starting ---- */

struct child {
	const struct proxy_spec *spec;
	char *listen_pid; /* room for LISTEN_PID=, in the child's environment */
	size_t room;
};

static int prepare(void *arg, struct error *err)
{
	const struct child *child = arg;
	struct outside outside = *child->spec->outside;

	snprintf(child->listen_pid, child->room, "LISTEN_PID=%d",
		 (int)getpid());
	if (identity_become(child->spec->user, err) < 0)
		return -1;
	if (outside.kind == OUTSIDE_REAL)
		return 0;
	outside.user_ns = FD_USER_NS;
	outside.net_ns = FD_NET_NS;
	if (outside_enter(&outside, err) < 0)
		return -1;
	close(FD_USER_NS);
	close(FD_NET_NS);
	return 0;
}

/* Only what the proxy needs; the caller's variables may hold secrets. */
static void build_environment(char *listen_pid, char *mutant, size_t room,
			      const char *environment[8])
{
	size_t n = 0;

	environment[n++] = FD_COUNT;
	environment[n++] = FD_NAMES;
	environment[n++] = "PATH=/usr/bin:/bin";
	environment[n++] = listen_pid;
#ifdef ENABLE_MUTANTS
	if (getenv("COWORK_MUTANT")) {
		snprintf(mutant, room, "COWORK_MUTANT=%s",
			 getenv("COWORK_MUTANT"));
		environment[n++] = mutant;
	}
#else
	(void)mutant;
	(void)room;
#endif
	environment[n] = NULL;
}

static int run(const struct proxy_spec *spec, const char *program,
	       struct service *out, struct error *err)
{
	char listen_pid[32] = "LISTEN_PID=", mutant[96], netns[24];
	char word[SERVICE_WORD_MAX];
	const char *environment[8];
	const char *argv[] = {
		"coworkproxy", "serve",   "--config", spec->config, "--session",
		spec->session, "--netns", netns,      NULL,
	};
	struct child child = { spec, listen_pid, sizeof(listen_pid) };
	struct spawn spawn = {
		.program = program,
		.argv = argv,
		.environment = environment,
		.fds = { { STDERR_FILENO, 1 },
			 { STDERR_FILENO, 2 },
			 { spec->listener, FD_PROXY } },
		.fd_count = 3,
		.prepare = prepare,
		.arg = &child,
	};

	build_environment(listen_pid, mutant, sizeof(mutant), environment);
	snprintf(netns, sizeof(netns), "%ju",
		 (uintmax_t)spec->outside->net_ns_inode);
	/* Only the pretend world has a namespace to enter and to insist on. */
	if (spec->outside->kind == OUTSIDE_REAL) {
		argv[6] = NULL;
	} else {
		spawn.fds[spawn.fd_count++] =
			(struct spawn_fd){ spec->outside->user_ns, FD_USER_NS };
		spawn.fds[spawn.fd_count++] =
			(struct spawn_fd){ spec->outside->net_ns, FD_NET_NS };
	}
	return service_start("coworkproxy", &spawn, FD_LIFETIME, FD_READY,
			     SERVICE_READY_BYTE, word, out, err);
}

int proxy_service_start(const struct proxy_spec *spec, struct service *out,
			struct error *err)
{
	autofree char *program = where_program("coworkproxy", err);

	*out = SERVICE_INIT;
	if (!program || write_config(spec, err) < 0)
		return -1;
	return run(spec, program, out, err);
}
