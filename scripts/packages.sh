#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What has to be installed, and installing it; sourced by quickstart and check.

# shellcheck disable=SC2034 # used by those that source this

# Building and running.
run_packages=(
	gcc libc6-dev make autoconf automake pkg-config
	libevent-dev libssl-dev libc-ares-dev libnftnl-dev libmnl-dev
	libyaml-dev libjansson-dev libseccomp-dev libidn2-dev libpsl-dev
	libcmocka-dev bubblewrap curl ca-certificates
)

# What the tests use beyond that.
# shellcheck disable=SC2034 # used by the script that sources this one
test_packages=(
	clang libclang-rt-14-dev clang-format cppcheck shellcheck mandoc
	nftables iproute2 util-linux procps xz-utils git lcov
)

say() {
	printf '== %s\n' "$*"
}

stop() {
	printf '%s\n' "$*" >&2
	exit 2
}

# missing PACKAGE... - those of them that are not installed.
missing() {
	local package
	for package in "$@"; do
		dpkg-query -W -f '${Status}\n' "$package" 2>/dev/null |
			grep -q '^install ok installed$' || printf '%s ' "$package"
	done
}

# install PACKAGE... - what is missing of them, asking nothing; where that is
# not possible, name the packages and stop.
install_packages() {
	local wanted as_root=()

	if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
		[ -n "${COWORK_PACKAGES_INSTALLED-}" ] && return
		stop "This is not a Debian system. Install what these Debian packages hold:
  $*
and run again with COWORK_PACKAGES_INSTALLED=1."
	fi
	wanted=$(missing "$@")
	[ -n "$wanted" ] || return 0
	if [ "$(id -u)" -ne 0 ]; then
		sudo -n true 2>/dev/null || stop "These packages are missing:
  $wanted
Install them as root:
  apt-get install $wanted
and run again."
		as_root=(sudo -n)
	fi
	say "installing: $wanted"
	"${as_root[@]}" apt-get update -qq >/dev/null || stop "apt-get update failed."
	# shellcheck disable=SC2086 # a list of names
	"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
		apt-get install -y -qq --no-install-recommends $wanted >/dev/null ||
		stop "Installing failed: $wanted"
}

# build FOLDER [CONFIGURE-OPTION]... - configure where that is due, and make.
# CC is the caller's. The log is kept in the folder.
build() {
	local folder=$1 jobs
	shift
	jobs=$(nproc)
	mkdir -p "$folder"
	# From then on make keeps it up to date itself.
	if [ ! -e configure ]; then
		say "making configure"
		autoreconf -i >"$folder/autoreconf.log" 2>&1 || {
			cat "$folder/autoreconf.log" >&2
			return 1
		}
	fi
	if [ ! -e "$folder/Makefile" ]; then
		say "configuring $folder"
		(cd "$folder" && ../configure -q "$@" >configure.log 2>&1) || {
			tail -n 20 "$folder/configure.log" >&2
			return 1
		}
	fi
	say "building $folder"
	make -C "$folder" -j "$jobs" all >"$folder/make.log" 2>&1 || {
		grep -E 'error|Error' "$folder/make.log" >&2
		return 1
	}
}
