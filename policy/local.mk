noinst_LIBRARIES += libpolicy.a
libpolicy_a_SOURCES = \
	%D%/addrclass.c %D%/addrclass.h \
	%D%/entry.c %D%/entry.h \
	%D%/nearest.c %D%/nearest.h \
	%D%/policy.c %D%/policy.h \
	%D%/ruleset.c %D%/ruleset.h
