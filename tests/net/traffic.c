/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Packets in a sealed namespace: what each one meets, which rule it was, and
 * whether it reached anybody. Then each rule is left out in turn, and at least
 * one of the same packets must show it. */
#include "config.h"

#include "tests/unit/netns.h"
#include "tests/unit/unit.h"

#include <netinet/in.h>
#include <netinet/ip.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include "base/addr.h"
#include "base/cleanup.h"
#include "base/netlink.h"

#include "fw/kernel.h"
#include "fw/plan_int.h"

#include "sandbox/link.h"

#define autoplan cleanup(fw_plan_cleanup)
#define autolink cleanup(netlink_cleanup)

#define SILENCE 9999 /* neither an answer nor an error */
#define MARK    0x5ea1

enum way {
	TCP,
	UDP,
	UDP_MARKED, /* as the appliance's own sockets are */
	UDP_SOURCE, /* with an IPv4 source route (RFC 791) */
	UDP_ROUTED, /* with an IPv6 routing header of type 4 (RFC 8754) */
	ICMP,       /* and what follows: from a raw socket */
	SCTP,
	GRE,
	RAW_ACK, /* a TCP segment of no connection */
	RAW_RST,
};

struct packet {
	enum way way;
	const char *from; /* NULL: as routed */
	const char *to;
	uint16_t port;
	int outcome;      /* 0, errno, or SILENCE */
	const char *rule; /* whose counter rises ... */
	const char *then; /* ... and this one's, or NULL */
	bool arrives;     /* at a listener of ours */
};

/* TCP is reset at once: by this rule, and heard at home or elsewhere. */
#define RST(rule)        ECONNREFUSED, rule, "refused-tcp", false
#define RST_BACK(rule)   ECONNREFUSED, rule, "in-reset", false
/* All else is dropped, and the sender is told. */
#define DROP(rule)       EPERM, rule, "refused-other", false
/* Sent, and nobody's. */
#define LOST(rule, then) 0, rule, then, false
#define IN(rule, then)   0, rule, then, true

static const struct packet packets[] = {
	/* TCP to whatever is not inside: refused at once */
	{ TCP, NULL, "1.2.3.4", 80, RST("elsewhere") },
	{ TCP, NULL, "1.2.3.4", 8080, RST("elsewhere") },
	{ TCP, NULL, "1.2.3.4", 3128, RST("elsewhere") },
	{ TCP, NULL, "1.2.3.4", 53, RST("elsewhere") },
	{ TCP, NULL, "169.254.169.254", 80, RST("elsewhere") },
	{ TCP, NULL, "10.0.0.1", 8080, RST("elsewhere") },
	{ TCP, NULL, "126.255.255.255", 8080, RST("elsewhere") },
	{ TCP, NULL, "128.0.0.1", 8080, RST("elsewhere") },
	{ TCP, NULL, "240.0.0.1", 8080, RST("elsewhere") },
	{ TCP, NULL, "100.64.0.3", 8080, RST("elsewhere") },
	{ TCP, "127.0.0.1", "1.2.3.4", 8080, RST("elsewhere") },
	{ TCP, NULL, "2001:db8::66", 80, RST("elsewhere") },
	{ TCP, NULL, "2001:db8::66", 8080, RST("elsewhere") },
	{ TCP, NULL, "fd64::3", 8080, RST("elsewhere") },
	{ TCP, NULL, "64:ff9b::102:304", 8080, RST("elsewhere") },
	{ TCP, NULL, "::ffff:1.2.3.4", 8080, RST("elsewhere") },
	/* TCP to other ports of the gateway, though somebody listens */
	{ TCP, NULL, "100.64.0.1", 9999, RST("elsewhere") },
	{ TCP, NULL, "100.64.0.1", 8080, RST("elsewhere") },
	{ TCP, NULL, "fd64::1", 9999, RST("elsewhere") },
	{ TCP, NULL, "fd64::1", 8080, RST("elsewhere") },
	/* forged sources, to allowed targets as well; no hang for them */
	{ TCP, "5.6.7.8", "100.64.0.1", 3128, RST_BACK("forged-tcp4") },
	{ TCP, "5.6.7.8", "127.0.0.1", 8080, RST_BACK("forged-tcp4") },
	{ TCP, "5.6.7.8", "100.64.0.2", 8080, RST_BACK("forged-tcp4") },
	{ TCP, "5.6.7.8", "1.2.3.4", 80, RST_BACK("forged-tcp4") },
	{ TCP, "100.64.0.1", "100.64.0.1", 3128, RST("forged-tcp4") },
	{ TCP, "100.64.0.1", "127.0.0.1", 8080, RST("forged-tcp4") },
	{ TCP, "2001:db8::5", "fd64::1", 3128, RST_BACK("forged-tcp6") },
	{ TCP, "2001:db8::5", "::1", 8080, RST_BACK("forged-tcp6") },
	{ TCP, "fd64::1", "fd64::1", 3128, RST("forged-tcp6") },
	{ UDP, "5.6.7.8", "127.0.0.1", 8080, DROP("forged-other4") },
	{ UDP, "5.6.7.8", "100.64.0.2", 8080, DROP("forged-other4") },
	{ UDP, "100.64.0.1", "100.64.0.2", 8080, DROP("forged-other4") },
	{ UDP, "2001:db8::5", "::1", 8080, DROP("forged-other6") },
	{ UDP, "fd64::1", "fd64::2", 8080, DROP("forged-other6") },
	/* other protocols */
	{ UDP, NULL, "1.2.3.4", 53, DROP("elsewhere") },
	{ UDP, NULL, "1.2.3.4", 443, DROP("elsewhere") },
	{ UDP, NULL, "1.2.3.4", 8080, DROP("elsewhere") },
	{ UDP, NULL, "100.64.0.1", 53, DROP("elsewhere") },
	{ UDP, NULL, "100.64.0.1", 8080, DROP("elsewhere") },
	{ UDP, NULL, "224.0.0.251", 8080, DROP("elsewhere") },
	{ UDP, NULL, "255.255.255.255", 8080, DROP("elsewhere") },
	{ UDP, NULL, "2001:db8::66", 53, DROP("elsewhere") },
	{ UDP, NULL, "2001:db8::66", 8080, DROP("elsewhere") },
	{ UDP, NULL, "fd64::1", 53, DROP("elsewhere") },
	{ UDP_SOURCE, NULL, "127.0.0.1", 8080, DROP("ip-options") },
	{ UDP_SOURCE, NULL, "1.2.3.4", 8080, DROP("ip-options") },
	{ UDP_ROUTED, NULL, "::1", 8080, DROP("routing-header") },
	{ UDP_ROUTED, NULL, "2001:db8::66", 8080, DROP("routing-header") },
	{ ICMP, NULL, "1.2.3.4", 0, DROP("elsewhere") },
	{ ICMP, NULL, "100.64.0.1", 0, DROP("elsewhere") },
	{ ICMP, NULL, "2001:db8::66", 0, DROP("elsewhere") },
	{ ICMP, "5.6.7.8", "127.0.0.1", 0, DROP("forged-other4") },
	{ SCTP, NULL, "1.2.3.4", 0, DROP("elsewhere") },
	{ GRE, NULL, "1.2.3.4", 0, DROP("elsewhere") },
	{ GRE, NULL, "2001:db8::66", 0, DROP("elsewhere") },
	/* let out, and not let in again: nobody inside plays the outside */
	{ UDP_MARKED, NULL, "1.2.3.4", 8080, LOST("appliance", "in-foreign") },
	{ UDP_MARKED, NULL, "2001:db8::66", 8080,
	  LOST("appliance", "in-foreign") },
	{ RAW_ACK, NULL, "1.2.3.4", 8080, LOST("established", "in-foreign") },
	{ RAW_RST, NULL, "1.2.3.4", 8080, LOST("established", "in-reset") },
	/* what is allowed */
	{ TCP, NULL, "100.64.0.1", 3128, IN("gateway4-3128", "in-gateway4") },
	{ TCP, "127.0.0.1", "100.64.0.1", 3128,
	  IN("gateway4-3128", "established") },
	{ TCP, NULL, "fd64::1", 3128, IN("gateway6-3128", "in-gateway6") },
	{ TCP, NULL, "127.0.0.1", 8080, IN("loopback4", "in-loopback4") },
	{ TCP, NULL, "127.9.9.9", 8080, IN("loopback4", "established") },
	{ TCP, NULL, "100.64.0.2", 8080, IN("client4", "in-client4") },
	{ TCP, NULL, "::1", 8080, IN("loopback6", "in-loopback6") },
	{ TCP, NULL, "fd64::2", 8080, IN("client6", "in-client6") },
	{ UDP, NULL, "127.0.0.1", 8080, IN("loopback4", "in-loopback4") },
	{ UDP, NULL, "100.64.0.2", 8080, IN("client4", "in-client4") },
	{ UDP, NULL, "::1", 8080, IN("loopback6", "in-loopback6") },
	{ UDP_MARKED, "100.64.0.1", "100.64.0.2", 8080,
	  IN("appliance", "in-client4") },
	{ UDP_MARKED, "fd64::1", "fd64::2", 8080,
	  IN("appliance", "in-client6") },
	{ ICMP, NULL, "127.0.0.1", 0, LOST("loopback4", "in-loopback4") },
};

/* ---- sockets ---- */

static struct sockaddr_storage sockaddr_of(const char *text, uint16_t port,
					   socklen_t *size)
{
	struct endpoint endpoint = { .port = port };
	struct sockaddr_storage bytes;

	if (!addr_parse(span_of(text), &endpoint.addr))
		fail_msg("'%s' is no address", text);
	*size = endpoint_to_sockaddr(&endpoint, &bytes);
	return bytes;
}

static void bind_to(int fd, const char *text, uint16_t port)
{
	socklen_t size;
	struct sockaddr_storage bytes = sockaddr_of(text, port, &size);
	int on = 1;

	/* Anybody may bind any address here: IPv6 only asks for this. */
	(void)setsockopt(fd, SOL_IPV6, IPV6_FREEBIND, &on, sizeof(on));
	if (bind(fd, (struct sockaddr *)&bytes, size) < 0)
		fail_msg("cannot bind %s: %s", text, strerror(errno));
}

static int must_socket(const char *to, int type, int protocol)
{
	int family = strchr(to, ':') ? AF_INET6 : AF_INET;
	int fd = socket(family, type | SOCK_CLOEXEC | SOCK_NONBLOCK, protocol);

	if (fd < 0)
		fail_msg("no socket: %s", strerror(errno));
	return fd;
}

/* Only weakened plans leave anybody without an answer. */
static int patience_ms = 10000;

static int outcome_of_connect(int fd, const struct sockaddr_storage *to,
			      socklen_t size)
{
	struct pollfd poll_fd = { fd, POLLOUT, 0 };
	int number;

	if (connect(fd, (const struct sockaddr *)to, size) == 0)
		return 0;
	if (errno != EINPROGRESS)
		return errno;
	if (poll(&poll_fd, 1, patience_ms) == 0)
		return SILENCE;
	size = sizeof(number);
	assert_int_equal(getsockopt(fd, SOL_SOCKET, SO_ERROR, &number, &size),
			 0);
	return number;
}

/* A route of one segment, RFC 8754 section 2. */
static void ask_for_route(int fd, const char *via)
{
	struct {
		uint8_t next, length, type, left, last, flags;
		uint16_t tag;
		uint8_t segment[16];
	} header = { .length = 2, .type = 4 };
	struct addr addr;

	assert_true(addr_parse(span_of(via), &addr));
	memcpy(header.segment, addr.bytes, sizeof(header.segment));
	if (setsockopt(fd, SOL_IPV6, IPV6_RTHDR, &header, sizeof(header)) < 0)
		fail_msg("no routing header: %s", strerror(errno));
}

static void ask_for_source_route(int fd)
{
	/* Loose, 7 bytes, the first entry is next: 100.64.0.2; end of list. */
	static const uint8_t option[] = { 131, 7, 4, 100, 64, 0, 2, 0 };

	if (setsockopt(fd, SOL_IP, IP_OPTIONS, option, sizeof(option)) < 0)
		fail_msg("no source route: %s", strerror(errno));
}

static size_t fill_payload(const struct packet *packet, uint8_t *bytes)
{
	struct tcphdr tcp = { .th_sport = htons(7777),
			      .th_dport = htons(packet->port),
			      .th_off = 5 };

	memset(bytes, 0, sizeof(tcp));
	switch (packet->way) {
	case ICMP:
		bytes[0] = strchr(packet->to, ':') ? 128 : 8; /* echo */
		return 8;
	case RAW_ACK:
	case RAW_RST:
		tcp.th_flags = packet->way == RAW_ACK ? TH_ACK : TH_RST;
		memcpy(bytes, &tcp, sizeof(tcp));
		return sizeof(tcp);
	default:
		return 12;
	}
}

static int protocol_of(const struct packet *packet)
{
	switch (packet->way) {
	case ICMP:
		return strchr(packet->to, ':') ? IPPROTO_ICMPV6 : IPPROTO_ICMP;
	case SCTP:
		return IPPROTO_SCTP;
	case GRE:
		return IPPROTO_GRE;
	case RAW_ACK:
	case RAW_RST:
		return IPPROTO_TCP;
	default:
		return 0;
	}
}

static int send_packet(const struct packet *packet)
{
	const int type = packet->way == TCP    ? SOCK_STREAM
			 : packet->way >= ICMP ? SOCK_RAW
					       : SOCK_DGRAM;
	const uint32_t mark = MARK;
	const int on = 1;
	autoclose int fd = must_socket(packet->to, type, protocol_of(packet));
	struct sockaddr_storage to;
	socklen_t size;
	uint8_t payload[64];

	to = sockaddr_of(packet->to, type == SOCK_RAW ? 0 : packet->port,
			 &size);
	(void)setsockopt(fd, SOL_SOCKET, SO_BROADCAST, &on, sizeof(on));
	if (packet->way == UDP_MARKED)
		assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_MARK, &mark,
					    sizeof(mark)),
				 0);
	if (packet->way == UDP_SOURCE)
		ask_for_source_route(fd);
	if (packet->way == UDP_ROUTED)
		ask_for_route(fd, "fd64::2");
	if (packet->from)
		bind_to(fd, packet->from, 0);
	if (packet->way == TCP)
		return outcome_of_connect(fd, &to, size);
	if (sendto(fd, payload, fill_payload(packet, payload), 0,
		   (struct sockaddr *)&to, size) < 0)
		return errno;
	return 0;
}

/* ---- who listens ---- */

static const struct {
	const char *at;
	uint16_t port;
	int type;
	bool appliance;
} posts[] = {
	{ "100.64.0.1", 3128, SOCK_STREAM, true },
	{ "fd64::1", 3128, SOCK_STREAM, true },
	{ "100.64.0.1", 9999, SOCK_STREAM, false },
	{ "fd64::1", 9999, SOCK_STREAM, false },
	{ "0.0.0.0", 8080, SOCK_STREAM, false },
	{ "::", 8080, SOCK_STREAM, false },
	{ "0.0.0.0", 8080, SOCK_DGRAM, false },
	{ "::", 8080, SOCK_DGRAM, false },
};

static int listeners[ARRAY_SIZE(posts)];

static void post_listeners(void)
{
	const uint32_t mark = MARK;
	const int on = 1;

	for (size_t i = 0; i < ARRAY_SIZE(posts); i++) {
		int fd = must_socket(posts[i].at, posts[i].type, 0);

		(void)setsockopt(fd, SOL_IPV6, IPV6_V6ONLY, &on, sizeof(on));
		if (posts[i].appliance)
			assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_MARK,
						    &mark, sizeof(mark)),
					 0);
		bind_to(fd, posts[i].at, posts[i].port);
		if (posts[i].type == SOCK_STREAM)
			assert_int_equal(listen(fd, 64), 0);
		listeners[i] = fd;
	}
}

static void dismiss_listeners(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(posts); i++)
		fd_close(&listeners[i]);
}

/* Take in all that arrived; was it anything? */
static bool collect(void)
{
	bool any = false;
	char byte;

	for (size_t i = 0; i < ARRAY_SIZE(posts); i++) {
		int fd;

		while (posts[i].type == SOCK_DGRAM &&
		       recv(listeners[i], &byte, 1, 0) >= 0)
			any = true;
		while (posts[i].type == SOCK_STREAM &&
		       (fd = accept4(listeners[i], NULL, NULL, SOCK_CLOEXEC)) >=
			       0) {
			any = true;
			close(fd);
		}
	}
	return any;
}

/* ---- the judgement ---- */

static uint64_t rise(const struct fw_counters *before,
		     const struct fw_counters *after, const char *rule)
{
	return fw_counter_of(after, rule) - fw_counter_of(before, rule);
}

/* What is wrong with the packet's way, or NULL. */
static const char *judge(struct netlink *link, const struct fw_plan *plan,
			 const struct packet *packet)
{
	struct fw_counters before, after;
	struct error err;
	int outcome;
	bool arrived;

	assert_int_equal(fw_counters_read(link, plan, &before, &err), 0);
	outcome = send_packet(packet);
	arrived = collect();
	assert_int_equal(fw_counters_read(link, plan, &after, &err), 0);
	if (outcome != packet->outcome)
		return outcome == SILENCE ? "no answer" : strerror(outcome);
	if (arrived != packet->arrives)
		return arrived ? "it arrived" : "it did not arrive";
	if (!rise(&before, &after, packet->rule))
		return packet->rule;
	if (packet->then && !rise(&before, &after, packet->then))
		return packet->then;
	if (!packet->arrives && packet->outcome &&
	    fw_counters_refused(&after) != fw_counters_refused(&before) + 1)
		return "not refused once";
	return NULL;
}

static struct link_addrs sealed_links(const struct fw_sealed *sealed)
{
	return (struct link_addrs){
		.client4 = sealed->client4,
		.client6 = sealed->client6,
		.gateway4 = sealed->gateway4,
		.gateway6 = sealed->gateway6,
	};
}

static struct netlink *seal(struct fw_plan **plan)
{
	const struct fw_sealed sealed = fw_sealed_default();
	const struct link_addrs links = sealed_links(&sealed);
	struct netlink *link;
	struct error err;

	enter_netns();
	if (link_up_sealed(&links, &err) < 0)
		fail_msg("%s", err.text);
	link = netlink_open(NETLINK_NETFILTER, &err);
	*plan = fw_plan_sealed(&sealed, &err);
	if (!link || !*plan || fw_commit(link, *plan, &err) < 0 ||
	    fw_verify(link, *plan, &err) < 0)
		fail_msg("%s", err.text);
	post_listeners();
	return link;
}

static void each_packet_meets_its_rule(void **state)
{
	autoplan struct fw_plan *plan = NULL;
	autolink struct netlink *link = NULL;

	(void)state;
	link = seal(&plan);
	for (size_t i = 0; i < ARRAY_SIZE(packets); i++) {
		const char *wrong = judge(link, plan, &packets[i]);

		if (wrong)
			fail_msg("packet %zu, way %d from %s to %s:%u: %s", i,
				 packets[i].way,
				 packets[i].from ? packets[i].from : "-",
				 packets[i].to, packets[i].port, wrong);
	}
	dismiss_listeners();
}

/* The plan without the rule, but with its counter: as a faulty kernel would. */
static void commit_without(struct netlink *link, const struct fw_plan *plan,
			   size_t c, size_t i)
{
	autoplan struct fw_plan *weak = malloc(sizeof(*weak));
	struct fw_rule *rule;
	struct error err;

	assert_non_null(weak);
	*weak = *plan;
	rule = &weak->chains[c].rules[i];
	/* Marked with what no packet has, it never acts. */
	rule->match_count = 1;
	rule->matches[0] = (struct fw_match){ .kind = FW_MARK, .mark = 0xdead };
	if (fw_commit(link, weak, &err) < 0)
		fail_msg("%s", err.text);
}

static void each_rule_left_out_shows(void **state)
{
	autoplan struct fw_plan *plan = NULL;
	autolink struct netlink *link = NULL;

	(void)state;
	link = seal(&plan);
	patience_ms = 100;
	for (size_t c = 0; c < plan->chain_count; c++)
		for (size_t i = 0; i < plan->chains[c].rule_count; i++) {
			const char *id = plan->chains[c].rules[i].id;
			const char *wrong = NULL;

			if (strcmp(plan->chains[c].name, "forward") == 0)
				continue; /* nothing is: see sealed.tap */
			commit_without(link, plan, c, i);
			for (size_t p = 0; p < ARRAY_SIZE(packets) && !wrong;
			     p++)
				wrong = judge(link, plan, &packets[p]);
			if (!wrong)
				fail_msg("nothing shows that '%s' is missing",
					 id);
		}
	dismiss_listeners();
}

/*
 * The control to "let out, and not let in again": where input lets everything
 * in, the same packets do reach a listener that is bound to all addresses.
 */
static void without_input_rules_it_would_arrive(void **state)
{
	static const struct packet let_out[] = {
		{ .way = UDP_MARKED, .to = "1.2.3.4", .port = 8080 },
		{ .way = UDP_MARKED, .to = "2001:db8::66", .port = 8080 },
	};
	autoplan struct fw_plan *plan = NULL;
	autolink struct netlink *link = NULL;
	struct error err;

	(void)state;
	link = seal(&plan);
	for (size_t i = 0; i < ARRAY_SIZE(let_out); i++) {
		assert_int_equal(send_packet(&let_out[i]), 0);
		assert_false(collect());
	}
	for (size_t c = 0; c < plan->chain_count; c++)
		if (strcmp(plan->chains[c].name, "input") == 0) {
			plan->chains[c].rule_count = 0;
			plan->chains[c].policy = FW_ACCEPT;
		}
	assert_int_equal(fw_commit(link, plan, &err), 0);
	for (size_t i = 0; i < ARRAY_SIZE(let_out); i++) {
		assert_int_equal(send_packet(&let_out[i]), 0);
		assert_true(collect());
	}
	dismiss_listeners();
}

/* Setting up and being idle emits nothing that would count as refused. */
static void silence_counts_nothing(void **state)
{
	autoplan struct fw_plan *plan = NULL;
	autolink struct netlink *link = NULL;
	struct fw_counters counters;
	struct error err;

	(void)state;
	link = seal(&plan);
	assert_int_equal(fw_counters_read(link, plan, &counters, &err), 0);
	for (size_t i = 0; i < counters.count; i++)
		if (counters.list[i].packets)
			fail_msg("'%s' has counted", counters.list[i].rule);
	dismiss_listeners();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_packet_meets_its_rule),
		cmocka_unit_test(each_rule_left_out_shows),
		cmocka_unit_test(without_input_rules_it_would_arrive),
		cmocka_unit_test(silence_counts_nothing),
	};
	int status;

	if (!enter_sandbox(&status))
		return status;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
