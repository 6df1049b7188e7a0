noinst_LIBRARIES += libbase.a
libbase_a_SOURCES = \
	%D%/addr.c %D%/addr.h \
	%D%/audit.c %D%/audit.h \
	%D%/audit_read.c %D%/audit_read.h \
	%D%/buf.c %D%/buf.h \
	%D%/cleanup.h \
	%D%/clock.c %D%/clock.h \
	%D%/compiler.h \
	%D%/digest.c %D%/digest.h \
	%D%/dns.c %D%/dns.h \
	%D%/error.c %D%/error.h \
	%D%/fd.c %D%/fd.h \
	%D%/hostname.c %D%/hostname.h \
	%D%/json.c %D%/json.h \
	%D%/lockdown.c %D%/lockdown.h \
	%D%/log.c %D%/log.h \
	%D%/netlink.c %D%/netlink.h \
	%D%/options.c %D%/options.h \
	%D%/span.h \
	%D%/spawn.c %D%/spawn.h \
	%D%/utf8.c %D%/utf8.h \
	%D%/where.c %D%/where.h \
	%D%/words.c %D%/words.h \
	%D%/yaml.c %D%/yaml.h %D%/yaml_int.h \
	%D%/yaml_read.c %D%/yaml_tree.c
