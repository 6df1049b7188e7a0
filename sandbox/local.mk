noinst_LIBRARIES += libsandbox.a
libsandbox_a_SOURCES = \
	%D%/allowlist.c %D%/allowlist.h \
	%D%/link.c %D%/link.h \
	%D%/session.c %D%/session.h \
	%D%/session_keys.c %D%/session_keys.h
