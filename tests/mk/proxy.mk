# proxy/
unit_tests += \
	tests/unit/test_authority \
	tests/unit/test_body \
	tests/unit/test_choice \
	tests/unit/test_dial \
	tests/unit/test_head \
	tests/unit/test_learn \
	tests/unit/test_listen_fds \
	tests/unit/test_nearest \
	tests/unit/test_presets \
	tests/unit/test_proxy_conf \
	tests/unit/test_resolver_cache \
	tests/unit/test_wire_http \
	tests/unit/test_wire_keep \
	tests/unit/test_wire_life \
	tests/unit/test_wire_policy \
	tests/unit/test_wire_target
script_tests += tests/net/proxy.tap tests/net/readings.tap \
	tests/net/resolver.tap

tests_unit_test_authority_SOURCES = tests/unit/test_authority.c
tests_unit_test_authority_LDADD = $(PROXY_LIBS) $(CMOCKA_LIBS)
tests_unit_test_body_SOURCES = tests/unit/test_body.c
tests_unit_test_body_LDADD = $(PROXY_LIBS) $(CMOCKA_LIBS)
tests_unit_test_choice_SOURCES = tests/unit/test_choice.c
tests_unit_test_choice_LDADD = $(PROXY_LIBS) $(CMOCKA_LIBS)
tests_unit_test_dial_SOURCES = tests/unit/test_dial.c
tests_unit_test_dial_LDADD = $(PROXY_LIBS) $(CMOCKA_LIBS)
tests_unit_test_head_SOURCES = tests/unit/test_head.c
tests_unit_test_head_LDADD = $(PROXY_LIBS) $(CMOCKA_LIBS)
tests_unit_test_learn_SOURCES = tests/unit/test_learn.c
tests_unit_test_learn_LDADD = $(PROXY_LIBS) $(CMOCKA_LIBS)
tests_unit_test_listen_fds_SOURCES = tests/unit/test_listen_fds.c
tests_unit_test_listen_fds_LDADD = $(PROXY_LIBS) $(CMOCKA_LIBS)
tests_unit_test_nearest_SOURCES = tests/unit/test_nearest.c
tests_unit_test_nearest_LDADD = $(POLICY_LIBS) $(CMOCKA_LIBS)
tests_unit_test_presets_SOURCES = tests/unit/test_presets.c
tests_unit_test_presets_LDADD = $(PROXY_LIBS) $(CMOCKA_LIBS)
tests_unit_test_proxy_conf_SOURCES = tests/unit/test_proxy_conf.c
tests_unit_test_proxy_conf_LDADD = $(PROXY_LIBS) $(CMOCKA_LIBS)
tests_unit_test_resolver_cache_SOURCES = tests/unit/test_resolver_cache.c
tests_unit_test_resolver_cache_LDADD = $(PROXY_LIBS) $(CMOCKA_LIBS)

wire_sources = \
	tests/unit/wire.c tests/unit/wire.h tests/unit/wire_text.h \
	tests/unit/wire_check.c \
	tests/unit/wire_dns.c tests/unit/wire_dns.h
tests_unit_test_wire_http_SOURCES = tests/unit/test_wire_http.c $(wire_sources)
tests_unit_test_wire_http_LDADD = $(PROXY_LIBS) $(CMOCKA_LIBS)
tests_unit_test_wire_keep_SOURCES = tests/unit/test_wire_keep.c $(wire_sources)
tests_unit_test_wire_keep_LDADD = $(PROXY_LIBS) $(CMOCKA_LIBS)
tests_unit_test_wire_life_SOURCES = tests/unit/test_wire_life.c $(wire_sources)
tests_unit_test_wire_life_LDADD = $(PROXY_LIBS) $(CMOCKA_LIBS)
tests_unit_test_wire_policy_SOURCES = \
	tests/unit/test_wire_policy.c $(wire_sources)
tests_unit_test_wire_policy_LDADD = $(PROXY_LIBS) $(CMOCKA_LIBS)
tests_unit_test_wire_target_SOURCES = \
	tests/unit/test_wire_target.c $(wire_sources)
tests_unit_test_wire_target_LDADD = $(PROXY_LIBS) $(CMOCKA_LIBS)
