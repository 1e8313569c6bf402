#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Latency and bandwidth by pair: of 4000 bytes that waited for 2 ms, from 10 ms to 12 ms, of 1000 bytes for 8 ms, and not of 5000 bytes that
# lay there before their receive was posted. Back went nothing, in 1 ms, and a message that was never received.
. "$TESTS/end-to-end/print.bash"
{
	echo "rank 1 0"
	echo "event thread 1 0 what=0,tid=100,clock=1 -"
	number=0
	for send in "10 4000" "50 1000" "80 5000"; do
		echo "event mpi 1 ${send% *}000000 duration=1000000,role=1,sent=${send#* },peer=1,tag=5,communicator=1,order=$((number++)),calls=1 -"
	done
	echo "event mpi 1 100000000 duration=3000000,role=2,received=0,peer=1,tag=6,communicator=1,order=0,calls=1 -"
	echo end
} | "$BUILD/tests/written/written" r0.er
{
	echo "rank 1 1"
	echo "event thread 1 0 what=0,tid=100,clock=1 -"
	echo "event mpi 1 6000000 duration=6000000,role=2,received=4000,peer=0,tag=5,communicator=1,order=0,calls=1 -"
	echo "event mpi 1 20000000 duration=38000000,role=2,received=1000,peer=0,tag=5,communicator=1,order=1,calls=1 -"
	echo "event mpi 1 80000001 duration=10,role=2,received=5000,peer=0,tag=5,communicator=1,order=2,calls=1 -"
	echo "event mpi 1 102000000 duration=1000000,role=1,sent=0,peer=0,tag=6,communicator=1,order=0,calls=1 -"
	echo "event mpi 1 110000000 duration=1000000,role=1,sent=9,peer=0,tag=6,communicator=1,order=1,calls=1 -"
	echo end
} | "$BUILD/tests/written/written" r1.er
is 'MPI messages by source and destination rank

MPI   MPI   MPI      MPI      Shortest    Mean        Best  Source   Destination
Sends Bytes Receives Bytes    Latency     Latency     MB/s
      Sent           Received
                                     sec.        sec.
5     10009 4        10000    0.001000000 0.003666666 2     <Total>
3     10000 3        10000    0.002000000 0.005000000 2     0        1
2         9 1            0    0.001000000 0.001000000       1        0' -mpi_matrix r0.er r1.er
