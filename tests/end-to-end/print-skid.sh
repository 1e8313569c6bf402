#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Clock ticks are charged to the instruction that the thread spent its time on: in each loop of costly_lines.c the line that
# costs is the heaviest, by either clock source. Where the interrupt found the thread is what skid raw shows: the instruction after.
# measures the heaviest line of loops by ticks
set -eu
[ "$(uname -m)" = x86_64 ] || { echo "the loops are x86-64's"; exit 77; }
er_print=$BUILD/bin/er_print
cp "$TESTS/programs/costly_lines.c" .
# "dependent_load 34" ...: a function, and its line that costs. The load of inlined_load is in the inlined following.
awk 'match($0, /[a-z_]+\((long rounds|struct link \*p)\)$/) {name = substr($0, RSTART); sub(/\(.*/, "", name)}
	/\/\/ costs$/ {print name, NR}' costly_lines.c | sort >costs
[ "$(wc -l <costs)" -eq 13 ]

# heaviest EXPERIMENT SKID: of each function the line with most CPU time.
heaviest()
{
	"$er_print" -skid "$2" -metrics e.totalcpu:name -lines "$1.er" |
		awk '/, line [0-9]+ in "costly_lines.c"$/ {name = $2; sub(",", "", name); if (!(name in met)) print name, $4
			met[name] = 1}' | sort
}

missed=0
while read -r name compiler launcher; do
	[ -e $compiler ] || $compiler -g -O2 -o $compiler costly_lines.c
	$launcher "$BUILD/bin/collect" -p hi -O collect.said -o $name.er ./$compiler "$([ $name = timer ] && echo 80 || echo 50)"
	for skid in raw corrected; do
		heaviest $name $skid >$name.$skid
		join costs $name.$skid | awk -v what="$name, skid $skid" '{text = text ", " $1 " " $2 "/" $3}
			END {print what ", the line that costs and the heaviest" text}'
	done
	join costs $name.corrected | awk '$2 != $3 {wrong++} END {exit NR != 13 || wrong > 0}' || missed=1
	# A string instruction is found itself; four multiplications are on one line. The others are not found where they are.
	join costs $name.raw | awk '$2 == $3 {right++} END {exit NR < 12 || right > 4}' || missed=1
	# Both are the same ticks.
	for skid in raw corrected; do
		"$er_print" -skid $skid -metrics e.totalcpu:name -functions $name.er | awk '$2 == "dependent_load" || $2 == "<Total>"'
	done | sort | uniq -c | awk '$1 != 2 {exit 1} END {exit NR != 2}'
done <<END
gcc gcc
clang clang
timer gcc $PROGRAMS/refuse_perf EPERM
END
"$er_print" -header timer.er | grep -q '1 thread by a thread CPU-time timer'
[ $missed = 0 ]

# The instruction itself, as pcs and disasm have it.
heaviest_instruction()
{
	"$er_print" -skid $1 -metrics e.totalcpu:name -disasm dependent_load gcc.er |
		awk '{sub(/^## */, "")} $2 ~ /^\[/ && $1 + 0 > most {most = $1 + 0; text = $0} END {print text}'
}
heaviest_instruction corrected | tee said | grep -qE 'mov +\(%r[a-z0-9]+\),%r[a-z0-9]+'
heaviest_instruction raw | tee -a said | grep -qE 'add +\$'
cat said
