noinst_LIBRARIES += libfw.a
libfw_a_SOURCES = \
	%D%/batch.c %D%/batch.h \
	%D%/commit.c \
	%D%/compile.c %D%/compile.h \
	%D%/counters.c \
	%D%/dump.c %D%/dump.h \
	%D%/kernel.h \
	%D%/mutant.h \
	%D%/plan.c %D%/plan.h %D%/plan_int.h \
	%D%/print.c %D%/print.h \
	%D%/sealed.c \
	%D%/verify.c

bin_PROGRAMS += cowork-fw
cowork_fw_SOURCES = %D%/main.c %D%/alone.c %D%/alone.h
cowork_fw_LDADD = $(FW_LIBS)

dist_man_MANS += man/cowork-fw.8
EXTRA_DIST += docs/firewall.md
