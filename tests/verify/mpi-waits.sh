#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every MPI wait state is within 10 ms of what a program that is late on purpose measured of itself, under both MPIs, also where
# two other processes want the CPUs.
. "$TESTS/end-to-end/mpi.bash"
need mpicc.openmpi mpirun.openmpi mpicc.mpich mpirun.mpich
measure() # MPI CASE
{
	"$collect" -M "${1^^}" -o "$1$2.er" "mpirun.$1" -np 4 -- "./waits.$1" >said 2>errors || fail "$1$2: $(cat errors)"
	waits "$1$2.er" said >states
	while IFS=: read -r state expected found; do
		bound "$1$2, $state: $found s of $expected s, ms apart" \
			"$(awk -v a="$expected" -v b="$found" 'BEGIN {printf "%.0f", (a > b ? a - b : b - a) * 1000}')" 10
	done <states
	same "$1$2: states" 17 "$(wc -l <states)"
}
for mpi in openmpi mpich; do
	"mpicc.$mpi" -w -g -O1 -o "waits.$mpi" "$TESTS/programs/mpi/waits.c" || exit 1
	measure $mpi ""
	for i in 1 2; do
		timeout 60 bash -c 'while :; do :; done' &
	done
	measure $mpi ", loaded"
	kill $(jobs -p)
done
verdict
