#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Phases: a feed by arithmetic, with the filter word PHASE, one phase of it, windows that are too long, and any order of lines; walks by
# chance, which have one phase; and a program that was collected.
# measures the time and page faults of its phases
set -eu
er_print=$BUILD/bin/er_print
# A is from 1000, B from 1040, C from 1080. Thread 1 is in A for 40 ms, then B and C take turns for 40 ms, then A for 40 ms; in thread 2
# these take turns for 60 ms. A misses once in a ms, B 10 times, C 20 times.
cat >code <<'END'
#er_print samples 1
isize 4
func f 1000 10c0
block 1000 1040 -> 1000 1040 1080
block 1040 1080 -> 1000 1040 1080
block 1080 10c0 -> 1000 1040 1080
counter misses
END
awk 'function sample(thread, time, part) { print "s", thread, time, part, misses[thread] + 0
		misses[thread] += part == "1000" ? 1 : part == "1040" ? 10 : 20 }
	BEGIN {
		for (i = 0; i <= 120; i++) sample(1, i, i < 40 || i >= 80 ? "1000" : i % 2 ? "1040" : "1080")
		for (i = 0; i <= 60; i++) sample(2, i, i % 2 ? "1040" : "1080")
	}' >samples
cat code samples >turns.feed
phases() # FEED RULES: the rows
{
	"$er_print" -printmode '|' -import "$1" -space_rules "$2" -phases 2>err | sed '1,/V  (sec/d; s/"//g'
}
phases turns.feed window=10 >out
diff out - <<'END'
1|0.100|55.56|2|2|0.060|0.|Process 1, Thread 2|1500|94.94|15.000|50.0 % space 2, 50.0 % space 3|f [0x40,0x80)
2|0.080|44.44|2|1|0.040|0.|Process 1, Thread 1|80|5.06|1.000|100.0 % space 1|f [0,0x40)
END
# In a window of a second both threads are whole; in one of 4 ms there is no other phase than in one of 10.
[ "$(phases turns.feed window=1000 | cut -d '|' -f 1-6)" = '1|0.180|100.00|2|2|0.120' ]
phases turns.feed window=4 >other
cmp out other
(cat code; tac samples) >back.feed
phases back.feed window=10 >other
cmp out other

counted() # FILTER: samples and misses
{
	"$er_print" -printmode '|' -import turns.feed -space_rules window=10 -filters "$1" -metrics e+samples:e+misses:name -functions 2>err |
		sed -n 's/"//g; s/|<Total>$//p'
}
for phase in '0 2|0' '1 100|1500' '2 80|80' '3 0|0'; do
	got=$(counted "PHASE==${phase% *}")
	echo "PHASE==$phase: $got"
	[ "$got" = "${phase#* }" ]
done

# A third of B and C's time is in thread 1.
"$er_print" -printmode '|' -import turns.feed -space_rules window=10 -phase 1 2>err | sed 's/"//g' | grep -v '^|*$\|V  (' >out
diff out - <<'END'
Space rules: limit=1:overlap=90:ends=blocks:window=10:counts=default
Counted|Counted|Rate|Program's Rate|by It|Name
1500|94.94|15.000|8.778|1.709|misses per ms
Space|Time|of the Phase (%)|of the Run (%)|by It|Name
2|0.050|50.00|27.78|1.800|f [0x40,0x80)
3|0.050|50.00|27.78|1.800|f [0x80,0xc0)
Stretches|Time|of the Thread (%)|First Began|Name
1|0.040|33.33|0.040|Process 1, Thread 1
1|0.060|100.00|0.|Process 1, Thread 2
END
"$er_print" -import turns.feed -space_rules window=10 -phase 1 >out 2>err
grep -qx 'Phase 1: f \[0x40,0x80)' out
grep -qx '2 stretches in 2 threads; 55.56 % of the time; windows of 10 ms' out
for wrong in 0 3 x; do
	if "$er_print" -import turns.feed -space_rules window=10 -phase $wrong >out 2>err; then exit 1; fi
	grep -q "phase $wrong: phases are 1 to 2" err out
done
if "$er_print" -import turns.feed -space_rules window=0 >out 2>err; then exit 1; fi
grep -q 'window=MILLISECONDS' err out

# Two phases side by side, in every list of metrics, and their difference graph.
"$er_print" -printmode csv -import turns.feed -space_rules window=10 -compare 'delta:parts=PHASE==1; PHASE==2' -metrics e.samples:e.misses:name \
	-functions -flamegraph phases.svg 2>err | tr -d '\r' | grep '^[0-9]' | cut -d, -f 1,2,4- >out
diff out - <<'END'
100,-20,1500,-1420,<Total>
100,-20,1500,-1420,f
END
grep -q 'before: PHASE==1, after: PHASE==2' phases.svg
# Eight threads go through four phases of 16 spaces by chance each, one phase after another, for 100 ms at a time.
(echo '#er_print samples 1'
echo 'isize 4'
echo 'func f 1000 2000'
awk 'BEGIN { srand(1)
	for (b = 0; b < 64; b++) {
		printf "block %x %x ->", 4096 + 64 * b, 4160 + 64 * b
		for (c = 0; c < 64; c++) printf " %x", 4096 + 64 * c
		print ""
	}
	for (t = 1; t <= 8; t++)
		for (i = 0; i <= 2000; i++)
			printf "s %d %d %x\n", t, i, 4096 + 64 * ((int(i / 100) + t) % 4 * 16 + int(16 * rand())) }') >four.feed
phases four.feed window=auto | cut -d '|' -f 1-7 >out
diff out - <<'END'
1|4.000|25.00|40|8|0.100|0.
2|4.000|25.00|40|8|0.100|0.
3|4.000|25.00|40|8|0.100|0.
4|4.000|25.00|40|8|0.100|0.
END

# Code by chance is one phase.
more=0
for walk in $(seq 20); do
	(cat code; awk -v seed="$walk" 'BEGIN { srand(seed)
		for (i = 0; i <= 1000; i++) printf "s 1 %d %x 0\n", i, 4096 + 64 * int(3 * rand()) }') >walk.feed
	[ "$(phases walk.feed window=20 | wc -l)" -eq 1 ] || more=$((more + 1))
done
echo "$more of 20 walks have more than one phase"
[ $more -eq 0 ]

# A collected program: it computes, touches fresh pages, and sleeps seven times.
"$BUILD/bin/collect" -p hi -h =page-faults -o test.er "$BUILD/tests/programs/space_phases" >/dev/null
"$er_print" -printmode '|' -space_rules window=5 -phases test.er 2>err | sed '1,/V  (sec/d; s/"//g' >rows
cat rows
awk -F'|' '
	$NF ~ /^compute/ { compute += $2; compute_faults += $9 }
	$NF ~ /^touch/ { touch += $2; touch_faults += $9 }
	$NF ~ /^rest/ { rest += $2; stretches += $4 }
	END { exit !(compute > .7 && touch > .18 && touch_faults > 10 * compute_faults && rest > .12 && rest < .19 && stretches >= 6 && stretches <= 8) }' rows
# Reports of one phase, its flame graph too, have hardly anything of the others.
phase=$(awk -F'|' '$NF ~ /^touch/ { print $1; exit }' rows)
"$er_print" -printmode csv -space_rules window=5 -filters "PHASE==$phase" -flamegraph phase.svg -metrics i.totalcpu:name -functions test.er 2>err |
	tr -d '\r' >functions
grep -q '>touch' phase.svg
awk -F, '$2 == "touch" { touch = $1 } $2 == "compute" { compute = $1 }
	END { print "touch", touch, "compute", compute; exit !(touch > 5 * compute) }' functions
