# baselines/, the session loader, and probe/'s pretend world
unit_tests += \
	tests/unit/test_allowlist \
	tests/unit/test_baseline \
	tests/unit/test_session \
	tests/unit/test_world_ca \
	tests/unit/test_world_dns \
	tests/unit/test_world_http \
	tests/unit/test_world_report

tests_unit_test_allowlist_SOURCES = tests/unit/test_allowlist.c
tests_unit_test_allowlist_LDADD = $(SANDBOX_LIBS) $(CMOCKA_LIBS)
tests_unit_test_baseline_SOURCES = tests/unit/test_baseline.c
tests_unit_test_baseline_LDADD = $(BASELINES_LIBS) $(CMOCKA_LIBS)
tests_unit_test_session_SOURCES = tests/unit/test_session.c
tests_unit_test_session_LDADD = $(SANDBOX_LIBS) $(CMOCKA_LIBS)
tests_unit_test_world_ca_SOURCES = tests/unit/test_world_ca.c
tests_unit_test_world_ca_LDADD = $(WORLD_LIBS) $(CMOCKA_LIBS)
tests_unit_test_world_dns_SOURCES = tests/unit/test_world_dns.c
tests_unit_test_world_dns_LDADD = $(WORLD_LIBS) $(CMOCKA_LIBS)
tests_unit_test_world_http_SOURCES = tests/unit/test_world_http.c
tests_unit_test_world_http_LDADD = $(WORLD_LIBS) $(CMOCKA_LIBS)
tests_unit_test_world_report_SOURCES = tests/unit/test_world_report.c
tests_unit_test_world_report_LDADD = $(WORLD_LIBS) $(CMOCKA_LIBS)

# What tests/net/ asks with.
check_PROGRAMS += tests/net/ask_dns tests/net/world_saw
tests_net_ask_dns_SOURCES = tests/net/ask_dns.c
tests_net_ask_dns_LDADD = $(BASE_LIBS)
tests_net_world_saw_SOURCES = tests/net/world_saw.c
tests_net_world_saw_LDADD = $(WORLD_LIBS)

script_tests += tests/net/world.tap

EXTRA_DIST += \
	tests/fixtures/baselines/desktop-.json \
	tests/fixtures/baselines/desktop-1.9.4.json \
	tests/fixtures/baselines/desktop-1.10.2.json \
	tests/fixtures/baselines/desktop-1.beta.99.json \
	tests/fixtures/baselines/notes-2.0.json
