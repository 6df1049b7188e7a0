/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whose policy it is: by listener, by address, by token. Tokens in files. */
#include "config.h"

#include "tests/unit/scratch.h"
#include "tests/unit/unit.h"

#include "base/buf.h"
#include "base/fd.h"
#include "proxy/choice.h"

/* Listeners: 0 bound, 1 handed in, 2 bound and wants a token. */
static struct proxy_conf *load(void)
{
	struct buf text = BUF_INIT(4096);
	char one[DIGEST_HEX + 1], two[DIGEST_HEX + 1];
	struct proxy_conf *conf;
	struct error err;

	digest_hex(SPAN("token-one"), one);
	digest_hex(SPAN("token-two"), two);
	buf_addf(
		&text,
		"audit: { path: a.log }\n"
		"listen:\n"
		"  - { kind: proxy, address: \"127.0.0.1:1\" }\n"
		"  - { kind: proxy, fd: proxy }\n"
		"  - { kind: proxy, address: \"127.0.0.1:2\", auth: token }\n"
		"policies: { default: {}, a: {}, b: {}, c: {}, d: {} }\n"
		"select:\n"
		"  - { token_sha256: %s, policy: a, session: s1 }\n"
		"  - { token_sha256: %s, clients: [ 10.0.0.0/8 ], policy: b }\n"
		"  - { clients: [ 10.1.2.3, \"2001:db8::/32\" ], policy: c }\n"
		"  - { clients: [ 10.1.0.0/16 ], policy: d, session: s4 }\n",
		one, two);
	conf = conf_load_text("p", buf_span(&text), &err);
	if (!conf)
		fail_msg("%s: %s", err.where, err.text);
	buf_release(&text);
	return conf;
}

static const struct {
	unsigned listener;
	const char *client, *token;
	const char *policy; /* NULL: refused */
	const char *session;
	enum choice_fault fault;
} cases[] = {
	{ 0, "192.0.2.1", NULL, "default", NULL, CHOICE_OK },
	{ 0, "10.2.0.1", NULL, "default", NULL, CHOICE_OK },
	{ 0, "10.1.2.3", NULL, "c", NULL, CHOICE_OK },
	{ 0, "10.1.2.4", NULL, "d", "s4", CHOICE_OK },
	{ 0, "2001:db8::1", NULL, "c", NULL, CHOICE_OK },
	{ 0, "2001:db9::1", NULL, "default", NULL, CHOICE_OK },
	/* an address is one of its own family */
	{ 0, "::ffff:10.1.2.3", NULL, "default", NULL, CHOICE_OK },
	{ 0, "::a01:203", NULL, "default", NULL, CHOICE_OK },
	{ 0, "192.0.2.1", "token-one", "a", "s1", CHOICE_OK },
	{ 0, "10.1.2.3", "token-one", "a", "s1", CHOICE_OK },
	{ 0, "10.9.9.9", "token-two", "b", NULL, CHOICE_OK },
	/* the right token from the wrong place */
	{ 0, "192.0.2.1", "token-two", NULL, NULL, CHOICE_WRONG },
	{ 1, "10.9.9.9", "token-two", NULL, NULL, CHOICE_WRONG },
	/* an unknown one is never taken for none */
	{ 0, "10.1.2.3", "token-three", NULL, NULL, CHOICE_WRONG },
	{ 0, "192.0.2.1", "token-one ", NULL, NULL, CHOICE_WRONG },
	{ 0, "192.0.2.1", "Token-one", NULL, NULL, CHOICE_WRONG },
	{ 0, "192.0.2.1", "", NULL, NULL, CHOICE_WRONG },
	{ 2, "192.0.2.1", NULL, NULL, NULL, CHOICE_MISSING },
	{ 2, "10.1.2.3", NULL, NULL, NULL, CHOICE_MISSING },
	{ 2, "10.1.2.3", "token-three", NULL, NULL, CHOICE_WRONG },
	{ 2, "192.0.2.1", "token-one", "a", "s1", CHOICE_OK },
	/* an address that came in by a handed-in socket says nothing */
	{ 1, "10.1.2.3", NULL, "default", NULL, CHOICE_OK },
	{ 1, "10.1.2.3", "token-one", "a", "s1", CHOICE_OK },
};

static void first_item_that_holds_chooses(void **state)
{
	struct proxy_conf *conf = load();

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct credential credential = { CREDENTIAL_NONE, "" };
		struct choice choice;
		struct addr client;

		assert_true(addr_parse(span_of(cases[i].client), &client));
		if (cases[i].token) {
			credential.kind = CREDENTIAL_TOKEN;
			digest_hex(span_of(cases[i].token), credential.sha256);
		}
		choice = choice_make(conf, &conf->listeners[cases[i].listener],
				     &client, &credential);
		if (choice.fault != cases[i].fault)
			fail_msg("case %zu: %s", i,
				 choice_fault_text(choice.fault));
		if (!cases[i].policy) {
			assert_null(choice.judge);
			continue;
		}
		if (strcmp(judge_name(choice.judge), cases[i].policy) != 0)
			fail_msg("case %zu: %s", i, judge_name(choice.judge));
		if (cases[i].session)
			assert_string_equal(choice.session, cases[i].session);
		else
			assert_null(choice.session);
	}
	conf_free(conf);
}

static void malformed_credentials_choose_nothing(void **state)
{
	const struct credential malformed = { CREDENTIAL_MALFORMED, "" };
	struct proxy_conf *conf = load();
	struct addr client = addr_v4(10, 1, 2, 3);

	(void)state;
	for (size_t i = 0; i < conf->listener_count; i++) {
		struct choice choice = choice_make(conf, &conf->listeners[i],
						   &client, &malformed);

		assert_int_equal(choice.fault, CHOICE_WRONG);
		assert_null(choice.judge);
	}
	conf_free(conf);
}

/* ---- the header ---- */

static const struct {
	const char *value;
	const char *token; /* NULL: malformed */
} headers[] = {
	{ "", NULL },
	{ "Basic", NULL },
	{ "Bearer", NULL },
	{ "Bearer ", NULL },
	{ "Bearer a b", NULL },
	{ "Bearer a\tb", NULL },
	{ "Bearer \xc3\xbc", NULL },
	{ "Token abc", NULL },
	{ "Basic !!!!", NULL },
	{ "Basic dTp0", "t" },       /* u:t */
	{ "Basic Onh5eg==", "xyz" }, /* :xyz */
	{ "Basic dTp0OnQ=", "t:t" }, /* u:t:t */
	{ "Basic dTp0OnQ", NULL },   /* padding is missing */
	{ "Basic dTp0OnR=", NULL },  /* bits behind the end */
	{ "Basic dTp0=", NULL },     /* not a whole group */
	{ "Basic dT==dTp0", NULL },  /* padding in the middle */
	{ "Basic ====", NULL },      /* nothing but padding */
	{ "Basic d===", NULL },      /* less than a byte */
	{ "Basic dTp0\n", NULL },    /* a line end */
	{ "Basic dTp0 dTp0", NULL }, /* two of them */
	{ "Basic dXNlcg==", NULL },  /* user, no colon */
	{ "Basic dXNlcjo=", NULL },  /* user: */
	{ "Basic dTphIGI=", NULL },  /* u:a b */
	{ "Basic dTphAGI=", NULL },  /* u:a NUL b */
	{ "basic dTp0", "t" },
	{ "BEARER t", "t" },
};

static void headers_are_read_strictly(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(headers); i++) {
		struct fields fields = { .count = 1 };
		struct credential got;
		char wanted[DIGEST_HEX + 1];

		fields.list[0].name = SPAN("proxy-authorization");
		fields.list[0].value = span_of(headers[i].value);
		got = credential_read(&fields);
		if ((got.kind == CREDENTIAL_TOKEN) != !!headers[i].token)
			fail_msg("'%s' is read as %d", headers[i].value,
				 got.kind);
		if (!headers[i].token)
			continue;
		digest_hex(span_of(headers[i].token), wanted);
		assert_string_equal(got.sha256, wanted);
	}
}

static void long_tokens_are_malformed(void **state)
{
	char text[8 + 2 * CREDENTIAL_MAX + 1] = "Bearer ";
	struct fields fields = { .count = 1 };

	(void)state;
	memset(text + 7, 'a', CREDENTIAL_MAX + 1);
	fields.list[0].name = SPAN("Proxy-Authorization");
	fields.list[0].value = (struct span){ text, 7 + CREDENTIAL_MAX + 1 };
	assert_int_equal(credential_read(&fields).kind, CREDENTIAL_MALFORMED);
	fields.list[0].value.size--;
	assert_int_equal(credential_read(&fields).kind, CREDENTIAL_TOKEN);
	fields.count = 0;
	assert_int_equal(credential_read(&fields).kind, CREDENTIAL_NONE);
}

/* ---- files ---- */

#define ONE_LINE "is not one line of 16 to 512 visible characters"

static const struct {
	const char *text;
	mode_t mode;
	const char *error;
} files[] = {
	{ "", 0600, ONE_LINE },
	{ "\n", 0600, ONE_LINE },
	{ "short\n", 0600, ONE_LINE },
	{ "0123456789abcde\n", 0600, ONE_LINE },
	{ "0123456789abcdef\n\n", 0600, ONE_LINE },
	{ "0123456789abcdef\nx", 0600, ONE_LINE },
	{ "0123456789abcdef x\n", 0600, ONE_LINE },
	{ "0123456789abcdef\r\n", 0600, ONE_LINE },
	{ "0123456789abcdef\n", 0640, "open to others" },
	{ "0123456789abcdef\n", 0604, "open to others" },
	{ "0123456789abcdef\n", 0602, "open to others" },
	{ "0123456789abcdef\n", 0600, NULL },
	{ "0123456789abcdef", 0400, NULL },
};

static void token_files_are_checked(void **state)
{
	autoscratch struct scratch scratch = scratch_new();
	char wanted[DIGEST_HEX + 1];

	(void)state;
	digest_hex(SPAN("0123456789abcdef"), wanted);
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		const char *path = scratch_write(&scratch, "token",
						 span_of(files[i].text));
		char got[DIGEST_HEX + 1] = "";
		struct error err;
		int result;

		assert_int_equal(chmod(path, files[i].mode), 0);
		result = credential_load(path, got, &err);
		assert_int_equal(unlink(path), 0);
		if (!files[i].error) {
			assert_int_equal(result, 0);
			assert_string_equal(got, wanted);
		} else if (result == 0 || !strstr(err.text, files[i].error)) {
			fail_msg("file %zu: %s", i, result ? err.text : "fine");
		}
	}
}

/* Memory that somebody handed in is a file without a name, or a mode. */
static void a_handed_in_token_is_read(void **state)
{
	char wanted[DIGEST_HEX + 1], got[DIGEST_HEX + 1], path[32];
	struct error err;
	int fd = fd_from_bytes("token", "0123456789abcdef", 16, &err);

	(void)state;
	assert_true(fd >= 0);
	snprintf(path, sizeof(path), "/dev/fd/%d", fd);
	digest_hex(SPAN("0123456789abcdef"), wanted);
	assert_int_equal(credential_load(path, got, &err), 0);
	assert_string_equal(got, wanted);
	close(fd);
	assert_int_equal(credential_load("/dev", got, &err), -1);
	assert_int_equal(credential_load(path, got, &err), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(first_item_that_holds_chooses),
		cmocka_unit_test(malformed_credentials_choose_nothing),
		cmocka_unit_test(headers_are_read_strictly),
		cmocka_unit_test(long_tokens_are_malformed),
		cmocka_unit_test(token_files_are_checked),
		cmocka_unit_test(a_handed_in_token_is_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
