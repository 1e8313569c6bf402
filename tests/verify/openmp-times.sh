#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# limit: 100
# OpenMP's waits beside the program's own clock, and the time of each region's team beside what it did, each within 2 %.
. "$TESTS/end-to-end/openmp.bash"
export OMP_CANCELLATION=true OMP_WAIT_POLICY=passive
# Reports have milliseconds, so the waits are long ones.
# judge WHAT: the largest of the deviations, in percent, in the file off: "NAME DEVIATION".
judge()
{
	sort -k 2 -g off | awk -v what="$1" '{ name = $1; most = $2; count++ }
		END {
			good = count && most <= 2
			printf "bound: %s | %.2f %% (%s, the largest of %d) | at most 2 %% | %s\n", what, most, name, count, good ? "ok" : "SHORT"
			exit !good }' || broken=1
}
for compiler in gcc clang; do
	[ $compiler = gcc ] || has_libomp || continue
	$compiler -O1 -g -w -DSCALE=20 -fopenmp -o waits.$compiler "$TESTS/programs/openmp/waits.c" || exit 1
	timeout 20 "$collect" -p hi -O said -o $compiler.er ./waits.$compiler >own || fail "waits.$compiler ended with $?"
	"$er_print" -printmode ';' -OMP_wait $compiler.er | "$TESTS/tools/rows" | awk -F'\t' '
		$5 != "<Total>" { split($5, name, "[ ,]"); print name[1] == "set_nest_lock_of_fortran" ? "nest_lock" : name[1], $3 }' >found
	awk 'NR == FNR { time[$1] += $2; next }
		$3 > 5e7 { own = $3 / 1e9; off = (time[$1] - own) / own * 100; print $1, off < 0 ? -off : off }' found own >off
	judge "OMP_wait by function, beside the program's clock, $compiler"
	regions $compiler.er | awk '$4 > .05 { off = ($5 + $6) / (2 * $4) * 100 - 100; print $1, off < 0 ? -off : off }' >off
	judge "OMP_preg: work and waiting of a team of two, beside twice the region's time, $compiler"
	# Clock ticks and intervals off the CPU, in all of whose stacks the region's caller is.
	regions $compiler.er >by_events
	"$er_print" -printmode ';' -metrics i.total:name -functions $compiler.er 2>/dev/null | "$TESTS/tools/rows" | awk -F'\t' '
		NR == FNR { split($0, field, " "); if (field[4] > .05) time[field[1]] = 2 * field[4]; next }
		$2 in time { off = $1 / time[$2] * 100 - 100; print $2, off < 0 ? -off : off }' by_events - >off
	judge "Total Thread Time below who began a region, beside twice the region's time, $compiler"
done
verdict
