#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Threads wake one another by system calls of the program's own: where the kernel lets us see its wakeups, the waits are those of the
# functions that ended them, by the clock of who waited, and chains go through them. Elsewhere they have no waker. Where the kernel
# lets us look at it, the waits have the stack of the system call.
# measures how long threads wait for one another
. "$TESTS/end-to-end/hostile.bash"
er_print=$BUILD/bin/er_print
[ -r /sys/kernel/tracing/events/sched/sched_waking/format ] || { echo "the kernel's wakeups may not be seen"; exit 77; }
"$collect" -F off -O said -o seen.er "$PROGRAMS/own_futexes" >own
"$er_print" -metrics i.wakeup:name -sort i.wakeup -name short -functions seen.er | awk '/^ *[0-9.]+ /' >list
cat own list
awk 'FNR == NR { shown[$2] = $1; next }
	$2 == "wakeup" { checked++; if (shown[$1] < .85 * $3 || shown[$1] > 1.15 * $3) wrong = 1 }
	END { exit wrong || checked != 2 }' list own
# All waits are in one function.
"$er_print" -metrics i.unknownwait:name -sort i.unknownwait -name short -functions seen.er | awk '/^ *[0-9.]+ /' | tee places
awk 'FNR == NR { shown[$2] = $1; next } $1 == "wait_word" { exit shown[$1] < .85 * $3 || shown[$1] > 1.15 * $3 }' places own
"$er_print" -metrics i.chain:name -sort i.chain -name short -folded - seen.er 2>/dev/null |
	awk '/run;wait_word;futex;--;futex;second_wakes;run;[^-]*;--;futex;first_wakes;run;/ { sum += $NF / 1e9 } END { print "chained", sum; exit sum < .3 }'
"$er_print" -header seen.er | grep '[34]  times that the kernel began to record whom a thread wakes'
# The stack of a wait may be larger than what the kernel writes of it, and be used for other things by the time that it is looked at.
# The system call is the last instruction of an inlined function.
timeout 60 "$collect" -F off -O said -o deep.er "$PROGRAMS/deep_waits" | tee own
"$er_print" -metrics e.unknownwait:name -sort e.unknownwait -name short -functions deep.er | awk '/^ *[0-9.]+ /' | tee places
awk 'FNR == NR { shown[$2] = $1; next } { exit shown[$1] < .85 * $3 || shown[$1] > 1.4 * $3 }' places own
# Nobody waits until the kernel has closed the last event of its tracepoint, 35 ms each time.
ends=$("$collect" -F on -O said -o ends.er "$PROGRAMS/ends_of_waiters")
echo "eight children ended within $ends s"
"$er_print" -header ends.er | grep 'times that the kernel began to record whom a thread wakes' | tail -1
awk -v ends="$ends" 'BEGIN { exit !(ends < .12) }'
# A user may not see them.
[ "$(id -u)" = 0 ] || exit 0
setpriv --bounding-set -perfmon,-sys_admin --inh-caps -perfmon,-sys_admin "$collect" -F off -O said -o hidden.er "$PROGRAMS/own_futexes"
"$er_print" -metrics i.wakeup:name -sort i.wakeup -name short -functions hidden.er | tee hidden
! grep -q '_wakes' hidden || exit 1
