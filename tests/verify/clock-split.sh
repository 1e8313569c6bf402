#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# User and system time are each within 2 % of the total of getrusage's, for programs with 0, 30 and 90 % system time: with
# perf, perf refused, and without privileges (where the kernel's own ticks are hidden).
. "$TESTS/end-to-end/clock.bash"
open_to_nobody
for system in 0 30 90; do
	run "system-$system" -- -p hi -- system "$system" 1000
	check "system-$system" split
	run "system-$system-on" -- -p on -- system "$system" 1000
	check "system-$system-on" split
	run "system-$system-refused" "$PROGRAMS/refuse_perf" EPERM -- -p hi -- system "$system" 1000
	check "system-$system-refused" split
	run "system-$system-nobody" as_nobody -- -p hi -- system "$system" 1000
	check "system-$system-nobody" split
done
if perf_works && [ "$(id -u)" -eq 0 ]; then
	[ "$(counter system-30 split_by_tick)" -gt "$(counter system-30 split_by_rusage)" ]
	[ "$(counter system-30-refused split_by_tick)" -eq 0 ]
fi
