/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Listeners on loopback, and holes: a listener whose queue is full drops what
 * still comes, as a filter on the way would. */
#include "config.h"

#include "tests/unit/unit.h"

#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd.h"
#include "proxy/dial.h"

#define PATIENCE_MS 20000 /* a hang, not a slow machine */
#define HOLE_MAX    8     /* connections that a queue of none may still take */

static struct {
	struct event_base *base;
	uint16_t port;
	int good, hole; /* listeners: 127.0.0.2, 127.0.0.3 */
	int fill[HOLE_MAX];
	size_t filled;
	struct dial_result result;
	bool done;
} t;

static struct sockaddr_in sockaddr(uint8_t last)
{
	struct sockaddr_in at = { .sin_family = AF_INET,
				  .sin_port = htons(t.port) };

	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK - 1 + last);
	return at;
}

static int listen_at(uint8_t last, int backlog)
{
	struct sockaddr_in at = sockaddr(last);
	socklen_t size = sizeof(at);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_true(fd >= 0);
	assert_int_equal(bind(fd, (struct sockaddr *)&at, size), 0);
	assert_int_equal(listen(fd, backlog), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&at, &size), 0);
	t.port = ntohs(at.sin_port);
	return fd;
}

static bool hole_took(void)
{
	struct sockaddr_in at = sockaddr(3);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	struct pollfd waiting = { fd, POLLOUT, 0 };

	assert_true(fd >= 0);
	assert_int_equal(connect(fd, (struct sockaddr *)&at, sizeof(at)), -1);
	assert_int_equal(errno, EINPROGRESS);
	t.fill[t.filled++] = fd;
	return poll(&waiting, 1, 100) == 1;
}

static int setup(void **state)
{
	(void)state;
	t.base = event_base_new();
	assert_non_null(t.base);
	t.good = listen_at(2, 64);
	t.hole = listen_at(3, 0);
	while (hole_took())
		assert_true(t.filled < HOLE_MAX);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	for (size_t i = 0; i < t.filled; i++)
		fd_close(&t.fill[i]);
	fd_close(&t.good);
	fd_close(&t.hole);
	event_base_free(t.base);
	return 0;
}

static void done_cb(const struct dial_result *result, void *arg)
{
	(void)arg;
	assert_false(t.done);
	t.done = true;
	t.result = *result;
	event_base_loopbreak(t.base);
}

static struct dial *start(const char *const *texts, size_t count,
			  uint64_t timeout_ms)
{
	struct addr addrs[64];
	struct error err;
	struct dial *dial;

	for (size_t i = 0; i < count; i++)
		assert_true(addr_parse(span_of(texts[i]), &addrs[i]));
	t.done = false;
	dial = dial_start(t.base, addrs, count, t.port, timeout_ms, done_cb,
			  NULL, &err);
	assert_non_null(dial);
	assert_false(t.done);
	return dial;
}

#define LIST_MAX 20

/* at: who answered; NULL: nobody, with this number. */
static const struct {
	const char *id;
	const char *addrs[LIST_MAX];
	uint64_t timeout_ms;
	const char *at;
	int number;
} cases[] = {
	{ "nobody", { NULL }, PATIENCE_MS, NULL, EHOSTUNREACH },
	{ "refused", { "127.0.0.4" }, PATIENCE_MS, NULL, ECONNREFUSED },
	{ "refused by both families",
	  { "::1", "127.0.0.4" },
	  PATIENCE_MS,
	  NULL,
	  ECONNREFUSED },
	{ "a hole", { "127.0.0.3" }, 300, NULL, ETIMEDOUT },
	{ "I7: holes alone, in all no longer",
	  { "127.0.0.3", "127.0.0.3", "127.0.0.3", "127.0.0.3", "127.0.0.3",
	    "127.0.0.3", "127.0.0.3", "127.0.0.3", "127.0.0.3", "127.0.0.3",
	    "127.0.0.3", "127.0.0.3", "127.0.0.3", "127.0.0.3", "127.0.0.3",
	    "127.0.0.3", "127.0.0.3", "127.0.0.3", "127.0.0.3" },
	  300,
	  NULL,
	  ETIMEDOUT },
	{ "the one after the sixteenth is not tried",
	  { "127.0.0.4", "127.0.0.4", "127.0.0.4", "127.0.0.4", "127.0.0.4",
	    "127.0.0.4", "127.0.0.4", "127.0.0.4", "127.0.0.4", "127.0.0.4",
	    "127.0.0.4", "127.0.0.4", "127.0.0.4", "127.0.0.4", "127.0.0.4",
	    "127.0.0.4", "127.0.0.2" },
	  PATIENCE_MS,
	  NULL,
	  ECONNREFUSED },
	{ "one behind a hole",
	  { "127.0.0.3", "127.0.0.2" },
	  PATIENCE_MS,
	  "127.0.0.2",
	  0 },
	{ "one behind a refusal and a hole",
	  { "127.0.0.4", "127.0.0.3", "127.0.0.2" },
	  PATIENCE_MS,
	  "127.0.0.2",
	  0 },
	{ "the other family",
	  { "::1", "127.0.0.2" },
	  PATIENCE_MS,
	  "127.0.0.2",
	  0 },
	{ "plain", { "127.0.0.2" }, PATIENCE_MS, "127.0.0.2", 0 },
};

static size_t length(const char *const *list)
{
	size_t count = 0;

	while (count < LIST_MAX && list[count])
		count++;
	return count;
}

static void check_result(size_t i)
{
	if (!cases[i].at) {
		if (t.result.fd >= 0 || t.result.number != cases[i].number)
			fail_msg("%s: fd %d number %d", cases[i].id,
				 t.result.fd, t.result.number);
		return;
	}
	if (t.result.fd < 0)
		fail_msg("%s: number %d", cases[i].id, t.result.number);
	assert_string_equal(addr_print(&t.result.at.addr).text, cases[i].at);
	assert_int_equal(t.result.at.port, t.port);
	fd_close(&t.result.fd);
}

static void addresses_are_tried_as_listed(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		uint64_t began = clock_monotonic_ms(), took;

		start(cases[i].addrs, length(cases[i].addrs),
		      cases[i].timeout_ms);
		event_base_dispatch(t.base);
		assert_true(t.done);
		check_result(i);
		/* in all, not for each; the loop's clock is a coarse one */
		took = clock_monotonic_ms() - began;
		if (cases[i].number == ETIMEDOUT)
			assert_in_range(took, cases[i].timeout_ms - 50,
					DIAL_ADDRS_MAX * DIAL_STAGGER_MS);
	}
}

/* at: who answers where ::1 does as well. */
static const struct {
	const char *addrs[LIST_MAX], *at;
} orders[] = {
	{ { "127.0.0.2", "::1" }, "127.0.0.2" },
	{ { "::1", "127.0.0.2" }, "::1" },
	/* behind a hole it is the other family's turn */
	{ { "127.0.0.3", "127.0.0.2", "::1" }, "::1" },
	{ { "127.0.0.3", "127.0.0.2", "127.0.0.4", "::1" }, "::1" },
	/* one that fails costs no time: the next in line is tried at once */
	{ { "127.0.0.4", "::1", "127.0.0.2" }, "::1" },
};

static int listen_at_ipv6(void)
{
	struct sockaddr_in6 at = { .sin6_family = AF_INET6,
				   .sin6_port = htons(t.port),
				   .sin6_addr = IN6ADDR_LOOPBACK_INIT };
	int fd = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd >= 0 && (bind(fd, (struct sockaddr *)&at, sizeof(at)) < 0 ||
			listen(fd, 64) < 0))
		fd_close(&fd);
	return fd;
}

static void families_take_turns(void **state)
{
	int fd = listen_at_ipv6();

	(void)state;
	if (fd < 0) {
		print_message("# SKIP this machine has no ::1\n");
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(orders); i++) {
		start(orders[i].addrs, length(orders[i].addrs), PATIENCE_MS);
		event_base_dispatch(t.base);
		assert_true(t.result.fd >= 0);
		assert_string_equal(addr_print(&t.result.at.addr).text,
				    orders[i].at);
		fd_close(&t.result.fd);
	}
	fd_close(&fd);
}

static void a_cancelled_dial_says_nothing(void **state)
{
	static const char *const addrs[] = { "127.0.0.3", "127.0.0.2" };
	struct dial *dial = start(addrs, ARRAY_SIZE(addrs), 10);

	(void)state;
	dial_cancel(dial);
	assert_int_equal(event_base_dispatch(t.base), 1); /* nothing is left */
	assert_false(t.done);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(addresses_are_tried_as_listed),
		cmocka_unit_test(families_take_turns),
		cmocka_unit_test(a_cancelled_dial_says_nothing),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
