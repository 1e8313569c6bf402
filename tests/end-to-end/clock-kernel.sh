#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# System calls have their part of the CPU time by the program's own clock; for a user from whom the kernel hides the ticks in its own
# code a timer asks for them (verify/clock-kernel.sh measures how well).
# measures CPU time of a real run
. "$TESTS/end-to-end/clock.bash"
failures=0
parts root hi "" .85 1.15
if [ "$(id -u)" -eq 0 ]; then
	"${blind[@]}" "$collect" -p hi -O said -o user.er "$PROGRAMS/kernel_parts" >user.own
	"$BUILD/bin/er_print" -metrics i.totalcpu:name -functions user.er 2>/dev/null | awk '$2 == "call_kernel" { found = $1 > 0 } END { exit !found }'
	"$BUILD/bin/er_print" -header user.er | grep 'clock ticks in the kernel, by a CPU-time timer' ||
		! grep -qx 2 /proc/sys/kernel/perf_event_paranoid
fi
exit $failures
