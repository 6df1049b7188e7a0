# One cmocka program a module, one shell script a scenario; each part of the
# project keeps its own list. Programs and tests link the same libraries.
unit_tests =
script_tests =

include tests/mk/base.mk
include tests/mk/fuzz.mk
include tests/mk/fw.mk
include tests/mk/lint.mk
include tests/mk/proxy.mk
include tests/mk/sandbox.mk
include tests/mk/world.mk

check_PROGRAMS += $(unit_tests)
dist_check_SCRIPTS += $(script_tests)
EXTRA_DIST += tests/unit/audit_check.h tests/unit/dns_build.h \
	tests/unit/policies.h tests/unit/scratch.h tests/unit/unit.h
TESTS += $(unit_tests) $(script_tests)
