/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "base/netlink.h"

#include <errno.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <libmnl/libmnl.h>

#include "base/buf.h"
#include "base/cleanup.h"

/* The kernel never makes a message of a dump longer than this. */
#define ANSWER_MAX   32768
#define DUMP_MAX     (8u << 20)
#define DUMP_TRIES   8
#define BATCH_BUFFER (1 << 20)

struct netlink {
	struct mnl_socket *socket;
	unsigned seq; /* of the last message sent */
	alignas(struct nlmsghdr) char answer[ANSWER_MAX];
};

/*
 * Refusals then come with the kernel's own words and without a copy of what
 * was refused. Both are conveniences; old kernels have neither.
 */
static void ask_for_words(struct mnl_socket *socket)
{
	int on = 1;

	(void)mnl_socket_setsockopt(socket, NETLINK_EXT_ACK, &on, sizeof(on));
	(void)mnl_socket_setsockopt(socket, NETLINK_CAP_ACK, &on, sizeof(on));
}

struct netlink *netlink_open(int bus, struct error *err)
{
	cleanup(netlink_cleanup) struct netlink *link =
		calloc(1, sizeof(*link));

	if (link)
		link->socket = mnl_socket_open2(bus, SOCK_CLOEXEC);
	if (!link || !link->socket ||
	    mnl_socket_bind(link->socket, 0, MNL_SOCKET_AUTOPID) < 0) {
		error_sys(err, "cannot open a netlink socket");
		return NULL;
	}
	ask_for_words(link->socket);
	return steal(link);
}

struct netlink *netlink_adopt(int fd, struct error *err)
{
	cleanup(netlink_cleanup) struct netlink *link =
		calloc(1, sizeof(*link));
	int domain = -1;
	socklen_t size = sizeof(domain);

	if (!link ||
	    getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &size) < 0) {
		error_sys(err, "cannot use descriptor %d for netlink", fd);
		return NULL;
	}
	if (domain != AF_NETLINK) {
		error_set(err, "descriptor %d is not a netlink socket", fd);
		return NULL;
	}
	link->socket = mnl_socket_fdopen(fd);
	if (!link->socket) {
		error_sys(err, "cannot use descriptor %d for netlink", fd);
		return NULL;
	}
	ask_for_words(link->socket);
	return steal(link);
}

void netlink_free(struct netlink *link)
{
	if (!link)
		return;
	if (link->socket)
		mnl_socket_close(link->socket);
	free(link);
}

void netlink_cleanup(struct netlink **link)
{
	netlink_free(*link);
}

int netlink_fd(const struct netlink *link)
{
	return mnl_socket_get_fd(link->socket);
}

void netlink_request_start(struct netlink_request *request, uint16_t type,
			   uint16_t flags, const void *body, size_t size)
{
	struct nlmsghdr *header;

	memset(request, 0, sizeof(*request));
	header = mnl_nlmsg_put_header(request->bytes);
	header->nlmsg_type = type;
	header->nlmsg_flags = NLM_F_REQUEST | flags;
	if (MNL_ALIGN(size) > sizeof(*request) - MNL_NLMSG_HDRLEN)
		bug("a netlink body of %zu bytes", size);
	memcpy(mnl_nlmsg_put_extra_header(header, size), body, size);
}

void netlink_request_add(struct netlink_request *request, uint16_t type,
			 const void *data, size_t size)
{
	if (!mnl_attr_put_check(&request->header, sizeof(*request), type, size,
				data))
		bug("netlink attribute %u of %zu bytes does not fit", type,
		    size);
}

void netlink_request_add_u32(struct netlink_request *request, uint16_t type,
			     uint32_t value)
{
	netlink_request_add(request, type, &value, sizeof(value));
}

static int send_bytes(struct netlink *link, const void *bytes, size_t size,
		      struct error *err)
{
	if (mnl_socket_sendto(link->socket, bytes, size) < 0)
		return error_sys(err, "cannot send to the kernel");
	return 0;
}

/*
 * The next datagram, in link->answer; its size. A process with rights over the
 * namespace could send us one as well: only the kernel has port 0.
 */
static ssize_t receive(struct netlink *link, struct error *err)
{
	struct sockaddr_nl from = { 0 };
	socklen_t from_size;
	ssize_t n;

	do {
		from_size = sizeof(from);
		n = recvfrom(netlink_fd(link), link->answer,
			     sizeof(link->answer), MSG_DONTWAIT | MSG_TRUNC,
			     (struct sockaddr *)&from, &from_size);
	} while (n < 0 && errno == EINTR);
	if (n < 0 && errno == EAGAIN)
		return error_kind_set(err, ERROR_SYSTEM,
				      "the kernel gave no answer");
	if (n < 0)
		return error_sys(err, "cannot read the kernel's answer");
	if ((size_t)n > sizeof(link->answer))
		return error_kind_set(err, ERROR_SYSTEM,
				      "the kernel's answer is %zd bytes long",
				      n);
	if (from_size != sizeof(from) || from.nl_pid != 0)
		return error_kind_set(err, ERROR_BOUNDARY,
				      "process %u answered in place of the "
				      "kernel",
				      from.nl_pid);
	return n;
}

/* The kernel's own words about a refusal, or NULL. */
static const char *refusal_words(const struct nlmsghdr *message)
{
	const struct nlmsgerr *told = mnl_nlmsg_get_payload(message);
	size_t offset = sizeof(*told);
	const struct nlattr *attr;

	if (!(message->nlmsg_flags & NLM_F_ACK_TLVS))
		return NULL;
	if (!(message->nlmsg_flags & NLM_F_CAPPED))
		offset += told->msg.nlmsg_len - MNL_NLMSG_HDRLEN;
	if (offset > mnl_nlmsg_get_payload_len(message))
		return NULL;
	mnl_attr_for_each(
		attr, message,
		offset) if (mnl_attr_get_type(attr) == NLMSGERR_ATTR_MSG &&
			    mnl_attr_validate(attr, MNL_TYPE_NUL_STRING) ==
				    0) return mnl_attr_get_str(attr);
	return NULL;
}

/* 0 for a good acknowledgement; else an error that begins with refused. */
static int read_ack(const struct nlmsghdr *message, const char *refused,
		    const char *what, struct error *err)
{
	const struct nlmsgerr *told = mnl_nlmsg_get_payload(message);
	const char *words;

	if (mnl_nlmsg_get_payload_len(message) < sizeof(*told))
		return error_kind_set(err, ERROR_SYSTEM,
				      "the kernel's answer is cut short");
	if (told->error == 0)
		return 0;
	words = refusal_words(message);
	errno = -told->error;
	if (words)
		return error_sys(err, "the kernel refused %s%s (%s)", refused,
				 what, words);
	return error_sys(err, "the kernel refused %s%s", refused, what);
}

int netlink_talk(struct netlink *link, struct nlmsghdr *request,
		 const char *what, struct error *err)
{
	request->nlmsg_flags |= NLM_F_ACK;
	request->nlmsg_seq = ++link->seq;
	if (send_bytes(link, request, request->nlmsg_len, err) < 0)
		return error_wrap(err, "cannot %s", what);
	for (;;) {
		const struct nlmsghdr *message = (void *)link->answer;
		ssize_t size = receive(link, err);
		int left = (int)size;

		if (size < 0)
			return error_wrap(err, "cannot %s", what);
		for (; mnl_nlmsg_ok(message, left);
		     message = mnl_nlmsg_next(message, &left))
			if (message->nlmsg_seq == link->seq &&
			    message->nlmsg_type == NLMSG_ERROR)
				return read_ack(message, "to ", what, err);
	}
}

/* What one datagram of a dump leads to. */
enum dump_state {
	DUMP_GOES_ON,
	DUMP_DONE,
	DUMP_TORN, /* something changed meanwhile: ask again */
};

/* 1 at the end of a whole dump; the kernel may also end one by an error. */
static int read_end(const struct nlmsghdr *message, const char *what,
		    struct error *err)
{
	const int *number = mnl_nlmsg_get_payload(message);

	if (mnl_nlmsg_get_payload_len(message) < sizeof(*number) ||
	    *number >= 0)
		return 1;
	errno = -*number;
	return error_sys(err, "the kernel refused to %s", what);
}

/* 1: the dump has ended; 0: there is more. */
static int take_datagram(struct netlink *link, ssize_t size, struct buf *all,
			 enum dump_state *state, const char *what,
			 struct error *err)
{
	const struct nlmsghdr *message = (void *)link->answer;
	int left = (int)size;

	for (; mnl_nlmsg_ok(message, left);
	     message = mnl_nlmsg_next(message, &left)) {
		if (message->nlmsg_seq != link->seq)
			continue; /* of a request that was given up */
		if (message->nlmsg_type == NLMSG_ERROR &&
		    read_ack(message, "to ", what, err) < 0)
			return -1;
		if (message->nlmsg_flags & NLM_F_DUMP_INTR)
			*state = DUMP_TORN;
		if (message->nlmsg_type == NLMSG_DONE) {
			if (*state == DUMP_GOES_ON)
				*state = DUMP_DONE;
			return read_end(message, what, err);
		}
		if (message->nlmsg_type < NLMSG_MIN_TYPE)
			continue;
		buf_add(all, (struct span){ (const char *)message,
					    MNL_ALIGN(message->nlmsg_len) });
	}
	return 0;
}

static int dump_once(struct netlink *link, struct nlmsghdr *request,
		     struct buf *all, enum dump_state *state, const char *what,
		     struct error *err)
{
	int ended = 0;

	*state = DUMP_GOES_ON;
	request->nlmsg_flags |= NLM_F_DUMP;
	request->nlmsg_seq = ++link->seq;
	if (send_bytes(link, request, request->nlmsg_len, err) < 0)
		return error_wrap(err, "cannot %s", what);
	while (!ended) {
		ssize_t size = receive(link, err);

		if (size < 0)
			return error_wrap(err, "cannot %s", what);
		ended = take_datagram(link, size, all, state, what, err);
		if (ended < 0)
			return -1;
	}
	if (buf_failed(all))
		return error_kind_set(err, ERROR_SYSTEM,
				      "cannot %s: more than %u bytes", what,
				      DUMP_MAX);
	return 0;
}

static int call_each(const struct buf *all, netlink_each_fn *each, void *arg,
		     struct error *err)
{
	const struct nlmsghdr *message = (void *)all->data;
	int left = (int)all->size;

	if (!message)
		return 0;
	for (; mnl_nlmsg_ok(message, left);
	     message = mnl_nlmsg_next(message, &left))
		if (each(message, arg, err) < 0)
			return -1;
	return 0;
}

int netlink_dump(struct netlink *link, struct nlmsghdr *request,
		 netlink_each_fn *each, void *arg, const char *what,
		 struct error *err)
{
	cleanup(buf_release) struct buf all = BUF_INIT(DUMP_MAX);

	for (int tries = 0; tries < DUMP_TRIES; tries++) {
		enum dump_state state;

		buf_clear(&all);
		if (dump_once(link, request, &all, &state, what, err) < 0)
			return -1;
		if (state == DUMP_DONE)
			return call_each(&all, each, arg, err);
	}
	return error_kind_set(err, ERROR_SYSTEM,
			      "cannot %s: it changed each of %d times", what,
			      DUMP_TRIES);
}

/* Number the messages from first; how many of them want an answer. */
static size_t number_batch(void *bytes, size_t size, unsigned first,
			   size_t count)
{
	struct nlmsghdr *message = bytes;
	int left = (int)size;
	size_t n = 0, asked = 0;

	for (; mnl_nlmsg_ok(message, left);
	     message = mnl_nlmsg_next(message, &left)) {
		message->nlmsg_seq = first + (unsigned)n++;
		if (message->nlmsg_flags & NLM_F_ACK)
			asked++;
	}
	if (n != count || left != 0)
		bug("a batch of %zu messages holds %zu", count, n);
	return asked;
}

/*
 * One datagram of answers to a batch. *answered counts the good ones; the
 * first bad one is the cause and what follows it are consequences.
 */
static int take_answers(struct netlink *link, ssize_t size, unsigned first,
			const char *const *names, size_t count,
			size_t *answered, struct error *err)
{
	const struct nlmsghdr *message = (void *)link->answer;
	int left = (int)size;

	for (; mnl_nlmsg_ok(message, left);
	     message = mnl_nlmsg_next(message, &left)) {
		size_t i = message->nlmsg_seq - first;

		if (message->nlmsg_type != NLMSG_ERROR || i >= count)
			continue;
		if (read_ack(message, "", names[i], err) < 0)
			return -1;
		++*answered;
	}
	return 0;
}

int netlink_batch(struct netlink *link, void *bytes, size_t size,
		  const char *const *names, size_t count, struct error *err)
{
	const int room = BATCH_BUFFER;
	unsigned first = link->seq + 1;
	size_t asked = number_batch(bytes, size, first, count);
	size_t answered = 0;

	link->seq += (unsigned)count;
	/* As far as net.core allows; too little shows as ENOBUFS below. */
	(void)setsockopt(netlink_fd(link), SOL_SOCKET, SO_RCVBUF, &room,
			 sizeof(room));
	if (send_bytes(link, bytes, size, err) < 0)
		return -1;
	while (answered < asked) {
		ssize_t n = receive(link, err);

		if (n < 0)
			return error_wrap(err, "%zu of %zu changes confirmed",
					  answered, asked);
		if (take_answers(link, n, first, names, count, &answered, err) <
		    0)
			return -1;
	}
	return 0;
}
