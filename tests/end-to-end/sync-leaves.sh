#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Waits that are cancelled or left by a jump, locks in signal handlers, in the last destructors of 5000 threads and in the
# children of a multithreaded program: no deadlock, each an event or counted as lost, and what comes after is recorded.
# TURNS=N repeats it N times (make stress).
# limit: 600
# measures threads that end at once, at moments that differ
set -eu
turns=${TURNS:-3}
# leaves TIMES THREADS
leaves()
{
	rm -rf leaves.er
	"$BUILD/bin/collect" -p on -s all -O said -o leaves.er "$PROGRAMS/sync_leaves" "$1" "$2" >own
	"$BUILD/bin/er_print" -limit 0 -metrics e+syncn:name -printmode ';' -functions leaves.er | "$TESTS/tools/rows" -f -1,1 >events
	"$BUILD/bin/er_print" -limit 0 -filters 'result == 125' -metrics e+syncn:name -printmode ';' -functions leaves.er | "$TESTS/tools/rows" -f -1,1 >left
	"$BUILD/bin/er_print" -header 1 leaves.er >header
	nested=$(sed -n 's/^ *\([0-9]*\)  events lost: the collector was interrupted.*/\1/p' header)
	ended=$(sed -n 's/^ *\([0-9]*\)  events lost: their thread had ended.*/\1/p' header)
	unfinished=$(sed -n 's/^ *\([0-9]*\)  synchronization waits that had not ended.*/\1/p' header)
	awk -v nested="${nested:-0}" -v ended="${ended:-0}" '
		FNR == 1 {file++}
		file == 1 {events[$1] = $2}
		file == 2 {left[$1] = $2}
		END {
			while ((getline line <"own") > 0) {
				split(line, field, " ")
				functions++
				found = events[field[1]] + (field[1] == "handler" ? nested : field[1] == "destroy" ? ended : 0)
				if (found != field[2] || left[field[1]] + 0 != field[3])
					wrong = wrong "\n" line ": " found " events, " left[field[1]] + 0 " of them left"
			}
			print functions " functions" wrong
			exit wrong != "" || functions != 12
		}' events left >compared || { cat header compared; exit 1; }
	cat compared
	[ "$unfinished" = 1 ] || { echo "unfinished waits: ${unfinished:-none}"; exit 1; }
}
leaves 10 5000
for ((turn = 2; turn <= turns; turn++)); do
	leaves 10 200
done
# From the threshold on, and not at all: the program itself ends as it should.
"$BUILD/bin/collect" -p off -s on -O said -o on.er "$PROGRAMS/sync_leaves" 10 200 >own
