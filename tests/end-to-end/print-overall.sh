#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Reports over a whole run: the peak of the heap of a process that was killed, the titles of pictures of several programs,
# and that nothing was recorded where that is so.
set -eu
er_print=$BUILD/bin/er_print
cat >killed.c <<'END'
#include <signal.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
	(void)argv;
	char *volatile block = malloc(5000000);
	memset(block, 1, 5000000);
	for (volatile unsigned long i = 0; i < 20000000; i++)
		;
	return argc > 1 ? block[4999999] - 1 : raise(SIGKILL);
}
END
gcc -O1 killed.c -o killed
"$BUILD/bin/collect" -H on -O collect.said -o killed.er ./killed && exit 1
[ "$("$er_print" -statistics killed.er | awk '/Peak heap/ {print $NF}')" = 5000000 ]
"$er_print" -heapstat killed.er | grep -qE '5000000'

# No metrics at all are a line under lists, on standard error where they are for other programs; traced calls are metrics.
"$BUILD/bin/collect" -p off -O collect.said -o off.er ./killed x
"$BUILD/bin/collect" -p off -H on -O collect.said -o heap.er ./killed x
text='No metrics: neither clock, counters nor tracing were recorded (collect -p off); header says what was'
for report in functions calltree lines objects; do
	[ "$("$er_print" -$report off.er | grep -cxF "$text")" -eq 1 ]
	"$er_print" -$report heap.er | grep -F "$text" && exit 1
done
"$er_print" -printmode , -functions off.er 2>err >out
grep -qxF "Warning: $text" err

# One title for each program, however often it ran.
for program in one two three; do
	cp killed $program
	"$BUILD/bin/collect" -O collect.said -o $program.er ./$program x
	"$BUILD/bin/collect" -O collect.said -o $program.again.er ./$program x
done
title() { "$er_print" -flamegraph graph.svg "$@" 2>/dev/null && sed -n 's/.*<text id="title"[^>]*>\([^<]*\)<.*/\1/p' graph.svg; }
[ "$(title one.er)" = 'Total CPU Time Flame Graph: ./one x' ]
[ "$(title one.er one.again.er)" = 'Total CPU Time Flame Graph: ./one x' ]
[ "$(title one.er two.er one.again.er)" = 'Total CPU Time Flame Graph: ./one x; ./two x' ]
[ "$(title one.er two.er two.again.er three.er)" = 'Total CPU Time Flame Graph: ./one x; ./two x; and 1 more' ]
