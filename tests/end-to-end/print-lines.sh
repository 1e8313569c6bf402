#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Time on three known lines, one of them in an inlined function of a header: in lines, source, disasm, and at call sites.
# measures CPU time of lines within five standard errors
set -eu
er_print=$BUILD/bin/er_print
program=$PROGRAMS/known_lines
source=$TESTS/programs/known_lines.c
header=$TESTS/programs/known_lines.h
"$BUILD/bin/collect" -p hi -O collect.said -o test.1.er "$program" 60000 >truth
line_of()
{
	grep -n "line $2 \*/" "$1" | cut -d: -f1
}
SEVENTY=$(line_of "$source" SEVENTY) TEN=$(line_of "$source" TEN) CALL=$(line_of "$source" CALL)
TWENTY=$(line_of "$header" TWENTY) INLINED_CALL=$(line_of "$source" INLINED-CALL)
export SEVENTY TEN CALL TWENTY INLINED_CALL
"$er_print" -verify test.1.er
TICKS=$("$er_print" -header test.1.er | sed -n 's/.*Sampling error: \([0-9]*\) ticks.*/\1/p')
export TICKS
"$er_print" -metrics e.totalcpu:i.totalcpu:name -printmode ';' -lines test.1.er >lines
"$er_print" -metrics e.totalcpu:i.totalcpu:name -source main -source known_lines.h test.1.er >source
"$er_print" -metrics e.totalcpu:i.totalcpu:name -disasm seventy -disasm twenty -disasm main test.1.er >disasm
"$er_print" -metrics e.totalcpu:i.totalcpu:name -printmode ';' -pcs test.1.er >pcs
objdump -d --no-show-raw-insn "$program" >objdump
/usr/bin/python3 - <<'PYTHON'
import collections
import csv
import os
import re

truth = {mark: int(time) / 1e9 for mark, time in (line.split() for line in open("truth"))}
total = sum(truth.values())
ticks = int(os.environ["TICKS"])
number = {mark: int(os.environ[mark]) for mark in ("SEVENTY", "TWENTY", "TEN", "CALL", "INLINED_CALL")}
failures = 0

def near(what, got, expected):
    """5 standard errors of that many ticks, and three ticks for what is around the line: at a share near 0 a few ticks are
    not distributed normally."""
    global failures
    share = expected / total
    tolerance = (5 * (share * (1 - share) / ticks) ** 0.5 + 3 / ticks) * total
    bad = abs(got - expected) > tolerance
    failures += bad
    print("%s%s: %.3f of %.3f, expected %.3f +- %.3f" %
          ("WRONG " if bad else "", what, got, total, expected, tolerance))

exclusive, inclusive = collections.Counter(), collections.Counter()
for row in list(csv.reader(open("lines"), delimiter=";"))[3:]:
    place = re.search(r', line (\d+) in "(.*)"$', row[2])
    if place:
        exclusive[place[2], int(place[1])] += float(row[0])
        inclusive[place[2], int(place[1])] += float(row[1])
near("lines: SEVENTY", exclusive["known_lines.c", number["SEVENTY"]], truth["SEVENTY"])
near("lines: TEN", exclusive["known_lines.c", number["TEN"]], truth["TEN"])
near("lines: TWENTY, inlined", exclusive["known_lines.h", number["TWENTY"]], truth["TWENTY"])
near("lines: the inlined call", inclusive["known_lines.c", number["INLINED_CALL"]], truth["TWENTY"])
near("lines: the call site", inclusive["known_lines.c", number["CALL"]], truth["SEVENTY"])
near("lines: no time of its own at the call", exclusive["known_lines.c", number["CALL"]], 0)

shown, hot, current = {}, set(), None
for line in open("source"):
    heading = re.match(r"Source file: .*/(\S+)", line)
    row = re.match(r"(##|  ) ([\d.]+) +([\d.]+) +(\d+)\. ", line)
    if heading:
        current = heading[1]
    if row:
        shown[current, int(row[4])] = float(row[2]), float(row[3])
        if row[1] == "##":
            hot.add((current, int(row[4])))
near("source: SEVENTY", shown["known_lines.c", number["SEVENTY"]][0], truth["SEVENTY"])
near("source: the call site", shown["known_lines.c", number["CALL"]][1], truth["SEVENTY"])
near("source: TWENTY, in the header", shown["known_lines.h", number["TWENTY"]][0], truth["TWENTY"])
assert ("known_lines.c", number["SEVENTY"]) in hot and ("known_lines.c", number["TEN"]) not in hot, hot
text = open("source").read()
for function in ("<Function: seventy>", "<Function: main>", "<Function: step_inlined, inlined>"):
    assert function in text, function
assert len(re.findall(r"^.{3}.*\d+\. ", text, re.M)) > 70, "the whole files"

# Instructions: every one is objdump's, its line is the marked one where the time is, and the sums are those of the lines.
instructions = {}
for line in open("objdump"):
    found = re.match(r" +([0-9a-f]+):\t(\S+)", line)
    if found:
        instructions[int(found[1], 16)] = found[2]
by_line, count, current = collections.Counter(), 0, None
for line in open("disasm"):
    row = re.match(r"(##|  ) ([\d.]+) +([\d.]+) +\[ *(\d+|\?)\] +([0-9a-f]+):  (\S+)", line)
    if not row:
        continue
    count += 1
    assert instructions[int(row[5], 16)] == row[6], line
    by_line[row[4]] += float(row[2])
assert count > 50, count
near("disasm: SEVENTY", by_line[str(number["SEVENTY"])], truth["SEVENTY"])
near("disasm: TWENTY", by_line[str(number["TWENTY"])], truth["TWENTY"])
assert "##" in open("disasm").read() and "instructions from source file" in open("disasm").read()

# Every pc of the program is the start of an instruction; call sites are calls.
starts = {}
for line in open("objdump"):
    found = re.match(r"([0-9a-f]+) <(\w+)>:", line)
    if found:
        starts[found[2]] = int(found[1], 16)
checked = 0
for row in list(csv.reader(open("pcs"), delimiter=";"))[3:]:
    function, plus, offset = row[2].partition(" + 0x")
    if function not in starts or not plus:
        continue
    pc = starts[function] + int(offset, 16)
    assert pc in instructions, row
    checked += 1
    if row[0] == "0.":
        assert instructions[pc].startswith("call"), row
assert checked > 10, checked
raise SystemExit(failures)
PYTHON
