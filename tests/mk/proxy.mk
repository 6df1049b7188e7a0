# proxy/
unit_tests += \
	tests/unit/test_authority \
	tests/unit/test_body \
	tests/unit/test_head \
	tests/unit/test_listen_fds \
	tests/unit/test_proxy_conf \
	tests/unit/test_wire

tests_unit_test_authority_SOURCES = tests/unit/test_authority.c
tests_unit_test_authority_LDADD = $(PROXY_LIBS) $(CMOCKA_LIBS)
tests_unit_test_body_SOURCES = tests/unit/test_body.c
tests_unit_test_body_LDADD = $(PROXY_LIBS) $(CMOCKA_LIBS)
tests_unit_test_head_SOURCES = tests/unit/test_head.c
tests_unit_test_head_LDADD = $(PROXY_LIBS) $(CMOCKA_LIBS)
tests_unit_test_listen_fds_SOURCES = tests/unit/test_listen_fds.c
tests_unit_test_listen_fds_LDADD = $(PROXY_LIBS) $(CMOCKA_LIBS)
tests_unit_test_proxy_conf_SOURCES = tests/unit/test_proxy_conf.c
tests_unit_test_proxy_conf_LDADD = $(PROXY_LIBS) $(CMOCKA_LIBS)
tests_unit_test_wire_SOURCES = \
	tests/unit/test_wire.c tests/unit/wire.c tests/unit/wire.h
tests_unit_test_wire_LDADD = $(PROXY_LIBS) $(CMOCKA_LIBS)
