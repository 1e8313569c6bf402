#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# limit: 240
# Many at once: thousands of requests that are open, of this thread or of another (each costs what it costs where there are few),
# communicators made by one thread while another sends, and a call of a new stack that ends the job.
# measures the cost of calls in a real run
. "$TESTS/end-to-end/mpi.bash"
need mpicc.openmpi mpirun.openmpi mpicc.mpich mpirun.mpich
for mpi in openmpi mpich; do
	for program in outstanding communicators abort; do
		"mpicc.$mpi" -O1 -o $program-$mpi "$TESTS/programs/mpi/$program.c" -lpthread 2>said || { cat said; exit 1; }
	done

	"$collect" -m on -p off -O said -o requests-$mpi.er ./outstanding-$mpi 500 20000 >cost || fail "outstanding: status $?"
	same "$mpi: requests" "102500 410000 102500 410000" "$(totals requests-$mpi.er | cut -d' ' -f1-4)"
	same "$mpi: messages" "102500 0 0 0 0" "$(messages requests-$mpi.er)"
	few=$(awk '$1 == 500 { print $2 }' cost) many=$(awk '$1 == 20000 { print $2 }' cost)
	echo "$mpi: $few ns a request of 500, $many of 20000"
	[ "$many" -le $((8 * few + 1000)) ] || fail "$mpi: requests cost more where there are many"

	"$collect" -m on -p off -O said -o held-$mpi.er ./outstanding-$mpi held 20000 500 >cost
	status=$?
	if [ $status -ne 77 ]; then
		same "$mpi: requests of another thread: status" 0 $status
		same "$mpi: messages" "22500 0 0 0 0" "$(messages held-$mpi.er)"
		held=$(awk '$1 == 500 { print $2 }' cost)
		echo "$mpi: $held ns a request of 500 beside 40000 of another thread"
		[ "$held" -le $((8 * few + 1000)) ] || fail "$mpi: requests cost more where another thread has many"
	fi

	"$collect" -m on -p off -O said -o communicators-$mpi.er ./communicators-$mpi >sent
	status=$?
	if [ $status -ne 77 ]; then
		same "$mpi: communicators: status" 0 $status
		same "$mpi: messages on communicators" "$(cat sent) 0 0 0 0" "$(messages communicators-$mpi.er)"
	fi

	kind=OMPI
	[ $mpi = openmpi ] || kind=MPICH
	"$collect" -M $kind -o abort-$mpi.er mpirun.$mpi -np 2 -- ./abort-$mpi >/dev/null 2>&1
	same "$mpi: abort: status" 42 $?
	"$er_print" -metrics i.mpiother:name -calltree abort-$mpi.er >tree 2>&1
	grep -q 'damaged' tree && fail "$mpi: $(grep damaged tree)"
	same "$mpi: calls of MPI_Abort" 1 "$(awk '/\+-MPI_Abort$/ { sum += $1 } END { print sum }' tree)"
	same "$mpi: frames above MPI_Abort" 31 "$(grep -c '+-give_up$' tree)"
done
verdict
