#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Threads that block all signals (xz -T2's workers) are sampled like others: their ticks, and the total CPU time.
# measures ticks of threads that block signals
. "$TESTS/end-to-end/clock.bash"
xz=$(command -v xz) || { echo "no xz here"; exit 77; }
/usr/bin/python3 -c '
import random
random.seed(1)
open("data", "w").write("".join(random.choice("abcdefgh ") * random.randrange(1, 5) for _ in range(1200000)))'
"$collect" -p hi -A off -O said -o xz.er "$xz" -T2 -k -6 --block-size=500KiB data
PYTHONPATH=$TESTS/oracle /usr/bin/python3 -B - <<'PYTHON'
import re
import sys
from experiment import Experiment
experiment = Experiment("xz.er")
ticks, time = {}, 0
for event in experiment.events("clock"):
    time += event["user"] + event["system"]
    if event["mode"] != 3:
        ticks[event.thread] = ticks.get(event.thread, 0) + 1
used = {event.thread: event["cpu"] for event in experiment.events("thread") if event["what"] == 1}
log = open("xz.er/log.xml").read()
end = re.search(r'kind="exit".* user="(\d+)" system="(\d+)"', log)
true = int(end.group(1)) + int(end.group(2))
print("ticks of each thread:", ticks, "CPU time:", used, "recorded", time, "charged", true)
workers = [thread for thread in used if thread > 1]
if len(workers) < 2 or sum(used[thread] for thread in workers) < true / 2:
    sys.exit("xz did not use two workers")
for thread in workers:
    if used[thread] > 100e6 and ticks.get(thread, 0) < used[thread] / 10e6:
        sys.exit("thread %d: too few ticks" % thread)
if abs(time - true) > true * 0.02:
    sys.exit("more than 2 % off")
PYTHON
