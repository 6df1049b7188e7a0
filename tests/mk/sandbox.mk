# sandbox/
unit_tests += \
	tests/unit/test_link

tests_unit_test_link_SOURCES = tests/unit/test_link.c
tests_unit_test_link_LDADD = $(SANDBOX_LIBS) $(CMOCKA_LIBS)
