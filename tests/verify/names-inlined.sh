#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Names of inlined C++ functions without a linkage name, of a program with some 400 of them, against those that nm -C gives of the
# functions at the same file and line of a build without inlining. What the debug information does not have cannot be equal: types
# of results as the source writes them ("iterator_traits<T>::difference_type"), `auto` in the arguments of lambdas, arguments by default.
# limit: 300
set -eu
source=$TESTS/programs/inlined_names.cc
g++ -std=c++17 -g -O0 -o plain "$source"
g++ -std=c++17 -g -O2 -o inlined "$source"
"$BUILD/bin/collect" -p hi -A off -O said -o test.er ./inlined
nm -C -l plain >plain.nm
sed -nE 's/^[0-9a-f]+ [tTwWuV] .*\t(.*):[0-9]+$/source "\1"/p' plain.nm | sort -u >script
"$BUILD/bin/er_print" -metrics e.totalcpu -script script test.er >shown 2>said
PYTHONPATH=$TESTS/verify /usr/bin/python3 -B - <<'PYTHON'
import os
import re

from bounds import bound, finish


def spaced(name):
    """libiberty's own blanks between brackets that close are not always there."""
    while ">>" in name:
        name = name.replace(">>", "> >")
    return name


def without_result(name):
    """From the first scope or name on that is followed by the rest: what stands behind the last blank outside of brackets."""
    if name.startswith("decltype"):
        end = depth = 0
        while end == 0 or depth or name[end - 1] != ")":
            depth += (name[end] == "(") - (name[end] == ")")
            end += 1
        name = name[end:].lstrip()
    depth, begin = 0, 0
    head = name.split("operator", 1)[0] if "operator" in name else name
    for place, letter in enumerate(head):
        depth += (letter in "<({") - (letter in ">)}")
        if letter == " " and not depth and not head.startswith(" const", place):
            begin = place + 1
    return name[begin:]


expected = {}
for line in open("plain.nm"):
    found = re.match(r"[0-9a-f]+ [tTwWuV] (.*)\t(.*):(\d+)$", line)
    if found:
        expected.setdefault((os.path.realpath(found[2]), int(found[3])), set()).add(spaced(found[1]))
compared, equal, by_result, others = 0, 0, 0, []
path, waiting = None, []
for line in open("shown"):
    line = line.rstrip("\n")
    if found := re.match(r"Source file: (\S+)", line):
        path, waiting = os.path.realpath(found[1]), []
    elif found := re.match(r"[# 0-9.]*<Function: (.*), inlined>$", line):
        waiting.append(spaced(found[1]))
    elif (found := re.match(r"(?:##)? *(?:[0-9.]+ +)?(\d+)\. ", line)) and waiting:
        for name in waiting:
            names = expected.get((path, int(found[1])), set())
            compared += 1
            if name in names:
                equal += 1
            elif without_result(name) in {without_result(other) for other in names}:
                by_result += 1
            else:
                others.append(name)
        waiting = []
print(compared, "inlined functions,", equal, "names equal,", by_result, "but for the type of the result; others:")
print(*others, sep="\n")
enough = equal >= 200
print("bound: inlined functions whose names equal nm -C's of a build without inlining | %d of %d | at least 200 | %s" % (equal, compared, "ok" if enough else "SHORT"))
bound("the same: names that differ by more than the result's type, of %d" % compared, 100 * len(others) / compared, 3, "%")
if not enough:
    raise SystemExit(1)
finish()
PYTHON
