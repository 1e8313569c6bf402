#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Flame charts: what each thread did one after another, by arithmetic on samples with times, and of a program that was run.
. "$TESTS/end-to-end/pictures.bash"
command=flamechart

# Row 32: a, b and a again are three frames. The root is above, and the line says that the order is all that is known of time.
printf 'a 1000\nb 1000\na 1000\n' >aba.folded
draw c.svg -import aba.folded
[ "$(cat err)" = 'Flame chart written to c.svg' ]
shows c.svg '0 10.0 1180.0 aba.folded, thread 1 (from 0, 3,000, 100.00%)' '1 10.0 393.3 a (from 0, 1,000, 33.33%)' \
	'1 403.3 393.3 b (from 1,000, 1,000, 33.33%)' '1 796.7 393.3 a (from 2,000, 1,000, 33.33%)'
[ "$(subtitle c.svg)" = "Folded Count 3,000, 1 thread, in the order of time, aba.folded, $version" ]
[ "$(y c.svg 'aba.folded, thread 1') $(y c.svg a)" = '68 84' ]
# axis FILE: "x text" of each number above.
axis() { sed -n '/<g id="axis">/,/<\/g>/s/.*<text x="\([0-9.]*\)" y="64">\(.*\)<\/text>/\1 \2/p' "$1"; }
[ "$(axis c.svg | tr '\n' ';')" = '13.0 0;209.7 500;406.3 1,000;603.0 1,500;799.7 2,000;996.3 2,500;' ]
# A caller goes on while its callees come and go, and has time of its own between them.
printf 'm;a 10\nm 5\nm;a 10\nm;a;b 5\nn 10\n' >self.folded
draw c.svg -import self.folded
shows c.svg '0 10.0 1180.0 self.folded, thread 1 (from 0, 40, 100.00%)' '1 10.0 885.0 m (from 0, 30, 75.00%)' '2 10.0 295.0 a (from 0, 10, 25.00%)' \
	'2 452.5 442.5 a (from 15, 15, 37.50%)' '3 747.5 147.5 b (from 25, 5, 12.50%)' '1 895.0 295.0 n (from 30, 10, 25.00%)'

# Samples with times, a millisecond apart: each reaches back so far, also over a gap that is no longer. Over a longer one callers go on.
# sample THREAD SECONDS FRAMES: leaf first.
sample()
{
	printf 'app 1/%d %s: 1000 cycles: \n' "$1" "$2"
	shift 2
	printf '\t1000 %s+0x0 (/bin/app)\n' "$@"
	echo
}
{
	sample 7 10.001000 a main
	sample 7 10.002000 a main
	sample 8 10.002500 w start
	sample 7 10.003000 b main
	sample 8 10.003500 w start
	sample 8 10.005000 w start
	sample 7 10.010000 a main
	sample 7 10.011000 c a main
	sample 7 10.012000 a main
} >times.txt
draw t.svg -import times.txt
shows t.svg '0 10.0 1180.0 app, process 1, thread 7 (from -0.001000 sec., 0.012000 sec., 100.00%)' \
	'1 10.0 1180.0 main (from -0.001000 sec., 0.012000 sec., 100.00%)' '2 10.0 196.7 a (from -0.001000 sec., 0.002000 sec., 16.67%)' \
	'2 206.7 98.3 b (from 0.001000 sec., 0.001000 sec., 8.33%)' '2 895.0 295.0 a (from 0.008000 sec., 0.003000 sec., 25.00%)' \
	'3 993.3 98.3 c (from 0.009000 sec., 0.001000 sec., 8.33%)' '5 157.5 344.2 app, process 1, thread 8 (from 0.000500 sec., 0.003500 sec., 29.17%)' \
	'6 157.5 344.2 start (from 0.000500 sec., 0.003500 sec., 29.17%)' '7 157.5 344.2 w (from 0.000500 sec., 0.003500 sec., 29.17%)'
[ "$(subtitle t.svg)" = "cycles 9,000, 2 threads, by time, times.txt, $version" ]
[ "$(axis t.svg | tr '\n' ';')" = '111.3 0.000 s;308.0 0.002 s;504.7 0.004 s;701.3 0.006 s;898.0 0.008 s;1094.7 0.010 s;' ]
# Leaf first nothing goes on over a gap, as the leaf is what is not known there.
draw t.svg -import times.txt -tree bottom_up -filters 'THRID == 7'
frames t.svg | awk '$1 == 1 { print $2, $3, $5 }' | diff - <(printf '%s\n' '10.0 196.7 a' '206.7 98.3 b' '895.0 98.3 a' '993.3 98.3 c' '1091.7 98.3 a')
# Levels of a lane, and frames that are too thin: neighbours that begin within so much are one bundle, but not with
# those beyond a gap as wide.
draw t.svg -import times.txt -tree depth=1
[ "$(frames t.svg | cut -d' ' -f1 | tr '\n' ' ')" = '0 1 3 4 ' ]
{ for n in 1 2 3; do sample 7 10.00${n}000 s$n main; done; for n in 7 8 9; do sample 7 10.00${n}000 s$n main; done; } >thin.txt
draw t.svg -import thin.txt -picture least=15%
shows t.svg '0 10.0 1180.0 app, process 1, thread 7 (from -0.001000 sec., 0.009000 sec., 100.00%)' '1 10.0 1180.0 main (from -0.001000 sec., 0.009000 sec., 100.00%)' \
	'2 10.0 262.2 (2 thin frames) (from -0.001000 sec., 0.002000 sec., 22.22%)' '2 796.7 262.2 (2 thin frames) (from 0.005000 sec., 0.002000 sec., 22.22%)'
grep -q '>2 frames, 22.2222 %, not drawn: thinner than 177 px<' t.svg
# A larger total is a longer time.
draw t.svg -import thin.txt -picture total=0.018
frames t.svg | grep -q '^0 10.0 590.0 .* (from -0.001000 sec., 0.009000 sec., 50.00%)$'

ends 1 'Error: flamechart has no colours by a metric: choose another palette than exclusive' -import times.txt -picture palette=exclusive:by=cycles -flamechart no.svg
ends 1 'Error: no picture of Folded Count: its total is 0 in what was loaded' -import aba.folded -filters 0 -flamechart no.svg
[ ! -e no.svg ] && [ ! -e no.html ] || exit 1
"$er_print" -import aba.folded -flamechart - 2>err | cmp - <("$er_print" -import aba.folded -picture default -flamechart - 2>/dev/null) && [ ! -s err ]
