#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# 2000 threads at the same time at `ulimit -n 1024`, also without privileges: at most a quarter of the descriptors are perf's,
# the other threads get timers, and the total is right. The program itself may still open as many files as it likes to.
. "$TESTS/end-to-end/clock.bash"
open_to_nobody
ulimit -n 1024
run crowd -- -p hi -- crowd 2000 5
check crowd total
run crowd-nobody as_nobody -- -p hi -- crowd 2000 5
check crowd-nobody total
for name in crowd crowd-nobody; do
	perf=$(counter "$name" threads_perf_clock) timer=$(counter "$name" threads_timer_clock)
	[ $((perf + timer)) -eq 2000 ] || { echo "$name: $perf + $timer threads with a clock"; exit 1; }
	[ "$perf" -le 256 ] || { echo "$name: $perf perf events"; exit 1; }
done
