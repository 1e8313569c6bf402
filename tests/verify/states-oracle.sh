#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Thread states beside the kernel's own scheduler events: for each thread of programs of many kinds, the time on a run queue and the
# time that it waited, on all processors and on one, where threads wait for it.
# limit: 300
set -u
collect=$BUILD/bin/collect
oracle=$TESTS/oracle/sched_states.py
tracing=/sys/kernel/tracing/instances
[ -d "$tracing" ] || mount -t tracefs tracefs /sys/kernel/tracing 2>/dev/null
if ! [ -w "$tracing" ]; then
	echo "no tracefs here that we may use"
	exit 77
fi
instance=$tracing/er-tools-$$
trap 'rmdir "$instance" 2>/dev/null' EXIT
failures=0
# traced COMMAND...: while an instance of the kernel's tracer records; its text is in `trace`.
traced()
{
	local event
	mkdir "$instance"
	echo mono >"$instance/trace_clock"
	echo 40000 >"$instance/buffer_size_kb"
	for event in switch wakeup wakeup_new; do
		echo 1 >"$instance/events/sched/sched_$event/enable"
	done
	"$@" >/dev/null 2>own.err </dev/null || failures=1
	echo 0 >"$instance/tracing_on"
	cat "$instance/trace" >trace
	rmdir "$instance"
}
# beside NAME COMMAND...
beside()
{
	local name=$1 cpus status
	shift
	for cpus in "0-$(($(nproc) - 1))" 0; do
		rm -rf said.er
		traced taskset -c "$cpus" "$collect" -O said -o said.er "$@"
		status=0
		/usr/bin/python3 "$oracle" "$name on processors $cpus" trace said.er || status=$?
		[ "$status" = 0 ] || { [ "$status" = 77 ] && [ "$cpus" != 0 ]; } || failures=1
	done
}
cat >threads.py <<'END'
import queue, threading, time
work = queue.Queue()
def take():
    for _ in range(300):
        work.get()
        time.sleep(.001)
threads = [threading.Thread(target=take) for _ in range(4)]
for thread in threads:
    thread.start()
for number in range(1200):
    work.put(number)
for thread in threads:
    thread.join()
END
for i in 1 2 3 4 5 6; do
	echo "int f$i(int x) { return x * $i; }" >f$i.c
done
printf 'all: f1.o f2.o f3.o f4.o f5.o f6.o\n%%.o: %%.c\n\tgcc -O2 -c $<\n' >Makefile
beside "threads that wait in every way" "$PROGRAMS/thread_states"
beside "threads that wake one another" "$PROGRAMS/wakers"
beside "processes that wake one another" "$PROGRAMS/process_wakers"
beside "stopped threads" "$PROGRAMS/stopped"
beside "a pipeline of five" bash -c 'seq 2000000 | gzip -1 | gzip -d | sort -n | tail -n 1'
beside "python3, four threads that sleep" /usr/bin/python3 threads.py
beside "make -B -j2 of six files" make -B -j2
beside "sqlite3" sqlite3 file.db "create table if not exists a(b, c); insert into a select value, hex(randomblob(100))
	from generate_series(1, 100000); select count(*) from a"
beside "find and grep" bash -c 'find /usr/include -name "*.h" | head -n 3000 | xargs -P 2 -n 100 grep -c include | wc -l'
exit $failures
