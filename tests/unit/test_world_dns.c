/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/dns.h"
#include "base/fd.h"

#include "probe/world_dns.h"
#include "probe/world_report.h"

static struct world_zone *zone;
static struct world_recorder *nothing;

static const char *const records[] = {
	"private.example.com=10.0.0.1",
	"mixed.example.com=203.0.113.7,127.0.0.1,2001:db8::7",
	"v4.example.com=203.0.113.8",
	"gone.example.com=",
	"alias.example.com=@target.example.net",
	"chain.example.com=@alias.example.com",
	"dead.example.com=@gone.example.com",
	"inside.example.com=@localhost",
	"loop.example.com=@pool.example.com",
	"pool.example.com=@loop.example.com",
	"router=192.0.2.1",
	"many.example.com=2001:db8::1,2001:db8::2,2001:db8::3,2001:db8::4,"
	"2001:db8::5,2001:db8::6,2001:db8::7,2001:db8::8,2001:db8::9,"
	"2001:db8::a,2001:db8::b,2001:db8::c,2001:db8::d,2001:db8::e,"
	"2001:db8::f,2001:db8::10,2001:db8::11,2001:db8::12",
};

static int make_zone(void **state)
{
	struct addr web[] = { addr_v4(192, 0, 2, 80), { 0 } };
	struct error err;

	(void)state;
	if (!addr_parse(SPAN("2001:db8::80"), &web[1]))
		return -1;
	zone = world_zone_new(web, 2, &err);
	nothing = world_recorder_open(NULL, 0, &err);
	if (!zone || !nothing)
		return -1;
	for (size_t i = 0; i < ARRAY_SIZE(records); i++)
		if (world_zone_add(zone, records[i], &err) < 0)
			return -1;
	return 0;
}

static int free_zone(void **state)
{
	(void)state;
	world_zone_free(zone);
	world_recorder_close(nothing);
	return 0;
}

#define EIGHT                                                      \
	"1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1,1.1.1.1," \
	"1.1.1.1,"

static const struct {
	const char *record, *text;
} bad_records[] = {
	{ "", "expected NAME=ADDR[,ADDR...]" },
	{ "a.example", "expected NAME=ADDR[,ADDR...]" },
	{ "=192.0.2.1", "the name is empty" },
	{ "*.example.com=192.0.2.1", "only a-z" },
	{ "a.example=192.0.2", "expected ADDR" },
	{ "a.example=192.0.2.1,", "expected ADDR" },
	{ "a.example=,192.0.2.1", "expected ADDR" },
	{ "a.example= 192.0.2.1", "expected ADDR" },
	{ "a.example=[2001:db8::1]", "expected ADDR" },
	{ "a.example=@", "the name is empty" },
	{ "a.example=@b..example", "a label is empty" },
	{ "GONE.example.com=192.0.2.1", "the name was given before" },
	{ "a.example=" EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT
		  EIGHT "1.1.1.1",
	  "too many addresses" },
	{ "a.example=1.1.1.1|", "expected ADDR" },
	{ "a.example=|1.1.1.1", "expected ADDR" },
	{ "a.example=1.1.1.1|@b.example", "expected ADDR" },
	{ "a.example=1.1.1.1|2.2.2.2|3.3.3.3|4.4.4.4|5.5.5.5",
	  "too many sets" },
	{ "a.example=1.1.1.1!", "no such trick" },
	{ "a.example=1.1.1.1!lie", "no such trick" },
	{ "a.example=1.1.1.1!short!late", "no such trick" },
	{ "a.example=!lie", "no such trick" },
};

static void a_bad_record_is_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad_records); i++) {
		size_t before = world_zone_count(zone);
		struct error err;

		if (world_zone_add(zone, bad_records[i].record, &err) == 0)
			fail_msg("accepted: %s", bad_records[i].record);
		assert_int_equal(err.kind, ERROR_INPUT);
		if (!strstr(err.text, bad_records[i].text))
			fail_msg("%s: %s", bad_records[i].record, err.text);
		assert_int_equal(world_zone_count(zone), before);
	}
}

static void put16(struct buf *buf, unsigned value)
{
	buf_add_byte(buf, (char)(value >> 8));
	buf_add_byte(buf, (char)value);
}

static void ask(struct buf *buf, const char *name, unsigned type)
{
	struct span rest = span_of(name);

	buf_clear(buf);
	put16(buf, 0x1234);
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
	assert_false(buf_failed(buf));
}

#define WEB4 "192.0.2.80"
#define WEB6 "2001:db8::80"

static const struct {
	const char *name;
	enum dns_type type;
	enum dns_rcode rcode;
	const char *addrs; /* comma-separated; "": none, and an SOA */
	size_t hops;
} answers[] = {
	/* names that do not exist */
	{ "localhost", DNS_A, DNS_NXDOMAIN, "", 0 },
	{ "localhost", DNS_AAAA, DNS_NXDOMAIN, "", 0 },
	{ "metadata", DNS_A, DNS_NXDOMAIN, "", 0 },
	{ "gone.example.com", DNS_A, DNS_NXDOMAIN, "", 0 },
	{ "gone.example.com", DNS_AAAA, DNS_NXDOMAIN, "", 0 },
	{ "dead.example.com", DNS_A, DNS_NXDOMAIN, "", 1 },
	{ "inside.example.com", DNS_A, DNS_NXDOMAIN, "", 1 },
	/* nothing of that type */
	{ "v4.example.com", DNS_AAAA, DNS_NOERROR, "", 0 },
	{ "router", DNS_AAAA, DNS_NOERROR, "", 0 },
	/* addresses */
	{ "example.com", DNS_A, DNS_NOERROR, WEB4, 0 },
	{ "example.com", DNS_AAAA, DNS_NOERROR, WEB6, 0 },
	{ "EXAMPLE.com", DNS_A, DNS_NOERROR, WEB4, 0 },
	{ "a.b.c.d.e.test", DNS_A, DNS_NOERROR, WEB4, 0 },
	{ "sub.gone.example.com", DNS_A, DNS_NOERROR, WEB4, 0 },
	{ "router", DNS_A, DNS_NOERROR, "192.0.2.1", 0 },
	{ "private.example.com", DNS_A, DNS_NOERROR, "10.0.0.1", 0 },
	{ "mixed.example.com", DNS_A, DNS_NOERROR, "203.0.113.7,127.0.0.1", 0 },
	{ "mixed.example.com", DNS_AAAA, DNS_NOERROR, "2001:db8::7", 0 },
	{ "alias.example.com", DNS_A, DNS_NOERROR, WEB4, 1 },
	{ "chain.example.com", DNS_AAAA, DNS_NOERROR, WEB6, 2 },
};

static void print_addrs(const struct dns_answer *answer, char *out, size_t room)
{
	*out = '\0';
	for (size_t i = 0; i < answer->count; i++) {
		size_t used = strlen(out);

		snprintf(out + used, room - used, "%s%s", i ? "," : "",
			 addr_print(&answer->addrs[i]).text);
	}
}

static void names_are_answered(void **state)
{
	struct buf question = BUF_INIT(512), reply = BUF_INIT(DNS_MESSAGE_MAX);

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(answers); i++) {
		struct dns_answer answer;
		struct hostname host;
		enum dns_fault fault;
		char addrs[256];

		ask(&question, answers[i].name, answers[i].type);
		buf_clear(&reply);
		assert_true(world_dns_answer(zone, nothing, buf_span(&question),
					     WORLD_OVER_UDP, &reply));
		assert_int_equal(hostname_parse(span_of(answers[i].name),
						&host),
				 HOSTNAME_OK);
		fault = dns_read_answer(buf_span(&reply), &host,
					answers[i].type, &answer);
		if (fault != DNS_OK)
			fail_msg("%s: %s", answers[i].name,
				 dns_fault_text(fault));
		assert_int_equal(answer.rcode, answers[i].rcode);
		print_addrs(&answer, addrs, sizeof(addrs));
		if (strcmp(addrs, answers[i].addrs) != 0)
			fail_msg("%s is '%s'", answers[i].name, addrs);
		if (answer.rcode == DNS_NOERROR)
			assert_int_equal(answer.hops, answers[i].hops);
		assert_int_equal(answer.ttl, *addrs ? WORLD_TTL : 0);
		assert_int_equal(answer.negative_ttl, *addrs ? 0 : WORLD_TTL);
	}
	buf_release(&question);
	buf_release(&reply);
}

static unsigned field(const struct buf *reply, size_t at)
{
	return (unsigned)(unsigned char)reply->data[at] << 8 |
	       (unsigned char)reply->data[at + 1];
}

static void other_types_are_empty(void **state)
{
	static const unsigned types[] = { DNS_TXT,   DNS_MX,  DNS_HTTPS, DNS_NS,
					  DNS_CNAME, DNS_ANY, 65280 };
	struct buf question = BUF_INIT(512), reply = BUF_INIT(DNS_MESSAGE_MAX);

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		ask(&question, "example.com", types[i]);
		buf_clear(&reply);
		assert_true(world_dns_answer(zone, nothing, buf_span(&question),
					     WORLD_OVER_UDP, &reply));
		assert_int_equal(field(&reply, 0), 0x1234);
		assert_int_equal(field(&reply, 2) & 15, DNS_NOERROR);
		assert_int_equal(field(&reply, 6), 0);
		assert_int_equal(field(&reply, 8), 1); /* the SOA */
	}
	ask(&question, "chain.example.com", DNS_CNAME);
	buf_clear(&reply);
	assert_true(world_dns_answer(zone, nothing, buf_span(&question),
				     WORLD_OVER_UDP, &reply));
	assert_int_equal(field(&reply, 6), 1);
	assert_int_equal(field(&reply, 8), 0);
	buf_release(&question);
	buf_release(&reply);
}

static void a_loop_is_a_loop(void **state)
{
	struct buf question = BUF_INIT(512), reply = BUF_INIT(DNS_MESSAGE_MAX);
	struct dns_answer answer;
	struct hostname host;

	(void)state;
	assert_int_equal(hostname_parse(SPAN("loop.example.com"), &host),
			 HOSTNAME_OK);
	ask(&question, "loop.example.com", DNS_A);
	assert_true(world_dns_answer(zone, nothing, buf_span(&question),
				     WORLD_OVER_UDP, &reply));
	assert_int_equal(field(&reply, 6), 2);
	assert_int_equal(dns_read_answer(buf_span(&reply), &host, DNS_A,
					 &answer),
			 DNS_CHAIN);
	buf_release(&question);
	buf_release(&reply);
}

static void a_large_reply_over_udp_is_cut(void **state)
{
	struct buf question = BUF_INIT(512), reply = BUF_INIT(DNS_MESSAGE_MAX);
	struct dns_answer answer;
	struct hostname host;

	(void)state;
	assert_int_equal(hostname_parse(SPAN("many.example.com"), &host),
			 HOSTNAME_OK);
	ask(&question, "many.example.com", DNS_AAAA);
	assert_true(world_dns_answer(zone, nothing, buf_span(&question),
				     WORLD_OVER_UDP, &reply));
	assert_true(reply.size <= 512);
	assert_int_equal(dns_read_answer(buf_span(&reply), &host, DNS_AAAA,
					 &answer),
			 DNS_OK);
	assert_true(answer.truncated);
	buf_clear(&reply);
	assert_true(world_dns_answer(zone, nothing, buf_span(&question),
				     WORLD_OVER_TCP, &reply));
	assert_int_equal(dns_read_answer(buf_span(&reply), &host, DNS_AAAA,
					 &answer),
			 DNS_OK);
	assert_false(answer.truncated);
	assert_int_equal(answer.count, 18);
	buf_release(&question);
	buf_release(&reply);
}

/* ---- tricks: every datagram for one question ---- */

/*
 * What each datagram says to a reader of its own: "id?" where that is wrong,
 * else a fault, "cut", an error code, or its addresses; then when, where it is
 * not at once, and from where, where that is not where it was asked.
 */
static const struct {
	const char *value; /* of the record */
	enum dns_type type;
	const char *sent;
} plays[] = {
	{ "1.1.1.1!silent", DNS_A, "" },
	{ "1.1.1.1!silent-a", DNS_A, "" },
	{ "1.1.1.1!silent-a", DNS_AAAA, "-;" },
	{ "1.1.1.1!silent-aaaa", DNS_AAAA, "" },
	{ "1.1.1.1!silent-aaaa", DNS_A, "1.1.1.1;" },
	{ "1.1.1.1!late", DNS_A, "1.1.1.1 later;" },
	{ "1.1.1.1!servfail", DNS_A, "rcode 2;" },
	{ "1.1.1.1!short", DNS_A, "the message ends too early;" },
	{ "1.1.1.1!short", DNS_AAAA, "the message ends too early;" },
	{ "1.1.1.1!pointer-loop", DNS_A, "a name is malformed;" },
	{ "1.1.1.1!truncated", DNS_A, "cut;" },
	{ "1.1.1.1!truncated-tcp", DNS_A, "cut;" },
	{ "1.1.1.1!truncated-alone", DNS_A, "cut;" },
	{ "1.1.1.1!second-answer", DNS_A, "1.1.1.1;" WORLD_DECOY4 ";" },
	{ "::2!second-answer", DNS_AAAA, "::2;" WORLD_DECOY6 ";" },
	{ "1.1.1.1!wrong-id", DNS_A, "id?;1.1.1.1;" },
	{ "1.1.1.1!only-wrong-id", DNS_A, "id?;" },
	{ "1.1.1.1!wrong-question", DNS_A,
	  "the question is not the one that was asked;1.1.1.1;" },
	{ "1.1.1.1!wrong-address", DNS_A,
	  WORLD_DECOY4 " from another address;1.1.1.1;" },
	{ "1.1.1.1!only-wrong-port", DNS_A,
	  WORLD_DECOY4 " from another port;" },
	{ "@b.example!truncated", DNS_A, "cut;" },
	{ "!wrong-id", DNS_A, "id?;rcode 3;" },
	{ EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT "1.1.1.1", DNS_A, "cut;" },
};

struct played {
	struct hostname host;
	enum dns_type type;
	char sent[256];
};

static void describe(const struct played *played, struct span message,
		     char *out, size_t room)
{
	struct dns_answer answer;
	enum dns_fault fault =
		dns_read_answer(message, &played->host, played->type, &answer);

	if (message.data[1] != 0x34)
		snprintf(out, room, "id?");
	else if (fault != DNS_OK)
		snprintf(out, room, "%s", dns_fault_text(fault));
	else if (answer.truncated)
		snprintf(out, room, "cut");
	else if (answer.rcode != DNS_NOERROR)
		snprintf(out, room, "rcode %d", answer.rcode);
	else if (answer.count == 0)
		snprintf(out, room, "-");
	else
		print_addrs(&answer, out, room);
}

static void note_send(const struct world_send *send, struct span message,
		      void *arg)
{
	static const char *const from[] = { "", " from another address",
					    " from another port" };
	struct played *played = arg;
	size_t used = strlen(played->sent);
	char text[128];

	describe(played, message, text, sizeof(text));
	snprintf(played->sent + used, sizeof(played->sent) - used, "%s%s%s;",
		 text, from[send->from], send->delay_ms ? " later" : "");
}

static void tricks_are_played(void **state)
{
	struct buf question = BUF_INIT(512);
	char name[64], record[600];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(plays); i++) {
		struct played played = { .type = plays[i].type };
		struct error err;

		snprintf(name, sizeof(name), "trick-%zu.example", i);
		snprintf(record, sizeof(record), "%s=%s", name, plays[i].value);
		assert_int_equal(world_zone_add(zone, record, &err), 0);
		assert_int_equal(hostname_parse(span_of(name), &played.host),
				 HOSTNAME_OK);
		ask(&question, name, plays[i].type);
		world_dns_datagrams(zone, nothing, buf_span(&question),
				    note_send, &played);
		if (strcmp(played.sent, plays[i].sent) != 0)
			fail_msg("%s: '%s'", plays[i].value, played.sent);
	}
	buf_release(&question);
}

/* A and AAAA are counted apart: both questions of one lookup see one set. */
static void sets_take_turns(void **state)
{
	static const struct {
		enum dns_type type;
		const char *sent;
	} turns[] = {
		{ DNS_A, "1.1.1.1;" },   { DNS_AAAA, "::2;" },
		{ DNS_A, "127.0.0.1;" }, { DNS_AAAA, "::1;" },
		{ DNS_A, "1.1.1.1;" },   { DNS_A, "127.0.0.1;" },
		{ DNS_AAAA, "::2;" },
	};
	struct played played;
	struct buf question = BUF_INIT(512);
	struct error err;

	(void)state;
	assert_int_equal(
		world_zone_add(zone, "turn.example=1.1.1.1,::2|127.0.0.1,::1",
			       &err),
		0);
	for (size_t i = 0; i < ARRAY_SIZE(turns); i++) {
		played = (struct played){ .type = turns[i].type };
		assert_int_equal(hostname_parse(SPAN("turn.example"),
						&played.host),
				 HOSTNAME_OK);
		ask(&question, "turn.example", turns[i].type);
		world_dns_datagrams(zone, nothing, buf_span(&question),
				    note_send, &played);
		assert_string_equal(played.sent, turns[i].sent);
	}
	buf_release(&question);
}

static void garbage_gets_no_reply(void **state)
{
	struct buf question = BUF_INIT(512), reply = BUF_INIT(DNS_MESSAGE_MAX);

	(void)state;
	ask(&question, "example.com", DNS_A);
	for (size_t size = 0; size < question.size; size++)
		assert_false(world_dns_answer(
			zone, nothing, (struct span){ question.data, size },
			WORLD_OVER_UDP, &reply));
	question.data[2] |= (char)0x80; /* a response */
	assert_false(world_dns_answer(zone, nothing, buf_span(&question),
				      WORLD_OVER_UDP, &reply));
	assert_int_equal(reply.size, 0);
	buf_release(&question);
	buf_release(&reply);
}

/* name: as asked; seen: as recorded. */
static const struct {
	const char *name;
	unsigned type;
	const char *seen, *type_seen;
} recorded[] = {
	{ "SeCret.Example.COM", DNS_A, "secret.example.com", "A" },
	{ "c2VjcmV0=.example.com", DNS_TXT, "c2VjcmV0=.example.com", "TXT" },
	{ "-x-.example.com", 65280, "-x-.example.com", "TYPE65280" },
	{ "gone.example.com", DNS_HTTPS, "gone.example.com", "HTTPS" },
	{ "", DNS_NS, "", "NS" },
};

static void every_question_is_recorded_first(void **state)
{
	char path[] = "/tmp/test_world_dns.XXXXXX";
	struct buf question = BUF_INIT(512), reply = BUF_INIT(DNS_MESSAGE_MAX);
	int fd = mkstemp(path);
	struct world_recorder *recorder;
	struct world_report report;
	struct error err;

	(void)state;
	assert_true(fd >= 0);
	fd_close(&fd);
	recorder = world_recorder_open(path, 1000, &err);
	assert_non_null(recorder);
	for (size_t i = 0; i < ARRAY_SIZE(recorded); i++) {
		ask(&question, recorded[i].name, recorded[i].type);
		buf_clear(&reply);
		assert_true(world_dns_answer(zone, recorder,
					     buf_span(&question),
					     WORLD_OVER_UDP, &reply));
	}
	assert_int_equal(world_report_read(path, &report, &err), 0);
	assert_int_equal(report.count, ARRAY_SIZE(recorded));
	for (size_t i = 0; i < ARRAY_SIZE(recorded); i++) {
		assert_string_equal(report.rows[i].name, recorded[i].seen);
		assert_string_equal(report.rows[i].type, recorded[i].type_seen);
	}
	world_report_release(&report);

	/* no record, no reply */
	for (int i = 0; i < 20; i++) {
		buf_clear(&reply);
		if (!world_dns_answer(zone, recorder, buf_span(&question),
				      WORLD_OVER_UDP, &reply))
			break;
	}
	assert_int_equal(reply.size, 0);
	world_recorder_close(recorder);
	unlink(path);
	buf_release(&question);
	buf_release(&reply);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_bad_record_is_refused),
		cmocka_unit_test(names_are_answered),
		cmocka_unit_test(other_types_are_empty),
		cmocka_unit_test(a_loop_is_a_loop),
		cmocka_unit_test(a_large_reply_over_udp_is_cut),
		cmocka_unit_test(tricks_are_played),
		cmocka_unit_test(sets_take_turns),
		cmocka_unit_test(garbage_gets_no_reply),
		cmocka_unit_test(every_question_is_recorded_first),
	};

	return cmocka_run_group_tests(tests, make_zone, free_zone);
}
