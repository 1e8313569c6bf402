#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# limit: 240
# Functions of every class are recorded as often as the program knows that it called them, each; several threads at once; Python;
# a tool of MPI's profiling interface in the program.
. "$TESTS/end-to-end/mpi.bash"
need mpicc.openmpi mpirun.openmpi
source=$TESTS/programs/mpi
declare -A names=([openmpi]=OMPI [mpich]=MPICH)

# calls EXPERIMENT RANK: "RANK FUNCTION CALLS", by the totals and by the events.
by_totals()
{
	"$er_print" -printmode ';' -mpi_functions "$1/M_r$2.er" | "$TESTS/tools/rows" -f 1,-1 | sed -nE "s/^([0-9]+)\t(MPI_[A-Za-z_]+)  \(.*/$2 \2 \1/p" | sort
}
by_events()
{
	"$er_print" -otf2 "$1.$2.otf2" "$1/M_r$2.er" 2>/dev/null &&
		otf2-print "$1.$2.otf2/traces.otf2" | sed -nE "s/^CALLING_CONTEXT_ENTER .*Context: \"(MPI_[A-Za-z_]+)\".*/$2 \1/p" | sort | uniq -c |
		awk '{ print $2, $3, $1 }' | sort
}
classes()
{
	local mpi=$1 rank
	"mpicc.$mpi" -w -O1 -o "classes.$mpi" "$source/classes.c" || exit 1
	"$collect" -M "${names[$mpi]}" -p off -o "classes.$mpi.er" "mpirun.$mpi" -np 2 -- "./classes.$mpi" >out 2>said || fail "$mpi: status $?: $(cat said)"
	[ ! -s out ] || fail "$mpi: the program says: $(cat out)"
	for rank in 0 1; do
		grep "^$rank MPI_" said | sort >own
		[ "$(wc -l <own)" -gt 80 ] || fail "$mpi: rank $rank called too few: $(cat said)"
		by_totals "classes.$mpi.er" $rank | diff own - >apart || fail "$mpi, rank $rank, < its own count, > the totals: $(cat apart)"
		command -v otf2-print >/dev/null && { by_events "classes.$mpi.er" $rank | diff own - >apart || fail "$mpi, rank $rank, < its own count, > the events: $(cat apart)"; }
	done
	same "$mpi: classes" "collective communicator completion datatype environment file one-sided point-to-point tool" \
		"$("$er_print" -mpi_functions "classes.$mpi.er" | sed -nE 's/.*MPI_[A-Za-z_]+  \((.*)\)$/\1/p' | sort -u | xargs)"
}
threads()
{
	local mpi=$1
	"mpicc.$mpi" -w -O1 -o "threads.$mpi" "$source/threads.c" -lpthread || exit 1
	"$collect" -M "${names[$mpi]}" -p off -o "threads.$mpi.er" "mpirun.$mpi" -np 2 -- "./threads.$mpi" 2>errors
	local status=$?
	[ $status = 77 ] && { echo "$mpi has no MPI_THREAD_MULTIPLE"; return; }
	same "$mpi: threads: status" 0 $status
	same "$mpi: threads: events" "2000 128000 2000 128000" "$(totals "threads.$mpi.er" | cut -d' ' -f1-4)"
	same "$mpi: threads: totals" "0: 1000 64000 1000 64000 1: 1000 64000 1000 64000" "$(kept "threads.$mpi.er" | cut -d' ' -f1-5 | paste -sd' ')"
	same "$mpi: threads: messages" "2000 0 0 0 0" "$(messages "threads.$mpi.er")"
}
classes openmpi
threads openmpi

# Linked in front of us, it calls PMPI_Send.
mpicc.openmpi -O1 -o with-tool "$source/ring.c" "$source/tool.c" &&
	"$collect" -M OMPI -p off -o tool.er mpirun.openmpi -np 4 -- ./with-tool >/dev/null 2>said || fail "with a tool: $(cat said)"
same "a tool counts" 4 "$(grep -c '^tool: 1000 1024000$' said)"
same "with a tool, which asks for the size each time" "4000 4096000 4000 4096000 4020" "$(totals tool.er)"

if /usr/bin/python3 -c 'import mpi4py' 2>/dev/null; then
	"$collect" -M OMPI -p off -o python.er mpirun.openmpi -np 4 -- /usr/bin/python3 "$source/ring.py" 2>errors || fail "mpi4py: $(cat errors)"
	same "mpi4py" "4000 4096000 4000 4096000" "$(totals python.er | cut -d' ' -f1-4)"
	same "mpi4py: matrix" "$(for rank in 0 1 2 3; do echo "1000;1024000;1000;1024000;$rank;$(((rank + 1) % 4))"; done)" "$(matrix python.er)"
fi

need mpicc.mpich mpirun.mpich
classes mpich
threads mpich
verdict
