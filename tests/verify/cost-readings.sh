#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Reading six counters at a tick of `-p hi`: what a tick costs above an empty handler's in the same run, with and without, in turn.
# limit: 400
set -eu
programs=$BUILD/tests/bench
interval=997 # of -p hi, in microseconds
# cost NAME OPTION...: one line of its own
cost()
{
	local name=$1
	shift
	rm -rf tick.er
	EMPTY_HANDLER_INTERVAL=1047000 EMPTY_HANDLER_TIMES=empty.txt "$BUILD/bin/collect" -p hi "$@" -O said -o tick.er \
		"$programs/work_units" 50000 units.txt "$programs/empty_handler.so"
	echo "$name $(PYTHONPATH=$TESTS/oracle /usr/bin/python3 -B "$TESTS/bench/tick_cost.py" tick.er units.txt empty.txt hi)" |
		tee -a costs
}
for _ in {1..7}; do
	cost plain
	cost account -h =page-faults,=context-switches,=user-time,=system-time,=major-faults,=minor-faults
	cost group -h =page-faults~user=1,=task-clock,=cpu-migrations,=cpu-clock,=minor-faults~user=1,=alignment-faults
done
PYTHONPATH=$TESTS/verify /usr/bin/python3 -B - costs $interval <<'END'
import re
import statistics
import sys

from bounds import bound, finish

# The machine's speed differs from run to run by more than what is measured, and with it what the empty handler's tick costs.
empty, ratios = [], {}
for line in open(sys.argv[1]):
    tick, signal = map(float, re.search(r"ticks cost ([0-9.]+) % .* empty handler ([0-9.]+) %", line).groups())
    empty.append(signal)
    ratios.setdefault(line.split()[0], []).append(tick / signal)
for name, what in ("account", "the kernel's account of the thread"), ("group", "a group of perf events"):
    more = statistics.median(ratios[name]) - statistics.median(ratios["plain"])
    bound("six counters of " + what + ", a tick", more * statistics.median(empty) / 100 * float(sys.argv[2]), 1, "us")
finish()
END
