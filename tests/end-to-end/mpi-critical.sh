#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The critical path of a relay goes through the turns of all ranks, and through nothing else.
# measures seconds of a path through real ranks
. "$TESTS/end-to-end/mpi.bash"
need mpicc.openmpi mpirun.openmpi
mpicc.openmpi -g -O1 -o relay "$TESTS/programs/mpi/relay.c" || exit 1
rm -rf relay.er none.er
"$collect" -M OMPI -o relay.er mpirun.openmpi -np 3 -- ./relay 2>errors || fail "collect ended with $?: $(cat errors)"
# near WHAT EXPECTED FOUND: within 15 %.
near()
{
	echo "$1: $3 s, expected $2 s"
	awk -v a="$2" -v b="$3" 'BEGIN {exit !(b > a * .85 && b < a * 1.15)}' || fail "$1: $3 s, expected $2 s"
}
"$er_print" -printmode ';' -mpi_critical relay.er | "$TESTS/tools/rows" >report
near "compute on the path" 1.5 "$(awk -F'\t' '$4 == "compute" {print $2}' report)"
near "compute, per rank" 0.5 "$(awk -F'\t' '$4 == "compute" {print $3}' report)"
same "aside is not on the path" "" "$(awk -F'\t' '$4 == "aside"' report)"
for rank in 0 1 2; do
	near "rank $rank computes on the path" 0.5 "$("$er_print" -filters "MCRITICAL && MRANK==$rank" -printmode ';' \
		-metrics e.totalcpu:name -functions relay.er | "$TESTS/tools/rows" -n compute -f 1)"
	same "rank $rank is on the path" 1 "$(awk -F'\t' -v r=$rank 'NF == 6 && $6 == r && $1 > .4' report | wc -l)"
done
same "compute off the path" "" "$("$er_print" -filters '!MCRITICAL' -printmode ';' -metrics e.totalcpu:name -functions relay.er |
	"$TESTS/tools/rows" -n compute | awk '$1 > .075')"
# The founder has no process: reports name what the ranks ran, and how many they are.
same "target" "'./relay' 3" "$("$er_print" -overview relay.er | awk '/^  Target/ {t = $3} /^  Processes/ {print t, $3}')"
"$er_print" -filters MCRITICAL -flamegraph path.svg relay.er >/dev/null 2>&1
grep -q 'id="title"[^>]*>Total CPU Time Flame Graph: ./relay<' path.svg && grep -qE 'id="subtitle"[^>]*>Total CPU Time [0-9.]+ sec., relay.er, filter: MCRITICAL, er-tools [0-9.]+<' path.svg ||
	fail "the picture does not say what it shows: $(grep -oE 'id="(sub)?title"[^<]*' path.svg)"
"$collect" -o none.er true >/dev/null
"$er_print" -mpi_critical none.er 2>&1 | grep -q '^Error: mpi_critical: no MPI calls were recorded$' || fail "no error without MPI"
verdict
