#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Waits of every kind, held for a known time: Sync Wait Time by caller and by object, and the longest wait, is what the program measured itself in
# the same run, and no wait is missing. A thread that takes a lock of its own again and again has waited 0.
# limit: 120
# measures seconds of waits against the program's clock
set -eu
"$BUILD/bin/collect" -p off -s on -O said -o total.er "$PROGRAMS/sync_waits" 5 20 >own
grep -q 'No function level data' said && { echo "synchronization tracing alone is warned of"; exit 1; }
er_print() { "$BUILD/bin/er_print" -limit 0 -metrics e.sync:e+syncn:name -printmode ';' "$@" total.er | "$TESTS/tools/rows"; }
er_print -functions >functions
er_print -Locks >locks
er_print -lockdetail >detail
er_print -filters 'FNAME("never_waits") SOME IN USTACK' -functions >quiet
"$BUILD/bin/er_print" -header total.er >header
awk -F'\t' -v own=own '
	FNR == 1 {file++}
	# Seconds are shown to the thousandth.
	function differs(seconds, truth) {return seconds < truth * .98 - .0005 || seconds > truth * 1.02 + .0005}
	file == 1 && $3 ~ /^wait_/ {seconds[substr($3, 6)] = $1; calls[substr($3, 6)] = $2}
	file == 2 && match($3, / 0x[0-9a-f]+/) {address = substr($3, RSTART + 1, RLENGTH - 1); object_seconds[address] += $1; object_calls[address] += $2}
	file == 3 && $5 ~ /^wait_/ {longest[substr($5, 6)] = $3}
	END {
		while ((getline line <own) > 0) {
			split(line, field, " ")
			if (field[1] == "quiet")
				continue
			kinds++
			truth = field[3] / 1e9
			if (calls[field[1]] != field[4] || differs(seconds[field[1]], truth))
				wrong = wrong "\ncaller " line ": " seconds[field[1]] " s, " calls[field[1]] " waits"
			if (differs(longest[field[1]], field[5] / 1e9))
				wrong = wrong "\nlongest " line ": " longest[field[1]] " s"
			# A barrier has a second caller, which waits a moment only.
			if (field[2] != "(nil)" && (object_calls[field[2]] < field[4] || differs(object_seconds[field[2]], truth)))
				wrong = wrong "\nobject " line ": " object_seconds[field[2]] " s, " object_calls[field[2]] " waits"
		}
		if (kinds < 25)
			wrong = wrong "\nonly " kinds " kinds"
		print kinds " kinds" wrong
		exit wrong != ""
	}' functions locks detail || { cat functions locks detail; exit 1; }
# Waits that were not worth an event are counted; the quiet thread has nothing else.
[ "$(awk -F'\t' '$3 == "<Total>" {print $1 + $2}' quiet)" = 0 ] || { cat quiet; exit 1; }
below=$(sed -n 's/.*Synchronization tracing, threshold = .*(calibrated); Native-APIs; \([0-9]*\) calls below it$/\1/p' header)
[ "$below" -ge "$(awk '$1 == "quiet" {print $4}' own)" ]
