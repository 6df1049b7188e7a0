/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tests/unit/netns.h"
#include "tests/unit/unit.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <linux/if_link.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/rtnetlink.h>

#include "base/cleanup.h"
#include "base/netlink.h"

#define autolink cleanup(netlink_cleanup)

static void only_netlink_sockets_are_adopted(void **state)
{
	int fds[] = {
		open("/dev/null", O_RDONLY | O_CLOEXEC),
		socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0),
		socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0),
	};
	struct error err;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(fds); i++) {
		assert_null(netlink_adopt(fds[i], &err));
		assert_int_equal(fcntl(fds[i], F_GETFD), FD_CLOEXEC);
		close(fds[i]);
	}
	assert_null(netlink_adopt(-1, &err));
}

static int count_links(const struct nlmsghdr *message, void *arg,
		       struct error *err)
{
	int *links = arg;

	(void)err;
	assert_int_equal(message->nlmsg_type, RTM_NEWLINK);
	++*links;
	return 0;
}

static int stop_at_once(const struct nlmsghdr *message, void *arg,
			struct error *err)
{
	int *calls = arg;

	(void)message;
	++*calls;
	return error_set(err, "seen enough");
}

static int dump_links(struct netlink *link, netlink_each_fn *each, int *count,
		      struct error *err)
{
	const struct ifinfomsg any = { .ifi_family = AF_UNSPEC };
	struct netlink_request request;

	*count = 0;
	netlink_request_start(&request, RTM_GETLINK, 0, &any, sizeof(any));
	return netlink_dump(link, &request.header, each, count, "list links",
			    err);
}

static void a_dump_reaches_every_message(void **state)
{
	struct error err;
	autolink struct netlink *link = NULL;
	int count;

	(void)state;
	enter_netns();
	link = netlink_open(NETLINK_ROUTE, &err);
	assert_non_null(link);
	assert_int_equal(dump_links(link, count_links, &count, &err), 0);
	assert_true(count >= 1);
	assert_int_equal(dump_links(link, stop_at_once, &count, &err), -1);
	assert_int_equal(count, 1);
	assert_string_equal(err.text, "seen enough");
	/* What was given up does not disturb what follows. */
	assert_int_equal(dump_links(link, count_links, &count, &err), 0);
}

static void a_refusal_names_what_was_asked(void **state)
{
	const struct ifinfomsg none = { .ifi_index = 0x7ffffff0 };
	struct netlink_request request;
	struct error err;
	autolink struct netlink *link = NULL;

	(void)state;
	enter_netns();
	link = netlink_open(NETLINK_ROUTE, &err);
	assert_non_null(link);
	netlink_request_start(&request, RTM_DELLINK, 0, &none, sizeof(none));
	assert_int_equal(netlink_talk(link, &request.header, "remove nothing",
				      &err),
			 -1);
	assert_int_equal(err.kind, ERROR_SYSTEM);
	assert_int_equal(err.number, ENODEV);
	assert_non_null(strstr(err.text, "refused to remove nothing"));
}

static void an_adopted_socket_acts_where_it_was_made(void **state)
{
	struct error err;
	autolink struct netlink *link = NULL;
	int fd, count;

	(void)state;
	enter_netns();
	fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
	assert_true(fd >= 0);
	enter_netns();
	link = netlink_adopt(fd, &err);
	assert_non_null(link);
	assert_int_equal(netlink_fd(link), fd);
	assert_int_equal(dump_links(link, count_links, &count, &err), 0);
	assert_true(count >= 1);
}

/* A batch that holds something which no subsystem knows. */
static size_t build_batch(char *bytes, uint16_t type)
{
	const struct nfgenmsg framing = {
		.nfgen_family = AF_UNSPEC,
		.res_id = htons(NFNL_SUBSYS_NFTABLES),
	};
	const struct nfgenmsg inside = { .nfgen_family = AF_UNSPEC };
	const struct {
		uint16_t type, flags;
		const struct nfgenmsg *body;
	} parts[] = {
		{ NFNL_MSG_BATCH_BEGIN, 0, &framing },
		{ type, NLM_F_ACK, &inside },
		{ NFNL_MSG_BATCH_END, 0, &framing },
	};
	size_t size = 0;

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		struct netlink_request request;

		netlink_request_start(&request, parts[i].type, parts[i].flags,
				      parts[i].body, sizeof(framing));
		memcpy(bytes + size, request.bytes, request.header.nlmsg_len);
		size += request.header.nlmsg_len;
	}
	return size;
}

static void a_refused_batch_names_its_part(void **state)
{
	static const char *const names[] = { "the beginning", "the middle",
					     "the end" };
	_Alignas(struct nlmsghdr) char bytes[256];
	size_t size = build_batch(bytes, NFNL_SUBSYS_NFTABLES << 8 | 0xff);
	struct error err;
	autolink struct netlink *link = NULL;

	(void)state;
	enter_netns();
	link = netlink_open(NETLINK_NETFILTER, &err);
	assert_non_null(link);
	assert_int_equal(netlink_batch(link, bytes, size, names,
				       ARRAY_SIZE(names), &err),
			 -1);
	assert_non_null(strstr(err.text, "refused the middle"));
}

static void without_rights_the_kernel_refuses(void **state)
{
	static const char *const names[] = { "the beginning", "the middle",
					     "the end" };
	_Alignas(struct nlmsghdr) char bytes[256];
	size_t size = build_batch(bytes, NFNL_SUBSYS_NFTABLES << 8);
	struct error err;
	autolink struct netlink *link = NULL;

	(void)state;
	enter_netns();
	link = netlink_open(NETLINK_NETFILTER, &err);
	assert_non_null(link);
	/* The socket stays in a namespace that is not ours any more. */
	assert_int_equal(unshare(CLONE_NEWUSER), 0);
	assert_int_equal(netlink_batch(link, bytes, size, names,
				       ARRAY_SIZE(names), &err),
			 -1);
	assert_int_equal(err.number, EPERM);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_netlink_sockets_are_adopted),
		cmocka_unit_test(a_dump_reaches_every_message),
		cmocka_unit_test(a_refusal_names_what_was_asked),
		cmocka_unit_test(an_adopted_socket_acts_where_it_was_made),
		cmocka_unit_test(a_refused_batch_names_its_part),
		cmocka_unit_test(without_rights_the_kernel_refuses),
	};
	int status;

	if (!enter_sandbox(&status))
		return status;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
