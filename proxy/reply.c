/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "proxy/reply.h"

#include "base/cleanup.h"

const struct span reply_connected = {
	"HTTP/1.1 200 Connection established\r\n\r\n", 39
};

#define BODY_MAX 8192

/* RFC 9110, 11.7.1; Basic first, which is what clients know. */
static const char challenge[] =
	"Proxy-Authenticate: Basic realm=\"coworkproxy\", charset=\"UTF-8\"\r\n"
	"Proxy-Authenticate: Bearer realm=\"coworkproxy\"\r\n";

static const struct word {
	int status;
	const char *phrase, *error;
} words[] = {
	{ 400, "Bad Request", "malformed_request" },
	{ 403, "Forbidden", "egress_denied" },
	{ 407, "Proxy Authentication Required", "credential_required" },
	{ 408, "Request Timeout", "request_timeout" },
	{ 417, "Expectation Failed", "malformed_request" },
	{ 431, "Request Header Fields Too Large", "head_too_large" },
	{ 502, "Bad Gateway", "upstream_failed" },
	{ 503, "Service Unavailable", "unavailable" },
	{ 504, "Gateway Timeout", "upstream_timeout" },
	{ 505, "HTTP Version Not Supported", "malformed_request" },
};

static const struct word *word_of(int status)
{
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (words[i].status == status)
			return &words[i];
	bug("no reply for status %d", status);
}

static void add_text(struct buf *body, const char *name, const char *text)
{
	buf_addf(body, ",\"%s\":", name);
	if (text)
		buf_add_json(body, span_of(text));
	else
		buf_add(body, SPAN("null"));
}

static void print_body(const struct reply *reply, const struct word *word,
		       struct buf *body)
{
	buf_addf(body, "{\"error\":\"%s\"", word->error);
	if (reply->host)
		add_text(body, "host", reply->host);
	if (reply->port)
		buf_addf(body, ",\"port\":%u", reply->port);
	add_text(body, "reason", reply->reason);
	if (reply->status == 403)
		add_text(body, "rule", reply->rule);
	if (reply->incident)
		add_text(body, "incident", reply->incident);
	buf_add(body, SPAN("}\n"));
}

void reply_print(const struct reply *reply, struct buf *out)
{
	cleanup(buf_release) struct buf body = BUF_INIT(BODY_MAX);
	const struct word *word = word_of(reply->status);

	print_body(reply, word, &body);
	if (buf_failed(&body))
		buf_clear(&body);
	buf_addf(out,
		 "HTTP/1.1 %d %s\r\n"
		 "Content-Type: application/json\r\n"
		 "Cache-Control: no-store\r\n"
		 "Content-Length: %zu\r\n"
		 "%s%s\r\n",
		 word->status, word->phrase, body.size,
		 word->status == 407 ? challenge : "",
		 reply->keep ? "" : "Connection: close\r\n");
	if (!reply->to_head)
		buf_add(out, buf_span(&body));
}
