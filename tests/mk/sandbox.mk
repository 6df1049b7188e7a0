# sandbox/, probe/, runner/
unit_tests += \
	tests/unit/test_folder \
	tests/unit/test_link \
	tests/unit/test_plan
script_tests += \
	tests/net/attack.tap \
	tests/net/boundary.tap \
	tests/net/early.tap \
	tests/net/exec.tap \
	tests/net/kill.tap
EXTRA_DIST += tests/net/lib.sh tests/net/mutants.tap \
	tests/golden/plan-folders.txt tests/golden/plan-plain.txt

tests_unit_test_folder_SOURCES = tests/unit/test_folder.c
tests_unit_test_folder_LDADD = $(SANDBOX_LIBS) $(CMOCKA_LIBS)
tests_unit_test_link_SOURCES = tests/unit/test_link.c
tests_unit_test_link_LDADD = $(SANDBOX_LIBS) $(CMOCKA_LIBS)
tests_unit_test_plan_SOURCES = tests/unit/test_plan.c
tests_unit_test_plan_LDADD = $(SANDBOX_LIBS) $(CMOCKA_LIBS)

check_PROGRAMS += tests/net/attack
tests_net_attack_SOURCES = tests/net/attack.c
tests_net_attack_LDADD = libbase.a

if ENABLE_MUTANTS
mutant_tests = tests/net/mutants.tap
else
mutant_tests =
endif
TESTS += $(mutant_tests)
