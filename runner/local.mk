bin_PROGRAMS += cowork-run
cowork_run_SOURCES = \
	%D%/command.h \
	%D%/denials.c %D%/denials.h \
	%D%/doctor.c \
	%D%/exec.c \
	%D%/main.c
cowork_run_LDADD = $(SANDBOX_LIBS)

dist_man_MANS += man/cowork-run.1
