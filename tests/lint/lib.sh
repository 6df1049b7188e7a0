# shellcheck shell=sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What the lint scripts share. They run in the source folder, over the files
# that git tracks, or in a release, which has no git, over all of them.

cd "${srcdir:?is not set: run this by 'make check'}" || exit 99
count=0

# result STATUS NAME: one line of TAP.
result() {
	count=$((count + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $count - $2"
	else
		echo "not ok $count - $2"
	fi
}

# clean NAME FINDINGS: ok where there are none.
clean() {
	if [ -n "$2" ]; then
		printf '%s\n' "$2" | sed 's/^/# /'
		result 1 "$1"
	else
		result 0 "$1"
	fi
}

finish() {
	echo "1..$count"
	exit 0
}

# need TOOL: the whole script is skipped without it.
need() {
	command -v "$1" >/dev/null 2>&1 && return
	echo "1..0 # SKIP $1 is not installed"
	exit 0
}

# Every file of the project, one a line.
all_files() {
	if [ -e .git ] && git ls-files 2>/dev/null; then
		return
	fi
	# what autotools and a build leave in a release is nobody's source
	find . \( -name 'build*' -o -name '_build' -o -name '_inst' \
		-o -name .git -o -name .deps -o -name 'autom4te*' \
		-o -name Makefile -o -name Makefile.in -o -name aclocal.m4 \
		-o -path './config*' ! -name configure.ac -o -name libtool \
		-o -name '*.log' -o -name '*.trs' -o -name '*.o' \) -prune \
		-o -type f -print | sed 's|^\./||'
}

# files REGEX: those whose path matches; a deleted one is none.
files() {
	all_files | grep -E "$1" | while IFS= read -r file; do
		[ ! -f "$file" ] || printf '%s\n' "$file"
	done
}

# Shell scripts: by their name, or by their first line.
scripts() {
	files '\.(sh|tap)$'
	files '(^|/)[^.]+$' | while IFS= read -r file; do
		head -n 1 "$file" | tr -d '\0' | grep -qE '^#!.*[/ ](ba)?sh' &&
			printf '%s\n' "$file"
	done
}
