#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# An MPI timeline of 16 ranks and a million events, half a million of which are messages: how long er_print draws it, how soon a browser
# answers, and how long a zoom takes, the median of thirty.
# limit: 120
set -u
. "$TESTS/verify/bounds.bash"
broken=0
rank=0
while [ $rank -lt 16 ]; do
	{
		printf 'rank 1 %d\nevent thread 1 0 what=0,tid=100,clock=1 -\n' $rank
		awk -v rank=$rank 'BEGIN {
			srand(rank)
			time = rank * 3000
			for (i = 0; i < 31250; i++) {
				printf "event mpi 1 %d duration=2000,function=0,role=1,sent=64,peer=%d,tag=5,communicator=1,order=%d,calls=1 -\n", time, (rank + 1) % 16, i
				took = 4000 + int(rand() * 7000)
				printf "event mpi 1 %d duration=%d,function=0,role=2,received=64,peer=%d,tag=5,communicator=1,order=%d,calls=1 -\n",
					time + 2000, took, (rank + 15) % 16, i
				time += 2000 + took + int(rand() * 20000)
			}
		}'
		echo end
	} | "$BUILD/tests/written/written" m$rank.er
	rank=$((rank + 1))
done
begun=$(date +%s%N)
"$BUILD/bin/er_print" -mpi_timeline m.svg m*.er || exit 1
bound "an MPI timeline of a million events, ms to draw" $((($(date +%s%N) - begun) / 1000000)) 3000
/usr/bin/python3 "$TESTS/tools/mpi_timeline_zoom.py" -speed m.svg >speed
bound "the same, ms until a browser answers" "$(sed -n 1p speed)" 3000
bound "the same, ms a zoom" "$(sed -n 2p speed)" 16
exit $broken
