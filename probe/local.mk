noinst_LIBRARIES += libworld.a
libworld_a_SOURCES = \
	%D%/world_dns.c %D%/world_dns.h \
	%D%/world_recorder.c %D%/world_recorder.h \
	%D%/world_report.c %D%/world_report.h \
	%D%/world_zone.c %D%/world_zone.h
