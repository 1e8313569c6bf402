#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# All kinds of data in one run: each metric of a function is what the target did there, in every view; the kinds' stacks are one
# tree, their times one order; a filter on one kind's field keeps what it should of all of them.
# measures CPU time beside exact counts
set -eu
collect=$BUILD/bin/collect
er_print=$BUILD/bin/er_print
cat >together.c <<'C'
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *volatile kept;
static int fd;
static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}
__attribute__((noinline)) static void burn(double seconds)
{
	double end = now() + seconds;
	while (now() < end)
		;
}
/* One of each, a moment apart. */
__attribute__((noinline)) static void work(int size)
{
	kept = malloc(size);
	burn(.0001);
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	burn(.0001);
	free(malloc(7777));
	burn(.0001);
	if (write(fd, "abc", 3) != 3)
		_exit(3);
	burn(.0001);
}
static void *other(void *unused)
{
	(void)unused;
	burn(.3);
	for (int turn = 0; turn < 25; turn++)
		work(2000);
	burn(.3);
	return 0;
}
int main(void)
{
	pthread_t thread;
	fd = open("/dev/null", O_WRONLY);
	pthread_create(&thread, 0, other, 0);
	pthread_join(thread, 0);
	for (int turn = 0; turn < 10; turn++)
		work(1000 + turn);
	burn(.3);
	return 0;
}
C
gcc -O1 -g -fno-builtin -o together together.c -lpthread
"$collect" -p hi -s all -H on -i on -h page-faults,1 -O said -o all.er ./together

metrics=i+syncn:i+heapalloccnt:i+heapallocbytes:i+heapleakcnt:i+heapleakbytes:i+iowritecnt:i+iowritebytes
# shown FILTER COMMAND NAME: the row's numbers.
shown()
{
	# shellcheck disable=SC2086 -- a command and its argument
	"$er_print" -filters "$1" -limit 0 -metrics $metrics:i.totalcpu:name -printmode ';' -$2 all.er 2>&1 |
		"$TESTS/tools/rows" | sed 's/[ |]*+-//' | awk -F'\t' -v name="$3" 'index($9, name) == 1 {print $1, $2, $3, $4, $5, $6, $7; exit}'
}
# check EXPECTED FILTER COMMAND NAME
check()
{
	local found
	found=$(shown "$2" "$3" "$4")
	[ "$found" = "$1" ] || { echo "$3, $4, filter $2: $found, expected $1"; exit 1; }
}
work='FNAME("^work$") SOME IN USTACK'
first=$(seq 1000 1009 | awk '{n += $1} END {print n}')
whole="35 70 $((first + 25 * 2000 + 35 * 7777)) 35 $((first + 25 * 2000)) 35 105"
main="10 20 $((first + 10 * 7777)) 10 $first 10 30"
thread="25 50 $((25 * 2000 + 25 * 7777)) 25 $((25 * 2000)) 25 75"
for view in functions lines pcs objects Threads Processes CPUs Seconds calltree; do
	check "$whole" "$work" $view "<Total>"
done
check "$whole" "" functions work
check "$main" "" "csingle main" work
check "$main" "$work" Threads "Process 1, Thread 1"
check "$thread" "$work" Threads "Process 1, Thread 2"
check "$whole" "$work" Processes "Process 1 "
# Locks shows what is waited for by waits alone: their count is its one column.
[ "$("$er_print" -filters "$work" -metrics $metrics:i.totalcpu:name -printmode ';' -Locks all.er 2>&1 | "$TESTS/tools/rows" |
	awk -F'\t' 'index($2, "Process 1, Mutex") == 1 {print $1}')" = 35 ]
# Without a choice they are sorted by the time that was waited, though the clock is what functions are sorted by, and have the
# names of variables.
"$er_print" -Locks all.er >locks
grep -qx 'Objects sorted by metric: Exclusive Sync Wait Time' locks
grep -qE '^ *[0-9]+\.[0-9]+ +35 +Process 1, Mutex 0x[0-9a-f]+ \(mutex\)$' locks
awk '$1 ~ /^[0-9]/ {if (rows++ && $1 > last) exit 1; last = $1} END {exit rows < 3}' locks
# Durations are in the order of their size.
"$er_print" -Duration all.er >durations
grep -qx 'Objects sorted by size' durations
sed -n 's/^ *[0-9].*  *\([0-9]*[um]*s* *<* *n* <= [0-9]*[um]*s\)$/\1/p' durations | sed 's/.*<= //; s/us/ 1/; s/ms/ 1000/; s/s$/ 1000000/' |
	awk '{size = $1 * $2; if (size <= last) exit 1; last = size} END {exit NR < 2}'
# A field of one kind in a filter leaves the others out; a condition on what all have does not.
check "0 35 $((35 * 7777)) 0 0 0 0" "$work && HSIZE==7777" functions "<Total>"
check "0 0 0 0 0 35 105" "$work && HAS_PROP(IOVFD)" functions "<Total>"
check "$thread" "$work && THRID==2" functions "<Total>"
check "35 0 0 0 0 0 0" "$work && HAS_PROP(SOBJ)" functions "<Total>"

PYTHONPATH=$TESTS/oracle /usr/bin/python3 -B - all.er <<'PYTHON'
# By the second reader: the order of a thread's events of all kinds is that of its steps.
import sys
from experiment import Experiment
experiment = Experiment(sys.argv[1])
steps = {1: [], 2: []}
for kind in "heap", "sync", "io":
    for event in experiment.events(kind):
        if event.thread not in steps or event.stack == 0:
            continue
        if kind == "heap" and event["what"] == 1 and (1000 <= event["size"] <= 1009 or event["size"] == 2000):
            steps[event.thread].append((event.time, "kept"))
        elif kind == "heap" and event["what"] == 1 and event["size"] == 7777:
            steps[event.thread].append((event.time, "freed"))
        elif kind == "io" and event["bytes"] == 3:
            steps[event.thread].append((event.time, "write"))
        elif kind == "sync" and event["waited_for"] == 0:
            steps[event.thread].append((event.time, "lock"))
for thread, turns in (1, 10), (2, 25):
    order = [what for _, what in sorted(steps[thread])]
    assert order == ["kept", "lock", "freed", "write"] * turns, (thread, order)
PYTHON
# The clock shows of burn what burn measured itself.
"$er_print" -metrics i.totalcpu:name -printmode ';' -functions all.er |
	"$TESTS/tools/rows" -n burn | awk '{found = $1} END {print "burn: " found " of 0.914 s"; exit !(found > .914 * .85 && found < .914 * 1.15)}'
