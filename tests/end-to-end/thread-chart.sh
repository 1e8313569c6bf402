#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The metric states is Total Thread Time with the states of threads as functions at the leaf: each has what its own metric has, to the
# nanosecond. A flame chart shows each wait of a program below the function that waited, one after another, by its own clock.
# measures how long a program waits
. "$TESTS/end-to-end/pictures.bash"
"$BUILD/bin/collect" -F off -O said -o run.er "$PROGRAMS/thread_states" >own
# nanoseconds METRIC [FRAME]: the metric's total, or what stands at that leaf.
nanoseconds()
{
	"$er_print" -metrics "i.$1:name" -sort "i.$1" -folded folded run.er >/dev/null 2>/dev/null || { echo 0; return; }
	awk -v leaf="${2-}" '{ path = $0; sub(/ [0-9]+$/, "", path); sub(/.*;/, "", path)
		if (leaf == "" || leaf == path) sum += $NF }
		END { printf "%.0f\n", sum }' folded
}
parts='lock=<User Lock>
sleep=<Sleep>
wait=<Wait CPU>
filewait=<File Wait>
netwait=<Network Wait>
pollwait=<Descriptor Wait>
childwait=<Child Wait>
unknownwait=<Unknown Wait>
unexplained=<Unexplained>'
while IFS== read -r metric function; do
	ours=$(nanoseconds states "$function") alone=$(nanoseconds "$metric")
	[ "$ours" = "$alone" ] || { echo "$function: $ours, $metric $alone"; exit 1; }
done <<<"$parts"
[ "$(nanoseconds lock)" -gt 0 ]
total=$(nanoseconds states)
[ "$total" = "$(nanoseconds total)" ] && [ "$total" -gt 1000000000 ] || exit 1
# No function that waited has the time of a wait itself.
"$er_print" -metrics e.states:i.states:name -functions run.er | awk '$NF ~ /^wait_/ { n++; print; if ($1 > .005 || $2 < .02) exit 1 } END { exit n < 10 }'

command=flamechart
draw c.svg -metrics i.states:name -sort i.states run.er
# Each wait is drawn below its function, and they are in the order of time.
frames c.svg >drawn
failures=0
awk -v parts="$parts" '
	BEGIN {
		n = split(parts, part, "\n")
		for (i = 1; i <= n; i++) { split(part[i], word, "="); state[word[1]] = word[2] }
	}
	FNR == 1 { file++ }
	file == 1 && $1 ~ /^wait_/ && $1 != "wait_at_end" { # which is of another thread
		order[++count] = $1; kind[$1] = $2; seconds[$1] = $3 }
	# depth x width colour name (from S sec., D sec., P)
	file == 2 { all[++frames] = $0 }
	END {
		for (f = 1; f <= frames; f++) {
			split(all[f], word, " ")
			name = all[f]; sub(/^[^<]*/, "", name); sub(/ \(.*/, "", name)
			for (g = 1; g <= frames; g++) {
				split(all[g], caller, " ")
				own = caller[5]
				if (!(own in kind) || word[1] != caller[1] + 1 || name != state[kind[own]] ||
				    word[2] < caller[2] - .15 || word[2] + word[3] > caller[2] + caller[3] + .15)
					continue
				lasts = all[f]; sub(/.*\(from [0-9.]+ sec\., /, "", lasts)
				length_of[own] += lasts + 0
				if (lasts + 0 > seconds[own] / 2) at[own] = word[2]
			}
		}
		for (i = 1; i <= count; i++) {
			own = order[i]
			say = sprintf("%s: %s %.3f, by its own clock %.3f", own, state[kind[own]], length_of[own], seconds[own])
			print say
			if (length_of[own] < .85 * seconds[own] || length_of[own] > 1.15 * seconds[own]) { wrong = 1; print "WRONG " say }
			if (i > 1 && at[own] <= at[order[i - 1]]) { wrong = 1; print "WRONG order " own }
		}
		exit wrong || count != 10
	}' own drawn || failures=1
# Colours: of the state, whatever the palette, but not in one by a metric; and those that colour-blind readers tell apart.
[ "$(colour c.svg '<User Lock>') $(colour c.svg '<Sleep>')" = 'rgb(92,107,192) rgb(144,202,249)' ]
command=flamegraph
for palette in warm object hot java; do
	draw f.svg -metrics i.states:name -sort i.states -picture "palette=$palette" run.er
	[ "$(colour f.svg '<User Lock>') $(colour f.svg '<File Wait>')" = 'rgb(92,107,192) rgb(102,187,106)' ]
done
draw f.svg -metrics i.states:name -sort i.states -picture colours=safe run.er
[ "$(colour f.svg '<User Lock>') $(colour f.svg '<Sleep>')" = 'rgb(0,114,178) rgb(86,180,233)' ]
draw f.svg -metrics i.states:name -sort i.states -picture palette=exclusive run.er
[ "$(colour f.svg '<User Lock>')" != 'rgb(92,107,192)' ]
exit $failures
