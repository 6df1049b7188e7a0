# fw/, and the netlink door beneath it
unit_tests += \
	tests/unit/test_netlink

EXTRA_DIST += tests/unit/netns.h

tests_unit_test_netlink_SOURCES = tests/unit/test_netlink.c
tests_unit_test_netlink_LDADD = $(BASE_LIBS) $(CMOCKA_LIBS)
