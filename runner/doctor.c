/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cowork-run doctor: what this machine can do, and what to change. */
#include "config.h"

#include "runner/command.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/options.h"
#include "base/spawn.h"
#include "base/where.h"
#include "fw/kernel.h"
#include "sandbox/identity.h"
#include "sandbox/launch.h"
#include "sandbox/seal.h"
#include "sandbox/userns.h"

/* What a missing thing means for the user. */
enum need {
	NEED_REQUIRED, /* nothing works without it */
	NEED_TIER,     /* a tier of a later version needs it */
	NEED_NOTE,     /* worth knowing */
};

enum state {
	STATE_MISSING = 0,
	STATE_FINE
};

struct finding {
	enum state state;
	char text[700];
};

static struct finding fine(const char *text)
{
	struct finding finding = { .state = STATE_FINE };

	snprintf(finding.text, sizeof(finding.text), "%s", text);
	return finding;
}

static struct finding missing(const char *text)
{
	struct finding finding = { .state = STATE_MISSING };

	snprintf(finding.text, sizeof(finding.text), "%s", text);
	return finding;
}

/* ---- checks: each tries the thing itself, in a child where it must ---- */

static int try_userns(void *arg, struct error *err)
{
	const struct identity *who = arg;

	if (identity_become(who->agent, err) < 0)
		return -1;
	return userns_unshare(CLONE_NEWNET | CLONE_NEWNS, err);
}

/* Run the hook in a child that then does nothing. */
static struct finding try_in_child(int (*hook)(void *arg, struct error *err),
				   void *arg, const char *good)
{
	static const char *const argv[] = { "true", NULL };
	const struct spawn spawn = {
		.program = "/bin/true",
		.argv = argv,
		.fds = { { 0, 0 }, { 1, 1 }, { 2, 2 } },
		.fd_count = 3,
		.prepare = hook,
		.arg = arg,
	};
	struct error err;
	pid_t pid = spawn_start(&spawn, &err);

	if (pid < 0)
		return missing(err.text);
	spawn_wait(pid);
	return fine(good);
}

static struct finding check_identity(void)
{
	struct identity who;
	struct error err;

	if (identity_find(&who, &err) < 0)
		return missing(err.text);
	if (!who.from_root)
		return fine("agent and proxy run as you, and share your "
			    "per-user limits");
	return fine("you are root: agent and proxy each get an id of "
		    "their own");
}

static struct finding check_userns(void)
{
	struct identity who;
	struct error err;

	if (identity_find(&who, &err) < 0)
		return missing(err.text);
	return try_in_child(try_userns, &who, "can be made");
}

/* The real thing: namespace, links, rules, read back. */
static struct finding check_seal(void)
{
	struct fw_sealed layout = fw_sealed_default();
	struct seal seal = SEAL_INIT;
	struct identity who;
	struct fw_plan *plan;
	struct error err;
	int result;

	if (identity_find(&who, &err) < 0)
		return missing(err.text);
	plan = fw_plan_sealed(&layout, &err);
	if (!plan)
		return missing(err.text);
	result = seal_make(who.agent, &layout, plan, &seal, &err);
	fw_plan_free(plan);
	seal_release(&seal);
	return result < 0 ? missing(err.text)
			  : fine("made, rules loaded and read back equal");
}

static struct finding check_engine(void)
{
	struct error err;
	const char *engine = launch_engine(&err);

	return engine ? fine(engine) : missing(err.text);
}

static struct finding check_sandbox(void)
{
	static const char *const argv[] = {
		"bwrap",
		"--unshare-user",
		"--unshare-pid",
		"--disable-userns",
		"--ro-bind",
		"/usr",
		"/usr",
		"--symlink",
		"usr/lib",
		"/lib",
		"--symlink",
		"usr/lib64",
		"/lib64",
		"--proc",
		"/proc",
		"--dev",
		"/dev",
		"/usr/bin/true",
		NULL,
	};
	struct error err;
	const char *engine = launch_engine(&err);
	struct identity who;
	struct spawn spawn = {
		.program = engine,
		.argv = argv,
		.fds = { { 0, 0 }, { 1, 1 }, { 2, 2 } },
		.fd_count = 3,
		.prepare = try_userns,
		.arg = &who,
	};
	pid_t pid;
	int status;

	if (!engine || identity_find(&who, &err) < 0)
		return missing(err.text);
	pid = spawn_start(&spawn, &err);
	if (pid < 0)
		return missing(err.text);
	status = spawn_wait(pid);
	return status == 0
		       ? fine("starts inside a user namespace")
		       : missing("does not start inside a user namespace (its "
				 "message is above); in a container, /proc may "
				 "be masked: start it with --security-opt "
				 "systempaths=unconfined");
}

static struct finding check_programs(void)
{
	static const char *const names[] = { "coworkproxy", "cowork-world" };
	struct error err;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		autofree char *path = where_program(names[i], &err);

		if (!path)
			return missing(err.text);
	}
	return fine("beside this one");
}

static struct finding check_device(const char *path, const char *good)
{
	autoclose int fd = open(path, O_RDWR | O_CLOEXEC);
	char text[160];

	if (fd >= 0)
		return fine(good);
	snprintf(text, sizeof(text), "%s cannot be opened by you", path);
	return missing(text);
}

static struct finding check_fuse(void)
{
	return check_device("/dev/fuse", "/dev/fuse opens");
}

static struct finding check_kvm(void)
{
	return check_device("/dev/kvm",
			    "/dev/kvm opens; whether a guest boots is tried "
			    "when one is started");
}

/* The programs that a user would have to install for it. */
static struct finding find_program(const char *const *names)
{
	static const char *const folders[] = { "/usr/bin", "/usr/local/bin",
					       "/usr/sbin" };
	char path[128], text[160] = "none of: ";

	for (size_t i = 0; names[i]; i++) {
		for (size_t k = 0; k < ARRAY_SIZE(folders); k++) {
			snprintf(path, sizeof(path), "%s/%s", folders[k],
				 names[i]);
			if (access(path, X_OK) == 0)
				return fine(path);
		}
		strncat(text, names[i], sizeof(text) - strlen(text) - 2);
		strncat(text, " ", sizeof(text) - strlen(text) - 1);
	}
	return missing(text);
}

static struct finding check_engines(void)
{
	static const char *const names[] = { "docker", "podman", NULL };

	return find_program(names);
}

static struct finding check_qemu(void)
{
	static const char *const names[] = { "qemu-system-x86_64",
					     "qemu-system-aarch64", NULL };

	return find_program(names);
}

static struct finding check_curl(void)
{
	static const char *const names[] = { "curl", NULL };
	struct finding finding = find_program(names);

	return finding.state == STATE_FINE
		       ? finding
		       : missing("boundary-check needs it inside the sandbox; "
				 "on Debian: apt-get install curl");
}

static struct finding check_host(void)
{
	if (access("/.dockerenv", F_OK) == 0 ||
	    access("/run/.containerenv", F_OK) == 0)
		return fine("inside a container: user namespaces and an "
			    "unmasked /proc depend on how it was started");
	return fine("not a container");
}

static const struct check {
	const char *name;
	enum need need;
	struct finding (*run)(void);
	const char *tier;
} checks[] = {
	{ "host", NEED_NOTE, check_host, NULL },
	{ "user ids", NEED_REQUIRED, check_identity, NULL },
	{ "user namespaces", NEED_REQUIRED, check_userns, NULL },
	{ "sealed network", NEED_REQUIRED, check_seal, NULL },
	{ "bubblewrap", NEED_REQUIRED, check_engine, NULL },
	{ "sandbox", NEED_REQUIRED, check_sandbox, NULL },
	{ "our programs", NEED_REQUIRED, check_programs, NULL },
	{ "curl", NEED_REQUIRED, check_curl, NULL },
	{ "FUSE", NEED_TIER, check_fuse, "folders that refuse deletion" },
	{ "container engine", NEED_TIER, check_engines, "tier container" },
	{ "KVM", NEED_TIER, check_kvm, "tier microvm at full speed" },
	{ "QEMU", NEED_TIER, check_qemu, "tier microvm" },
};

/* ---- report ---- */

static const char *word(const struct check *check, enum state state)
{
	if (state == STATE_FINE)
		return check->need == NEED_NOTE ? "note" : "ok";
	return check->need == NEED_REQUIRED ? "MISSING" : "absent";
}

static void print_text(const struct check *check, const struct finding *finding)
{
	printf("%-8s %-18s %s\n", word(check, finding->state), check->name,
	       finding->text);
	if (finding->state == STATE_MISSING && check->tier)
		printf("%-8s %-18s (only needed for: %s)\n", "", "",
		       check->tier);
}

static void add_json(struct buf *out, const struct check *check,
		     const struct finding *finding)
{
	buf_add_text(out, out->size ? "," : "");
	buf_add_text(out, "{\"check\":");
	buf_add_json(out, span_of(check->name));
	buf_addf(out, ",\"required\":%s,\"ok\":%s,\"detail\":",
		 check->need == NEED_REQUIRED ? "true" : "false",
		 finding->state == STATE_FINE ? "true" : "false");
	buf_add_json(out, span_of(finding->text));
	buf_add_byte(out, '}');
}

struct doctor_options {
	int format;
	bool help;
};

static const char *const formats[] = { "text", "json", NULL };

static const struct options_field fields[] = {
	{ "--output-format", OPTIONS_CHOICE,
	  offsetof(struct doctor_options, format), "text|json",
	  "how to report (default: text)", formats },
	{ "--help", OPTIONS_SWITCH, offsetof(struct doctor_options, help), NULL,
	  "show this help", NULL },
};

static int read_options(char **argv, struct doctor_options *options)
{
	struct options_rest rest;
	struct error err;

	if (options_read(fields, ARRAY_SIZE(fields), argv, options, &rest,
			 &err) == 0) {
		if (rest.count == 0 && !rest.after)
			return 0;
		error_kind_set(&err, ERROR_INPUT, "doctor takes no arguments");
	}
	error_print(stderr, "cowork-run", &err);
	return -1;
}

int command_doctor(char **argv)
{
	cleanup(buf_release) struct buf json = BUF_INIT(1 << 16);
	struct doctor_options options = { 0 };
	bool ready = true;

	if (read_options(argv, &options) < 0)
		return 2;
	if (options.help) {
		fputs("usage: cowork-run doctor [OPTION]...\n\n", stdout);
		options_print(fields, ARRAY_SIZE(fields), stdout);
		return 0;
	}
	for (size_t i = 0; i < ARRAY_SIZE(checks); i++) {
		struct finding finding = checks[i].run();

		if (finding.state == STATE_MISSING &&
		    checks[i].need == NEED_REQUIRED)
			ready = false;
		if (options.format == 0)
			print_text(&checks[i], &finding);
		else
			add_json(&json, &checks[i], &finding);
	}
	if (options.format == 0)
		puts(ready ? "This machine is ready."
			   : "This machine is not ready: see MISSING above.");
	else
		printf("{\"tool\":\"cowork-boundary\",\"version\":\"%s\","
		       "\"command\":\"doctor\",\"ok\":%s,\"results\":[%s],"
		       "\"error\":null}\n",
		       PACKAGE_VERSION, ready ? "true" : "false",
		       json.data ? json.data : "");
	return ready ? 0 : 1;
}
