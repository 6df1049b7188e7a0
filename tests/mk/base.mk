# base/ and policy/
unit_tests += \
	tests/unit/test_addr \
	tests/unit/test_addrclass \
	tests/unit/test_audit \
	tests/unit/test_audit_read \
	tests/unit/test_audit_room \
	tests/unit/test_buf \
	tests/unit/test_bug \
	tests/unit/test_digest \
	tests/unit/test_dns_answer \
	tests/unit/test_dns_name \
	tests/unit/test_dns_query \
	tests/unit/test_entry \
	tests/unit/test_error \
	tests/unit/test_fd \
	tests/unit/test_hostname \
	tests/unit/test_json \
	tests/unit/test_log \
	tests/unit/test_memory \
	tests/unit/test_policy \
	tests/unit/test_policy_digest \
	tests/unit/test_policy_oracle \
	tests/unit/test_spawn \
	tests/unit/test_utf8 \
	tests/unit/test_where \
	tests/unit/test_words \
	tests/unit/test_yaml \
	tests/unit/test_yaml_read

base_test_libs = $(POLICY_LIBS) $(CMOCKA_LIBS)

tests_unit_test_addr_SOURCES = tests/unit/test_addr.c
tests_unit_test_addr_LDADD = $(base_test_libs)
tests_unit_test_addrclass_SOURCES = tests/unit/test_addrclass.c
tests_unit_test_addrclass_LDADD = $(base_test_libs)
tests_unit_test_audit_SOURCES = tests/unit/test_audit.c
tests_unit_test_audit_LDADD = $(base_test_libs)
tests_unit_test_audit_read_SOURCES = tests/unit/test_audit_read.c
tests_unit_test_audit_read_LDADD = $(base_test_libs)
tests_unit_test_audit_room_SOURCES = tests/unit/test_audit_room.c
tests_unit_test_audit_room_LDADD = $(base_test_libs)
tests_unit_test_buf_SOURCES = tests/unit/test_buf.c
tests_unit_test_buf_LDADD = $(base_test_libs)
tests_unit_test_bug_SOURCES = tests/unit/test_bug.c
tests_unit_test_bug_LDADD = $(base_test_libs)
tests_unit_test_digest_SOURCES = tests/unit/test_digest.c
tests_unit_test_digest_LDADD = $(base_test_libs)
tests_unit_test_dns_answer_SOURCES = tests/unit/test_dns_answer.c
tests_unit_test_dns_answer_LDADD = $(base_test_libs)
tests_unit_test_dns_name_SOURCES = tests/unit/test_dns_name.c
tests_unit_test_dns_name_LDADD = $(base_test_libs)
tests_unit_test_dns_query_SOURCES = tests/unit/test_dns_query.c
tests_unit_test_dns_query_LDADD = $(base_test_libs)
tests_unit_test_entry_SOURCES = tests/unit/test_entry.c
tests_unit_test_entry_LDADD = $(base_test_libs)
tests_unit_test_error_SOURCES = tests/unit/test_error.c
tests_unit_test_error_LDADD = $(base_test_libs)
tests_unit_test_fd_SOURCES = tests/unit/test_fd.c
tests_unit_test_fd_LDADD = $(base_test_libs)
tests_unit_test_hostname_SOURCES = tests/unit/test_hostname.c
tests_unit_test_hostname_LDADD = $(base_test_libs)
tests_unit_test_json_SOURCES = tests/unit/test_json.c
tests_unit_test_json_LDADD = $(base_test_libs)
tests_unit_test_log_SOURCES = tests/unit/test_log.c
tests_unit_test_log_LDADD = $(base_test_libs)
tests_unit_test_memory_SOURCES = tests/unit/test_memory.c
tests_unit_test_memory_LDADD = $(base_test_libs)
tests_unit_test_memory_LDFLAGS = $(AM_LDFLAGS) \
	-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=reallocarray \
	-Wl,--wrap=strdup,--wrap=strndup,--wrap=asprintf,--wrap=__asprintf_chk
tests_unit_test_policy_SOURCES = tests/unit/test_policy.c
tests_unit_test_policy_LDADD = $(base_test_libs)
tests_unit_test_policy_digest_SOURCES = tests/unit/test_policy_digest.c
tests_unit_test_policy_digest_LDADD = $(base_test_libs)
tests_unit_test_policy_oracle_SOURCES = tests/unit/test_policy_oracle.c
tests_unit_test_policy_oracle_LDADD = $(base_test_libs)
tests_unit_test_spawn_SOURCES = tests/unit/test_spawn.c
tests_unit_test_spawn_LDADD = $(base_test_libs)
tests_unit_test_utf8_SOURCES = tests/unit/test_utf8.c
tests_unit_test_utf8_LDADD = $(base_test_libs)
tests_unit_test_where_SOURCES = tests/unit/test_where.c
tests_unit_test_where_LDADD = $(base_test_libs)
tests_unit_test_words_SOURCES = tests/unit/test_words.c
tests_unit_test_words_LDADD = $(base_test_libs)
tests_unit_test_yaml_SOURCES = tests/unit/test_yaml.c
tests_unit_test_yaml_LDADD = $(base_test_libs)
tests_unit_test_yaml_read_SOURCES = tests/unit/test_yaml_read.c
tests_unit_test_yaml_read_LDADD = $(base_test_libs)
