#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The filter words SPACE and APPEARANCE, in any report: a feed by arithmetic, and a program that was collected.
# measures the time of sleeps and of a loop
set -eu
er_print=$BUILD/bin/er_print
# Thread 1 is in A until 3 ms, in B until 6, in A until 8; thread 2 is in A until 2. A has 16 instructions, B 48;
# thread 3 goes once through both.
cat >turns.feed <<'END'
#er_print samples 1
isize 4
func f 1000 1100
block 1000 1040 -> 1000 1040
block 1040 1100 -> 1000 1040
counter misses
s 1 0 1000 0
s 1 1 1000 1
s 1 2 1000 3
s 1 3 1040 7
s 1 4 1040 15
s 1 5 1040 31
s 1 6 1000 63
s 1 7 1000 127
s 1 8 1000 255
s 2 0 1000 0
s 2 1 1000 1000
s 2 2 1000 2000
s 3 0 1020 0
s 3 1 1060 100000
END
counted() # FILTER: samples and misses
{
	"$er_print" -printmode '|' -import turns.feed -filters "$1" -metrics e+samples:e+misses:name -functions 2>err |
		sed -n 's/"//g; s/|<Total>$//p'
}
expect()
{
	local got
	got=$(counted "$1")
	echo "$1: $got"
	[ "$got" = "$2" ]
}
expect 'SPACE==1' '3|56'
expect 'SPACE==2' '7|2199'
expect 'SPACE==2 && APPEARANCE==1' '3|7'
expect 'SPACE==2 && APPEARANCE==2' '2|192'
expect 'SPACE==2 && APPEARANCE==3' '2|2000'
expect 'SPACE==2 && APPEARANCE==4' '0|0'
expect 'SPACE==0 && APPEARANCE==0' '3|0'
expect 'SPACE==3' '1|100000'
expect 'SPACE==4' '0|0'
# A list of its own, and the rows of spaces under a filter.
"$er_print" -printmode '|' -import turns.feed -indxobj_define Turn SPACE -metrics e+samples:e+misses:name -indxobj Turn 2>err |
	sed 's/"//g' | grep -E '^[0-9]' >list
diff <(sort list) - <<'END'
14|102255|<Total>
1|100000|3
3|0|0
3|56|1
7|2199|2
END
"$er_print" -printmode '|' -import turns.feed -filters 'SPACE==2' -spaces 2>err | sed 's/"//g' | grep -E '^1\|112\|100.00\|0.007\|100.00\|7\|2199\|100.00\|'
# Where spaces that overlap by three quarters are one, thread 3 was in B.
[ "$("$er_print" -printmode '|' -import turns.feed -filters 'SPACE==1' -metrics e+samples:name -space_rules overlap=75 -functions 2>err |
	sed -n 's/"//g; s/|<Total>$//p')" -eq 4 ]

# A collected program: the ticks of a space have its time, and one appearance of the sleep is one sleep.
"$BUILD/bin/collect" -p hi -h =page-faults -o test.er "$BUILD/tests/programs/space_phases" >/dev/null
"$er_print" -printmode '|' -spaces test.er 2>err | sed 's/"//g' >spaces
total() # FILTER METRIC
{
	"$er_print" -printmode csv -filters "$1" -metrics "e$2:name" -functions test.er 2>err | tr -d '\r' | sed -n 's/,<Total>$//p'
}
sleep=$(awk -F'|' '/rest at .*<Sleep>/ { print $1 }' spaces)
awk -v all="$(total "SPACE==$sleep" .sleep)" -v one="$(total "SPACE==$sleep && APPEARANCE==3" .sleep)" 'BEGIN {
	print "slept", all, "and once", one; exit !(all > .135 && all < .161 && one > .019 && one < .030) }'
awk -F'|' -v cpu="$(total 'SPACE==1' .totalcpu)" '$1 == 1 { print "CPU time", cpu, "of", $4; exit !(cpu > .85 * $4 && cpu < 1.07 * $4) }' spaces
faults=$(total 'SPACE==1' +page-faults)
awk -F'|' -v faults="$faults" '$1 == 1 { print "page faults", faults, "of", $7; exit !(faults >= $7 - 50 && faults <= $7 + 300) }' spaces
