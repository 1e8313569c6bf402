#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Somebody else stands in front of libc's signal functions too, before us (in the program itself) and behind us (in LD_PRELOAD):
# the program sees what it sees without us, and is recorded to its end, in threads and children too.
# measures ticks to the end of a run
set -eu
collect=$BUILD/bin/collect
gcc -O1 -shared -fPIC -D_GNU_SOURCE -o wrappers.so "$TESTS/programs/signal_wrappers.c"
for program in signal_view own_children; do
	gcc -O1 -g -rdynamic -D_GNU_SOURCE -w -o "$program" "$TESTS/programs/$program.c" "$TESTS/programs/signal_wrappers.c" \
		-lpthread -ldl
done

# same NAME PRELOAD PROGRAM ARGUMENT...: output and status are what they are without us.
same()
{
	local name=$1 preload=$2 plain=0 collected=0
	shift 2
	LD_PRELOAD=$preload "$@" >"$name.plain" || plain=$?
	LD_PRELOAD=$preload "$collect" -p hi -O said -o "$name.er" "$@" >"$name.out" || collected=$?
	[ "$plain" = "$collected" ] || { echo "$name: status $plain, collected $collected"; exit 1; }
	diff "$name.plain" "$name.out" || { echo "$name: another output"; exit 1; }
}
same view-before "" ./signal_view
same view-behind "$PWD/wrappers.so" "$PROGRAMS/signal_view"
same view-both "$PWD/wrappers.so" ./signal_view
for order in before behind; do
	for way in small reset; do
		if [ $order = before ]; then
			same $way-$order "" ./own_children $way 120
		else
			same $way-$order "$PWD/wrappers.so" "$PROGRAMS/own_children" $way 120
		fi
		"$BUILD/bin/er_print" -metrics i.totalcpu -functions $way-$order.er |
			awk -v name=$way-$order '$2 == "in_child" { found = $1 }
				END { print name, "0.480 s in four children, recorded " found; exit !(found > 0.408 && found < 0.552) }'
	done
done
