# SPDX-License-Identifier: Apache-2.0
# Tests of delays compare two sums by this: all delays of an experiment together are all its waits.

# waits_and_delays EXPERIMENT: seconds of delays and delay chains, by rank; how long the report took; and of all waits.
waits_and_delays()
{
	local start=$EPOCHREALTIME
	"$er_print" -printmode ';' -mpi_delays "$1" 2>/dev/null | "$TESTS/tools/rows" | awk -F'\t' 'NF == 4 {d += $1 + $2} END {printf "%.3f ", d}'
	awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN {printf "%.2f ", b - a}'
	"$er_print" -printmode ';' -mpi_waits "$1" 2>/dev/null | "$TESTS/tools/rows" | awk -F'\t' 'NF == 6 {w += $1} END {printf "%.3f\n", w}'
}
# sums WHAT EXPERIMENT
sums()
{
	read -r delays took waits <<<"$(waits_and_delays "$2")"
	bound "$1: delays $delays s, waits $waits s, report in $took s: ms apart" \
		"$(awk -v a="$delays" -v b="$waits" 'BEGIN {printf "%.0f", (a > b ? a - b : b - a) * 1000}')" 10
}
