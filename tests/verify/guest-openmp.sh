#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# OpenMP on arm64, where an emulated processor has a time of its own: regions, tasks and waits of libgomp as often as the programs
# counted them, and tasks and waits as long as they measured.
# limit: 900
. "$TESTS/end-to-end/guest.bash"
. "$TESTS/end-to-end/openmp.bash"
. "$TESTS/verify/bounds.bash"
libgomp=$(aarch64-linux-gnu-gcc -print-file-name=libgomp.so.1)
for program in regions tasks waits; do
	aarch64-linux-gnu-gcc -O1 -g -w -fno-optimize-sibling-calls -fopenmp -o $program "$TESTS/programs/openmp/$program.c" || exit 1
done
on_guest -s 1 -t 800 -f regions -f tasks -f waits -f "$(realpath "$libgomp")" <<'SCRIPT' || exit
cp /in/libgomp.so.1.* libgomp.so.1
export LD_LIBRARY_PATH=$PWD OMP_CANCELLATION=true OMP_WAIT_POLICY=passive OMP_NUM_THREADS=2
for program in regions tasks waits; do
	collect -O said -o $program.er /in/$program >$program.own 2>$program.errors || exit
done
for report in "regions preg" "tasks task" "waits wait"; do
	set -- $report
	er_print -printmode ';' -OMP_$2 $1.er >$1.report || exit
done
SCRIPT
# found NAMES PROGRAM COUNTS TIME NAME: "FUNCTION COUNT NANOSECONDS" of the report, whose columns of that number have those.
found()
{
	"$TESTS/tools/rows" "out/$1.report" | awk -F'\t' -v counts="$2" -v time="$3" -v name="$4" '
		$name != "<Total>" {
			split($name, names, "[ ,]")
			function_name = names[1] == "set_nest_lock_of_fortran" ? "nest_lock" : names[1]
			count[function_name] += $counts; sum[function_name] += $time }
		END { for (i in count) printf "%s %d %.0f\n", i, count[i], sum[i] * 1e9 }' | sort >"$1.found"
	sort "out/$1.own" >"$1.counted"
}
found regions 1 3 7
found tasks 1 3 8
found waits 1 3 5
for program in regions tasks waits; do
	grep wrong "$program.counted" && fail "$program: wrong results"
	join -a 1 -a 2 -e none -o 0,1.2,2.2 "$program.counted" "$program.found" >"$program.both"
	cat "$program.both"
	bound "$program on arm64: functions of $(wc -l <$program.counted) whose count differs" \
		"$(awk '$2 != $3' "$program.both" | wc -l)" 0
	[ $program = regions ] && continue
	bound "$program on arm64: the largest deviation of a function's time above 5 ms from its own clock, %" \
		"$(join -o 1.3,2.3 "$program.counted" "$program.found" | awk '
			$1 > 5e6 { off = ($1 - $2) / $1 * 100; off = off < 0 ? -off : off; most = off > most ? off : most; some = 1 }
			END { if (some) printf "%.2f", most }')" 15
done
verdict
