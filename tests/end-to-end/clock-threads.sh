#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Threads that begin and end in every way: each has its start and its end event, its ticks and its rest are its CPU time, and
# also the time of a thread that libc made itself is in the total.
# measures CPU time of threads that live for moments
set -eu
collect=$BUILD/bin/collect
for how in "" leave; do
	for launcher in "" "$PROGRAMS/refuse_perf EPERM"; do
		rm -rf ends.er
		$launcher "$collect" -p hi -O said -o ends.er "$PROGRAMS/thread_ends" $how >output
		grep -qx 'wrong 0' output
		PYTHONPATH=$TESTS/oracle /usr/bin/python3 -B - "$how" <<'PYTHON'
import re
import sys
from experiment import Experiment
left = sys.argv[1] != ""
words = dict(line.split() for line in open("output"))
experiment = Experiment("ends.er")
started, ended, recorded, unseen = {}, {}, {}, 0
for event in experiment.events("thread"):
    (ended if event["what"] == 1 else started).setdefault(event.thread, []).append(event["cpu"])
for event in experiment.events("clock"):
    time = event["user"] + event["system"]
    if event.thread == 1 and not event.stack and not left:
        unseen += time
    else:
        recorded[event.thread] = recorded.get(event.thread, 0) + time
threads = int(words["threads"]) + (1 if left else 0)
if sorted(started) != list(range(1, threads + 1)) or sorted(ended) != sorted(started):
    sys.exit("%d threads: started %s, ended %s" % (threads, sorted(started), sorted(ended)))
if any(len(times) != 1 for times in list(started.values()) + list(ended.values())):
    sys.exit("more than one start or end of a thread")
for thread, times in ended.items():
    # Between the end event and the last reading of the clock there is the closing of the clock itself.
    if thread > 1 and not -50000 <= recorded[thread] - times[0] <= 2000000:
        sys.exit("thread %d: %d ns of CPU time, %d recorded" % (thread, times[0], recorded[thread]))
own = sum(times[0] for thread, times in ended.items() if 1 < thread <= int(words["threads"]))
if abs(own - int(words["cpu"])) > 0.02 * own:
    sys.exit("the threads measured %s ns, their end events say %d" % (words["cpu"], own))
end = re.search(r'kind="exit".* user="(\d+)" system="(\d+)"', open("ends.er/log.xml").read())
true, total = int(end.group(1)) + int(end.group(2)), sum(recorded.values()) + unseen
print("%d threads, %.3f s of %.3f s, %.3f s by threads of libc" % (threads, total / 1e9, true / 1e9, unseen / 1e9))
if abs(total - true) > 0.02 * true:
    sys.exit("more than 2 % off")
PYTHON
	done
done
