noinst_LIBRARIES += libbaselines.a
libbaselines_a_SOURCES = \
	%D%/baseline.c %D%/baseline.h \
	%D%/shelf.c %D%/shelf.h

BASELINES_LIBS = libbaselines.a $(POLICY_LIBS)

baselinesdir = $(pkgdatadir)/baselines
dist_baselines_DATA = %D%/desktop-1.37937.1.json
