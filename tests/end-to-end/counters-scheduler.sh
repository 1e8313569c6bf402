#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Context switches, every one, under the function that waited, as many as the kernel counted for the program itself: with the
# clock, without it, and with the waits traced besides. No wait is cut short, none is lost, the stacks of waits in deep
# recursion are whole, and each switch is in the sample in which it happened. An interval of 7 shows as many in whole
# intervals; a named rate adapts. Where the processor was taken away from the thread, the stack may be cut (nothing says what
# became of the part that the kernel did not copy), and the switch is not counted inside the collector: the program says how
# often that was.
# measures context switches that a busy machine adds
set -eu
COUNT=150
NEAR=4 # switches by preemption between the program's readings and the waits; counted outside of the wait's function
failures=0

# shown EXPERIMENT FUNCTION [FILTER]: switches under it.
shown()
{
	"$BUILD/bin/er_print" -metrics i+context-switches:name ${3:+-filters "$3"} -functions "$1" |
		awk -v name="$2" '$2 == name { print $1; found = 1 } END { if (!found) print 0 }'
}

# near WHAT GOT WANTED BOUND
near()
{
	if [ $(($2 > $3 ? $2 - $3 : $3 - $2)) -gt "$4" ]; then
		echo "WRONG $1: $2, not $3"
		failures=1
	else
		echo "$1: $2 of $3"
	fi
}

# record NAME OPTION...
record()
{
	local name=$1
	shift
	"$BUILD/bin/collect" -S off "$@" -O "$name.said" -o "$name.er" "$PROGRAMS/scheduler_events" $COUNT >"$name.own" ||
		{ cat "$name.said"; exit 1; }
	"$BUILD/bin/er_print" -verify "$name.er"
	"$BUILD/bin/er_print" -header "$name.er" >"$name.header"
	cut_short=$(awk '{ sum += $3 } END { print sum }' "$name.own")
	[ "$cut_short" = 0 ] || { echo "WRONG $name: $cut_short waits were cut short"; failures=1; }
}

# whole NAME: no overflow and no event is lost. A thread that is too short for a tick of the clock may have time without a stack;
# that is no event. Of the gate's traced run some may be lost, and then are counted (tests/OPEN.md). Threads that take turns quickly
# have the context switches of their states left out, which are another record than the counter's.
whole()
{
	local counted shown lost
	if [ "$1" = traced ] && [ -z "${STRICT:-}" ]; then
		read -r counted shown < <(sed -n 's/.*counted \([0-9]*\) in .*overflows show \([0-9]*\) .*/\1 \2/p' "$1.header")
		lost=$(sed -n 's/.*Warning: \([0-9]*\) overflows were lost/\1/p' "$1.header")
		echo "$1: $shown of $counted shown, ${lost:-0} lost"
		[ $((counted - shown)) -eq "${lost:-0}" ] && [ "${lost:-0}" -le $((counted / 10)) ] || return 1
		return
	fi
	grep -q 'of which overflows show [0-9]* (100.00 %)' "$1.header" &&
		! sed -n '/^Lost:/,/^Counted:/p' "$1.header" |
			grep -v '^[LUC]\|CPU time in nanoseconds that has no stack$\|stacks deeper than the limit\|context switches left out because'
}

every()
{
	local name=$1 function switches failed taken sample=1 lost taken_deep=0
	record "$@"
	[ -n "${STRICT:-}" ] || lost=$(sed -n 's/.*Warning: \([0-9]*\) overflows were lost/\1/p' "$name.header")
	whole "$name" || { echo "WRONG $name: not all are shown:"; sed -n '/Counter over/,$p' "$name.header"; failures=1; }
	while read -r function switches failed taken; do
		near "$name: $function" "$(shown "$name.er" "$function" "SAMPLE==$sample")" "$switches" $((NEAR + taken + ${lost:-0}))
		sample=$((sample + 1))
		[ "$function" != deep ] || taken_deep=$taken
	done <"$name.own"
	near "$name: in cut stacks" "$(shown "$name.er" "<Truncated-stack>")" 0 "$taken_deep"
	near "$name: all under the deepest function" "$(shown "$name.er" sleep_deep)" $COUNT $((NEAR + taken_deep))
}

every clock -p on -h context-switches,1
every alone -p off -h context-switches,1,cpu-migrations,1
every traced -p hi -s on -i on -h cs,1
# The kernel's work is part of the function that called it; experts see it, by the kernel's own names.
in_kernel()
{
	"$BUILD/bin/er_print" -viewmode expert -metrics i+context-switches:name -functions "$1" |
		awk -v name="$2" '$2 ~ name { sum += $1 } END { print sum + 0 }'
}
if grep -q '^[1-9a-f]' /proc/kallsyms; then
	near "kernel: sleeps" "$(in_kernel clock.er '^__[a-z0-9]*_sys_clock_nanosleep$')" $((2 * COUNT)) $NEAR
	near "kernel: polls" "$(in_kernel clock.er '^__[a-z0-9]*_sys_p?poll$')" $COUNT $NEAR
	[ "$(wc -l <clock.er/kernel.map)" -lt 1000 ] || { echo "WRONG: kernel.map has what no stack has"; failures=1; }
else
	grep -q 'the kernel.s functions will have no names' clock.said ||
		{ echo "WRONG: nothing says that the kernel's functions have no names"; failures=1; }
fi
near "user view: no kernel" "$("$BUILD/bin/er_print" -metrics i+context-switches:name -functions clock.er | grep -c '_sys_\|schedule$')" 0 0
near "user view: leaf" "$(shown clock.er "<Total>" 'LEAF IN (FNAME("clock_nanosleep"))')" $((2 * COUNT)) $NEAR
"$BUILD/bin/er_print" -viewmode expert -verify clock.er

record seven -p off -h context-switches,7
all=$(sed -n 's/.*counted \([0-9]*\) in 2 threads.*/\1/p' seven.header)
near "interval 7: all but less than two intervals" "$(shown seven.er "<Total>")" "${all:-0}" 14
record on -h context-switches
adapted=$(sed -n 's/.*its interval was doubled \([0-9]*\) times to keep.*/\1/p' on.header)
[ "${adapted:-0}" -ge 1 ] || { echo "WRONG on: the interval did not adapt"; failures=1; }
exit $failures
