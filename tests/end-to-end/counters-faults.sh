#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Page faults with an interval of 1, and minor faults, one by one at their lines: as many as pages were touched, in one
# thread and in three, with the clock beside them and without, counted by two counters at once; and at an interval of 7 as
# many as make whole intervals.
# measures page faults, of which the kernel may spare one
set -eu
source=$TESTS/programs/page_faults.c
PAGES=4000
export PAGES
TOUCH=$(grep -n "line TOUCH \*/" "$source" | cut -d: -f1)
BACKWARDS=$(grep -n "line BACKWARDS \*/" "$source" | cut -d: -f1)
failures=0

# lines NAME METRIC...: "COUNT LINE" of the two lines, by metric.
lines()
{
	local name=$1
	shift
	"$BUILD/bin/er_print" -printmode ';' -metrics "$1:name" -lines "$name.er" |
		"$TESTS/tools/rows" | sed -nE 's/^([0-9]+)\t(touch|touch_backwards), line ([0-9]+) in .*/\1 \3/p' | sort -u
}

# expect NAME METRIC TOUCHED BACKWARDS TOLERANCE
expect()
{
	local name=$1 metric=$2 line number wanted got
	for line in "$TOUCH $3" "$BACKWARDS $4"; do
		read -r number wanted <<<"$line"
		got=$(lines "$name" "e+$metric" | sed -n "s/ $number\$//p")
		if [ -z "$got" ] || [ $((got > wanted ? got - wanted : wanted - got)) -gt "$5" ]; then
			echo "WRONG $name: $metric at line $number: ${got:-none}, not $wanted"
			failures=1
		else
			echo "$name: $metric at line $number: $got of $wanted"
		fi
	done
}

# record NAME THREADS OPTION...
record()
{
	local name=$1 threads=$2
	shift 2
	"$BUILD/bin/collect" "$@" -O "$name.said" -o "$name.er" "$PROGRAMS/page_faults" $PAGES "$threads" ||
		{ cat "$name.said"; exit 1; }
	"$BUILD/bin/er_print" -verify "$name.er"
}

record one 1 -h page-faults,1
expect one page-faults $PAGES $((PAGES / 4 * 3)) 0
record minor 1 -p off -h minor-faults,1
expect minor minor-faults $PAGES $((PAGES / 4 * 3)) 0
record both 3 -p hi -h page-faults,1,minor-faults,7
expect both page-faults $((3 * PAGES)) $((3 * PAGES / 4 * 3)) 0
# A thread's interval may begin before the line and end after it.
expect both minor-faults $((3 * PAGES)) $((3 * PAGES / 4 * 3)) $((3 * 7))
exit $failures
