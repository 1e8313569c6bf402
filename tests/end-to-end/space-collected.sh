#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Code spaces of a program that was collected: clock ticks are the samples, times off the CPU cut the intervals between them.
# measures the time of 7 sleeps of 20 ms, and which code has the system time
set -eu
er_print=$BUILD/bin/er_print
source=$(cd "$(dirname "$0")/../programs" && pwd)/space_phases.c
"$BUILD/bin/collect" -p hi -o test.er "$BUILD/tests/programs/space_phases" >/dev/null
"$er_print" -printmode '|' -spaces test.er 2>err | sed 's/"//g' >spaces
"$er_print" -printmode '|' -recurrence test.er 2>err | sed 's/"//g' >recurrence
"$er_print" -advice test.er >advice 2>err
cat spaces advice
line_of() # TEXT: the number of the line that has it
{
	grep -nF "$1" "$source" | cut -d: -f1
}

# All of the time is user, system or off the CPU, and 140 ms of it are the sleeps.
awk -F'|' '$NF == "<Total>" {
	all = $7 + $9 + $11
	print "of", $4, "seconds", all, "are known"
	exit !(all > .97 * $4 && all < 1.001 * $4)
}' spaces
awk -F'|' '/rest at .*<Sleep>/ { print "slept", $11; found = $11 > .135 && $11 < .161 } END { exit !found }' spaces

# It slept 7 times, in one place.
grep -E "^[0-9]+\|7\|.*\|rest at 0x[0-9a-f]+, <Sleep>, space_phases.c:$(line_of 'nanosleep(')\$" recurrence
sed -n '/^[0-9]*\. Off-CPU in space [0-9]*, rest at .*<Sleep>/,/^$/p' advice >sleep
grep -E '^   [0-9.]+ % of all Off-CPU, (19|2[0-2])\.[0-9]{3} ms each time; 7 appearances$' sleep
grep -F 'Try: a shorter sleep, or waiting for what is to happen in place of a time' sleep

# Most of the time it computes, in the inner loop of compute; touch's loop has most of the system time, about which nothing is said.
head -n 5 spaces | tail -n 1 | grep -E "^1\|.*\|compute \[[^|]*, space_phases.c:$(line_of 'unsigned i = 0')-$(line_of 'sum = sum')(, and|\$)"
sort -t'|' -k9,9nr spaces | grep -E '^[0-9]' | head -n 1 | grep -E "\|touch \[[^|]*, space_phases.c:$(line_of 'char *at = area')-$(line_of '*at = 1')(, and|\$)"
! grep -E 'System CPU in|System CPU: ' advice spaces || exit 1

# Read at the ticks: page faults are a deficit of the loop that touches pages, and of nothing that computes or sleeps.
"$BUILD/bin/collect" -p hi -h =page-faults,=system-time -o read.er "$BUILD/tests/programs/space_phases" >/dev/null
"$er_print" -advice read.er >advice 2>err
cat advice
[ "$(grep -cE '^[0-9]+\. Page Faults in space [0-9]+, touch ' advice)" -gt 0 ]
! grep -E '(Page Faults|System CPU) in space [0-9]+, (compute|rest)' advice || exit 1
grep -A2 -E '^[0-9]+\. Page Faults in space' advice | grep -F 'Try: huge pages, touching memory early'
"$er_print" -printmode '|' -spaces read.er 2>err | sed 's/"//g' >spaces
awk -F'|' '/\|touch \[/ || /\|munmap/ || /\|mmap/ || /\|main/ { touched += $7 } $NF == "<Total>" { all = $7 }
	END { print touched, "of", all, "page faults"; exit !(touched > .85 * all) }' spaces
