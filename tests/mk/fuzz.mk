# One libFuzzer target a parser. Without --enable-fuzzing the same target runs
# its corpus under any compiler; with it, tests/fuzz/run runs it for long.
fuzz_targets = \
	tests/fuzz/fuzz_addr \
	tests/fuzz/fuzz_audit_read \
	tests/fuzz/fuzz_authority \
	tests/fuzz/fuzz_dns_answer \
	tests/fuzz/fuzz_dns_query \
	tests/fuzz/fuzz_hostname \
	tests/fuzz/fuzz_http_body \
	tests/fuzz/fuzz_http_conn \
	tests/fuzz/fuzz_http_request \
	tests/fuzz/fuzz_http_response \
	tests/fuzz/fuzz_policy \
	tests/fuzz/fuzz_proxy_file \
	tests/fuzz/fuzz_text \
	tests/fuzz/fuzz_yaml

check_PROGRAMS += $(fuzz_targets)
EXTRA_DIST += tests/fuzz/corpus tests/fuzz/run

if ENABLE_FUZZING
fuzz_ldflags = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)
else
fuzz_ldflags = $(AM_LDFLAGS)
fuzz_main = tests/fuzz/replay.c
TESTS += $(fuzz_targets)
endif

tests_fuzz_fuzz_addr_SOURCES = tests/fuzz/fuzz_addr.c tests/fuzz/fuzz.h $(fuzz_main)
tests_fuzz_fuzz_addr_LDADD = $(POLICY_LIBS)
tests_fuzz_fuzz_addr_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_audit_read_SOURCES = tests/fuzz/fuzz_audit_read.c tests/fuzz/fuzz.h $(fuzz_main)
tests_fuzz_fuzz_audit_read_LDADD = $(POLICY_LIBS)
tests_fuzz_fuzz_audit_read_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_dns_answer_SOURCES = tests/fuzz/fuzz_dns_answer.c tests/fuzz/fuzz.h $(fuzz_main)
tests_fuzz_fuzz_dns_answer_LDADD = $(POLICY_LIBS)
tests_fuzz_fuzz_dns_answer_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_dns_query_SOURCES = tests/fuzz/fuzz_dns_query.c tests/fuzz/fuzz.h $(fuzz_main)
tests_fuzz_fuzz_dns_query_LDADD = $(POLICY_LIBS)
tests_fuzz_fuzz_dns_query_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_hostname_SOURCES = tests/fuzz/fuzz_hostname.c tests/fuzz/fuzz.h $(fuzz_main)
tests_fuzz_fuzz_hostname_LDADD = $(POLICY_LIBS)
tests_fuzz_fuzz_hostname_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_policy_SOURCES = tests/fuzz/fuzz_policy.c tests/fuzz/fuzz.h $(fuzz_main)
tests_fuzz_fuzz_policy_LDADD = $(POLICY_LIBS)
tests_fuzz_fuzz_policy_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_proxy_file_SOURCES = tests/fuzz/fuzz_proxy_file.c tests/fuzz/fuzz.h $(fuzz_main)
tests_fuzz_fuzz_proxy_file_LDADD = $(PROXY_LIBS)
tests_fuzz_fuzz_proxy_file_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_text_SOURCES = tests/fuzz/fuzz_text.c tests/fuzz/fuzz.h $(fuzz_main)
tests_fuzz_fuzz_text_LDADD = $(POLICY_LIBS)
tests_fuzz_fuzz_text_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_yaml_SOURCES = tests/fuzz/fuzz_yaml.c tests/fuzz/fuzz.h $(fuzz_main)
tests_fuzz_fuzz_yaml_LDADD = $(POLICY_LIBS)
tests_fuzz_fuzz_yaml_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_authority_SOURCES = tests/fuzz/fuzz_authority.c tests/fuzz/fuzz.h $(fuzz_main)
tests_fuzz_fuzz_authority_LDADD = $(PROXY_LIBS)
tests_fuzz_fuzz_authority_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_http_body_SOURCES = tests/fuzz/fuzz_http_body.c tests/fuzz/fuzz.h $(fuzz_main)
tests_fuzz_fuzz_http_body_LDADD = $(PROXY_LIBS)
tests_fuzz_fuzz_http_body_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_http_conn_SOURCES = tests/fuzz/fuzz_http_conn.c tests/fuzz/fuzz.h $(fuzz_main)
tests_fuzz_fuzz_http_conn_LDADD = $(PROXY_LIBS)
tests_fuzz_fuzz_http_conn_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_http_request_SOURCES = tests/fuzz/fuzz_http_request.c tests/fuzz/fuzz.h $(fuzz_main)
tests_fuzz_fuzz_http_request_LDADD = $(PROXY_LIBS)
tests_fuzz_fuzz_http_request_LDFLAGS = $(fuzz_ldflags)
tests_fuzz_fuzz_http_response_SOURCES = tests/fuzz/fuzz_http_response.c tests/fuzz/fuzz.h $(fuzz_main)
tests_fuzz_fuzz_http_response_LDADD = $(PROXY_LIBS)
tests_fuzz_fuzz_http_response_LDFLAGS = $(fuzz_ldflags)
