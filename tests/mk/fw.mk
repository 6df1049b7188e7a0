# fw/, and the netlink door beneath it
unit_tests += \
	tests/net/traffic \
	tests/unit/test_fw_kernel \
	tests/unit/test_fw_plan \
	tests/unit/test_netlink

script_tests += tests/net/sealed.tap

EXTRA_DIST += \
	tests/golden/sealed-other.nft \
	tests/golden/sealed.nft \
	tests/unit/netns.h

tests_unit_test_fw_kernel_SOURCES = tests/unit/test_fw_kernel.c
tests_unit_test_fw_kernel_LDADD = $(FW_LIBS) $(CMOCKA_LIBS)
tests_unit_test_fw_plan_SOURCES = tests/unit/test_fw_plan.c
tests_unit_test_fw_plan_LDADD = $(FW_LIBS) $(CMOCKA_LIBS)
tests_unit_test_netlink_SOURCES = tests/unit/test_netlink.c
tests_unit_test_netlink_LDADD = $(BASE_LIBS) $(CMOCKA_LIBS)
tests_net_traffic_SOURCES = tests/net/traffic.c
tests_net_traffic_LDADD = $(SANDBOX_LIBS) $(CMOCKA_LIBS)
