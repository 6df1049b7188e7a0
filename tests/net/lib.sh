# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What every script test begins with: TAP, and the needs of a machine.

tap_count=0
scratch=$(mktemp -d "${TMPDIR:-/tmp}/cowork-test-XXXXXX")
chmod 755 "$scratch"
trap 'rm -rf "$scratch"' EXIT

# ok NAME COMMAND... - one test point: the command succeeds.
ok() {
	local name=$1
	shift
	tap_count=$((tap_count + 1))
	if "$@" >"$scratch/tap-output" 2>&1; then
		echo "ok $tap_count - $name"
	else
		echo "not ok $tap_count - $name"
		sed 's/^/# /' "$scratch/tap-output"
	fi
}

# refused NAME COMMAND... - one test point: the command fails.
refused() {
	local name=$1
	shift
	ok "$name" not "$@"
}

not() {
	if "$@"; then
		return 1
	fi
}

# status N COMMAND... - does it end with this exit status?
status() {
	local wanted=$1 got=0
	shift
	"$@" || got=$?
	[ "$got" -eq "$wanted" ] || {
		echo "exit status $got, not $wanted"
		return 1
	}
}

# says TEXT COMMAND... - is this in what it says, on either stream?
says() {
	local wanted=$1 output
	shift
	output=$("$@" 2>&1) || true
	case $output in
	*"$wanted"*) ;;
	*)
		printf 'no "%s" in:\n%s\n' "$wanted" "$output"
		return 1
		;;
	esac
}

end() {
	echo "1..$tap_count"
}

# need NAME PROBE... - skip the whole file where the machine lacks something,
# unless TESTS_MUST_RUN lists it; then it fails.
need() {
	local name=$1
	shift
	"$@" >/dev/null 2>&1 && return
	case " ${TESTS_MUST_RUN-} " in
	*" $name "*)
		echo "1..1"
		echo "not ok 1 - this machine must have: $name"
		exit 0
		;;
	esac
	echo "1..0 # SKIP this machine has no: $name"
	exit 0
}

need_userns() {
	need userns as_user unshare -Urn true
	need netns unshare -Urn true
}

# as_user COMMAND... - as an ordinary user, also where the test runs as root.
as_user() {
	if [ "$(id -u)" -eq 0 ]; then
		setpriv --reuid 65534 --regid 65534 --clear-groups \
			env HOME=/nonexistent TMPDIR=/tmp "$@"
	else
		"$@"
	fi
}

# ended PID - has it ended? One that nobody has waited for yet has.
ended() {
	case $(cat "/proc/$1/stat" 2>/dev/null) in
	"" | *") Z "*) ;;
	*) return 1 ;;
	esac
}

# gone PID... - wait until all of these have ended, at most 20 s each.
gone() {
	local pid
	for pid in "$@"; do
		wait_for ended "$pid" || {
			echo "process $pid is still there:"
			tr '\0' ' ' <"/proc/$pid/cmdline"
			return 1
		}
	done
}

# descendants PID - all of them, the process itself first.
descendants() {
	local child
	echo "$1"
	# shellcheck disable=SC2013 # words, on one line
	for child in $(cat "/proc/$1/task/$1/children" 2>/dev/null); do
		descendants "$child"
	done
}

# wait_for COMMAND... - until it succeeds, at most 20 s.
wait_for() {
	local i
	for ((i = 0; i < 400; i++)); do
		"$@" && return 0
		sleep 0.05
	done
	return 1
}
