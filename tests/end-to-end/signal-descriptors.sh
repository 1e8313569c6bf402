#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A target that closes every descriptor it can, in six ways, sees what it would see without us, and profiling goes on.
# measures ticks after descriptors are closed
. "$TESTS/end-to-end/clock.bash"
for way in close closefrom close_range dup2 proc syscall; do
	"$PROGRAMS/own_descriptors" "$way" 20 >plain
	"$collect" -p hi -O said -o "$way.er" "$PROGRAMS/own_descriptors" "$way" 300 >seen
	diff plain seen
	mv own.true "$way.true"
	check "$way" total
	ticks=$(counter "$way" clock_ticks) due=$(counter "$way" clock_ticks_missed)
	[ "$ticks" -ge 60 ] || { echo "$way: $ticks ticks of some 330 ($due missed)"; exit 1; }
done
