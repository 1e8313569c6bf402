#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# After a wait is left by longjmp our signal is not blocked: what the program then does gets its ticks.
# measures ticks after a jump
. "$TESTS/end-to-end/clock.bash"
"$collect" -p hi -O said -o jump.er "$PROGRAMS/wait_jump" | tee output
grep -qx 'left 6' output
ticks=$(counter jump clock_ticks)
echo "$ticks ticks of some 600"
if perf_works; then
	[ "$ticks" -ge 450 ]
fi
"$BUILD/bin/er_print" -limit 0 -metrics i.totalcpu:name -printmode ';' -functions jump.er | "$TESTS/tools/rows" -f -1,1 >functions
awk '$1 == "<Total>" {total = $2} $1 == "work_after_jump" {after = $2} END {
	print "after the jumps: " after " s of " total " s"
	exit !(after > 0.8 * total && after < 0.97 * total)}' functions
