#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The CPU time of a rank that sits in MPI_Recv while the other computes is MPI Wait; the other's is MPI Work; both add up exactly.
. "$TESTS/end-to-end/mpi.bash"
need mpicc.openmpi mpirun.openmpi mpicc.mpich mpirun.mpich
# other WHAT SECONDS OF MOST: percent of the time that is not in SECONDS.
other()
{
	bound "$1" "$(awk -v a="$(share "$2" "$3")" 'BEGIN {print 100 - a}')" "$4"
}
for mpi in openmpi mpich; do
	"mpicc.$mpi" -O1 -o "late.$mpi" "$TESTS/programs/mpi/late.c" || exit 1
	"$collect" -M "${mpi^^}" -o "$mpi.er" "mpirun.$mpi" -np 2 -- "./late.$mpi" >said 2>errors || fail "$mpi: $(cat errors)"
	read -r _ waited all <<<"$(work_and_wait "$mpi.er" 1 MPI_Recv)"
	other "$mpi: of $all s CPU time of the rank in MPI_Recv no MPI Wait, %" "$waited" "$all" 5
	read -r worked _ all <<<"$(work_and_wait "$mpi.er" 0 compute)"
	other "$mpi: of $all s CPU time of the rank that computes no MPI Work, %" "$worked" "$all" 0
	for rank in 0 1; do
		# In nanoseconds: samples are whole ones, so that a sum of theirs is exact.
		read -r work wait all <<<"$(work_and_wait "$mpi.er" "$rank" "<Total>")"
		bound "$mpi, rank $rank: MPI Work $work + MPI Wait $wait - Total CPU Time $all, s" \
			"$(awk -v a="$work" -v b="$wait" -v c="$all" 'BEGIN {d = a + b - c; printf "%.3f", d < 0 ? -d : d}')" 0.001
	done
done
"$er_print" -header openmpi.er | grep -qi 'sleep' || fail "header does not say that sleeping waits are in neither"
exit $broken
