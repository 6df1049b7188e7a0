bin_PROGRAMS += boundary-check
boundary_check_SOURCES = \
	%D%/act.c %D%/act.h \
	%D%/main.c \
	%D%/probe.h %D%/probe_allowlist.c %D%/probe_direct.c %D%/probe_fs.c \
	%D%/probe_result.c \
	%D%/report.c %D%/report.h \
	%D%/scene.c %D%/scene.h
boundary_check_LDADD = $(WORLD_LIBS)

noinst_LIBRARIES += libworld.a
libworld_a_SOURCES = \
	%D%/world.c %D%/world.h \
	%D%/world_ca.c %D%/world_ca.h \
	%D%/world_conn.c %D%/world_conn.h \
	%D%/world_datagram.c %D%/world_datagram.h \
	%D%/world_dns.c %D%/world_dns.h \
	%D%/world_http.c %D%/world_http.h \
	%D%/world_ports.c %D%/world_ports.h \
	%D%/world_recorder.c %D%/world_recorder.h \
	%D%/world_report.c %D%/world_report.h \
	%D%/world_service.h \
	%D%/world_space.c %D%/world_space.h \
	%D%/world_tls.c %D%/world_tls.h \
	%D%/world_trick.c %D%/world_trick.h \
	%D%/world_zone.c %D%/world_zone.h

dist_man_MANS += man/boundary-check.1
bin_PROGRAMS += cowork-world
cowork_world_SOURCES = %D%/world_main.c
cowork_world_LDADD = $(WORLD_LIBS)
dist_man_MANS += man/cowork-world.8
