#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Pictures of code spaces by time, by arithmetic on feeds: the chart of phases and spaces, and recurrence plots; and of a program that was collected.
# measures the phases of a program in its chart
. "$TESTS/end-to-end/pictures.bash"
command=spacechart
# A is from 1000, B from 1040, C from 1080. Thread 1 is in A for 40 ms, then B and C take turns for 40 ms, then A for 40 ms; in thread 2
# these take turns for 60 ms.
cat >turns.feed <<'END'
#er_print samples 1
isize 4
func f 1000 10c0
block 1000 1040 -> 1000 1040 1080
block 1040 1080 -> 1000 1040 1080
block 1080 10c0 -> 1000 1040 1080
counter misses
END
awk 'function sample(thread, time, part) { print "s", thread, time, part, misses[thread]++ + 0 }
	BEGIN {
		for (i = 0; i <= 120; i++) sample(1, i, i < 40 || i >= 80 ? "1000" : i % 2 ? "1040" : "1080")
		for (i = 0; i <= 60; i++) sample(2, i, i % 2 ? "1040" : "1080")
	}' >>turns.feed
# Spaces below the limit are one. 120 ms are 1180 pixels.
draw t.svg -import turns.feed -space_rules window=10:limit=30
[ "$(cat err)" = 'Chart of spaces written to t.svg' ]
shows t.svg '0 10.0 1180.0 turns.feed, thread 1 (from 0.000000 sec., 0.120000 sec., 100.00%)' \
	'1 10.0 393.3 phase 2 (from 0.000000 sec., 0.040000 sec., 33.33%)' '1 403.3 393.3 phase 1 (from 0.040000 sec., 0.040000 sec., 33.33%)' \
	'1 796.7 393.3 phase 2 (from 0.080000 sec., 0.040000 sec., 33.33%)' '2 10.0 393.3 space 1: f [0,0x40) (from 0.000000 sec., 0.040000 sec., 33.33%)' \
	'2 403.3 393.3 other spaces (from 0.040000 sec., 0.040000 sec., 33.33%)' \
	'2 796.7 393.3 space 1: f [0,0x40) (from 0.080000 sec., 0.040000 sec., 33.33%)' \
	'4 10.0 590.0 turns.feed, thread 2 (from 0.000000 sec., 0.060000 sec., 50.00%)' \
	'5 10.0 590.0 phase 1 (from 0.000000 sec., 0.060000 sec., 50.00%)' '6 10.0 590.0 other spaces (from 0.000000 sec., 0.060000 sec., 50.00%)'
[ "$(subtitle t.svg)" = "Time 0.180 sec., 2 threads, by time, 2 phases, turns.feed, $version" ]
# Above it each has frames and a colour of its own: 100 ms of turns of one ms, and three frames of A in all of thread 1.
draw t.svg -import turns.feed -space_rules window=10
[ "$(frames t.svg | grep -c ' space [23]: f')" -eq 100 ] && [ "$(frames t.svg | grep -c ' space 1: f')" -eq 2 ] || exit 1
[ "$(for name in 'phase 1' 'phase 2' 'space 1: f [[]0,0x40)' 'space 2: f [[]0x40,0x80)' 'space 3: f [[]0x80,0xc0)'; do colour t.svg "$name"; done |
	sort -u | grep -c rgb)" -eq 5 ]
# Intervals that a filter leaves out are a gap, over which a phase of a window or more does not go on.
draw t.svg -import turns.feed -space_rules window=10 -filters 'SPACE==1'
shows t.svg '0 10.0 1180.0 turns.feed, thread 1 (from 0.000000 sec., 0.120000 sec., 100.00%)' \
	'1 10.0 393.3 phase 1 (from 0.000000 sec., 0.040000 sec., 33.33%)' '1 796.7 393.3 phase 1 (from 0.080000 sec., 0.040000 sec., 33.33%)' \
	'2 10.0 393.3 space 1: f [0,0x40) (from 0.000000 sec., 0.040000 sec., 33.33%)' \
	'2 796.7 393.3 space 1: f [0,0x40) (from 0.080000 sec., 0.040000 sec., 33.33%)'
# A page has the same frames.
"$er_print" -import turns.feed -space_rules window=10 -spacechart t.html >out 2>err
grep -q '<title>Phases and Code Spaces: ' t.html
ends 1 'Error: spacechart has no colours by a metric: choose another palette than inclusive' -import turns.feed -picture palette=inclusive -spacechart no.svg
printf 'main 1\n' >one.folded
ends 1 'Error: There are no samples in time: code spaces are between two samples of a thread' -import one.folded -spacechart no.svg
[ ! -e no.svg ]

# A recurrence plot has 512 moments. Thread 1 is in A for 128 of them, then in B and C for 8 each by turns, and for the last 128 in A again.
# In thread 2, three quarters of each other moment are B and one is C, and one quarter of the others is B and three are C.
grep -v '^s' turns.feed >again.feed
awk 'function sample(thread, time, part) { printf "s %d %.4f %s %d\n", thread, time, part, count[thread]++ }
	BEGIN {
		for (i = 0; i <= 64; i++) sample(1, i, i < 16 || i >= 48 ? "1000" : i % 2 ? "1080" : "1040")
		for (i = 0; i < 512; i++) {
			sample(2, i / 4, "1040")
			sample(2, i / 4 + (i % 2 ? 1 : 3) / 16, "1080")
		}
		sample(2, 128, "1040")
	}' >>again.feed
draw c.svg -import again.feed -space_rules window=8
command=recurrence_plot
draw r.svg -import again.feed -space_rules window=8
[ "$(cat err)" = 'Recurrence plot written to r.svg' ]
[ "$(subtitle r.svg)" = "2 threads, dark: the same code spaces again, coloured: in one phase, $version" ]
# A title is cut to the picture's width: 2 * 594 + 10 pixels, less the margins, have room for 122 characters of 9.64.
draw long.svg -import again.feed -picture "title=$(printf 'x%.0s' {1..200})"
[ "$(sed -n 's/.*<text id="title"[^>]*>\(x*\)….*/\1/p' long.svg | tr -d '\n' | wc -c)" -le 122 ]
grep -q '<text id="title"[^>]*>xxx*…' long.svg
/usr/bin/python3 "$TESTS/tools/recurrence_picture.py" r.svg 0,0 0,511 0,200 130,200 130,146 130,137 >out
one=$(colour c.svg 'phase 1') two=$(colour c.svg 'phase 2')
diff <(sed -E 's/, space [0-9]+: f//' out) - <<END
again.feed, thread 1 from 0 step 125000.000
0,0: $two 255, phase 2 [0,0x40)
0,511: $two 255, phase 2 [0,0x40)
0,200: rgb(0,0,0) 0, phase 2 [0,0x40)
130,200: rgb(0,0,0) 0, phase 1 [0x40,0x80)
130,146: $one 255, phase 1 [0x40,0x80)
130,137: rgb(0,0,0) 0, phase 1 [0x40,0x80)
again.feed, thread 2 from 0 step 250000.000
0,0: $one 255, phase 1 [0x40,0x80)
0,511: $one 128, phase 1 [0x40,0x80)
0,200: $one 255, phase 1 [0x40,0x80)
130,200: $one 255, phase 1 [0x40,0x80)
130,146: $one 255, phase 1 [0x40,0x80)
130,137: $one 128, phase 1 [0x40,0x80)
END
/usr/bin/python3 "$TESTS/tools/recurrence_hover.py" r.svg 0,511 130,137 >out
diff <(sed -E 's/space [0-9]+: f//g' out) - <<'END'
to the right 0.000000 s: phase 2, mostly  [0,0x40); upwards 0.063875 s: phase 2, mostly  [0,0x40); alike in 100.0 % of their time
to the right 0.016250 s: phase 1, mostly  [0x40,0x80); upwards 0.017125 s: phase 1, mostly  [0x80,0xc0); alike in 0.0 % of their time
END
ends 1 'Error: There are no samples in time: code spaces are between two samples of a thread' -import one.folded -recurrence_plot no.svg
command=spacechart

# A program that computes for 60 ms, touches pages for 20 and now and then sleeps for 20, 14 times.
"$BUILD/bin/collect" -p hi -h =page-faults -o test.er "$BUILD/tests/programs/space_phases" >/dev/null
draw real.svg -space_rules window=5 test.er
frames real.svg | cut -d' ' -f 1,3,5- | tee frames | awk '$1 < 2' | cut -c1-100
lane=$(awk '$1 == 0 { print $2 }' frames)
phases=$(awk '$1 == 1 { sum += $2 } END { print sum }' frames)
echo "lane $lane pixels, phases $phases, $(grep -c '^1 ' frames) of them"
awk "BEGIN { exit !($phases > $lane * 0.85 && $phases <= $lane * 1.01) }"
[ "$(grep -c '^1 ' frames)" -ge 8 ]
grep -q '^2 .* space [0-9]*: touch ' frames
grep -q '^2 .* space [0-9]*: compute ' frames
