#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Recurrence, gaps, patterns, verdicts and advice of code spaces by feeds whose numbers are arithmetic: reference examples 3.2 and 3.3 to the
# digit, the same repeated often enough for verdicts, a uniform loop, and 100 random walks of which at most 3 may have a verdict.
set -eu
er_print=$BUILD/bin/er_print
rows() # REPORT FEED: the rows of a report, with '|' between their cells
{
	"$er_print" -printmode '|' -import "$2" -"$1" 2>err | sed '1,/V  (%)\|V  (sec/d; s/"//g'
}

# phases REPEAT: A has 16 instructions, B 8. In a millisecond A retires 3 million instructions with 3 000 misses, B 1 million with 40 000.
phases()
{
	cat <<'END'
#er_print samples 1
isize 4
func work 1000 1080
block 1000 1040 -> 1000 1040
block 1040 1060 -> 1000 1040 1060
block 1060 1080 ret
counter instructions
counter misses
END
	awk -v repeat="$1" 'BEGIN {
		split("6 3 6 9 6", lengths)
		for (; repeat; repeat--)
			for (part = 1; part <= 5; part++)
				for (i = lengths[part]; i; i--) {
					printf "s 1 %d %s %d %d\n", time++, part % 2 ? "1000" : "1040", instructions, misses
					instructions += part % 2 ? 3000000 : 1000000
					misses += part % 2 ? 3000 : 40000
				}
		printf "s 1 %d 1000 %d %d\n", time, instructions, misses
	}'
}
phases 1 >once.feed
rows spaces once.feed >out
diff out - <<'END'
|384|100.00|0.030|100.00|30|66000000|100.00|534000|100.00|||<Total>
1|288|75.00|0.018|60.00|18|54000000|81.82|54000|10.11|weight, time|misses: too few appearances (3), 0.12 times|work [0,0x40)
2|96|25.00|0.012|40.00|12|12000000|18.18|480000|89.89|weight, time|instructions: too few appearances (2), 0.45 times; misses: too few appearances (2), 4.94 times|work [0x40,0x60)
END
# A appears at 0, 9 and 24 ms; its longest gap, [15,24), is all B and has 360 000 misses.
rows recurrence once.feed >out
diff out - <<'END'
1|3|1|0.012|0.012|0.009|0.015|0.250|0.006|0.009|1.500|0.015|Process 1, Thread 1|9000000|13.64|too few appearances (1)|360000|67.42|too few appearances (1)|100.0 % space 2|work [0,0x40)
2|2|1|0.009|0.009|0.009|0.009|0.000|0.006|0.006|1.000|0.009|Process 1, Thread 1|18000000|27.27|too few appearances (1)|18000|3.37|too few appearances (1)|100.0 % space 1|work [0x40,0x60)
END
# Five times: the last A of one and the first of the next are one appearance. Gaps of B are 6 and 12 ms, of A 3 and 9.
phases 5 >five.feed
rows spaces five.feed | sed 's/.*weight, time|//' >out
diff out - <<'END'
|1920|100.00|0.150|100.00|150|330000000|100.00|2670000|100.00|||<Total>
misses: advantage, 0.12 times|work [0,0x40)
instructions: deficit, 0.45 times; misses: deficit, 4.94 times|work [0x40,0x60)
END
rows recurrence five.feed | cut -d '|' -f 1-3,9-13 >out
diff out - <<'END'
2|10|1|0.006|0.012|2.000|0.024|Process 1, Thread 1
1|11|1|0.006|0.009|1.500|0.015|Process 1, Thread 1
END

# neighbours REPEAT: X X (Y X X)... in one thread and X X (Z X X)... in another; 100 misses an interval of X, 900 in the first after Z.
neighbours()
{
	cat <<'END'
#er_print samples 1
isize 4
func work 1000 10a0
block 1000 1028 -> 1000 1028 1050
block 1028 1050 -> 1000
block 1050 1078 -> 1000
counter branch-misses
END
	awk -v repeat="$1" 'BEGIN {
		for (thread = 1; thread <= 2; thread++) {
			time = misses = 0
			for (i = 0; i < 2 + 3 * repeat; i++) {
				other = i % 3 == 2
				printf "s %d %d %s %d\n", thread, time++, other ? thread == 1 ? "1028" : "1050" : "1000", misses
				misses += other ? 0 : thread == 2 && i > 2 && i % 3 == 0 ? 900 : 100
			}
			printf "s %d %d 1000 %d\n", thread, time, misses
		}
	}'
}
neighbours 2 >beside.feed
rows spaces beside.feed | cut -d '|' -f 1-9 >out
diff out - <<'END'
|160|100.00|0.016|100.00|16|2800|100.00|
1|120|75.00|0.012|75.00|12|2800|100.00|weight, time
2|20|12.50|0.002|12.50|2|0|0.|weight, time
3|20|12.50|0.002|12.50|2|0|0.|weight, time
END
rows patterns beside.feed | grep '|after|' >out
diff out - <<'END'
1|after|2 work [0x28,0x50)|2|4|0.004|400|200|100.000|0.429|too few appearances (2)|work [0,0x28)
1|after|3 work [0x50,0x78)|2|4|0.004|2000|1800|500.000|2.143|too few appearances (2)|work [0,0x28)
1|after|<begin>|2|4|0.004|400|200|100.000|0.429|too few appearances (2)|work [0,0x28)
END
# Twenty times: 84 intervals with 24 400 misses, 290.476 an interval.
neighbours 20 >often.feed
rows patterns often.feed | grep '|after|' | cut -d '|' -f 2-11 >out
diff out - <<'END'
after|2 work [0x28,0x50)|20|40|0.040|4000|2000|100.000|0.344|advantage
after|3 work [0x50,0x78)|20|40|0.040|20000|18000|500.000|1.721|deficit
after|<begin>|2|4|0.004|400|200|100.000|0.344|too few appearances (2)
END

# One class by counter and by thread, and all deficits: by arithmetic B has 2 400 000 - 60 000 x 2670 / 330 misses too many, of 2 670 000,
# and 60 x (2 200 000 - 1 000 000) instructions too few, of 330 000 000; X has in its second thread 42 x (481 - 100) too many, of 24 400.
"$er_print" -import five.feed -space 2 >out
diff <(sed 's/  *$//' out) - <<'END'
Space 2: work [0x40,0x60)
8 instructions, 60 intervals in 10 appearances; 25.00 % of the weight, 40.00 % of the time
Executed 125000 times in an interval, by the instructions that were counted

Counted          Rate        Program's   by It  Verdict  Name
                             Rate
              %
60000000  18.18  1000000.000 2200000.000 0.455  deficit  instructions per ms
 2400000  89.89       40.000       8.091 4.944  deficit  misses per 1000 instr.

In each thread, beside the other threads

Appearances Intervals Time  instructions instructions Others' Ratio  Verdict misses  misses   Others' Ratio  Verdict  Name
                                         per ms                                      per 1000
                                                                                     instr.
                       sec.
10          60        0.060 60000000                                         2400000                                  Process 1, Thread 1
END
# X has 2 intervals of 1 ms and then 1 of something else: its appearances begin every 3 ms, and those in the second thread but the
# first have 900 + 100 misses: the 21 of the first thread come before, so these are numbers 23 and on.
"$er_print" -import often.feed -space 1 | sed '1,/^Its appearances/d; s/  */ /g; s/^ //' | grep 'branch' >out
diff out - <<'END'
branch-misses per ms worst 500.000 23 2 0.003 0.002 3 work [0x50,0x78) Process 1, Thread 2
branch-misses per ms worst 500.000 24 2 0.006 0.002 3 work [0x50,0x78) Process 1, Thread 2
branch-misses per ms worst 500.000 25 2 0.009 0.002 3 work [0x50,0x78) Process 1, Thread 2
branch-misses per ms worst 500.000 26 2 0.012 0.002 3 work [0x50,0x78) Process 1, Thread 2
branch-misses per ms worst 500.000 27 2 0.015 0.002 3 work [0x50,0x78) Process 1, Thread 2
branch-misses per ms best 100.000 1 2 0. 0.002 <begin> Process 1, Thread 1
branch-misses per ms best 100.000 2 2 0.003 0.002 2 work [0x28,0x50) Process 1, Thread 1
branch-misses per ms best 100.000 3 2 0.006 0.002 2 work [0x28,0x50) Process 1, Thread 1
branch-misses per ms best 100.000 4 2 0.009 0.002 2 work [0x28,0x50) Process 1, Thread 1
branch-misses per ms best 100.000 5 2 0.012 0.002 2 work [0x28,0x50) Process 1, Thread 1
END
rows advice five.feed | cut -d '|' -f 1-5 >out
diff out - <<'END'
71.71|space|misses|2|space 2, work [0x40,0x60)
21.82|space|instructions|2|space 2, work [0x40,0x60)
END
rows advice often.feed | cut -d '|' -f 1-5 >out
diff out - <<'END'
65.57|thread|branch-misses|1|space 1, work [0,0x28), in Process 1, Thread 2
34.35|neighbour|branch-misses|1|space 1, work [0,0x28), after space 3, work [0x50,0x78)
31.07|neighbour|branch-misses|1|space 1, work [0,0x28), before space 3, work [0x50,0x78)
END
"$er_print" -import often.feed -advice >out
grep -qxF '   480.952 branch-misses per ms, 4.81 times that of its other threads (100.000); 65.6 % of all branch-misses are more than that; 21 appearances' out
grep -q '; 90.0 % of those there are in first intervals; 20 appearances$' out
"$er_print" -import once.feed -advice | grep -q '^8 rates were compared: 0 deficits, 0 advantages; 1 differ by less than a factor of 1.5, 0 .*, 7 have too few'
! "$er_print" -import once.feed -space 3 2>err || exit 1
grep -qxF 'Error: Invalid argument to command: space 3: spaces are 1 to 2' err

# Counters of two feeds are told apart by their names, whatever their order: what a feed lacks is not known there.
sed 's/^counter instructions/counter migrations/' once.feed | sed 's/^counter misses/counter instructions/' >swapped.feed
"$er_print" -import once.feed -import swapped.feed -spaces >out
grep -q '^migrations: not known in 30 of 60 intervals$' out && grep -q '^misses: not known in 30 of 60 intervals$' out || exit 1
"$er_print" -printmode '|' -import once.feed -import swapped.feed -spaces 2>err | sed 's/"//g' | grep -q '^|.*|66534000|100.00|534000|100.00|66000000|100.00||'
# The first word of a counter's name that is known says what to try; "io" is none of "migrations".
sed 's/^counter misses/counter migrations/' five.feed >named.feed
"$er_print" -import named.feed -advice | grep -qx '   Try: threads that are bound to CPUs'

# Samples in any order, and threads under other numbers, make the same report.
(grep -v '^s ' often.feed && grep '^s ' often.feed | tac) >back.feed
for report in spaces recurrence patterns advice; do
	"$er_print" -import often.feed -$report >one
	"$er_print" -import back.feed -$report >other
	cmp one other
done

# functions MISSES STEP: busy's two loops take turns, 4 ms each, and calm's in another thread, 1 ms each; busy has so many misses in each
# so-many-th of its 80 ms, calm 10 in each of its 20, or none if STEP is not 1. busy has most of the time, so its loops are usual.
functions()
{
	cat <<'END'
#er_print samples 1
isize 4
func busy 1000 1080
block 1000 1040 -> 1000 1040
block 1040 1080 -> 1040 1000
func calm 2000 2080
block 2000 2040 -> 2000 2040
block 2040 2080 -> 2040 2000
counter misses
END
	awk -v some="$1" -v step="$2" 'BEGIN {
		for (i = 0; i <= 80; i++) {
			print "s 1", i, int(i / 4) % 2 ? "1040" : "1000", misses + 0
			misses += i % step == 0 ? some : 0
		}
		for (i = misses = 0; i <= 20; i++) {
			print "s 2", i, i % 2 ? "2040" : "2000", misses + 0
			misses += step == 1 ? 10 : 0
		}
	}'
}
# 100 by 82 of the program is 1.22 times, but 10 times that of the rest; 8000 - 10 x 80 of 8200 are too many.
functions 100 1 >functions.feed
rows spaces functions.feed | cut -d '|' -f 1,10,11 >out
diff out - <<'END'
||<Total>
1||busy [0,0x40)
2||busy [0x40,0x80)
3|misses: advantage, 0.12 times|calm [0,0x40)
4|misses: advantage, 0.12 times|calm [0x40,0x80)
END
rows advice functions.feed | cut -d '|' -f 1-5 >out
diff out - <<'END'
87.80|function|misses|1|all spaces of busy (1, 2), above all space 1, busy [0,0x40)
END
"$er_print" -import functions.feed -advice >out
grep -qxF '   100.000 misses per ms, 10.00 times that of the rest of the program (10.000); 87.8 % of all misses are more than that; 20 appearances' out
# One miss in each of 20 appearances, and none in the 20 ms where 4 would be expected: that is chance.
functions 1 4 >few.feed
"$er_print" -import few.feed -advice | grep '^[0-9]* rates were compared: 0 deficits, '

# A uniform loop has no verdict.
(printf '#er_print samples 1\nfunc f 0 10\nblock 0 10 -> 0\ncounter misses\n' && seq 0 500 | sed 's/.*/s 1 & 0 &/') >uniform.feed
for report in spaces recurrence patterns; do
	rows $report uniform.feed | { ! grep -E 'deficit|advantage|chance|few'; }
done
"$er_print" -import uniform.feed -advice | grep -q '^0 rates were compared: 0 deficits'

# walk SEED: a random walk over five equal classes with random counts.
walk()
{
	printf '#er_print samples 1\nfunc f 0 50\n'
	for i in 0 10 20 30 40; do
		printf 'block %s %x -> 0 10 20 30 40\n' $i $((0x$i + 16))
	done
	echo 'counter misses'
	awk -v seed="$1" 'BEGIN {
		srand(seed)
		for (i = 0; i <= 600; i++) {
			if (rand() < .3)
				at = int(rand() * 5)
			printf "s 1 %d %d %d\n", i, at * 10, misses
			misses += int(100 * exp(2 * rand()))
		}
	}'
}
# false_verdicts RULES: how many of 100 walks have a verdict.
false_verdicts()
{
	local false=0 seed
	for seed in $(seq 100); do
		walk "$seed" >walk.feed
		"$er_print" -import walk.feed -space_rules "$1" -spaces -recurrence -patterns -advice >out
		if grep -qE 'deficit([^s]|$)|advantage([^s]|$)|^1\\. ' out; then
			false=$((false + 1))
		fi
	done
	echo "$1: $false of 100 random walks have a verdict"
	[ "$false" -le 3 ]
}
false_verdicts default
false_verdicts counts=100

# Only some appearances keep their counts: 61 of A and 60 of B, of each at most 32, the largest power of two of which two have room. All
# of a class have one rate, so the verdicts are those of all.
phases 30 >many.feed
"$er_print" -import many.feed -spaces >whole
"$er_print" -import many.feed -space_rules counts=100 -spaces >some
diff <(grep -v '^Space rules\|^Of \|^$' some) <(grep . whole)
grep -c 'misses: deficit, 4.94 times' some | grep -qx 1
chosen=$(sed -n 's/^Of 121 appearances \([0-9]*\) have counts, .*/\1/p' some)
[ "$chosen" -gt 16 ] && [ "$chosen" -le 64 ] || exit 1
for report in recurrence patterns phases advice; do
	"$er_print" -import many.feed -space_rules counts=100 -$report | grep -q "^Of 121 appearances $chosen have counts" || exit 1
	"$er_print" -import many.feed -$report | { ! grep '^Of 121'; } || exit 1
done
