#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# limit: 300
# One program, written in C, C++, mpif.h, "use mpi" and "use mpi_f08" has the same counts, by both MPIs.
. "$TESTS/end-to-end/mpi.bash"
need gfortran mpif90.openmpi mpirun.openmpi
source=$TESTS/programs/mpi

bindings()
{
	local mpi=$1 name=$2 binding
	"mpicc.$mpi" -w -o "C.$mpi" "$source/binding.c" && "mpicxx.$mpi" -w -DOMPI_SKIP_MPICXX -x c++ -o "C++.$mpi" "$source/binding.c" || exit 1
	"mpif90.$mpi" -cpp -w -o "mpif.$mpi" "$source/binding.f90" && "mpif90.$mpi" -cpp -w -DUSE_MPI -o "mpi.$mpi" "$source/binding.f90" &&
		"mpif90.$mpi" -cpp -w -DUSE_F08 -o "f08.$mpi" "$source/binding.f90" || exit 1
	for binding in C C++ mpif mpi f08; do
		"$collect" -M "$name" -p off -o "$binding.$mpi.er" "mpirun.$mpi" -np 2 -- "./$binding.$mpi" >/dev/null 2>&1
		same "$mpi, $binding" "10 400 10 400 18" "$(totals "$binding.$mpi.er")"
	done
}
bindings openmpi OPENMPI

need mpif90.mpich mpirun.mpich
bindings mpich MPICH2
verdict
