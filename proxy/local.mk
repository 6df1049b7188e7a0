noinst_LIBRARIES += libproxy.a
libproxy_a_SOURCES = \
	%D%/authority.c %D%/authority.h \
	%D%/body.c %D%/body.h \
	%D%/choice.c %D%/choice.h \
	%D%/conf.c %D%/conf.h %D%/conf_int.h %D%/conf_fields.c \
	%D%/conf_policies.c %D%/conf_presets.c %D%/conf_print.c \
	%D%/conf_select.c \
	%D%/conn.c %D%/conn.h %D%/conn_int.h %D%/conn_admit.c \
	%D%/conn_exchange.c %D%/conn_head.c %D%/conn_record.c \
	%D%/context.h \
	%D%/credential.c %D%/credential.h \
	%D%/dial.c %D%/dial.h \
	%D%/explain.c %D%/explain.h \
	%D%/fields.c %D%/fields.h \
	%D%/framing.c %D%/framing.h \
	%D%/head.c %D%/head.h \
	%D%/journal.c %D%/journal.h \
	%D%/judge.c %D%/judge.h \
	%D%/learn.c %D%/learn.h \
	%D%/lint.c %D%/lint.h \
	%D%/listen_fds.c %D%/listen_fds.h \
	%D%/listener.c %D%/listener.h \
	%D%/own_addrs.c %D%/own_addrs.h \
	%D%/relay.c %D%/relay.h \
	%D%/reply.c %D%/reply.h \
	%D%/resolver.c %D%/resolver.h \
	%D%/resolver_cache.c %D%/resolver_cache.h \
	%D%/response.c %D%/response.h \
	%D%/server.c %D%/server.h

bin_PROGRAMS += coworkproxy
coworkproxy_SOURCES = %D%/main.c
coworkproxy_LDADD = $(PROXY_LIBS)
dist_man_MANS += man/coworkproxy.8
