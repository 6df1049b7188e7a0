/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tests/unit/unit.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fd.h"
#include "base/spawn.h"
#include "base/yaml.h"
#include "policy/ruleset.h"

/* A programmer's mistake ends the process, says where, and does no more. */
static void plain_bug(void)
{
	bug("number %d", 7);
}

static void consume_too_much(void)
{
	struct buf buf = BUF_INIT(10);

	buf_add_text(&buf, "abc");
	buf_consume(&buf, 4);
}

static void item_out_of_range(void)
{
	struct error err;
	struct yaml_doc *doc = yaml_load_text("f", SPAN("[a]"), &err);

	if (doc)
		yaml_item(yaml_root(doc), 1);
}

static void key_of_a_list(void)
{
	struct error err;
	struct yaml_doc *doc = yaml_load_text("f", SPAN("[a]"), &err);

	if (doc)
		yaml_key(yaml_root(doc), 0);
}

static void pass_no_descriptor(void)
{
	struct error err;
	int fd = 0, result = fd_send(0, &fd, 0, &err);

	(void)result;
}

static void spawn_with_too_many(void)
{
	const struct spawn spawn = { .fd_count = SPAWN_FDS_MAX + 1 };
	struct error err;
	pid_t pid = spawn_start(&spawn, &err);

	(void)pid;
}

static void spawn_with_a_high_number(void)
{
	const struct spawn spawn = { .fds = { { 0, SPAWN_FD_LAST + 1 } },
				     .fd_count = 1 };
	struct error err;
	pid_t pid = spawn_start(&spawn, &err);

	(void)pid;
}

static void rule_without_a_kind(void)
{
	struct ruleset set = { 0 };
	struct rule rule = { 0 };
	int result = ruleset_add(&set, &rule);

	(void)result;
}

static void wait_for_nobody(void)
{
	spawn_wait(getpid());
}

static const struct {
	void (*act)(void);
	const char *says;
} cases[] = {
	{ plain_bug, "number 7\n" },
	{ consume_too_much, "consume 4 of 3 bytes\n" },
	{ item_out_of_range, "item 1 of 1\n" },
	{ key_of_a_list, "key 0 of 1\n" },
	{ pass_no_descriptor, "cannot pass 0 descriptors\n" },
	{ spawn_with_too_many, " descriptors for one child\n" },
	{ spawn_with_a_high_number, " for a child\n" },
	{ rule_without_a_kind, "a rule without a kind\n" },
	{ wait_for_nobody, "No child processes\n" },
};

static void bugs_abort_and_say_where(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char said[400] = "";
		int pipe_fds[2], status;
		ssize_t n;
		pid_t pid;

		assert_int_equal(pipe(pipe_fds), 0);
		pid = fork();
		assert_true(pid >= 0);
		if (pid == 0) {
			setrlimit(RLIMIT_CORE, &(struct rlimit){ 0 });
			signal(SIGABRT, SIG_DFL);
			dup2(pipe_fds[1], STDERR_FILENO);
			cases[i].act();
			_exit(0);
		}
		close(pipe_fds[1]);
		while ((n = read(pipe_fds[0], said + strlen(said),
				 sizeof(said) - 1 - strlen(said))) > 0)
			;
		close(pipe_fds[0]);
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
		assert_int_equal(strncmp(said, "bug at ", 7), 0);
		if (!strstr(said, cases[i].says))
			fail_msg("case %zu: %s", i, said);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bugs_abort_and_say_where),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
