#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# MPI messages by size: four were sent of 0, 8, 16 and 17 bytes, two received, of 4096 and 4097, and a barrier is no message.
. "$TESTS/end-to-end/print.bash"
{
	echo "rank 1 0"
	echo "event thread 1 0 what=0,tid=100,clock=1 -"
	for bytes in 0 8 16 17; do
		echo "event mpi 1 $((10 + bytes))000000 duration=${bytes}00000,role=1,sent=$bytes,calls=1 -"
	done
	echo "event mpi 1 30000000 duration=2000000,role=2,received=4096,calls=1 -"
	echo "event mpi 1 31000000 duration=0,role=2,received=4097,calls=0 -"
	echo "event mpi 1 50000000 duration=7000000,role=5,sent=100,received=100,calls=1 -"
	echo end
} | "$BUILD/tests/written/written" m.er
is 'Objects sorted by size

Excl. Excl. Excl. MPI Excl.    Excl. MPI Excl.      Name
MPI   MPI   Bytes     MPI      Bytes     Other MPI
Time  Sends Sent      Receives Received  Events
 sec.
0.013 4     41        2        8193      1          <Total>
0.    1      0        0           0      0          0 Bytes
0.002 2     24        0           0      0          <= 16 Bytes
0.002 1     17        0           0      0          16 < n <= 64
0.002 0      0        1        4096      0          1KB < n <= 4KB
0.    0      0        1        4097      0          4KB < n <= 16KB
0.007 0      0        0           0      1          <No message>' -Msize m.er
