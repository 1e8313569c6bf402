#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A short process leaves little beside its events, and all that is needed: the settings, the host and the names of its counters are the
# founder's, also where it is read by its own name.
set -u
fail()
{
	echo "$*"
	exit 1
}
"$BUILD/bin/collect" -p hi -O said -o test.er "$PROGRAMS/brief_processes" 3 >out || fail "$(cat said)"
for child in test.er/_f[123].er; do
	size=$(cat "$child/log.xml" "$child/map.xml" "$child/counters" | wc -c)
	echo "$child: $size bytes"
	[ "$size" -le 10240 ] || fail "$(wc -c "$child"/*)"
	"$BUILD/bin/er_print" -header "$child" >header || fail "er_print -header $child"
	grep -q 'Clock-profiling, interval = 997.000 microsecs' header || fail "no settings: $(cat header)"
	grep -q "Host \`$(uname -n)', OS \`Linux $(uname -r)'" header || fail "no host: $(cat header)"
	grep -q '^ *[1-9][0-9]*  CPU time in nanoseconds that clock events have$' header || fail "no counters: $(cat header)"
done
# Away from its founder, what is missing is said.
cp -r test.er/_f1.er alone.er
"$BUILD/bin/er_print" -header alone.er >header 2>err
grep -q 'log.xml of its founder, which has the host and the settings, cannot be read' header err || fail "alone: $(cat header err)"
