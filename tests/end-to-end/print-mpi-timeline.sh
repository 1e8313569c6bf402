#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A timeline of three ranks, at a pixel a millisecond. Rank 0 calls at 0 and 900, and waits at a barrier from 300 to 500, when rank 1 comes.
# Rank 1 waits from 700 to 900 for the message that rank 0 sends then, and has it at 1000. Rank 2 calls for the
# first half of each millisecond, and is over after the last.
. "$TESTS/end-to-end/pictures.bash"
command=mpi_timeline
{
	echo "rank 1 0"
	echo "event thread 1 0 what=0,tid=100,clock=1 -"
	echo "event mpi 1 0 duration=100000000,function=0,communicator=1,calls=1 -"
	echo "event mpi 1 300000000 duration=300000000,function=1,role=5,communicator=1,order=0,peer=4294967295,calls=1 -"
	echo "event mpi 1 900000000 duration=100000000,function=0,role=1,sent=8,peer=1,tag=5,communicator=1,order=0,calls=1 -"
	echo end
} | "$BUILD/tests/written/written" r0.er
{
	echo "rank 1 1"
	echo "event thread 1 0 what=0,tid=100,clock=1 -"
	echo "event mpi 1 500000000 duration=100000000,function=1,role=5,communicator=1,order=0,peer=4294967295,calls=1 -"
	echo "event mpi 1 700000000 duration=300000000,function=0,role=2,received=8,peer=0,tag=5,communicator=1,order=0,calls=1 -"
	echo end
} | "$BUILD/tests/written/written" r1.er
{
	echo "rank 1 2"
	echo "event thread 1 0 what=0,tid=100,clock=1 -"
	awk 'BEGIN { for (i = 0; i < 1000; i++) printf "event mpi 1 %d000000 duration=500000,function=%d,communicator=1,calls=1 -\n", i, i < 500 ? 2 : 3 }'
	echo end
} | "$BUILD/tests/written/written" r2.er
draw t.svg r0.er r1.er r2.er
[ "$(cat err)" = 'MPI timeline written to t.svg' ]
/usr/bin/python3 "$TESTS/tools/mpi_timeline.py" t.svg 24 >said
grep -v '; ' said | diff - <(cat <<'END'
0 0-100 0+20 Point-to-Point
0 100-300 0+20 Outside of MPI
0 300-500 0+20 Wait at Barrier
0 500-600 0+20 Collective
0 600-900 0+20 Outside of MPI
0 900-1000 0+20 Point-to-Point
1 500-600 0+20 Collective
1 600-700 0+20 Outside of MPI
1 700-900 0+20 Late Sender
1 900-1000 0+20 Point-to-Point
2 0-999 0+10 Outside of MPI
2 0-500 10+10 One-Sided
2 500-999 10+10 File
2 999-1000 0+10 File
900 10.0 -> 1000 34.0 0.7
END
)
# Outside are 200 + 300, 100 and 499.5 ms, which no double has exactly, of 1000 + 500 + 999.5.
grep -q "3 threads, 1 message, $version; 0.0 s; 0.1 s; " said
grep -q '; 0; 1; 2; Outside of MPI: 1.099 s, 43.99 %; Point-to-Point: 0.300 s, 12.00 %; Collective: 0.200 s, 8.00 %; One-Sided: 0.250 s, 10.00 %; File: 0.250 s, 10.00 %; Late Sender: 0.200 s, 8.00 %; Wait at Barrier: 0.200 s, 8.00 %; Reset zoom$' said

# A browser draws the time from 300 to 500 ms again, at five pixels a millisecond: rank 0 waits, rank 1 is not there yet, rank 2 calls for two
# and a half pixels of each five.
/usr/bin/python3 "$TESTS/tools/mpi_timeline_zoom.py" t.svg 300 500 400,5 950,29 100,29 650,29 1,50 3,50 2,50 2,60 >said
diff said - <<'END'
rank 0 at 0.400000 s: Wait at Barrier, 0.200000 s
rank 1 at 0.950000 s: Point-to-Point, 0.100000 s
rank 1 at 0.100000 s: nothing is known
rank 1 at 0.650000 s: Outside of MPI, 0.100000 s
rank 2 at 0.001000 s: One-Sided, 0.000500 s
rank 2 at 0.003000 s: One-Sided, 0.000500 s
rank 2 at 0.002000 s: One-Sided, 0.000500 s
rank 2 at 0.002000 s: One-Sided, 0.000500 s
0.200000 s of 1.000000 s
400,5 [255, 150, 30, 255]
950,29 [0, 0, 0, 0]
100,29 [0, 0, 0, 0]
650,29 [0, 0, 0, 0]
1,50 [54, 150, 140, 255]
3,50 [214, 228, 204, 255]
2,50 [214, 228, 204, 255]
2,60 [54, 150, 140, 255]
0.30 s 0.35 s 0.40 s 0.45 s 0.50 s
true true false
false false true
END

# Messages that look alike are one line, as thick as they are many, and many ranks share a row.
{
	echo "rank 1 0"
	echo "event thread 1 0 what=0,tid=100,clock=1 -"
	awk 'BEGIN { for (i = 0; i < 50000; i++) printf "event mpi 1 %d duration=1,function=0,role=1,sent=8,peer=1,tag=5,communicator=1,order=%d,calls=1 -\n", i * 5000, i }'
	echo end
} | "$BUILD/tests/written/written" many0.er
{
	echo "rank 1 1"
	echo "event thread 1 0 what=0,tid=100,clock=1 -"
	awk 'BEGIN { for (i = 0; i < 50000; i++) printf "event mpi 1 %d duration=1,function=0,role=2,received=8,peer=0,tag=5,communicator=1,order=%d,calls=1 -\n", i * 5000 + 2, i }'
	echo end
} | "$BUILD/tests/written/written" many1.er
draw many.svg many0.er many1.er
/usr/bin/python3 "$TESTS/tools/mpi_timeline.py" many.svg 24 >said
[ "$(grep -c -- '->' said)" -le 1000 ]
grep -q -- '-> .* 1.7$' said
grep -q '2 threads, 50,000 messages' said
"$er_print" -picture script=off -mpi_timeline still.svg many0.er many1.er 2>/dev/null
[ "$(stat -c %s still.svg)" -lt 100000 ]
[ "$(grep -c "<script" still.svg)" = 0 ]

ends 1 'Error: mpi_timeline needs the name of the file to write, .svg, or -' -mpi_timeline '' r0.er
printf 'event thread 1 0 what=0,tid=100,clock=1 -\nend\n' | "$BUILD/tests/written/written" none.er
ends 1 'Error: No MPI calls were recorded' -mpi_timeline no.svg none.er
