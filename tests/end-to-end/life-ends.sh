#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# However a program ends, it ends as it does without collect, and its experiment is readable: what it used of the CPU is
# there, to 2 % where it ended by itself, but for the last tick where it was killed.
# measures CPU time of programs that are killed
set -eu
collect=$BUILD/bin/collect
program=$PROGRAMS/life_ends

cpu_of()
{
	PYTHONPATH=$TESTS/oracle /usr/bin/python3 -c '
import sys, experiment
print(sum(e["user"] + e["system"] for x in experiment.experiments(sys.argv[1]) for e in x.events("clock")) / 1e9)' "$1"
}

# A daemon says its time when its parent has long ended.
wait_for_daemon()
{
	[ "$1" = daemon ] || return 0
	for _ in {1..100}; do
		[ "$(grep -c '^[0-9.]*$' "$2")" -lt 2 ] || break
		sleep 0.1
	done
	sleep 0.3
}

# check HOW SHARE REASON
check()
{
	local how=$1 least=$2 reason=$3 plain=0 collected=0
	"$program" "$how" >plain.out 2>plain.err || plain=$?
	wait_for_daemon "$how" plain.out
	"$collect" -p 1 -o "$how.er" "$program" "$how" >out 2>err || collected=$?
	wait_for_daemon "$how" out
	[ "$plain" = "$collected" ] || { echo "$how: status $plain, collected $collected"; cat err; exit 1; }
	local lines
	lines=$(grep -c '^[0-9.]*$' plain.out)
	grep -v '^Creating' out >target.out
	[ "$(wc -l <target.out)" = "$lines" ] || { echo "$how: output differs"; cat target.out; exit 1; }
	# The last line of each process: a program that says it twice has gone on.
	local truth
	truth=$(tail -1 target.out)
	[ "$how" = daemon ] && truth=$(awk '{ s += $1 } END { print s }' target.out)
	awk -v truth="$truth" -v found="$(cpu_of "$how.er")" -v least="$least" -v how="$how" 'BEGIN {
		printf "%s: %.4f s of %.4f s\n", how, found, truth
		exit !(found >= truth * least - 0.002 && found <= truth * 1.02 + 0.01) }' || exit 1
	if [ "$reason" ]; then
		grep -q "kind=\"exit\".* reason=\"$reason\"" "$how.er/log.xml" || { echo "$how: no exit for $reason"; exit 1; }
	elif grep -q 'kind="exit"' "$how.er/log.xml"; then
		echo "$how: an exit event, although it was killed"
		exit 1
	fi
	grep -q 'kind="close"' "$how.er/log.xml" || { echo "$how: not closed by collect"; exit 1; }
	"$BUILD/bin/er_print" -functions "$how.er" >report 2>&1 || { echo "$how: not readable"; cat report; exit 1; }
}
ulimit -c 0
check return 0.98 exit
check exit 0.98 exit
check atexit 0.98 exit
LIFE_ENDS_DESTRUCTOR=1 check return2 0.98 exit
check _exit 0.98 _exit
check _Exit 0.98 _Exit
check quick_exit 0.98 quick_exit
check pthread_exit 0.98 exit
check daemon 0.98 daemon
check exec_failure 0.98 exit
grep -q 'kind="exec_error".*name="/nonexistent/program" errno="2"' exec_failure.er/log.xml
grep -q 'kind="exec_error".*name="/dev/null" errno="13"' exec_failure.er/log.xml
# A virtual machine's last tick may come late by some time slices of its host.
check abort 0.85 ''
check segv 0.85 ''
check kill 0.85 ''
