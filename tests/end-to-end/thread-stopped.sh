#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Stopped Time is that of a program by its own clocks, under the function that stopped it or went on waiting afterwards: stopped by
# itself, by its parent with it or by another process, known by context switches and by calls alone.
# measures how long a program is stopped
. "$TESTS/end-to-end/hostile.bash"
. "$TESTS/end-to-end/states.bash"
failures=0
er_print=$BUILD/bin/er_print
metrics="stop sleep filewait"
# stopped NAME LAUNCHER...
stopped()
{
	local name=$1
	shift
	"$@" "$collect" -O said -o "$name.er" "$PROGRAMS/stopped" >"$name.own"
	columns "$metrics" "$name.er" >"$name.list"
	agree "$name" "$metrics" "$name.list" "$name.own" || failures=1
}
stopped root
stopped refused "$PROGRAMS/refuse_perf" EPERM
# The first thread is stopped twice, sleeps, is stopped, waits for its child, for threads, is stopped, and waits for them again.
"$er_print" -timeline root.er -timeline 7 -filters 'TSTP > 0' -timeline 1 >timeline
cat timeline
sed -n 's/  Process 1, Thread 1$//p' timeline | tr -d '#+ ' | tr -s '[:alpha:]' >rows
printf '%s\n' SsScLSL | grep -qf - rows
[ "$(tail -n 1 rows)" = S ] && [ "$(wc -l <rows)" -eq 3 ] || exit 1
grep -q '^States: # on a CPU, .*, s sleep, f file, c child, S stopped$' timeline
! "$er_print" -filters 'TSTP > 1000000000000' -timeline root.er -timeline none >/dev/null 2>errors || exit 1
diff - errors <<'END'
Error: No thread states were recorded, or the filter keeps none
Error: Invalid argument to command: timeline none: columns are 1 to 10000
END
# Nobody stops it: no time, and it is no part of the wait.
"$collect" -F off -O said -o none.er "$PROGRAMS/thread_states" >none.own
columns "stop sleep" none.er | awk '$1 > 0 { print "WRONG", $0; wrong = 1 } $2 > 0 { slept = 1 } END { exit wrong || !slept }'
open_to_nobody
as_user=()
[ "$(id -u)" -ne 0 ] || as_user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
stopped user "${as_user[@]}"
exit $failures
