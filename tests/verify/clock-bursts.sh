#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Bursts of 30 us, 100 us and 1 ms between sleeps: the total is right, though perf's clock loses up to half of such ticks.
. "$TESTS/end-to-end/clock.bash"
open_to_nobody
for burst in 30 100 1000; do
	for interval in hi on lo; do
		run "burst-$burst-$interval" -- -p "$interval" -- burst "$burst" 200
		check "burst-$burst-$interval" total
	done
	run "burst-$burst-refused" "$PROGRAMS/refuse_perf" EPERM -- -p hi -- burst "$burst" 200
	check "burst-$burst-refused" total
	run "burst-$burst-nobody" as_nobody -- -p hi -- burst "$burst" 200
	check "burst-$burst-nobody" total
done
