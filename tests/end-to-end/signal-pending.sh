#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# With no or few signals that may be queued the kernel sends SIGIO instead of our signal, and refuses timers: the target
# survives, its output is its own, and the total is right.
# measures the total where signals cannot be queued
. "$TESTS/end-to-end/clock.bash"
for pending in 0 10; do
	(ulimit -i "$pending" && run "pending-$pending" -- -p hi -- burn 8 100)
	check "pending-$pending" total
	(ulimit -i "$pending" && run "pending-$pending-refused" "$PROGRAMS/refuse_perf" EPERM -- -p hi -- burn 8 100)
	check "pending-$pending-refused" total
done
if perf_works; then
	ticks=$(counter pending-0 clock_ticks)
	[ "$ticks" -ge 100 ] || { echo "only $ticks ticks came as SIGIO"; exit 1; }
fi
