#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# System calls and page faults have their part of the CPU time by the program's own clock, for a user from whom the kernel hides the
# ticks in its own code as for root, and where there are no perf events.
# measures CPU time of a real run
. "$TESTS/end-to-end/clock.bash"
failures=0
# parts NAME RATE ARGUMENT LEAST MOST LAUNCHER...: each function has so much of what it used by the program's clock; of page faults,
# compute may have more.
parts()
{
	local name=$1 rate=$2 argument=$3 least=$4 most=$5
	shift 5
	"$@" "$collect" -p "$rate" -O said -o "$name.er" "$PROGRAMS/kernel_parts" $argument >"$name.own"
	"$BUILD/bin/er_print" -metrics i.totalcpu:name -functions "$name.er" 2>/dev/null |
		awk -v name="$name" -v least="$least" -v most="$most" '
			FNR == NR { own[$1] = $2; next }
			$2 in own {
				printf "%s: %s %.3f, by its own clock %.3f\n", name, $2, $1, own[$2]
				checked++
				exempt = name == "pages" && $2 == "compute"
				if (!exempt && ($1 < least * own[$2] || $1 > most * own[$2])) { wrong = 1; print "WRONG " $2 }
			}
			END { exit wrong || checked != 2 }' "$name.own" - || failures=1
}
parts root hi "" .85 1.15
parts timer hi "" .85 1.15 "$PROGRAMS/refuse_perf" EPERM
if [ "$(id -u)" -eq 0 ]; then
	# No right to see the kernel: as for everybody else.
	user=(setpriv --bounding-set -perfmon,-sys_admin --inh-caps -perfmon,-sys_admin)
	# The kernel's accounting divides the time between its own ticks and the event's.
	parts user hi "" .75 1.3 "${user[@]}"
	parts pages on pages .2 1.15 "${user[@]}"
	"$BUILD/bin/er_print" -header user.er | grep 'clock ticks in the kernel, by a CPU-time timer' ||
		! grep -qx 2 /proc/sys/kernel/perf_event_paranoid
fi
exit $failures
