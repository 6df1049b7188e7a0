/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sandbox/outside.h"

#include <fcntl.h>
#include <linux/securebits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "base/where.h"

#define HOST_CA_BUNDLE "/etc/ssl/certs/ca-certificates.crt"

/* The world's descriptors by number. */
enum {
	FD_LIFETIME = 3,
	FD_READY
};

static int become_user(void *arg, struct error *err)
{
	const struct user_ids *user = arg;

	return identity_become(*user, err);
}

/* A list of addresses in the world's ready line. */
static int read_addrs(const json_t *word, const char *key,
		      struct addr out[OUTSIDE_ADDRS_MAX], size_t *count,
		      struct error *err)
{
	const json_t *list = json_object_get(word, key);
	size_t i;
	const json_t *item;

	*count = 0;
	json_array_foreach(list, i, item)
	{
		const char *text = json_string_value(item);

		if (!text || i == OUTSIDE_ADDRS_MAX ||
		    !addr_parse(span_of(text), &out[i]))
			return error_set(err, "bad '%s' in the world's answer",
					 key);
		*count = i + 1;
	}
	return *count ? 0
		      : error_set(err, "no '%s' in the world's answer", key);
}

static int open_ns(pid_t pid, const char *kind, struct error *err)
{
	char path[48];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/ns/%s", (int)pid, kind);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	return fd < 0 ? error_sys(err, "cannot open '%s'", path) : fd;
}

static int learn(struct outside *out, const char *word, struct error *err)
{
	cleanup(json_cleanup) json_t *json = json_loads(word, 0, NULL);
	struct stat st;

	if (read_addrs(json, "dns", out->dns, &out->dns_count, err) < 0 ||
	    read_addrs(json, "web", out->web, &out->web_count, err) < 0)
		return -1;
	out->user_ns = open_ns(out->world.pid, "user", err);
	if (out->user_ns < 0)
		return -1;
	out->net_ns = open_ns(out->world.pid, "net", err);
	if (out->net_ns < 0)
		return -1;
	if (fstat(out->net_ns, &st) < 0)
		return error_sys(err, "cannot look at the world's namespace");
	out->net_ns_inode = st.st_ino;
	return 0;
}

static int start_world(struct outside *out, struct user_ids user,
		       struct error *err)
{
	autofree char *program = where_program("cowork-world", err);
	const char *const argv[] = {
		"cowork-world",  "--report", out->report,  "--ca", out->ca,
		"--lifetime-fd", "3",        "--ready-fd", "4",    NULL,
	};
	char word[SERVICE_WORD_MAX];
	struct spawn spawn = {
		.program = program,
		.argv = argv,
		.fds = { { STDERR_FILENO, 1 }, { STDERR_FILENO, 2 } },
		.fd_count = 2,
		.prepare = become_user,
		.arg = &user,
	};

	static_assert(FD_LIFETIME == 3 && FD_READY == 4, "spelt in argv");
	if (!program ||
	    service_start("the pretend world", &spawn, FD_LIFETIME, FD_READY,
			  SERVICE_READY_LINE, word, &out->world, err) < 0)
		return -1;
	return learn(out, word, err);
}

int outside_start(enum outside_kind kind, struct user_ids user,
		  const char *run_dir, struct outside *out, struct error *err)
{
	*out = (struct outside){
		.kind = kind, .world = SERVICE_INIT, .user_ns = -1, .net_ns = -1
	};
	if (kind == OUTSIDE_REAL)
		return 0;
	if (asprintf(&out->report, "%s/world.jsonl", run_dir) < 0)
		out->report = NULL;
	if (asprintf(&out->ca, "%s/world-ca.pem", run_dir) < 0)
		out->ca = NULL;
	if (!out->report || !out->ca)
		return error_sys(err, "no memory for the pretend world");
	return start_world(out, user, err);
}

int outside_enter(const struct outside *outside, struct error *err)
{
	if (outside->kind == OUTSIDE_REAL)
		return 0;
	if (setns(outside->user_ns, CLONE_NEWUSER) < 0 ||
	    setns(outside->net_ns, CLONE_NEWNET) < 0)
		return error_sys(err, "cannot enter the pretend world");
	/* Being root in there must give the program that runs next nothing. */
	if (prctl(PR_SET_SECUREBITS, SECBIT_NOROOT | SECBIT_NOROOT_LOCKED) < 0)
		return error_sys(err, "cannot give up rights over the world");
	return 0;
}

const char *outside_ca_bundle(const struct outside *outside)
{
	if (outside->kind == OUTSIDE_PRETEND)
		return outside->ca;
	return access(HOST_CA_BUNDLE, R_OK) == 0 ? HOST_CA_BUNDLE : NULL;
}

void outside_release(struct outside *outside)
{
	service_kill(&outside->world);
	fd_close(&outside->user_ns);
	fd_close(&outside->net_ns);
	free(outside->report);
	free(outside->ca);
	outside->report = outside->ca = NULL;
}
