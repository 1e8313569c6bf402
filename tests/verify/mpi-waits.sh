#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every MPI wait state is within 10 ms of what a program that is late on purpose measured of itself, under both MPIs.
. "$TESTS/end-to-end/mpi.bash"
need mpicc.openmpi mpirun.openmpi mpicc.mpich mpirun.mpich
for mpi in openmpi mpich; do
	"mpicc.$mpi" -w -g -O1 -o "waits.$mpi" "$TESTS/programs/mpi/waits.c" || exit 1
	"$collect" -M "${mpi^^}" -o "$mpi.er" "mpirun.$mpi" -np 4 -- "./waits.$mpi" >said 2>errors || fail "$mpi: $(cat errors)"
	waits "$mpi.er" said >states
	while IFS=: read -r state expected found; do
		bound "$mpi, $state: $found s of $expected s, ms apart" \
			"$(awk -v a="$expected" -v b="$found" 'BEGIN {printf "%.0f", (a > b ? a - b : b - a) * 1000}')" 10
	done <states
	same "$mpi: states" 17 "$(wc -l <states)"
done
exit $broken
