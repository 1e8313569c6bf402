#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# limit: 600
# All delays together are all waits, of programs that nobody here wrote, too; a function that one rank does alone, before what all
# do, is what the others wait for.
. "$TESTS/end-to-end/mpi.bash"
. "$TESTS/verify/mpi_delays.bash"
need mpicc.openmpi mpirun.openmpi mpicc.mpich mpirun.mpich
for mpi in openmpi mpich; do
	"mpicc.$mpi" -g -O1 -o "imbalance.$mpi" "$TESTS/programs/mpi/imbalance.c" || exit 1
	"$collect" -p hi -M "${mpi^^}" -o "$mpi.er" "mpirun.$mpi" -np 2 -- "./imbalance.$mpi" >said 2>errors || fail "$mpi: $(cat errors)"
	sums "$mpi, two ranks" "$mpi.er"
	read -r own all <<<"$("$er_print" -printmode ';' -filters 'MRANK==1' -metrics i.mpidelay:name -functions "$mpi.er" 2>/dev/null |
		"$TESTS/tools/rows" | awk -F'\t' '$2 == "extra" {a = $1} $2 == "<Total>" {b = $1} END {print a + 0, b + 0}')"
	bound "$mpi: of $all s delay of rank 1 not in extra(), which it does before what both do, %" \
		"$(awk -v a="$own" -v b="$all" 'BEGIN {printf "%.1f", b ? (b - a) / b * 100 : 100}')" 15
done
if command -v lmp >/dev/null; then
	for ranks in 2 4; do
		"$collect" -p hi -M OMPI -o lammps.$ranks.er mpirun.openmpi -np $ranks -- lmp -in "$TESTS/programs/mpi/melt.lammps" -var steps 1000 >said 2>errors ||
			fail "LAMMPS: $(cat errors)"
		sums "LAMMPS, $ranks ranks" lammps.$ranks.er
	done
fi
verdict
