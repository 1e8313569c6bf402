#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Stacks that are as small as they may be: alternate signal stacks with the room of one signal frame, threads with the smallest
# stack and little of it left. The collector's handler has room, or waits.
# measures CPU time where few ticks can be taken
. "$TESTS/end-to-end/hostile.bash"
for size in 0 8192 16384; do
	runs "alternate-$size" -- alternate 400 "$size"
	# While a handler runs on a small one there is no tick: its time is in the next one.
	recorded "alternate-$size" 98 total
done
recorded alternate-16384
runs tiny -- tiny 400
recorded tiny
runs tiny-timer "$PROGRAMS/refuse_perf" EPERM -- tiny 400
recorded tiny-timer 98 total
# A thread has the stack that its attributes ask for: also the default, which attributes of no size mean.
for limit in 8192 65536; do
	(
		ulimit -S -s $limit
		"$PROGRAMS/stack_sizes" >sizes.plain
		"$BUILD/bin/collect" -p hi -O sizes.said -o "sizes-$limit.er" "$PROGRAMS/stack_sizes" >sizes.recorded
		diff sizes.plain sizes.recorded || { echo "other stack sizes"; exit 1; }
	) || exit 1
done
