#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Latency and bandwidth by pair: of 4000 bytes that waited for 2 ms, from 10 ms to 12 ms, of 1000 bytes for 8 ms, and not of 5000 bytes that
# lay there before their receive was posted. Back went nothing, in 1 ms, and a message that was never received. Rank 2 does nothing. The same
# as heat maps, read again and looked at in a browser.
. "$TESTS/end-to-end/pictures.bash"
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
	echo "event mpi 1 110000000 duration=1000000,role=1,sent=10,peer=0,tag=6,communicator=1,order=1,calls=1 -"
	echo end
} | "$BUILD/tests/written/written" r1.er
printf 'rank 1 2\nevent thread 1 0 what=0,tid=100,clock=1 -\nend\n' | "$BUILD/tests/written/written" r2.er
all=(r0.er r1.er r2.er)
is 'MPI messages by source and destination rank

MPI   MPI   MPI      MPI      Shortest    Mean        Best  Source   Destination
Sends Bytes Receives Bytes    Latency     Latency     MB/s
      Sent           Received
                                     sec.        sec.
5     10010 4        10000    0.001000000 0.003666666 2     <Total>
3     10000 3        10000    0.002000000 0.005000000 2     0        1
2        10 1            0    0.001000000 0.001000000       1        0' -mpi_matrix "${all[@]}"

# heat WHAT: draws it. The ends of the scale are yellow and purple, and bytes by their logarithm: 10 to 10000, of which 1000 would be two thirds.
heat()
{
	"$er_print" -mpi_heatmap "$1" "$1.svg" "${all[@]}" >out 2>err || { cat err; exit 1; }
	xmllint --noout "$1.svg"
	[ "$(cat out err)" = "Heat map written to $1.svg" ]
}
heat bytes
/usr/bin/python3 "$TESTS/tools/heatmap.py" bytes.svg 1,0 0,1 0,0 3,0 1,3 3,3 >said
grep -v '; ' said | diff - <(printf '%s\n' '0,1 rgb(68,1,84)' '1,0 rgb(253,231,37)' 'from rank 0 to rank 1: 10,000 bytes (99.90 %)' \
	'from rank 1 to rank 0: 10 bytes (0.10 %)' 'from rank 0 to rank 0: nothing' 'from rank 0: 10,000 bytes (99.90 %)' \
	'to rank 1: 10,000 bytes (99.90 %)' '')
grep -q "3 ranks, 10,010 bytes, $version; 10.0k; 10; to; from; 0; 0; 1; 1; 2; 2; 10.0k; 10; 10; 10.0k; 0; 0; all that" said
grep -q '10 bytes to 10,000 bytes, by its logarithm' said
heat messages
/usr/bin/python3 "$TESTS/tools/heatmap.py" messages.svg | grep -v '; ' | diff - <(printf '%s\n' '0,1 rgb(68,1,84)' '1,0 rgb(253,231,37)')
heat latency
/usr/bin/python3 "$TESTS/tools/heatmap.py" latency.svg | grep -q '2 ms' && exit 1
/usr/bin/python3 "$TESTS/tools/heatmap.py" latency.svg 1,0 3,1 0,3 | grep '^from\|^to' |
	diff - <(printf '%s\n' 'from rank 0 to rank 1: 2,000.000 µs' 'from rank 1: 1,000.000 µs' 'to rank 0: 1,000.000 µs')
heat bandwidth
grep -q '>2.000 MB/s everywhere<' bandwidth.svg

# A picture of many ranks has no more than 256 rows.
rank=0
while [ $rank -lt 257 ]; do
	printf 'rank 1 %d\nevent thread 1 0 what=0,tid=100,clock=1 -\nevent mpi 1 10 duration=5,role=1,sent=%d,peer=%d,communicator=1,calls=1 -\nend\n' \
		$rank $((rank + 1)) $(((rank + 2) % 257)) | "$BUILD/tests/written/written" many$rank.er
	rank=$((rank + 1))
done
"$er_print" -mpi_heatmap bytes many.svg many*.er 2>/dev/null
/usr/bin/python3 "$TESTS/tools/heatmap.py" many.svg >said
[ "$(grep -c '^[0-9]*,[0-9]* rgb' said)" = 130 ] # 128 rows have one cell each, rank 256 with rank 1, and rank 255 with rank 0
grep -q "257 ranks, 2 to a cell, 33,153 bytes" said

ends 1 'Error: mpi_heatmap needs what to draw (bytes, messages, latency or bandwidth) and the name of the file to write, .svg, or -' \
	-mpi_heatmap time no.svg r0.er
ends 1 'Error: No MPI messages were recorded' -mpi_heatmap bytes no.svg r2.er
ends 1 'Error: mpi_heatmap: the messages have no latency' -mpi_heatmap latency no.svg r0.er
