#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The CPU time of a rank that sits in MPI_Recv while the other computes is MPI Wait; the other's is MPI Work; in MPI
# functions both add up to MPI Time.
. "$TESTS/end-to-end/mpi.bash"
need mpicc.openmpi mpirun.openmpi mpicc.mpich mpirun.mpich
# other WHAT SECONDS OF MOST: percent of the time that is not in SECONDS.
other()
{
	bound "$1" "$(awk -v a="$(share "$2" "$3")" 'BEGIN {print 100 - a}')" "$4"
}
# in_functions WHAT EXPERIMENT: how far MPI Work and MPI Wait are from MPI Time.
in_functions()
{
	read -r work wait all <<<"$(in_mpi "$2")"
	bound "$1: MPI Work $work + MPI Wait $wait - MPI Time $all in MPI functions but Init and Finalize, %" \
		"$(awk -v a="$work" -v b="$wait" -v c="$all" 'BEGIN {d = a + b - c; printf "%.2f", c ? (d < 0 ? -d : d) / c * 100 : 100}')" 1
}
for mpi in openmpi mpich; do
	"mpicc.$mpi" -O1 -o "late.$mpi" "$TESTS/programs/mpi/late.c" || exit 1
	"$collect" -M "${mpi^^}" -o "$mpi.er" "mpirun.$mpi" -np 2 -- "./late.$mpi" >said 2>errors || fail "$mpi: $(cat errors)"
	read -r _ waited all <<<"$(work_and_wait "$mpi.er" 1 MPI_Recv)"
	other "$mpi: of $all s CPU time of the rank in MPI_Recv no MPI Wait, %" "$waited" "$all" 5
	read -r worked _ all <<<"$(work_and_wait "$mpi.er" 0 compute)"
	other "$mpi: of $all s CPU time of the rank that computes no MPI Work, %" "$worked" "$all" 0
	in_functions "$mpi" "$mpi.er"
done
if command -v lmp >/dev/null; then
	"$collect" -p hi -M OMPI -o lammps.er mpirun.openmpi -np 2 -- lmp -in "$TESTS/programs/mpi/melt.lammps" -var steps 2000 >said 2>errors || fail "LAMMPS: $(cat errors)"
	in_functions "LAMMPS" lammps.er
fi
verdict
