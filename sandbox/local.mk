noinst_LIBRARIES += libsandbox.a
libsandbox_a_SOURCES = \
	%D%/link.c %D%/link.h
