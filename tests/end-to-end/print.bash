# SPDX-License-Identifier: Apache-2.0
# For print-*.sh tests: whole outputs of er_print, and how it ends.
set -eu
er_print=$BUILD/bin/er_print

# is EXPECTED ARGUMENTS...: the whole output, but for blanks at the ends of lines.
is()
{
	local expected=$1
	shift
	"$er_print" "$@" 2>err | sed 's/ *$//' >out
	diff <(printf '%s\n' "$expected") out || { echo "er_print $*"; cat err; exit 1; }
}

# ends STATUS TEXT ARGUMENTS...: the exit status, and all of stderr.
ends()
{
	local status=$1 text=$2 got=0
	shift 2
	"$er_print" "$@" >out 2>err || got=$?
	[ $got -eq "$status" ] || { echo "er_print $*: status $got, expected $status"; cat out err; exit 1; }
	[ "$(cat err)" = "$text" ] || { echo "er_print $*: expected: $text"; cat err; exit 1; }
}
