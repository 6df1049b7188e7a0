# COWORK_FLAG(VARIABLE, FLAG) - add FLAG to VARIABLE where compiler and linker
# both take it. CFLAGS stays the user's.
AC_DEFUN([COWORK_FLAG],
[AS_VAR_PUSHDEF([cached], [cowork_cv_flag_$2])dnl
AC_CACHE_CHECK([whether $CC takes $2], [cached],
[cowork_saved=$CFLAGS
CFLAGS="$CFLAGS -Werror $2"
AC_LINK_IFELSE([AC_LANG_PROGRAM()],
	[AS_VAR_SET([cached], [yes])], [AS_VAR_SET([cached], [no])])
CFLAGS=$cowork_saved])
AS_VAR_IF([cached], [yes], [$1="$$1 $2"])
AS_VAR_POPDEF([cached])])

# COWORK_LIBRARY(NAME, PKG-CONFIG SPECIFICATION, DEBIAN PACKAGE)
AC_DEFUN([COWORK_LIBRARY],
[PKG_CHECK_MODULES([$1], [$2], [],
	[AC_MSG_ERROR([$2 is missing; on Debian: apt-get install $3])])])
