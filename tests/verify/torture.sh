#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Each shape of tests/programs/torture.c and torture_cxx.cc, by gcc and clang, with and without -fcf-protection: at least 98 %
# of the time is shown under the shape's outer function, and all of its stacks are walked to the thread's start or say that
# they were guessed. Where unwind information is complete, at least 98 % of them are complete.
# limit: 600
set -u
failed=0
# FUNCTION's inclusive percent in functions.txt, with that of the part that gcc splits off as FUNCTION.cold: the two are never
# on one stack, each stands for the function.
percent_of()
{
	awk -v name="$1" '{ shown = $5; sub(/\(.*/, "", shown); sub(/ \[clone.*/, "", shown) }
		shown == name || shown == name ".cold" { sum += $4 } END { print sum + 0 }' functions.txt
}
# The shape's samples: ticks, outside of the loader's start and the exit handlers of the process around it, unless the shape
# itself runs there.
around='__run_exit_handlers|_dl_start|_dl_start_user|_dl_sysdep_start|dl_main'
of_the_shape="MODE != 3 && (FNAME(\"outer_.*\") SOME IN STACK || !(FNAME(\"$around\") SOME IN STACK))"
check()
{
	local program=$1 shape=$2 outer complete
	rm -rf t.er
	"$BUILD/bin/collect" -p hi -o t.er "$program" "$shape" 0.5 >collect.txt 2>&1 || { echo "$program $shape: collect: $(cat collect.txt)"; failed=1; return; }
	"$BUILD/bin/er_print" -filters "$of_the_shape" -functions t.er >functions.txt 2>&1
	"$BUILD/bin/er_print" -header t.er >header.txt 2>&1
	outer=$(percent_of "outer_$shape")
	complete=$(sed -n 's/.*Stacks: .* captured, \([0-9.]*\) % complete.*/\1/p' header.txt)
	echo "$(basename "$program") $shape: outer $outer % complete ${complete:-?} %"
	awk -v p="$outer" 'BEGIN { exit !(p >= 98) }' || { failed=1; echo "  outer_$shape has only $outer %"; head -20 functions.txt; }
	# While libgcc installs the landing pad of a rethrown exception, its own caller's frame pointer is nowhere any more: guessed.
	local least=98
	[ "$shape" = rethrow ] && least=90
	[ "$shape" = without_cfi ] && least=0
	awk -v p="${complete:--1}" -v least=$least 'BEGIN { exit !(p >= least) }' ||
		{ failed=1; echo "  only ${complete:-?} % of the stacks are complete"; }
}
found=0
for program in "$PROGRAMS"/torture-* "$PROGRAMS"/torture_cxx-*; do
	[ -x "$program" ] || continue
	for shape in $("$program"); do
		found=$((found + 1))
		check "$program" "$shape"
	done
done
[ "$found" -gt 30 ] || { echo "only $found shapes were found"; exit 1; }
exit $failed
