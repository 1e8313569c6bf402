#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The cost of tracing, by the bench's sections sync and heap: a lock and unlock traced, and only counted; a malloc and its free at
# two depths; whole programs with heap tracing; what an event takes on disk; and reading 20 million of them.
# limit: 1200
set -eu
ROUNDS=5 "$TESTS/bench/run" "$BUILD" sync heap >bench.txt || { cat bench.txt; exit 1; }
cat bench.txt
PYTHONPATH=$TESTS/verify /usr/bin/python3 -B - bench.txt <<'END'
import re
import statistics
import sys

from bounds import bound, finish

text = open(sys.argv[1]).read()


def numbers(pattern):
    found = [float(n) for n in re.findall(pattern, text, re.M)]
    assert found, pattern
    return found


def program(label):
    found = re.search(r"^%s +([0-9.]+) s wall.* ([0-9.]+) MB +x([0-9.]+) wall" % re.escape(label), text, re.M)
    return [float(n) for n in found.groups()]


added = r" +[0-9.]+ +[0-9.]+ +([-0-9.]+)$"
bound("lock and unlock, traced with the stack, above plain", statistics.median(numbers("^collect -s all" + added)), 150, "ns")
bound("lock and unlock below the threshold, above plain", statistics.median(numbers("^collect -s on" + added)), 20, "ns")
bound("a synchronization event on disk", max(numbers("^bytes an event +([0-9.]+)$")), 12, "bytes")
for depth, most in (12, 150), (40, 200):
    plain = statistics.median(numbers("^plain +depth %d: ([0-9.]+) ns" % depth))
    traced = statistics.median(numbers("^collect -H on +depth %d: ([0-9.]+) ns" % depth))
    bound("malloc and free, traced with both stacks of %d frames (plain: %.1f ns)" % (depth, plain), traced, most, "ns")
for name, most in ("sqlite3", 1.15), ("cc1", 1.3), ("python3", 1.1):
    peer = program(name + ", heaptrack")[2]
    bound("%s with -H on, of plain (heaptrack: %.2f)" % (name, peer), program(name + ", collect -H on")[2], most, "times")
for name, events, size in re.findall(r"^(.*): ([0-9]+) events, ([0-9.]+) bytes each on disk$", text, re.M):
    bound("a heap event of %s on disk" % name, float(size), 12, "bytes")
for command in "functions", "leaks":
    seconds, memory, _ = program("er_print -" + command)
    bound("er_print -%s of 20 million heap events" % command, seconds, 4, "s")
    bound("its memory with -%s" % command, memory, 1500, "MB")
finish()
END
