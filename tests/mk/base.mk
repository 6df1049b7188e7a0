# base/ and policy/
unit_tests += \
	tests/unit/test_addr

tests_unit_test_addr_SOURCES = tests/unit/test_addr.c
tests_unit_test_addr_LDADD = $(POLICY_LIBS) $(CMOCKA_LIBS)
