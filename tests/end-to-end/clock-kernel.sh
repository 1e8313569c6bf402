#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# System calls have their part of the CPU time by the program's own clock, for a user from whom the kernel hides the ticks in its own
# code as for root.
# measures CPU time of a real run
. "$TESTS/end-to-end/clock.bash"
failures=0
parts root hi "" .85 1.15
if [ "$(id -u)" -eq 0 ]; then
	# The kernel's accounting divides the time between its own ticks and the event's.
	parts user hi "" .75 1.3 "${blind[@]}"
	"$BUILD/bin/er_print" -header user.er | grep 'clock ticks in the kernel, by a CPU-time timer' ||
		! grep -qx 2 /proc/sys/kernel/perf_event_paranoid
fi
exit $failures
