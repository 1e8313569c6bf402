#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Iterations of a metric by feeds whose numbers are arithmetic: their number and length, the odd one with its time, value and function, of a
# counter, of a ratio and of code spaces; a part that a filter chooses; bursts; a course by chance; arguments that are wrong.
set -eu
er_print=$BUILD/bin/er_print
# feed EXPRESSION: 50 iterations of 20 samples, 1 ms apart. `v`, by awk, is what a sample counts from k, its number in iteration n; g runs in
# the first half of the odd iteration 30, f else. Cycles are v, instructions 1000.
feed()
{
	cat <<'HEAD'
#er_print samples 1
isize 4
func f 1000 1080
block 1000 1080 -> 1000
func g 1080 1100
block 1080 1100 -> 1080
counter cycles
counter insts
HEAD
	awk 'BEGIN {
		for (i = 0; i <= 1000; i++) {
			j = i - 1; k = j % 20; n = int(j / 20)
			if (i) { cycles += '"$1"'; insts += 1000 }
			printf "s 1 %d %s %d %d\n", i, n == 30 && k < 10 ? "1080" : "1000", cycles, insts
		}
	}'
}
feed '(k < 10 ? 1000 + 200 * (k < 5) : 100) * (n == 30 ? 3 : 1)' >odd.feed
rows() # ARGUMENT...: rows of numbers alone, times in seconds
{
	"$er_print" -printmode '|' "$@" 2>err | sed 's/"//g; /|Process 1, Thread 1/!d'
}
near() # NAME VALUE EXPECTED PARTS: within so many parts of a thousand
{
	awk -v value="$2" -v expected="$3" -v parts="$4" -v name="$1" 'BEGIN {
		print name, value, "expected", expected
		difference = value - expected
		exit (difference < 0 ? -difference : difference) > expected * parts / 1000
	}'
}
check() # METRIC USUAL ODD RATIO
{
	rows -import odd.feed -iterations "$1" >out
	cat out
	[ "$(wc -l <out)" = 2 ]
	IFS='|' read -r count period _ alike usual odd remark _ < <(sed -n 1p out)
	[ "$count" -ge 48 ] && [ "$count" -le 50 ] && [ "$odd" = 1 ] && [ -z "$remark" ] || exit 1
	near period "$period" 0.020 10
	near alike "$alike" 100 20
	near usual "$usual" "$2" 10
	IFS='|' read -r from to _ others value ratio changed _ < <(sed -n 2p out)
	near from "$from" 0.600 2
	near to "$to" 0.620 2
	near others "$others" 100 10
	near value "$value" "$3" 40
	near ratio "$ratio" "$4" 40
}
# An iteration has 5 * 1200 + 5 * 1000 + 10 * 100 = 12000 cycles, the odd one three times as many, 33000 of them in g.
check cycles 12000 36000 3
echo "$changed" | awk '{ exit $1 < 255 || $1 > 280 || $3 != "g" }'
check cpi 0.6 1.8 3
[ -z "$changed" ]
check IPC 1.667 0.556 0.333
# The metric that lists are sorted by, in a script.
printf 'metrics e.cycles\niterations\n' >sorted
"$er_print" -import odd.feed -script sorted | grep -q 'Iterations of each thread by cycles: '
# Half of the run has half as many iterations, and no odd one.
rows -import odd.feed -filters 'TSTAMP<=500000000' -iterations cycles >out
cat out
[ "$(wc -l <out)" = 1 ]
awk -F'|' '{ exit $1 < 23 || $1 > 25 || $6 != 0 }' out
# Twice the period, if it is asked for; one that is too short, or has no room twice.
rows -import odd.feed -iterations cycles:period=40 >out
awk -F'|' 'NR == 1 { exit $1 < 22 || $1 > 25 || $2 < 0.0395 || $2 > 0.0405 }' out
[ "$(rows -import odd.feed -iterations cycles:period=0.5 | cut -d '|' -f 1,7)" = '0|no such period' ]
[ "$(rows -import odd.feed -iterations cycles:period=600 | cut -d '|' -f 1,7)" = '0|no such period' ]
[ "$(rows -import odd.feed -iterations cycles:period=1e11 | cut -d '|' -f 1,7)" = '0|no such period' ]
# The last line chooses the odd one for other reports: g and its cycles, and none of another iteration.
filter=$("$er_print" -import odd.feed -iterations cycles 2>err | sed -n 's/^The first one in other reports: filters //p')
"$er_print" -printmode '|' -import odd.feed -filters "$filter" -metrics e.cycles -functions 2>err | sed 's/"//g; /|/!d' >out
cat out
awk -F'|' '$2 == "<Total>" { total = $1 } $2 == "g" { g = $1 } END { exit total < 35000 || total > 37000 || g < 32000 || g > 34000 }' out
# By code spaces: the first 8 ms of an iteration are in one loop, the other 12 in a second one, but for iteration 30, of which these 12
# are in a third one.
awk 'BEGIN {
	print "#er_print samples 1\nisize 4\nfunc f 1000 1100\nblock 1000 1040 -> 1000 1040 1080\nblock 1040 1080 -> 1000 1040"
	print "block 1080 1100 -> 1000 1080"
	for (i = 0; i <= 1000; i++)
		print "s", 1, i, i % 20 < 8 ? 1000 : int(i / 20) == 30 ? 1080 : 1040
}' >spaces.feed
rows -import spaces.feed -iterations spaces >out
cat out
awk -F'|' 'NR == 1 { exit $1 < 48 || $1 > 50 || $2 < 0.0198 || $2 > 0.0202 || $4 < 95 || $5 != 1 }' out
awk -F'|' 'NR == 2 { split($5, words, " "); exit $1 < 0.595 || $1 > 0.609 || $2 < 0.615 || $2 > 0.629 || words[1] !~ /^[+-](5[5-9]|60)/ }' out
[ "$(wc -l <out)" = 2 ]
# Each sample counts as much; then by chance.
[ "$(rows -import odd.feed -iterations samples | cut -d '|' -f 1,7)" = '0|nothing is repeated' ] ||
	[ "$(rows -import odd.feed -iterations samples | cut -d '|' -f 1,7)" = '0|it does not vary' ]
feed 'int(1000 * rand())' >chance.feed
[ "$(rows -import chance.feed -iterations cycles | cut -d '|' -f 1,7)" = '0|nothing is repeated' ]
fails() # TEXT ARGUMENT...
{
	local text=$1
	shift
	if "$er_print" -import odd.feed "$@" >out 2>err; then exit 1; fi
	cat err
	grep -qF "$text" err
}
fails 'iterations nothing: there is no such metric; metric_list lists the metrics' -iterations nothing
fails 'iterations totalcpu: no data recorded for this metric' -iterations totalcpu
fails 'iterations cycles:period=x: after the metric there may be :period=MILLISECONDS' -iterations cycles:period=x
fails 'iterations cycles:20: after the metric' -iterations cycles:20
fails 'There is no cycles, or the filter keeps none' -filters 'THRID==7' -iterations cycles
