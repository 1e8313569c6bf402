#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The cost of analysis, by the bench's section analysis: functions of 10 million clock events with 20 000 stacks, and a filter,
# which is what 90 million events more take with it.
# limit: 400
set -eu
ROUNDS=3 "$TESTS/bench/run" "$BUILD" analysis >bench.txt
cat bench.txt
/usr/bin/python3 - bench.txt <<'END'
import re
import sys

text = open(sys.argv[1]).read()
short = 0


def bound(what, value, holds, unit, most):
    global short
    short += not holds
    print("bound: %s | %.2f %s | %s %s | %s" % (what, value, unit, most, unit, "ok" if holds else "SHORT"))


def row(label):
    found = re.search(r"^%s +([0-9.]+) s wall +([0-9.]+) s CPU +([0-9.]+) MB" % label, text, re.M)
    return [float(number) for number in found.groups()]


wall, _cpu, memory = row("er_print -functions, 10000000 events")
bound("er_print -functions of 10 million events", wall, wall < 1, "s", "less than 1")
bound("its memory", memory, memory < 300, "MB", "less than 300")
more = row("with that filter, 100000000 events")[1] - row("with a filter: .*?")[1]
bound("events a second through a filter", 90 / more, 90 / more >= 20, "million", "at least 20")
sys.exit(short > 0)
END
