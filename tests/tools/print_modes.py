#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# Every command of er_print in every print mode: print_modes.py EXPERIMENT BEFORE AFTER
#
# JSON validates against tests/formats/report.schema.json. CSV, HTML and delimited lists have the same cells as JSON, and text has
# their numbers and names in its order. Commands that are no reports print nothing to standard output where that is for programs. A
# command that needs an argument and that ARGUMENTS or NO_REPORT does not know fails the test. The same holds for differences.
import concurrent.futures
import csv
import html.parser
import io
import json
import os
import re
import subprocess
import sys

import jsonschema

ER_PRINT = os.environ["BUILD"] + "/bin/er_print"
# Arguments of reports; the others take none.
ARGUMENTS = {
    "fsingle": ["burn"], "csingle": ["burn"], "cprepend": ["main"], "cappend": ["now"],
    "calltree_around": ["burn"], "source": ["burn"], "disasm": ["burn"],
    "indxobj": ["Datasize"], "data_single": ["grid"], "memobj": ["Memory_page"], "fail_if": ["e.totalcpu > +1000000"],
    "help": ["header"], "space": ["1"], "phase": ["1"], "folding": ["1"], "iterations": ["misses"],
}
# These say what a setting is, or write files of other tools (print-exports, print-timelines and otf2 read those).
NO_REPORT = {
    "metrics": ["e.totalcpu:name"], "sort": ["e.totalcpu"], "tree": ["bottom_up"], "space_rules": ["limit=2"], "sthresh": ["50"], "dthresh": ["50"],
    "scc": ["all"], "dcc": ["all"], "cc": ["all"], "setpath": ["."],
    "addpath": ["."], "pathmap": ["a", "b"], "debuginfod": ["off"], "import": ["E.folded"], "object_show": ["all"],
    "object_hide": ["libc.so.6"], "object_api": ["libc.so.6"], "object_select": ["every"], "objects_default": [], "filters": ["1"],
    "thread_select": ["1"], "lwp_select": ["all"], "cpu_select": ["all"], "sample_select": ["all"],
    "indxobj_define": ["MINE", "THRID"], "machinemodel": ["generic"], "mobj_define": ["BLOCKS", "VADDR>>20"], "outfile": ["out"],
    "appendfile": ["out"], "limit": ["3"], "name": ["short"], "fit_names": ["30"], "use_cores": ["2"], "keep_names": ["on"], "viewmode": ["expert"], "compare": ["off"],
    "short_threads": ["apart"], "builds": ["apart"], "skid": ["raw"], "printmode": ["json"], "script": ["empty"], "quit": [],
    "add_exp": None, "drop_exp": None, "open_exp": None, "dmetrics": None, "dsort": None, "en_desc": None,
    "ignore_no_xhwcprof": None, "ignore_fs_warn": None, "tabs": None, "rtabs": None, "tlmode": None, "tldata": None,
    "flamegraph": ["x.svg"], "icicle": ["x.svg"], "flamechart": ["x.svg"], "spacechart": ["x.svg"], "recurrence_plot": ["x.svg"], "mpi_heatmap": ["bytes", "x.svg"], "mpi_timeline": ["x.svg"], "sandwich": ["burn", "x.svg"], "picture": ["order=heaviest"], "folded": ["x"], "pprof": ["x"], "speedscope": ["x"], "firefox": ["x"], "chrometrace": ["x"],
    "callgrind": ["x"], "otf2": None,
}
# These are made for each experiment by itself, and then joined: by these columns in place of the last one.
JOINED = {
    "fsingle": 0, "fsummary": 0, "lsummary": 0, "psummary": 0, "heapstat": 0, "datasize": 0, "overview": 0, "mpi_ranks": ["rank"],
    "mpi_functions": 0, "mpi_matrix": ["source", "destination"], "mpi_waits": ["wait_state", "stack", "waited_for"], "mpi_delays": ["rank", "function", "stack", "made_wait"],
    "mpi_critical": 0, "OMP_preg": 0, "OMP_task": 0, "OMP_wait": 0,
    "data_single": 0, "iostat": 0,
}
# Libraries are one function each, or there would be a hundred thousand rows of panels.
FEW = ["-object_select", "every"]
# Numbers of this run of er_print: of what it used, of what it has summed.
CHANGING = {"procstats", "verify"}
# Reports that need counters which were read at samples: of the feed S.feed.
OF_FEEDS = {"spaces", "space", "recurrence", "patterns", "folding", "phases", "phase", "iterations", "advice"}
# Reports that refuse to compare.
ADDING_UP = {"timeline"}


def run(mode, commands, experiments, setting=()):
    """One run for all commands; text says before each which it is, by a comment of the script."""
    walk = ".".join(["walk", mode] + experiments)
    with open(walk, "w") as script:
        for command, arguments in commands:
            print("#", command, file=script)
            print(command, *('"%s"' % argument for argument in arguments), file=script)
    words = ["-printmode", mode, "-limit", "12", *setting, "-script", walk]
    got = subprocess.run([ER_PRINT] + words + experiments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return got.stdout.decode(), got.stderr.decode(), got.returncode


class Page(html.parser.HTMLParser):
    """The rows of the bodies of tables, by page; fails on a tag that does not close."""
    def __init__(self):
        super().__init__()
        self.open, self.pages, self.row = [], [], []

    def handle_decl(self, declaration):
        assert declaration == "DOCTYPE html" and not self.open
        self.pages.append([])

    def handle_starttag(self, tag, attributes):
        if tag not in ("br", "meta"):
            self.open.append(tag)
        if tag == "tr":
            self.row = []
            if "tbody" in self.open and dict(attributes)["class"] not in ("blank", "section"):
                self.pages[-1].append(self.row)
        if tag == "td":
            self.row.append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, (tag, self.getpos())

    def handle_data(self, data):
        if self.open and self.open[-1] == "td":
            self.row[-1] += data


def json_reports(text):
    decoder, reports, at = json.JSONDecoder(parse_float=str), [], 0
    while text[at:].strip():
        report, end = decoder.raw_decode(text, at)
        reports.append(report)
        at = end + len(text[end:]) - len(text[end:].lstrip())
    return reports


def shown_columns(report):
    """Standard errors are for programs alone; text marks the changes that are within them."""
    return [column for column in report["columns"] if not column["key"].endswith(".error")]


def keys_of(report):
    return [column["key"] for column in report["columns"]]


def same_number(a, b):
    return a == b or abs(float(a) - float(b)) <= 1e-12 * max(abs(float(a)), abs(float(b)))


def same_value(unit, value, text):
    if value is None:
        return text == ""
    return value == text if unit in ("text", "address") else same_number(value, text)


def check_json(report, validator):
    validator.validate(report)
    keys = keys_of(report)
    assert len(set(keys)) == len(keys), keys
    for row in report["rows"]:
        own = [key for key in row if key in ("group", "part", "depth", "hot") and key not in keys]
        assert list(row) == own + keys, (report["command"], list(row), keys)
        for column in report["columns"]:
            value = row[column["key"]]
            textual = column["unit"] in ("text", "address")
            number = isinstance(value, int) or isinstance(value, str) and re.fullmatch(r"-?[0-9.e+-]+", value)
            assert value is None or (isinstance(value, str) if textual else number), (report["command"], column, value)


def check_csv(report, lines):
    """One row of headings, then a row for each of JSON."""
    heading = next(lines)
    before = [name for name in (report["rows"] or [{}])[0] if name not in keys_of(report)]
    if report["rows"]:
        assert heading == [name.title() for name in before] + [column["title"] for column in report["columns"]], heading
    for row in report["rows"]:
        cells = next(lines)
        for name, cell in zip(before, cells):
            expected = row[name]
            assert cell == ("" if expected is None else expected if isinstance(expected, str) else str(int(expected))), (cell, row)
        for column, cell in zip(report["columns"], cells[len(before):], strict=True):
            assert same_value(column["unit"], row[column["key"]], cell), (report["command"], column, row, cell)


def forms(unit, value):
    """A number as text, HTML and delimited lists may round it; lists of short calls choose the unit; changes have a mark."""
    if isinstance(value, str) and re.fullmatch(r"-[0-9.e+-]+", value) or isinstance(value, int) and value < 0:
        return {"-" + form for form in forms(unit, str(value)[1:])} | {"~-" + form for form in forms(unit, str(value)[1:])}
    plain = plain_forms(unit, value)
    return plain if unit == "text" else plain | {mark + form for form in plain for mark in ("+", "~+", "~")}


def plain_forms(unit, value):
    if value is None:
        return {""}
    if unit in ("text", "address"):
        return {value}
    number = float(value)
    if unit == "count":
        return {str(value), "%.2f" % number, "%.3f" % number, "0." if not number else str(value)}
    scales = {"seconds": (1, 1e3, 1e6), "percent": (1,), "ratio": (1,)}[unit]
    digits = {"seconds": (3, 6, 9), "percent": (2,), "ratio": (2, 3)}[unit]
    found = {"%.*f" % (digit, number * scale) for scale in scales for digit in digits}
    # Halves are rounded up where C's %f rounds to even.
    found |= {"%.*f" % (digit, number * scale + 10.0 ** -digit / 1e4) for scale in scales for digit in digits}
    return found | ({"0."} if not number else set()) | {str(value)}


def check_rounded(report, rows, what):
    """Rows of cells of HTML or of a delimited list."""
    assert len(rows) == len(report["rows"]), (report["command"], what, len(rows), len(report["rows"]))
    for row, cells in zip(report["rows"], rows):
        for column, cell in zip(shown_columns(report), cells, strict=True):
            value = row[column["key"]]
            if what == "delimited" and column["unit"] == "text" and value is not None:
                cell = re.sub(r"^[ |]*\+-|^\*(?=.)", "", cell) if not value.startswith("*") else cell
            expected = forms(column["unit"], value)
            assert cell in expected or (value or "") == "" == cell, (report["command"], what, column, value, cell)


def check_delimited(report, lines):
    """Three rows of headings, then rows; empty ones and those of one cell part them."""
    columns = len(shown_columns(report))
    for _ in range(3):
        assert len(next(lines)) == columns, report["command"]
    rows = []
    while len(rows) < len(report["rows"]):
        cells = next(lines)
        if len(cells) == columns and not (columns == 1 and not cells):
            rows.append(cells)
        else:
            assert len(cells) <= 1, (report["command"], cells)
    check_rounded(report, rows, "delimited")


def squeezed(text):
    return " ".join(text.split())


def check_text(reports, text):
    """Row for row, in order: the numbers, and the words of a row that is one line."""
    command, lines, at = reports[0]["command"], [squeezed(line) for line in text.split("\n")], 0
    facts = keys_of(reports[0]) == ["subject", "name", "number", "seconds", "text"]
    for report in reports:
        for row in report["rows"]:
            if facts:
                check_fact(command, row, text)
            else:
                at = find_row(report, row, lines, at)
    return at


def check_fact(command, row, text):
    if row["text"] is not None:
        assert squeezed(row["text"]) in squeezed(text), (command, row)
    for unit, key in (("count", "number"), ("seconds", "seconds")):
        # A header leaves zeroes out, and has these as percentages or in another unit.
        other = command == "header" and re.search("Stacks|kHz|overflows at|overflows with|ran for|enabled for", row["name"])
        if row[key] is not None and float(row[key]) and not other:
            words = {word.rstrip(".") for word in re.findall(r"\d+\.?\d*", text)}
            # Some lines round to the second or the millisecond.
            wanted = forms(unit, row[key]) | {"%.0f" % float(row[key])}
            assert wanted & words, (command, row, wanted)


def find_row(report, row, lines, at):
    """The index of the line after the one that has the row, from `at` on."""
    def has(line, column):
        value = row[column["key"]]
        if value is None or column["title"] in NOT_IN_TEXT | NOT_IN_TEXT_OF.get(report["command"], set()):
            return True
        if column["unit"] == "text":
            return squeezed(value) in line
        words = line.replace("=", " ").replace(",", " ").split()
        return bool(forms(column["unit"], value) & set(words)) or not float(value if column["unit"] != "address" else 0)

    for number in range(at, len(lines)):
        if all(has(" ".join(lines[number:number + SPAN.get(report["command"], 1)]), column) for column in shown_columns(report)):
            return number + (0 if report["command"] in SPAN else 1)
    raise AssertionError((report["command"], row, lines[at:at + 5]))


# Reports whose rows are several lines in text, and columns that text words otherwise.
SPAN = {"cmetric_list": 2, "heap": 3, "leaks": 3, "allocs": 3, "iocallstack": 7, "mpi_waits": 2, "mpi_delays": 2}
NOT_IN_TEXT = {"Stack", "Waited for", "Made Wait", "Shown", "Sorted", "Section"}
NOT_IN_TEXT_OF = {"cmetric_list": {"Metric"}, "iocallstack": {"I/O Time (sec.)"}}


def skip(lines, count):
    for _ in range(count):
        next(lines)


def check_cells(reports, as_csv, as_lists, as_pages):
    """The same reports in the three other modes with cells; the last two may be left out: they print no table otherwise."""
    csv_lines = csv.reader(io.StringIO(as_csv, newline=""), strict=True)
    # Every field is in quotes; the other lines say what settings are.
    delimited = csv.reader([line for line in as_lists.split("\n") if not line or line[0] == '"'], delimiter=";", strict=True)
    page = Page()
    page.feed(as_pages)
    for report, rows in zip(reports, page.pages if as_pages else reports, strict=True):
        if report["command"] in CHANGING:
            skip(csv_lines, 1 + len(report["rows"]))
            skip(delimited, 3 + len(report["rows"]) if as_pages else 0)
        else:
            check_csv(report, csv_lines)
            if as_pages:
                check_delimited(report, delimited)
                check_rounded(report, rows, "html")
    assert not list(csv_lines) and not [line for line in delimited if line]


def check(commands, experiments, setting=(), modes=("json", "text", "csv", ";", "html")):
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        runs = list(pool.map(lambda mode: run(mode, commands, experiments, setting), modes))
    (said, errors, status), (text, _, _) = runs[:2]
    assert not status and not re.sub("^(Current|Print limit|Compare:) .*\n", "", errors, flags=re.M), errors
    reports = json_reports(said)
    shown = [command for command, _ in commands]
    assert set(report["command"] for report in reports) == set(shown), set(shown) ^ set(report["command"] for report in reports)
    with open(os.environ["TESTS"] + "/formats/report.schema.json") as schema:
        validator = jsonschema.Draft7Validator(json.load(schema))
    for report in reports:
        check_json(report, validator)
    check_cells(reports, *([output for output, _, _ in runs[2:]] + ["", ""])[:3])
    texts = re.split(r"^# (.*)\n", text, flags=re.M)[1:]
    assert texts[::2] == shown
    for command, text in zip(texts[::2], texts[1::2]):
        if command not in CHANGING:
            check_text([report for report in reports if report["command"] == command], text)
    return len(reports), sum(len(report["rows"]) for report in reports)


def by_names(report, names, paths):
    """{names of a row, which of several with these}: its numbers"""
    rows, seen = {}, {}
    for row in report["rows"]:
        name = tuple("Experiment" if row[key] in paths else row[key] for key in names if key in row)
        seen[name] = seen.get(name, 0) + 1
        rows[name + (seen[name],)] = row
    return rows


def check_joined(before, after):
    """Each number of a joined report is the first report's, each change the second's less that; every row of both is there."""
    commands = [(command, ARGUMENTS.get(command, [])) for command in JOINED]
    few = FEW + ["-limit", "0"]
    runs = [([before, after], few + ["-compare", "delta"]), ([before], few), ([after], few)]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        joined, *sides = pool.map(lambda what: json_reports(run("json", commands, *what)[0]), runs)
    assert [report["command"] for report in joined] == [report["command"] for report in sides[0]]
    numbers = 0
    for report, *both in zip(joined, *sides, strict=True):
        facts = keys_of(both[0])[:2] == ["subject", "name"]
        names = ["subject", "name"] if facts else JOINED[report["command"]] or keys_of(both[0])[-1:]
        rows, (first, second) = by_names(report, names, ()), [by_names(side, names, (before, after)) for side in both]
        assert set(rows) == set(first) | set(second), (report["command"], set(rows) ^ (set(first) | set(second)))
        for name, row in rows.items():
            for column in both[0]["columns"]:
                key = column["key"]
                values = [side[name][key] if name in side else None for side in (first, second)]
                if "Experiment Id" in name or key in names or column["unit"] in ("text", "address") or values == [None, None]:
                    continue
                old, new = (float(value or 0) for value in values)
                assert abs(float(row[key]) - old) < 1e-9 and abs(float(row[key + "@2.delta"]) - (new - old)) < 2e-9, (report["command"], name, key)
                numbers += 1
    return numbers


def main():
    experiment, before, after = sys.argv[1:]
    listed = json_reports(run("json", [("help", [])], [experiment])[0])[0]["rows"]
    names = [row["command"] for row in listed]
    unknown = set(ARGUMENTS) | set(NO_REPORT)
    assert unknown <= set(names), unknown - set(names)
    need = [row["command"] for row in listed if row["arguments"] and row["arguments"][0] != "[" and row["command"] not in unknown]
    assert not need, "say what these need: %s" % need
    reports = [(name, ARGUMENTS.get(name, [])) for name in names if name not in NO_REPORT | dict.fromkeys(OF_FEEDS) and name != "fail_if"]
    reports.append(("verify", []))
    print("%d commands, %d reports, %d rows" % ((len(reports),) + check(reports, [experiment])))
    spaces = [(name, ARGUMENTS.get(name, [])) for name in names if name in OF_FEEDS]
    print("%d commands, %d reports, %d rows" % ((len(spaces),) + check(spaces, ["-import", "S.feed"])))
    compared = [command for command in reports if command[0] not in CHANGING | ADDING_UP]
    compared.append(("fail_if", ARGUMENTS["fail_if"]))
    print("%d commands, %d reports, %d rows" % ((len(compared),) + check(compared, [before, after], FEW + ["-compare", "delta"], ("json", "text", "csv"))))
    print("%d numbers beside their changes" % check_joined(before, after))
    # Commands that send the rest elsewhere come last.
    settings = sorted(((name, arguments) for name, arguments in NO_REPORT.items() if arguments is not None),
                      key=lambda setting: setting[0] in ("outfile", "appendfile", "quit"))
    for mode in ("json", "csv"):
        said, errors, status = run(mode, settings, [experiment])
        assert not said and not status and "Error" not in errors, (mode, said, errors)
        assert os.stat("out").st_size == 0
    print("%d settings" % len(settings))


if __name__ == "__main__":
    main()
