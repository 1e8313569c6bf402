#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The cost of clock profiling, by the bench's sections start, tick and capture: start-up and close, a tick at 10 ms of the
# work, a tick at 1 ms above the same clock with an empty handler, and taking a stack at three depths.
# limit: 400
set -eu
ROUNDS=7 "$TESTS/bench/run" "$BUILD" start tick capture >bench.txt
cat bench.txt
PYTHONPATH=$TESTS/verify /usr/bin/python3 -B - bench.txt <<'END'
import re
import statistics
import sys

from bounds import bound, finish

text = open(sys.argv[1]).read()


def wall(label):
    return float(re.search(r"^%s +([0-9.]+) s wall" % re.escape(label), text, re.M).group(1))


bound("start-up and close of true", 1000 * (wall("true, collect") - wall("true")), 60, "ms")
ticks = re.findall(r"^-p (on|hi): ticks cost ([0-9.]+) % .* empty handler [0-9.]+ % .*: ([-+0-9.]+) %, x", text, re.M)
assert len(ticks) == 14, ticks
bound("ticks at 10 ms, of the work", statistics.median(float(t[1]) for t in ticks if t[0] == "on"), 1, "%")
bound("ticks at 1 ms, above an empty handler's", statistics.median(float(t[2]) for t in ticks if t[0] == "hi"), 2, "%")
for depth, full, repeated in (12, 100, 25), (40, 400, 50), (200, 1800, 200):
    found = re.search(r"^capture depth %d: full ([0-9.]+) ns.*repeated ([0-9.]+) ns" % depth, text, re.M)
    bound("a stack of %d frames in full" % depth, float(found.group(1)), full, "ns")
    bound("a stack of %d frames again" % depth, float(found.group(2)), repeated, "ns")
finish()
END
