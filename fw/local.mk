noinst_LIBRARIES += libfw.a
libfw_a_SOURCES = \
	%D%/kernel.h %D%/plan.h %D%/print.h
