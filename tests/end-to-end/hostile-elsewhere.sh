#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A signal comes where nothing is what libc makes it: with a foreign thread pointer, on a fiber's stack without room, beside the
# end of the stack, with alternate stacks that are small. The program prints what it prints alone, nothing below its stacks
# changes, and its time is recorded.
# measures CPU time where few ticks can be taken
set -eu
program=$PROGRAMS/own_stacks
# way, the function that works, how often for MILLISECONDS: long enough that some 12 ms of the collector's own end, which the last
# function gets, are within the bound.
while read -r way function times; do
	"$program" "$way" 240 >plain
	for kinds in "-p off -h page-faults,1" "-p hi -H on -s all -i on" "-p hi -h page-faults,1" "-p hi"; do
		rm -rf "$way.er"
		# shellcheck disable=SC2086
		"$BUILD/bin/collect" $kinds -O said -o "$way.er" "$program" "$way" 240 >out || { echo "$way, $kinds: status $?"; exit 1; }
		diff plain out || { echo "$way, $kinds: another output"; exit 1; }
		[ "${kinds#-p off}" = "$kinds" ] || continue
		"$BUILD/bin/er_print" -metrics i.totalcpu -functions "$way.er" |
			awk -v way="$way" -v kinds="$kinds" -v function_="$function" -v spent="$times" '$2 == function_ { found = $1 }
				END { spent *= 0.24; print way, kinds ":", spent " s, recorded " found; exit !(found > 0.85 * spent && found < 1.15 * spent) }'
	done
done <<'WAYS'
pointer elsewhere 2
fiber elsewhere 1
scheduler elsewhere 1
end at_end 1
handlers elsewhere 1
runtime elsewhere 1
WAYS
"$BUILD/bin/er_print" -header pointer.er | grep -q 'clock ticks while the thread pointer was not libc' || { echo "pointer: the header does not say it"; exit 1; }
