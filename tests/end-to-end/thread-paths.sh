#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Waits for names, folders, locks of files, processes and name servers, and sleep in select and poll, have their state, their length
# by the program's own clock and the stack of the function that waited, with I/O tracing as without, and where perf events are refused.
# measures how long a program waits
. "$TESTS/end-to-end/hostile.bash"
. "$TESTS/end-to-end/states.bash"
metrics="filewait netwait sleep pollwait childwait unknownwait"
failures=0
mkdir -p slow
# Where the kernel lets nobody make a file system of his own, the rest is measured.
slow=slow there=("$PROGRAMS/slow_file" slow)
"${there[@]}" true || slow= there=()
# paths NAME OPTIONS LAUNCHER...
paths()
{
	local name=$1 options=$2
	shift 2
	# shellcheck disable=SC2086
	"${there[@]}" "$@" "$collect" $options -F off -O said -o "$name.er" "$PROGRAMS/path_waits" $slow >"$name.own"
	[ "$(wc -l <"$name.own")" -ge 8 ] || failures=1
	columns "$metrics" "$name.er" >"$name.list"
	agree "$name" "$metrics" "$name.list" "$name.own" || failures=1
}
paths plain ""
paths traced "-i on"
paths refused "" "$PROGRAMS/refuse_perf" EPERM
exit $failures
