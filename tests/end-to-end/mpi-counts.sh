#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# limit: 300
# MPI messages, bytes and other calls are what the program knows that it did: by both MPIs and both ways to launch.
. "$TESTS/end-to-end/mpi.bash"
need mpicc.openmpi mpirun.openmpi
source=$TESTS/programs/mpi

# A ring of 4: 1000 messages of 1024 bytes each; Init, rank, size, Barrier, Finalize are other calls.
ring="4000 4096000 4000 4096000 20"
ring_matrix=$(for rank in 0 1 2 3; do echo "1000;1024000;1000;1024000;$rank;$(((rank + 1) % 4))"; done)
mpicc.openmpi -O2 -o ring "$source/ring.c" || exit 1
"$collect" -M OMPI -o ring.er mpirun.openmpi -np 4 -- ./ring 2>errors || fail "collect -M ended with $?: $(cat errors)"
same "ring" "$ring" "$(totals ring.er)"
same "ring: matrix" "$ring_matrix" "$(matrix ring.er)"
same "ring: totals" "4000;4096000;4000;4096000 4000;4096000;4000;4096000 4000;4096000;4000;4096000" \
	"$(for report in mpi_matrix mpi_ranks mpi_functions; do "$er_print" -printmode ';' -$report ring.er; done | tr -d '"\r' |
		sed -nE 's/^(4000;4096000;4000;4096000)(;[0-9.]*){3};<Total>;$/\1/p; s/^[0-9]+;[0-9.]+;([0-9;]+);20;.*<Total>(;;)?$/\1/p' | xargs)"
same "ring: messages" "4000 0 0 0 0" "$(messages ring.er)"
same "ring: sends to rank 2" "1000;1024000;0;0;1;2" "$(filters='sent && peer==2' matrix ring.er)"
same "ring: rank 2 by its rank" "1000;1024000;0;0;2;3 0;0;1000;1024000;1;2" \
	"$(filters='MRANK==2' matrix ring.er | sort -r | xargs)"
same "ring: rank 2 as the peer" "$ring_matrix" "$(filters='MPEER IN 0,1,2,3 && CNAME("MPI_COMM_WORLD")' matrix ring.er)"
same "ring: what is sent to it" "1000;1024000;0;0;1;2" \
	"$(filters='MPEER==2 && FNAME("MPI_Send") IN LEAF' matrix ring.er)"
"$er_print" -limit 3 -printmode ';' -mpi_messages ring.er | tr -d '"' >first
[ "$(grep -cE '^[0-9]+\.[0-9]{9};[0-9]+\.[0-9]{9};[0-9]+\.[0-9]{9};1024;7;[0-3];[0-3];MPI_COMM_WORLD;MPI_Send;MPI_Recv$' first)" = 3 ] ||
	fail "ring: messages: $(cat first)"
"$collect" -M OPENMPI -o parts.er mpirun.openmpi -np 3 -- ./ring : -np 1 -- ./ring 2>errors || fail "two parts: $(cat errors)"
same "ring in two parts" "$ring" "$(totals parts.er)"
mpirun.openmpi -np 4 "$collect" -m on ./ring >/dev/null 2>&1
same "an experiment each" "$ring" "$(totals test.0.er test.1.er test.2.er test.3.er)"
same "an experiment each: matrix" "$ring_matrix" "$(matrix test.0.er test.1.er test.2.er test.3.er)"
same "two runs: messages" "8000 0 0 0 0" "$(messages ring.er parts.er)"
mpirun.openmpi -np 4 "$collect" -m on -o shared.er ./ring >/dev/null 2>&1
same "one by -o" "$ring" "$(totals shared.er)"
same "one by -o: ranks" 4 "$(ls -d shared.er/M_r?.er | wc -l)"
mpirun.openmpi -np 1 "$collect" -m on -o shared.er ./ring 2>&1 | grep -q 'in use' || fail "another job joined shared.er"

# These calls are easily counted wrong: the ranks print what is right; by events and by totals.
edges()
{
	local mpi=$1 name=$2
	"mpicc.$mpi" -w -O1 -o "edges.$mpi" "$source/edges.c" || exit 1
	"$collect" -M "$name" -o "edges.$mpi.er" "mpirun.$mpi" -np 2 -- "./edges.$mpi" 2>said || fail "edges.$mpi ended with $?"
	same "edges, $mpi, kept" "$(sed -n 's/^rank //p' said | sort)" "$(kept "edges.$mpi.er")"
	same "edges, $mpi, events" "$(sed -n 's/^rank //p' said | awk '{for (i = 2; i <= 6; i++) s[i] += $i} END {print s[2], s[3], s[4], s[5], s[6]}')" \
		"$(totals "edges.$mpi.er")"
	same "edges, $mpi, matrix" "$(sed -n 's/^rank \([01]\): /\1 /p' said | sort | awk '{print $2 ";" $3 ";" $4 ";" $5 ";" $1 ";" 1 - $1}')" \
		"$(matrix "edges.$mpi.er")"
	same "edges, $mpi, messages" "$(awk '/^rank [01]: / {s += $3; r += $5} END {print s, s - r, 0, 0, 0}' said)" "$(messages "edges.$mpi.er")"
}
edges openmpi OPENMPI

need mpicc.mpich mpirun.mpich
edges mpich MPICH
mpicc.mpich -o ring.mpich "$source/ring.c"
# Its ranks wait without leaving their CPU: there are as many as CPUs.
mpirun.mpich -np 2 "$collect" -m on -o shared.mpich.er ./ring.mpich >/dev/null 2>&1
same "mpich, one by -o" "2000 2048000 2000 2048000 10" "$(totals shared.mpich.er)"
same "mpich, one by -o: matrix" "1000;1024000;1000;1024000;0;1 1000;1024000;1000;1024000;1;0" "$(matrix shared.mpich.er | xargs)"
same "mpich, one by -o: messages" "2000 0 0 0 0" "$(messages shared.mpich.er)"
verdict
