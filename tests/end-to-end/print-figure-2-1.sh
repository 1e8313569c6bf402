#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The manual's figure 2-1: exclusive, inclusive and attributed time of each function within 5 standard errors of what the
# program measured of itself in the same run; and the equations.
# measures CPU time within five standard errors
set -eu
er_print=$BUILD/bin/er_print
"$BUILD/bin/collect" -p hi -O collect.said -o test.1.er "$PROGRAMS/figure_2_1" 8e7 >truth
"$er_print" -verify test.1.er | tee verified
grep -q ' 0 violated$' verified
"$er_print" -printmode ';' -metrics e.totalcpu:i.totalcpu:name -functions test.1.er | grep '^"[0-9]' >functions
for function in main A B C E F; do
	"$er_print" -printmode ';' -metrics i.totalcpu:name -csingle $function test.1.er | grep -E '^"([0-9]|=)' |
		sed "s/^/$function;/"
done >panels
"$er_print" -header test.1.er >header
/usr/bin/python3 - <<'PYTHON'
import collections
import csv
import math
import re

ticks = int(re.search(r"Sampling error: (\d+) ticks", open("header").read())[1])
exclusive, attributed = collections.Counter(), {}
for line in open("truth"):
    words = line.split()
    if words[0] == "exclusive":
        exclusive[words[1]] = int(words[2]) / 1e9
    elif words[0] == "attributed":
        attributed[words[1], words[2]] = int(words[3]) / 1e9
    else:
        before = int(words[1]) / 1e9
inclusive = {name: exclusive[name] + sum(t for (caller, _), t in attributed.items() if caller == name) for name in exclusive}
total = sum(exclusive.values())
checked = wrong = 0

def hold(what, got, truth):
    global checked, wrong
    share = min(max(truth / total, 1 / ticks), 1 - 1 / ticks)
    # The time before main is in the weight of the first tick, wherever that falls.
    bound = 5 * total * math.sqrt(share * (1 - share) / ticks) + before + 0.001
    checked += 1
    if abs(got - truth) > bound:
        wrong += 1
        print("WRONG", end=" ")
    print("%s: %.3f, the program says %.3f, bound %.3f" % (what, got, truth, bound))

shown = {row[2]: (float(row[0]), float(row[1])) for row in csv.reader(open("functions"), delimiter=";")}
for name in exclusive:
    hold("exclusive " + name, shown[name][0], exclusive[name])
    hold("inclusive " + name, shown[name][1], inclusive[name])
panel, part = {}, None
for line in open("panels"):
    centre, rest = line.rstrip("\n").split(";", 1)
    if "=====" in rest:
        part = rest.split()[1].strip('"')
    else:
        value, name = next(csv.reader([rest], delimiter=";"))
        panel[centre, part, name] = float(value)
for (caller, callee), truth in attributed.items():
    hold("%s's callee %s" % (caller, callee), panel[caller, "Callees", callee], truth)
    if callee != "G":
        hold("%s's caller %s" % (callee, caller), panel[callee, "Callers", caller], truth)
assert ticks > 500, "only %d ticks" % ticks
assert checked == 7 * 2 + 7 + 6, checked
raise SystemExit(wrong)
PYTHON
