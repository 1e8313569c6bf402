#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# MPI Time of each function and rank is within 1 % of the program's own clock around the calls, under both MPIs; calls are exact.
. "$TESTS/end-to-end/mpi.bash"
need mpicc.openmpi mpirun.openmpi mpicc.mpich mpirun.mpich
for mpi in openmpi mpich; do
	"mpicc.$mpi" -w -O1 -o "times.$mpi" "$TESTS/programs/mpi/times.c" || exit 1
	"$collect" -M "${mpi^^}" -o "$mpi.er" "mpirun.$mpi" -np 2 -- "./times.$mpi" >said 2>errors || fail "$mpi: $(cat errors)"
	for rank in 0 1; do
		"$er_print" -printmode ';' -mpi_functions "$mpi.er/M_r$rank.er" | "$TESTS/tools/rows" -f 1,2,-1 |
			sed -n 's/^\([0-9]*\)\t\([0-9.]*\)\t\(MPI_[A-Za-z]*\)  (.*/\3 \1 \2/p' >functions
		while read -r function of seconds calls; do
			[ "$of" = "$rank" ] || continue
			read -r found_calls found < <(awk -v f="$function" '$1 == f {print $2, $3}' functions)
			same "$mpi, rank $rank, $function: calls" "$calls" "$found_calls"
			# Those that last less than a clock can tell, and the collector's own work beside it, are no measure.
			awk -v s="$seconds" -v c="$calls" 'BEGIN {exit !(s / c > 200e-6)}' || continue
			bound "$mpi, rank $rank, $function: $found s of $seconds s, % apart" \
				"$(awk -v a="$seconds" -v b="$found" 'BEGIN {printf "%.2f", (a > b ? a - b : b - a) / a * 100}')" 1
		done <said
	done
done
verdict
