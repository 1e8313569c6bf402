# SPDX-License-Identifier: Apache-2.0
# Holds er_print's annotated source and disassembly against report.py, objdump and the source file itself.
"""compare_code.py source REPORT PRINTED FILE    REPORT: of lines; FILE: the source that is shown
compare_code.py disasm REPORT PRINTED OBJECT FUNCTION START STOP    REPORT: of pcs; START, STOP: addresses of the function

PRINTED is er_print's, with the metrics e.totalcpu:i.totalcpu and mangled names."""
import os
import re
import subprocess
import sys

NUMBERS = r"(?:## )?\s*([0-9]+\.[0-9]*)\s+([0-9]+\.[0-9]*)"
PRINTED = 0.0006


def report(path):
    with open(path) as stream:
        for line in stream:
            exclusive, inclusive, name = line.rstrip("\n").split("\t", 2)
            yield int(exclusive) / 1e9, int(inclusive) / 1e9, name


def close(printed, exact):
    return abs(float(printed) - exact) <= PRINTED


def compare_source(expected, lines, source):
    """Every line of the file is there with its text; those with code have the sums of the report."""
    base = os.path.basename(source)
    expected = {name: (e, i) for e, i, name in expected if name.startswith(base + ":")}
    with open(source) as stream:
        text = [line.rstrip() for line in stream]
    shown, wrong, hot, greatest = set(), [], set(), 0.0
    for line in lines:
        match = re.match(r"(?:" + NUMBERS + r")?\s+([0-9]+)\. ?(.*)$", line)
        if not match:
            continue
        number = int(match[3])
        shown.add(number)
        if number > len(text) or match[4].strip() != text[number - 1].strip():
            wrong.append("line %d is shown as %r" % (number, match[4]))
        exclusive, inclusive = expected.pop("%s:%d" % (base, number), (0.0, 0.0))
        greatest = max(greatest, exclusive, inclusive)
        if line.startswith("##"):
            hot.update((exclusive, inclusive))
        if not close(match[1] or 0, exclusive) or not close(match[2] or 0, inclusive):
            wrong.append("line %d: %s %s, expected %.6f %.6f" % (number, match[1], match[2], exclusive, inclusive))
    if len(shown) != len(text):
        wrong.append("%d of %d lines are shown" % (len(shown), len(text)))
    wrong += ["%s: expected, not shown" % name for name in expected]
    if greatest not in hot:
        wrong.append("the hottest line is not marked ##")
    return len(shown), wrong


def objdump(path, start, stop):
    """address -> (text, line) of each instruction; line 0: not known"""
    command = ["objdump", "-dlw", "--no-show-raw-insn", "--start-address=" + start, "--stop-address=" + stop, path]
    found, line = {}, 0
    for row in subprocess.run(command, capture_output=True, text=True).stdout.splitlines():
        match = re.match(r" *([0-9a-f]+):\t(.*)$", row)
        place = re.match(r"\S.*:([0-9]+)(?: \(discriminator [0-9]+\))?$", row)
        if match:
            found[int(match[1], 16)] = (match[2], line)
        elif place:
            line = int(place[1])
    return found


def plain(text):
    """Without the names that follow addresses, which depend on the symbols that a tool has read."""
    return " ".join(re.sub(r"<[^>]*>+|#.*", "", text).split())


def compare_disassembly(expected, lines, path, function, start, stop):
    """Every instruction of the function as objdump has it, with its line, and the sums of the report."""
    wanted, wrong, total, count = objdump(path, start, stop), [], 0.0, 0
    for line in lines:
        match = re.match(NUMBERS + r"\s+\[ *([0-9]+|\?)\]\s+([0-9a-f]+):\s+(.*)$", line)
        if not match:
            continue
        address = int(match[4], 16)
        text, number = wanted.pop(address, ("nothing", 0))
        if plain(match[5]) != plain(text):
            wrong.append("%x: %s, expected %s" % (address, match[5], text))
        if match[3] != "?" and number and int(match[3]) != number:
            wrong.append("%x: line %s, expected %d" % (address, match[3], number))
        total += float(match[1])
        count += 1
    wrong += ["%x: %s: not shown" % (address, text) for address, (text, _line) in wanted.items()]
    exclusive = sum(e for e, _i, name in expected if function in name.partition(" + 0x")[0].split("|"))
    if abs(total - exclusive) > PRINTED * count:
        wrong.append("exclusive %.3f, expected %.6f" % (total, exclusive))
    return count, wrong


def main():
    what, expected, printed = sys.argv[1], list(report(sys.argv[2])), open(sys.argv[3]).read().splitlines()
    if what == "source":
        count, wrong = compare_source(expected, printed, sys.argv[4])
    else:
        count, wrong = compare_disassembly(expected, printed, *sys.argv[4:8])
    print("%s: %d lines compared, %d differ" % (what, count, len(wrong)))
    print("\n".join(wrong[:25]))
    sys.exit(1 if wrong or count < 10 else 0)


main()
