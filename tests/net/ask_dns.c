/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ask_dns SERVER udp|tcp NAME A|AAAA: prints "RCODE ADDRESS..." of the answer,
 * or "cut" for one that did not fit. The server must answer from the address
 * that was asked. */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/addr.h"
#include "base/cleanup.h"
#include "base/dns.h"

#define PROGRAM "ask_dns"

static int give_up(const char *why)
{
	fprintf(stderr, PROGRAM ": %s: %s\n", why, strerror(errno));
	return 1;
}

static void put16(struct buf *buf, unsigned value)
{
	buf_add_byte(buf, (char)(value >> 8));
	buf_add_byte(buf, (char)value);
}

/* With its length in front, which UDP leaves out. */
static void write_question(struct buf *buf, const struct hostname *name,
			   enum dns_type type)
{
	struct span rest = { name->name, name->size };

	put16(buf, 12 + name->size + 2 + 4);
	put16(buf, (unsigned)getpid() & 0xffff);
	put16(buf, 0x0100);
	put16(buf, 1);
	put16(buf, 0);
	put16(buf, 0);
	put16(buf, 0);
	while (rest.size > 0) {
		size_t dot = span_find(rest, '.');

		buf_add_byte(buf, (char)dot);
		buf_add(buf, span_head(rest, dot));
		rest = span_skip(rest, dot < rest.size ? dot + 1 : dot);
	}
	buf_add_byte(buf, '\0');
	put16(buf, type);
	put16(buf, 1);
}

/* Half a minute is for a machine that is busy, not part of what is tested. */
static int connect_to(const struct endpoint *server, int type)
{
	const struct timeval patience = { .tv_sec = 30 };
	struct sockaddr_storage name;
	socklen_t size = endpoint_to_sockaddr(server, &name);
	autoclose int fd = socket(name.ss_family, type | SOCK_CLOEXEC, 0);

	if (fd < 0 ||
	    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience,
		       sizeof(patience)) < 0 ||
	    connect(fd, (struct sockaddr *)&name, size) < 0)
		return -1;
	return steal_fd(&fd);
}

/* The answer without its length; 0 if there was none. */
static size_t exchange(int fd, bool tcp, struct span question, char *answer,
		       size_t room)
{
	size_t got = 0, want = 2;
	ssize_t n;

	if (!tcp) {
		question = span_skip(question, 2);
		if (send(fd, question.data, question.size, 0) < 0)
			return 0;
		n = recv(fd, answer, room, 0);
		return n > 0 ? (size_t)n : 0;
	}
	if (send(fd, question.data, question.size, 0) < 0)
		return 0;
	while (got < want && want <= room) {
		n = recv(fd, answer + got, want - got, 0);
		if (n <= 0)
			return 0;
		got += (size_t)n;
		if (got == 2)
			want = 2 + ((size_t)(unsigned char)answer[0] << 8 |
				    (unsigned char)answer[1]);
	}
	memmove(answer, answer + 2, got - 2);
	return got - 2;
}

static int print_answer(struct span message, const struct hostname *name,
			enum dns_type type)
{
	struct dns_answer answer;
	enum dns_fault fault = dns_read_answer(message, name, type, &answer);

	if (fault != DNS_OK) {
		fprintf(stderr, PROGRAM ": %s\n", dns_fault_text(fault));
		return 1;
	}
	if (answer.truncated)
		printf("cut");
	else if (answer.rcode == DNS_NOERROR)
		printf("NOERROR");
	else if (answer.rcode == DNS_NXDOMAIN)
		printf("NXDOMAIN");
	else
		printf("RCODE%d", (int)answer.rcode);
	for (size_t i = 0; i < answer.count; i++)
		printf(" %s", addr_print(&answer.addrs[i]).text);
	printf("\n");
	return 0;
}

int main(int argc, char **argv)
{
	struct endpoint server = { .port = 53 };
	struct buf question = BUF_INIT(1024);
	autofree char *answer = malloc(DNS_MESSAGE_MAX);
	autoclose int fd = -1;
	struct hostname name;
	enum dns_type type;
	bool tcp;
	size_t size;

	if (argc != 5 || !answer ||
	    !addr_parse(span_of(argv[1]), &server.addr) ||
	    hostname_parse(span_of(argv[3]), &name) != HOSTNAME_OK) {
		fprintf(stderr,
			"usage: " PROGRAM " SERVER udp|tcp NAME A|AAAA\n");
		return 2;
	}
	tcp = strcmp(argv[2], "tcp") == 0;
	type = strcmp(argv[4], "AAAA") == 0 ? DNS_AAAA : DNS_A;
	fd = connect_to(&server, tcp ? SOCK_STREAM : SOCK_DGRAM);
	if (fd < 0)
		return give_up("cannot connect");
	write_question(&question, &name, type);
	size = exchange(fd, tcp, buf_span(&question), answer, DNS_MESSAGE_MAX);
	buf_release(&question);
	if (size == 0)
		return give_up("no answer");
	return print_answer((struct span){ answer, size }, &name, type);
}
