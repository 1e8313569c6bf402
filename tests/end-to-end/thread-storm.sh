#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Threads that switch too often have their calls timed instead, and what was left out is counted: their time on the run queue is known
# all the same. When they are calm again their switches are recorded, so that a wait by a system call of the program's own is known.
# measures how long threads wait for a CPU
. "$TESTS/end-to-end/hostile.bash"
er_print=$BUILD/bin/er_print
"$collect" -F off -O said -o storm.er "$PROGRAMS/switch_storm" >own
"$er_print" -header storm.er >header
# Two threads are thinned, one of them is the one that goes on.
thinned=$(sed -n 's/^ *\([0-9]*\)  times that a thread switched so often that its calls were timed.*/\1/p' header)
left=$(sed -n 's/^ *\([0-9]*\)  context switches left out because.*/\1/p' header)
echo "thinned $thinned times, $left context switches left out"
[ "$thinned" -ge 2 ] && [ "$left" -gt 20000 ] || exit 1
"$er_print" -metrics i.wait:i.unknownwait:i.unexplained:i.masterthread:name -functions storm.er >list
awk '$NF == "<Total>"' list >total
awk '$NF == "storm"' list >storm
cat total storm own
awk '$1 ~ /^[a-z]/ { own[$1] = $2; next }
	$NF == "storm" { waited = $1; next }
	function near(got, expected) { return got > .85 * expected && got < 1.15 * expected }
	END { exit !(near(waited, own["wait"]) && near($2, own["unknownwait"]) && $3 < .05 * own["elapsed"] && near($4, own["elapsed"])) }' own storm total
