/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "probe/world_datagram.h"

#include <errno.h>
#include <netinet/in.h>
#include <string.h>

union control {
	struct cmsghdr align;
	char bytes[CMSG_SPACE(sizeof(struct in6_pktinfo))];
};

/*
 * FREEBIND lets an answer leave from an address that only a route makes local:
 * IPv6 would refuse it as nobody's (ip6_datagram_send_ctl).
 */
int world_datagram_prepare(int fd, int family, struct error *err)
{
	const int on = 1;
	bool v4 = family == AF_INET;
	int level = v4 ? IPPROTO_IP : IPPROTO_IPV6;

	if (setsockopt(fd, level, v4 ? IP_PKTINFO : IPV6_RECVPKTINFO, &on,
		       sizeof(on)) < 0 ||
	    setsockopt(fd, level, v4 ? IP_FREEBIND : IPV6_FREEBIND, &on,
		       sizeof(on)) < 0)
		return error_sys(err, "cannot prepare a UDP socket");
	return 0;
}

static struct addr addr_of(const void *bytes, uint8_t size)
{
	struct addr addr = { .size = size };

	memcpy(addr.bytes, bytes, size);
	return addr;
}

static struct addr destination(struct msghdr *msg)
{
	for (struct cmsghdr *c = CMSG_FIRSTHDR(msg); c;
	     c = CMSG_NXTHDR(msg, c)) {
		struct in_pktinfo v4;
		struct in6_pktinfo v6;

		if (c->cmsg_level == IPPROTO_IP && c->cmsg_type == IP_PKTINFO) {
			memcpy(&v4, CMSG_DATA(c), sizeof(v4));
			return addr_of(&v4.ipi_addr, 4);
		}
		if (c->cmsg_level == IPPROTO_IPV6 &&
		    c->cmsg_type == IPV6_PKTINFO) {
			memcpy(&v6, CMSG_DATA(c), sizeof(v6));
			return addr_of(&v6.ipi6_addr, 16);
		}
	}
	return (struct addr){ 0 };
}

bool world_datagram_receive(int fd, struct world_datagram *datagram)
{
	struct iovec iov = { datagram->data, sizeof(datagram->data) };
	union control control = { 0 };
	struct msghdr msg = {
		.msg_name = &datagram->from,
		.msg_namelen = sizeof(datagram->from),
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = control.bytes,
		.msg_controllen = sizeof(control.bytes),
	};
	ssize_t n;

	/* TRUNC: the true size, also where not all of it is kept */
	do
		n = recvmsg(fd, &msg, MSG_DONTWAIT | MSG_TRUNC);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return false;
	datagram->from_size = msg.msg_namelen;
	datagram->size = (size_t)n;
	datagram->to = destination(&msg);
	return true;
}

struct span world_datagram_bytes(const struct world_datagram *datagram)
{
	size_t kept = datagram->size < sizeof(datagram->data)
			      ? datagram->size
			      : sizeof(datagram->data);

	return (struct span){ datagram->data, kept };
}

static void set_source(struct msghdr *msg, const struct addr *source)
{
	struct cmsghdr *c = CMSG_FIRSTHDR(msg);
	struct in_pktinfo v4 = { 0 };
	struct in6_pktinfo v6 = { 0 };

	if (source->size == 4) {
		memcpy(&v4.ipi_spec_dst, source->bytes, 4);
		c->cmsg_level = IPPROTO_IP;
		c->cmsg_type = IP_PKTINFO;
		c->cmsg_len = CMSG_LEN(sizeof(v4));
		memcpy(CMSG_DATA(c), &v4, sizeof(v4));
		msg->msg_controllen = CMSG_SPACE(sizeof(v4));
	} else {
		memcpy(&v6.ipi6_addr, source->bytes, 16);
		c->cmsg_level = IPPROTO_IPV6;
		c->cmsg_type = IPV6_PKTINFO;
		c->cmsg_len = CMSG_LEN(sizeof(v6));
		memcpy(CMSG_DATA(c), &v6, sizeof(v6));
		msg->msg_controllen = CMSG_SPACE(sizeof(v6));
	}
}

void world_datagram_answer(int fd, const struct world_datagram *question,
			   struct span answer)
{
	struct sockaddr_storage to = question->from;
	struct iovec iov = { (void *)(uintptr_t)answer.data, answer.size };
	union control control = { 0 };
	struct msghdr msg = {
		.msg_name = &to,
		.msg_namelen = question->from_size,
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = control.bytes,
		.msg_controllen = sizeof(control.bytes),
	};

	if (question->to.size == 0)
		return;
	set_source(&msg, &question->to);
	(void)!sendmsg(fd, &msg, MSG_DONTWAIT | MSG_NOSIGNAL);
}
