#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# limit: 240
# Communicators are one for all of their processes, in whatever way and order they were made: each message is found once.
. "$TESTS/end-to-end/mpi.bash"
need mpicc.openmpi mpirun.openmpi
source=$TESTS/programs/mpi

# matched EXPERIMENT SAID: all that the ranks say they sent, none alone and none of another size; each communicator has all members,
# and each intercommunicator two sides.
matched()
{
	same "$1, messages" "$(awk '{n += $1} END {print n, 0, 0, 0, 0}' "$2")" "$(messages "$1")"
	same "$1, bytes" "$(awk '{n += $1; b += $2} END {print n, b, n, b}' "$2")" "$(totals "$1" | cut -d' ' -f1-4)"
	"$er_print" -printmode ';' -mpi_comms "$1" | "$TESTS/tools/rows" >comms
	awk -F'\t' '$2 != $4 || $6 ~ /^\?/ || $6 ~ /  \?/' comms >alone
	awk -F'\t' '$3 { split($6, id, " "); sides[id[1]]++ } END { for (i in sides) if (sides[i] != 2) print i, sides[i] }' comms >>alone
	[ -s comms ] && [ ! -s alone ] || fail "$1: communicators without all their members or their other side: $(cat alone)"
}

# Open MPI 4.1 hangs in MPI_Comm_idup now and then, without us as well.
mpicc.openmpi -w -O1 -o identities.openmpi "$source/identities.c" || exit 1
"$collect" -M OMPI -p off -o open.er mpirun.openmpi -np 3 -- ./identities.openmpi groups between ports sockets spawned >said 2>errors ||
	fail "Open MPI: status $?: $(cat errors)"
same "Open MPI, ranks that said what they sent" 7 "$(wc -l <said)"
matched open.er said
# Spawned ranks are ranks of worlds of their own.
same "spawned experiments" "M_r0_s2.er M_r0_s3.er M_r1_s2.er M_r1_s3.er" "$(cd open.er && echo M_r*_s*.er)"
"$er_print" -mpi_matrix open.er | grep -q ' 0 M_r0_s2.er$' || fail "the matrix does not tell the spawned rank: $("$er_print" -mpi_matrix open.er)"

# A program without MPI hides no calls; one that has MPI's functions in it does.
"$collect" -M ompi -o none.er mpirun.openmpi -np 1 -- true 2>&1 | grep Warning && fail "a warning about a program without MPI"
printf '#include <stdio.h>\nint main(void) { puts("MPI_Init"); }\n' >hidden.c && gcc -o hidden hidden.c
"$collect" -M Ompi -o hidden.er mpirun.openmpi -np 1 -- ./hidden 2>&1 | grep -q 'Warning: no MPI calls were recorded: MPI is linked statically' ||
	fail "no warning about MPI calls that are not seen"

need mpicc.mpich mpirun.mpich
# MPICH 4.0 hangs, without us as well, if the groups come before what is made without waiting.
mpicc.mpich -w -O1 -o identities.mpich "$source/identities.c" || exit 1
"$collect" -M MPICH -p off -o mpich.er mpirun.mpich -np 3 -- ./identities.mpich nonblocking between groups >said 2>errors ||
	fail "MPICH: status $?: $(cat errors)"
matched mpich.er said
mpicc.mpich -w -O1 -o sessions "$source/sessions.c" || exit 1
"$collect" -M MPICH -p off -o sessions.er mpirun.mpich -np 3 -- ./sessions >said 2>errors || fail "sessions: status $?: $(cat errors)"
same "sessions, sent" "16 550" "$(awk '{n += $1; b += $2} END {print n, b}' said)"
matched sessions.er said
verdict
