# What is true of the sources as text
script_tests += \
	tests/lint/cppcheck.tap \
	tests/lint/format.tap \
	tests/lint/headers.tap \
	tests/lint/includes.tap \
	tests/lint/man.tap \
	tests/lint/scripts.tap \
	tests/lint/sources.tap

EXTRA_DIST += .clang-format tests/lint/lib.sh
