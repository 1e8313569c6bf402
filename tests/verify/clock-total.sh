#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The total CPU time is within 2 % of getrusage's for every interval, with perf and with perf refused in each way, for threads
# that are busy or asleep half of the time.
. "$TESTS/end-to-end/clock.bash"
refuse=$PROGRAMS/refuse_perf
codes=(EPERM EACCES ENOSYS)
n=0
for interval in lo on hi 2; do
	for load in "burn 1 300" "burn 2 300" "burn 8 150" "half 2 200"; do
		name=${load// /-}-$interval
		run "$name" -- -p "$interval" -- $load
		check "$name" total
		refused=${codes[n++ % 3]}
		run "$name-$refused" "$refuse" "$refused" -- -p "$interval" -- $load
		check "$name-$refused" total
		[ "$(counter "$name-$refused" threads_perf_clock)" -eq 0 ] || { echo "$name: perf was not refused"; exit 1; }
		[ "$(counter "$name-$refused" threads_no_clock)" -eq 0 ] || { echo "$name: a thread without a clock"; exit 1; }
	done
done
