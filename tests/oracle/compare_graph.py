# SPDX-License-Identifier: Apache-2.0
# Holds er_print's calltree or callers-callees against the same computed by report.py.
"""compare_graph.py tree|callers REPORT PRINTED: PRINTED is er_print's, with the metrics i.totalcpu:name and mangled names.

Every row must be in the other to the millisecond that is printed. Functions of one name are added up; rows that name code
without a symbol are left out, because two such functions have one name here and two there."""
import collections
import re
import sys

from names import common_name

NO_SYMBOL = re.compile(r"(?:<static>@0x[0-9a-f]+ \(<.*?>\)|\?\? \(.*\))$")
ROW = re.compile(r"\s*([0-9]+\.[0-9]*)( +)(.*)$")


def rows_of_tree(lines):
    """(seconds, path) of each line: the depth is where "+-" stands."""
    path = []
    for line in lines:
        match = re.match(r"\s*([0-9]+\.[0-9]*)( +)([| ]*)\+-(.*)$", line)
        if not match:
            continue
        depth = (len(match[2]) + len(match[3])) // 2
        while path and path[-1][0] >= depth:
            path.pop()
        path.append((depth, match[4]))
        names = [name for _depth, name in path]
        assert names[0] == "<Total>", line
        if len(names) > 1:
            yield float(match[1]), tuple(names[1:])


def rows_of_callers(lines):
    """(seconds, (centre, arrow, other)) of each caller and callee; panels are parted by empty lines."""
    panel = []
    for line in list(lines) + [""]:
        if line.strip():
            panel.append(line)
            continue
        rows = [match for match in map(ROW.match, panel) if match]
        centres = [match[3][1:] for match in rows if match[3].startswith("*")]
        if len(centres) == 1:
            arrow = "<-"
            for match in rows:
                if match[3].startswith("*"):
                    arrow = "->"
                elif "<Total>" not in (match[3], centres[0]):
                    yield float(match[1]), (centres[0], arrow, match[3])
        panel = []


def rows_of_report(what, path):
    with open(path) as stream:
        for line in stream:
            _exclusive, inclusive, name = line.rstrip("\n").split("\t", 2)
            if what == "tree":
                yield int(inclusive) / 1e9, tuple(name.split("\t"))
            else:
                centre, arrow, other = re.match(r"(.*) (<-|->) (.*)$", name).groups()
                yield int(inclusive) / 1e9, (centre, arrow, other)


def main():
    what, report, printed = sys.argv[1:4]
    expected_rows = list(rows_of_report(what, report))
    aliases = {}
    for _seconds, names in expected_rows:
        for name in names:
            if "|" in name and " " not in name:
                aliases.update((alias, name) for alias in name.split("|"))

    def collected(rows):
        sums, counts = collections.Counter(), collections.Counter()
        for seconds, names in rows:
            key = tuple("no symbol" if NO_SYMBOL.match(name) else aliases.get(common_name(name), common_name(name)) for name in names)
            sums[key] += seconds
            counts[key] += 1
        return sums, counts

    with open(printed) as stream:
        got, counts = collected((rows_of_tree if what == "tree" else rows_of_callers)(stream.read().splitlines()))
    expected, _counts = collected(expected_rows)
    wrong = []
    for key in got.keys() | expected.keys():
        # Two functions of one name, one calling the other, are a recursion here and none there.
        if "no symbol" in key or what == "callers" and key[0] == key[2] and "|" in key[0]:
            continue
        if abs(got[key] - expected[key]) > 0.0006 * max(1, counts[key]):
            wrong.append("%s: %.3f, expected %.6f" % (" ".join(key[-3:]), got[key], expected[key]))
    print("%d rows compared, %d differ" % (len(got), len(wrong)))
    print("\n".join(wrong[:25]))
    sys.exit(1 if wrong or len(got) < 20 else 0)


main()
