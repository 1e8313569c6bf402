#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Hundreds of processes that end at once: how much each asks of the kernel, by system calls and page faults, which do not depend
# on the machine's load. None reads what it has no use for, and each is there with its CPU time.
# measures system calls, of which a busy machine may add some
set -eu
command -v strace >/dev/null || { echo "no strace"; exit 77; }
failures=0

# at_most WHAT VALUE BOUND
at_most()
{
	echo "$1: $2, at most $3"
	[ "$2" -le "$3" ] || { echo "WRONG"; failures=1; }
}

# One file of system calls for each process, of which most are the brief ones: how many one of those has.
calls()
{
	rm -rf calls && mkdir calls
	strace -ff -o calls/of "$@" >out 2>err || { cat out err; exit 1; }
	grep -c '' calls/of.* | sed 's/.*://' | sort -n | awk '{ n[NR] = $1 } END { print n[int((NR + 1) / 2)] }'
}

for bounds in "fork 146 70" "exec 178 88"; do
	read -r how most_calls most_faults <<<"$bounds"
	plain=$(calls "$PROGRAMS/ending_processes" "$how" 11)
	collected=$(calls "$BUILD/bin/collect" -O said -o "$how.er" "$PROGRAMS/ending_processes" "$how" 11)
	at_most "$how: system calls in each" $((collected - plain)) "$most_calls"
	# Only what they have in common with their parent, and collect, may do so.
	at_most "$how: processes that read their maps" "$(grep -l '"/proc/self/maps"' calls/* | wc -l)" 1
	read -r _ faults < <("$PROGRAMS/ending_processes" "$how" 200)
	read -r _ collected < <("$BUILD/bin/collect" -O said -o "$how.200.er" "$PROGRAMS/ending_processes" "$how" 200)
	at_most "$how: page faults for each" "$(awk -v a="$collected" -v b="$faults" 'BEGIN { printf "%.0f", a - b }')" "$most_faults"
	processes=$("$BUILD/bin/er_print" -printmode json -Processes "$how.200.er" | grep -c '"e.totalcpu": [0-9.]*[1-9].*"Process [0-9]* (PID')
	[ "$processes" -eq 201 ] || { echo "WRONG: $processes processes of 201 have CPU time"; failures=1; }
done
exit $failures
