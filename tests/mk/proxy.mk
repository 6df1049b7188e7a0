# proxy/
unit_tests += \
	tests/unit/test_wire

tests_unit_test_wire_SOURCES = \
	tests/unit/test_wire.c tests/unit/wire.c tests/unit/wire.h
tests_unit_test_wire_LDADD = $(PROXY_LIBS) $(CMOCKA_LIBS)
