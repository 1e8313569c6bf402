#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# limit: 400
# The nanoseconds that a traced MPI call costs more than a plain one: the least of 9 rounds, each the 5th percentile of batches.
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
verdict
