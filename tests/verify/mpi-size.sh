#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Reports of MPI messages on big jobs: their memory, of er_print as a whole, must not depend on the number of events. Every message of
# the synthetic experiments is there, and latencies are what its arithmetic says (tests/bench/many_ranks.c).
# limit: 300
set -u
. "$TESTS/verify/bounds.bash"
broken=0
# megabytes NAME COMMAND...: runs it; its most memory
megabytes() { local name=$1; shift; /usr/bin/time -f %M -o used "$@" >"$name" 2>errors || { cat errors; broken=1; }; awk '{ printf "%.1f\n", $1 / 1024 }' used; }
# size RANKS EVENTS
size()
{
	rm -rf job.er
	messages=$("$BUILD/tests/bench/many_ranks" job.er $1 $2)
	loaded=$(megabytes header "$BUILD/bin/er_print" -header job.er)
	matrix=$(megabytes matrix "$BUILD/bin/er_print" -mpi_matrix job.er)
	listed=$(megabytes listed "$BUILD/bin/er_print" -limit 10 -mpi_messages job.er)
	waits=$(megabytes waited "$BUILD/bin/er_print" -mpi_waits job.er)
	critical=$(megabytes path "$BUILD/bin/er_print" -mpi_critical job.er)
	rm -rf trace
	otf2=$(megabytes written "$BUILD/bin/er_print" -otf2 trace job.er)
	echo "$1 ranks, $2 events: $loaded MB to load, $matrix for mpi_matrix, $listed for 10 lines of mpi_messages, $waits for mpi_waits,"
	echo "  $critical for mpi_critical, $otf2 for otf2"
	awk -v m=$messages '/<Total>/ { exit !($1 == m && $3 == m && $2 == 100 * m && $4 == 100 * m) }' matrix || { cat matrix | head; broken=1; }
	# Half of the messages make their receiver wait 400 ns; all but the last rank wait for it in each MPI_Allreduce.
	awk -v m=$messages -v n=$1 '/Late Sender$/ && NF < 8 { found = $2 == m / 2 && $1 >= m / 2 * 4e-7 - 0.0006 && $1 <= m / 2 * 4e-7 + 0.0006 }
		/Wait at N x N$/ && NF < 11 { met = $2 == int(m / n / 10) * (n - 1) }
		END { exit !(found && met) }' waited || { head -9 waited; broken=1; }
	# Calls are entered and left; each step has four events more and each MPI_Allreduce has two.
	events=$(otf2-print -G trace/traces.otf2 | awk '$1 == "LOCATION" { match($0, /# Events: [0-9]+/); n += substr($0, RSTART + 10, RLENGTH - 10) } END { printf "%d\n", n }')
	[ "$events" = $((messages * 10 + messages / $1 / 10 * $1 * 4)) ] || { echo "otf2: $events events of $messages messages"; broken=1; }
	grep -q "^MPI messages: $messages, of which 0 without a receive, 0 without a send, 0 received" listed || { head -3 listed; broken=1; }
}
size 64 1000000
small=$matrix
size 64 8000000
bound "mpi_matrix of 64 ranks and 8 million events, MB" $matrix 64
bound "mpi_messages of the same, 10 lines, MB" $listed 64
bound "mpi_waits of the same, whose every second message has a late sender, MB" $waits 64
bound "mpi_critical of the same, MB" $critical 64
bound "otf2 of the same, MB" $otf2 64
bound "mpi_matrix, memory of 8 million events to that of one" "$(awk -v a=$small -v b=$matrix 'BEGIN { printf "%.2f", b / a }')" 1.1
# All of its events are in few locations: the OTF2 library would keep each of them whole.
size 4 8000000
bound "otf2 of 4 ranks and 8 million events, MB" $otf2 64
size 1024 10000000
for report in matrix waits critical otf2; do
	bound "$report of 1024 ranks and 10 million events, MB beside what the experiments take" \
		"$(awk -v a=$loaded -v b=${!report} 'BEGIN { printf "%.1f", b - a }')" 64
done
exit $broken
