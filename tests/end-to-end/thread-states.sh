#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Each wait of a program has its state, its length by the program's own clock and the stack of the function that waited; the
# states of the first thread add up to its elapsed time, and so does the latency-weighted time of all threads. So it is as root and
# as a user without rights. So it is where the kernel refuses perf events, and the header says what is lost then.
# measures how long a program waits
. "$TESTS/end-to-end/hostile.bash"
. "$TESTS/end-to-end/states.bash"
metrics="masterthread lock filewait netwait sleep pollwait childwait wait latency"
# Seconds that the CPUs of a guest were the host's: a thread has neither used them nor waited.
stolen()
{
	awk -v hertz="$(getconf CLK_TCK)" '/^cpu / { print $9 / hertz }' /proc/stat
}
# states NAME LAUNCHER...
states()
{
	local name=$1 stolen
	shift
	stolen=$(stolen)
	"$@" "$collect" -F off -O said -o "$name.er" "$PROGRAMS/thread_states" >"$name.own"
	columns "$metrics" "$name.er" >"$name.list"
	agree "$name" "$metrics" "$name.list" "$name.own" || failures=1
	grep -q "^  Thread states: $by$" <("$er_print" -header "$name.er")
	# Parts and whole, to the rounding of each number: CPU, its percentage, total, other states (of which data page faults are in
	# some runs only), Unexplained, "Process 1, Thread N".
	stolen=$(awk -v from="$stolen" -v to="$(stolen)" 'BEGIN { print (to > from ? to - from + .01 : 0) }')
	"$er_print" -Threads "$name.er" | awk -v stolen="$stolen" -v refused=$([ "$name" = refused ] && echo 1) '/Process 1, Thread/ {
		print; sum = $1; unexplained = $(NF - 4); all += $3; all_unexplained += unexplained
		for (i = 4; i < NF - 3; i++) sum += $i
		if (sum < $3 - .004 || sum > $3 + .004) { wrong = 1; print "WRONG sum " sum " of " $0 }
		if (!refused && unexplained > .02 * $3 + .002 + stolen) { wrong = 1; print "WRONG unexplained " unexplained " of " $0 } }
		END { if (all_unexplained > .02 * all + stolen) print "WRONG unexplained " all_unexplained " of " all
			exit wrong || all_unexplained > .02 * all + stolen }' || failures=1
}
failures=0
by="by the context switches of 11 threads"
er_print=$BUILD/bin/er_print
states root
# Functions that only waited are in no list of CPU time.
"$er_print" -Threads -functions root.er >lists
grep -q 'Process 1, Thread 11' lists && ! grep -q 'wait_mutex' lists
# Refused: by the calls alone, and the header says so.
by="by the context switches of 0 threads"
states refused "$PROGRAMS/refuse_perf" EPERM
"$er_print" -header refused.er >header
grep -q '^  Thread states by calls alone of 11 threads (perf_event_open was refused, or had no descriptor or memory): waits of less than 20 microsecs. and outside of libc.s calls are unexplained$' header
# Without a clock there are none: no metric, no column.
"$collect" -p off -s on -F off -O said -o none.er "$PROGRAMS/thread_states" >none.own
! "$er_print" -metrics e.otherwait -functions none.er >list 2>&1 || exit 1
grep -q 'No data recorded to support metric specification: e.otherwait' list
"$er_print" -Threads none.er >list
! grep -q 'Wait CPU' list || exit 1
by="by the context switches of 11 threads"
open_to_nobody
states user as_nobody
exit $failures
