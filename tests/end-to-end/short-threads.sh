#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A hundred processes, each shorter than a tick: what the collector does at their beginnings and ends is a row of its own, the
# time of those without a tick is shown where those with one were, and it is said; the total stays. What a process had before its
# clock could tick is a row too.
set -u
fail()
{
	echo "$*"
	exit 1
}
er_print=$BUILD/bin/er_print
# thousandths of a second of a function's exclusive time; 0 if it is not in the list.
of()
{
	awk -v name="$1" 'index($0, name) && NF >= 5 { sum = $1 * 1000 } END { print sum + 0 }' "$2"
}

for try in 1 2 3; do
	rm -rf start.er
	had=$("$BUILD/bin/collect" -O said -o start.er "$PROGRAMS/before_start")
	"$er_print" -functions start.er >start || fail er_print
	started=$(of '<process start>' start)
	echo "try $try: $((had / 1000000)) ms before main, process start $started"
	# Besides there is what the collector and libraries did before main.
	[ "${started%.*}" -le $((had / 1000000)) ] && [ "${started%.*}" -ge $((had * 85 / 100000000)) ] && break
	[ $try -lt 3 ] || exit 1
done
for try in 1 2 3; do
	rm -rf test.er
	"$BUILD/bin/collect" -p 3000u -O test.er "$PROGRAMS/brief_processes" 100 >out 2>err || fail "$(cat err)"
	"$er_print" -functions test.er >divided || fail er_print
	"$er_print" -short_threads apart -functions test.er >apart || fail er_print
	total=$(of '<Total>' divided) collector=$(of '<collector>' divided)
	left=$(of '<no stack>' divided) pool=$(of '<no stack>' apart) brief=$(of ' brief' divided) found=$(of ' brief' apart)
	echo "try $try: total $total ms, collector $collector, no stack $pool -> $left, brief $found -> $brief"
	[ "$total $collector" = "$(of '<Total>' apart) $(of '<collector>' apart)" ] || fail "the total moved"
	[ "$(of '<process start>' divided)" = "$(of '<process start>' apart)" ] || fail "starts were divided"
	[ "$collector" -gt 0 ] && [ "$pool" -gt $((total / 20)) ] && [ "$left" -lt $((total / 20)) ] &&
		[ "$brief" -gt "$found" ] && break
	[ $try -lt 3 ] || exit 1
done
line="Estimated: $(awk -v ms=$((pool - left)) 'BEGIN { printf "%.3f", ms / 1000 }') CPU seconds are of threads too short for a clock tick, divided among others of their programs (short_threads apart shows them)"
# The two roundings may differ by a thousandth.
grep '^Estimated' divided | sed -E 's/[0-9.]+ CPU/N CPU/' | grep -qxF "$(sed -E 's/[0-9.]+ CPU/N CPU/' <<<"$line")" || fail "$(cat divided)"
grep -q '^Estimated' apart && fail "apart: $(cat apart)"
"$er_print" -printmode html -functions test.er | grep -q '^<p>Estimated: ' || fail "not in html"
"$er_print" -printmode , -functions test.er 2>err | grep -q Estimated && fail "between delimited lines"
grep -q '^Warning: Estimated: ' err || fail "$(cat err)"
[ "$("$er_print" -functions -lines -functions test.er | grep -c '^Estimated: ')" = 3 ] || fail "not under each list of a run"
# Lists that have nothing of it say nothing.
"$er_print" -functions -header -experiment_list -Processes test.er | sed '1,/^Estimated/d' | grep Estimated && fail "said of other lists"
"$er_print" -metrics name -functions test.er | grep Estimated && fail "said where no time is shown"
printf 'short_threads\nshort_threads apart\nshort_threads\nshort_threads some\n' >script
"$er_print" -script script test.er >out 2>err || fail "$(cat err)"
[ "$(cat out)" = "$(printf 'Short threads: divided\nShort threads: apart')" ] || fail "$(cat out)"
grep -qx 'Error: Invalid argument to command: short_threads some: it must be divided or apart (script, line 4)' err || fail "$(cat err)"
"$er_print" -flamegraph flame.svg test.er 2>err || fail "$(cat err)"
grep -q 's of short threads estimated' flame.svg || fail "the flame graph does not say it"
"$er_print" -flamechart chart.svg test.er 2>err || fail "$(cat err)"
! grep -q 'estimated' chart.svg || fail "a chart has no estimates, and says it has"
# Threads without a clock event: nothing is written to memory that was given back.
CK_FORK=no valgrind -q --error-exitcode=99 "$BUILD/tests/unit/aggregate/test_short_threads" >valgrind 2>&1 || fail "$(cat valgrind)"
