# SPDX-License-Identifier: Apache-2.0
# Holds a list that er_print printed against the same list computed by report.py.
"""compare.py REPORT LIST [LEAST]: REPORT is the output of report.py; LIST of er_print with the metrics e.totalcpu:i.totalcpu:name.

Every row of LIST must be in REPORT with the same seconds to the millisecond that is printed, and every row of REPORT of more
than a millisecond must be in LIST; at least LEAST rows are compared (default 10). Rows of one name are added (exclusive),
and compared by inclusive time only where the name is unique (names without scopes and arguments where the linker has none). Code without a symbol is compared by the sum over its object."""
import collections
import re
import sys

from names import common_name

NO_SYMBOL = re.compile(r"(?:<static>@0x[0-9a-f]+ \(<.*?>\)(?: \+ 0x[0-9a-fA-F]+)?|\?\? \(.*\))$")
NO_LINE = re.compile(r"(?:<Function: .*, instructions without line numbers>|\?\?:0)$")
PRINTED = 0.0006  # half of the last digit that is printed, and a bit


def rows_of_report(path):
    with open(path) as stream:
        for line in stream:
            exclusive, inclusive, name = line.rstrip("\n").split("\t", 2)
            yield int(exclusive) / 1e9, int(inclusive) / 1e9, name


def rows_of_list(path):
    """Rows begin with two numbers; headings do not."""
    with open(path) as stream:
        for line in stream:
            match = re.match(r"\s*([0-9]+\.[0-9]*)\s+([0-9]+\.[0-9]*)\s+(\S.*)$", line)
            if match and match[3] != "<Total>":
                yield float(match[1]), float(match[2]), match[3]


def collected(rows, aliases):
    """name -> [sum of exclusive, greatest inclusive, rows]; a place in a list is cut to file:line. `aliases` maps each symbol
    to all of those with the same address."""
    sums = collections.defaultdict(lambda: [0.0, 0.0, 0])
    for exclusive, inclusive, name in rows:
        place = re.search(r', line ([0-9]+) in "(?:.*/)?([^"/]*)"$', name)
        if NO_SYMBOL.match(name):
            name = "no symbol"
        elif NO_LINE.match(name):
            name = "no line"
        elif place:
            name = "%s:%s" % (place[2], place[1])
        elif re.match(r"<[^<>]*> \(/", name):
            name = name.split(" (")[0]
        function, plus, offset = name.partition(" + 0x")
        function = common_name(function)
        row = sums[aliases.get(function, function) + plus + offset.lower()]
        row[0] += exclusive
        row[1] = max(row[1], inclusive)
        row[2] += 1
    return sums


def main():
    report = list(rows_of_report(sys.argv[1]))
    aliases = {}
    for _exclusive, _inclusive, name in report:
        name = name.partition(" + 0x")[0]
        if "|" in name and " " not in name:
            aliases.update((alias, name) for alias in name.split("|"))
    expected, got = collected(report, aliases), collected(rows_of_list(sys.argv[2]), aliases)
    least = int(sys.argv[3]) if len(sys.argv) > 3 else 10
    wrong = []
    for name, (exclusive, inclusive, count) in got.items():
        there = expected.get(name)
        if there is None:
            wrong.append("%s: er_print has it with %.3f %.3f, it is not expected" % (name, exclusive, inclusive))
        elif abs(there[0] - exclusive) > PRINTED * count:
            wrong.append("%s: exclusive %.3f, expected %.6f" % (name, exclusive, there[0]))
        elif count == 1 and there[2] == 1 and abs(there[1] - inclusive) > PRINTED:
            wrong.append("%s: inclusive %.3f, expected %.6f" % (name, inclusive, there[1]))
    for name, (exclusive, inclusive, _count) in expected.items():
        if name not in got and inclusive > 0.001 and name != "<Total>":
            wrong.append("%s: expected with %.6f %.6f, er_print has no such row" % (name, exclusive, inclusive))
    print("%d rows compared, %d differ" % (len(got), len(wrong)))
    print("\n".join(wrong[:25]))
    sys.exit(1 if wrong or len(got) < least else 0)


main()
