/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "probe/world_tls.h"

#include <stdlib.h>

#include <openssl/err.h>
#include <openssl/ssl.h>

#include "probe/world_ca.h"

struct world_tls {
	SSL_CTX *context;
	struct world_ca *ca;
	struct world_recorder *recorder;
};

struct world_session {
	SSL *ssl;
	struct world_tls *tls;
	struct addr dialed;
};

/* ---- the name in the hello ---- */

/* OpenSSL calls this for every hello, before it answers (RFC 6066, 3). */
static int name_cb(SSL *ssl, int *alert, void *arg)
{
	struct world_tls *tls = arg;
	const struct world_session *session = SSL_get_app_data(ssl);
	const char *sni = SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name);
	struct world_subject subject = { .addr = session->dialed };
	X509 *leaf;

	*alert = SSL_AD_UNRECOGNIZED_NAME;
	if (!world_record_tls(tls->recorder, span_of(sni ? sni : "")))
		return SSL_TLSEXT_ERR_ALERT_FATAL;
	if (sni && hostname_parse(span_of(sni), &subject.host) != HOSTNAME_OK)
		return SSL_TLSEXT_ERR_ALERT_FATAL;
	leaf = world_ca_leaf(tls->ca, &subject);
	if (!leaf || SSL_use_certificate(ssl, leaf) != 1 ||
	    SSL_use_PrivateKey(ssl, world_ca_leaf_key(tls->ca)) != 1)
		return SSL_TLSEXT_ERR_ALERT_FATAL;
	return SSL_TLSEXT_ERR_OK;
}

/* ---- the server ---- */

void world_tls_free(struct world_tls *tls)
{
	if (!tls)
		return;
	SSL_CTX_free(tls->context);
	world_ca_free(tls->ca);
	free(tls);
}

/*
 * Each connection shakes hands in full: a resumed one would not need the name
 * in its hello to be true. The context holds no certificate, so that nothing is
 * ever answered without one made for it.
 */
static SSL_CTX *make_context(struct world_tls *tls)
{
	SSL_CTX *context = SSL_CTX_new(TLS_server_method());

	if (!context)
		return NULL;
	SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
	SSL_CTX_set_options(context,
			    SSL_OP_NO_TICKET | SSL_OP_NO_RENEGOTIATION);
	SSL_CTX_set_num_tickets(context, 0);
	SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
	SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE |
					  SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
					  SSL_MODE_RELEASE_BUFFERS);
	SSL_CTX_set_tlsext_servername_callback(context, name_cb);
	SSL_CTX_set_tlsext_servername_arg(context, tls);
	return context;
}

struct world_tls *world_tls_new(struct world_recorder *recorder,
				struct error *err)
{
	struct world_tls *tls = calloc(1, sizeof(*tls));

	if (!tls) {
		error_sys(err, "no memory for TLS");
		return NULL;
	}
	tls->recorder = recorder;
	tls->ca = world_ca_new(err);
	if (tls->ca) {
		tls->context = make_context(tls);
		if (tls->context)
			return tls;
		error_kind_set(err, ERROR_SYSTEM, "cannot make a TLS server");
	}
	world_tls_free(tls);
	return NULL;
}

int world_tls_write_ca(const struct world_tls *tls, int fd, struct error *err)
{
	return world_ca_write(tls->ca, fd, err);
}

/* ---- sessions ---- */

struct world_session *world_session_new(struct world_tls *tls, int fd,
					const struct addr *dialed)
{
	struct world_session *session = calloc(1, sizeof(*session));

	if (!session)
		return NULL;
	session->tls = tls;
	session->dialed = *dialed;
	session->ssl = SSL_new(tls->context);
	if (session->ssl && SSL_set_fd(session->ssl, fd) == 1) {
		SSL_set_app_data(session->ssl, session);
		SSL_set_accept_state(session->ssl);
		return session;
	}
	world_session_free(session);
	return NULL;
}

void world_session_free(struct world_session *session)
{
	if (!session)
		return;
	SSL_free(session->ssl);
	free(session);
}

static enum world_io outcome(const struct world_session *session, int result)
{
	if (result == 1)
		return WORLD_IO_DONE;
	switch (SSL_get_error(session->ssl, result)) {
	case SSL_ERROR_WANT_READ:
		return WORLD_IO_WANT_READ;
	case SSL_ERROR_WANT_WRITE:
		return WORLD_IO_WANT_WRITE;
	default:
		return WORLD_IO_OVER;
	}
}

enum world_io world_session_greet(struct world_session *session)
{
	ERR_clear_error(); /* SSL_get_error() looks at the thread's queue */
	return outcome(session, SSL_accept(session->ssl));
}

enum world_io world_session_read(struct world_session *session, void *data,
				 size_t room, size_t *size)
{
	ERR_clear_error();
	return outcome(session, SSL_read_ex(session->ssl, data, room, size));
}

enum world_io world_session_write(struct world_session *session,
				  struct span data, size_t *size)
{
	ERR_clear_error();
	return outcome(session,
		       SSL_write_ex(session->ssl, data.data, data.size, size));
}

void world_session_finish(struct world_session *session)
{
	ERR_clear_error();
	SSL_shutdown(session->ssl);
}
