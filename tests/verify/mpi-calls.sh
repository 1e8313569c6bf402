#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# limit: 400
# The nanoseconds that a traced MPI call costs more than a plain one: the least of 9 rounds, each the 5th percentile of batches. And
# how much longer a whole job of many ranks takes, the median of 5 pairs.
. "$TESTS/end-to-end/mpi.bash"
need mpicc.openmpi mpirun.openmpi
"$TESTS/bench/mpi-calls" "$collect" 9 | tee costs
# more LOOP COLUMN
more() { awk -v l="$1" -v c="$2" '$1 == l { printf "%.1f", $c - $2 }' costs; }
bound "MPI_Comm_rank, no stacks, ns more" "$(more rank 3)" 60
bound "MPI_Comm_rank 16 frames deeper, with stacks, ns more" "$(more rank-deep 4)" 90
bound "8 bytes to the other rank and back, with stacks, ns more" "$(more round-trip 4)" 250
bound "MPI_Irecv + MPI_Isend + MPI_Waitall to itself, no stacks, ns more" "$(more to-ourselves 3)" 250
bound "MPI_Irecv + MPI_Isend + MPI_Waitall to itself, with stacks, ns more" "$(more to-ourselves 4)" 250

mpicc.openmpi -O2 -o shift "$TESTS/programs/mpi/shift.c" || exit 1
export OMPI_MCA_rmaps_base_oversubscribe=1
now() { date +%s.%N; }
# seconds COMMAND...
seconds() { local from; from=$(now); "$@" >/dev/null 2>&1 || echo "failed: $*" >&2; awk -v a="$from" -v b="$(now)" 'BEGIN { printf "%.3f\n", b - a }'; }
for round in 1 2 3 4 5; do
	plain=$(seconds mpirun.openmpi -np 64 ./shift 10000)
	rm -rf shift.er
	traced=$(seconds "$collect" -p off -M OMPI -o shift.er mpirun.openmpi -np 64 -- ./shift 10000)
	echo "round $round: $plain s plain, $traced s traced" >&2
	awk -v a="$plain" -v b="$traced" 'BEGIN { printf "%.3f\n", b / a }'
done >ratios
bound "64 ranks, 640 000 calls of MPI_Sendrecv, times as long as plain" "$(sort -n ratios | sed -n 3p)" 1.3
same "messages of the 64 ranks" "$("$er_print" -metrics e.mpisend:name -functions shift.er | awk '/<Total>/ { print $1 }')" 640000
verdict
