#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Little memory: a program that locks all it has or will have needs at most 3 MB more than alone before its first event, and
# another with the first blocks of four kinds; it works where it may lock 8 MB; collect runs with 30 MB of address space and with a stack of 128 KB.
. "$TESTS/end-to-end/clock.bash"
collect=$BUILD/bin/collect
plain=$("$PROGRAMS/locked_memory" || true)
[[ $plain =~ ^[0-9]+$ ]] || { echo "$plain"; exit 77; }
for limits in "3072 -p off" "3072 -p on" "4096 -p hi -s all -i on -H on"; do
	most=${limits%% *} options=${limits#* }
	rm -rf locked.er
	# shellcheck disable=SC2086
	kilobytes=$("$collect" $options -O said -o locked.er "$PROGRAMS/locked_memory") || { cat said; exit 1; }
	echo "$options: $kilobytes KB of address space, $plain alone"
	[ $((kilobytes - plain)) -le "$most" ] || { echo "more than $most KB more"; exit 1; }
done

# limited LIMIT: runs `true` in the limits of that `ulimit`, and asks for the version.
limited()
{
	(
		eval "ulimit $1"
		rm -rf limited.er
		"$collect" -V && "$collect" -O said -o limited.er true
	) >out 2>&1 || { echo "ulimit $1: status $?"; cat out; exit 1; }
	"$BUILD/bin/er_print" -header limited.er >header
	grep '^collect: er-tools' out
	grep '^Experiment Ended' header
}
limited "-v 30000"
limited "-s 128"

# Where nobody may go to what was built.
as_nobody test -r "$BUILD/lib/libcollector.so" || { echo "user nobody cannot read $BUILD: not tried"; exit 0; }
open_to_nobody
(ulimit -l 8192 && as_nobody "$collect" -p hi -s all -i on -H on -O said -o test.er "$PROGRAMS/locked_memory") || { cat said; exit 1; }
