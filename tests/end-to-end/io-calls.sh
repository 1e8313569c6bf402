#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every function that I/O tracing stands in front of, and how it fails: events, bytes and errors of each group of functions are
# what the programs counted themselves, and none of the functions was left out.
# limit: 120
set -eu
for program in io_calls io_streams; do
	"$BUILD/bin/collect" -p off -i on -O said -o $program.er "$PROGRAMS/$program" >printed 2>own.$program
	"$BUILD/bin/er_print" -limit 0 -printmode ';' \
		-metrics i+ioreadcnt:i+ioreadbytes:i+iowritecnt:i+iowritebytes:i+ioothercnt:i+iowaitcnt:i+ioerrorcnt:name -functions $program.er >functions
	"$TESTS/tools/rows" -f -1,1,2,3,4,5,6,7 functions | grep '^group_' | tr '\t' ' ' | sort >got
	grep '^group_' own.$program | sort >want
	[ "$(wc -l <want)" -ge 7 ]
	diff want got || { cat functions; exit 1; }
	"$BUILD/bin/er_print" -header $program.er | grep -x 'Lost: nothing'
done
forgotten=$(grep -h '^not called' own.* | sort | uniq -d)
[ -z "$forgotten" ] || { echo "$forgotten"; exit 1; }
# By file: what went through each, whatever its descriptor was, and under the path that could not be opened.
"$BUILD/bin/er_print" -limit 0 -printmode ';' -ioactivity io_calls.er >files
for name in "$PWD/data" 'socket:\[' missing '<no file>'; do
	grep -q "\"$name" files || { cat files; exit 1; }
done
# From descriptor to descriptor, by whatever call this cat makes: what it copies is what it reads and what it writes.
head -c 1000000 /dev/urandom >from
"$BUILD/bin/collect" -A off -p off -i on -O said -o cat.er cat from >to
cmp from to
"$BUILD/bin/er_print" -limit 0 -printmode ';' -ioactivity cat.er >files
for bytes in "1000000;[0-9]*;0.[0-9]*;0;0;.*/from" "0;0;0.[0-9]*;1000000;[0-9]*;.*/to"; do
	"$TESTS/tools/rows" files | tr '\t' ';' | grep -qE "^0\.[0-9]*;$bytes\$" || { cat files; exit 1; }
done
