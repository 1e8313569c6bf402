#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Reports as JSON and as comma-separated values: by the schema, with the rows of the delimited list and the same numbers, which that
# shows rounded; panels, trees and marked lines have members for it; standard output has nothing else.
set -eu
cat >target.c <<'EOF'
#include <stdlib.h>
static volatile unsigned long sink;
void *kept;
static void work(int depth)
{
	for (unsigned long i = 0; i < 20000000; i++)
		sink += i;
	if (depth)
		work(depth - 1);
}
void other(const char *text) { for (; *text; text++) work(0); }
int main(void)
{
	kept = malloc(100000);
	work(2);
	other("a,\"b");
	return 0;
}
EOF
gcc -g -O0 -o 'a "comma", program' target.c
"$BUILD/bin/collect" -p hi -H on -O said -o test.1.er './a "comma", program'
cat >check.py <<'EOF'
import csv, io, json, os, subprocess
import jsonschema

schema = json.load(open(os.environ["TESTS"] + "/../er_print/present/print/report.schema.json"))
def er_print(mode, *command):
    done = subprocess.run([os.environ["BUILD"] + "/bin/er_print", "-printmode", mode, *command, "test.1.er"], capture_output=True)
    assert done.returncode == 0, (mode, command, done.stderr)
    return done.stdout.decode()

def rounded(number, shown, unit):
    if not shown:
        assert number is None, number
    elif shown != "-":
        decimals = len(shown.partition(".")[2])
        assert abs(number - float(shown)) <= 0.5001 * 10 ** -decimals if decimals else number == float(shown), (number, shown)

checked = 0
commands = {"functions": [], "lines": [], "pcs": [], "objects": [], "callers-callees": [], "calltree": [], "csingle": ["work"],
    "source": ["work"], "disasm": ["work"], "Threads": [], "Processes": [], "Samples": []}
for name, arguments in commands.items():
    command = ["-metrics", "e.%totalcpu:i.%totalcpu:i+heapallocbytes:size:address:name", "-filters", "THRID == 1", "-" + name, *arguments]
    report = json.loads(er_print("json", *command))
    jsonschema.validate(report, schema)
    assert report["experiments"] == ["test.1.er"] and report["filter"] == "THRID == 1", report
    assert report["command"] == name, report["command"]
    keys, units = [c["key"] for c in report["columns"]], [c["unit"] for c in report["columns"]]
    assert len(set(keys)) == len(keys), keys
    own = [k for k in ("group", "part", "depth", "hot") if report["rows"] and k in report["rows"][0]]
    text = er_print("csv", *command)
    assert text.endswith("\r\n") and "\n" not in text.replace("\r\n", ""), name
    table = list(csv.reader(io.StringIO(text, newline="")))
    assert table[0] == [k.capitalize() for k in own] + [c["title"] for c in report["columns"]], table[0]
    assert len(table) - 1 == len(report["rows"]) and {len(row) for row in table} == {len(own) + len(keys)}, name
    listed = [row for row in csv.reader(io.StringIO(er_print(";", *command).split("Current Sort Metric")[-1].split("\n", 1)[1]), delimiter=";")
        if len(row) == len(keys)][3:]
    assert len(listed) == len(report["rows"]), (name, len(listed), len(report["rows"]))
    for row, fields, shown in zip(report["rows"], table[1:], listed):
        assert [k for k in row] == own + keys, row
        for k, field in zip(own, fields):
            assert field == (str(int(row[k])) if not isinstance(row[k], str) else row[k]), (k, row, fields)
        for key, unit, field, text in zip(keys, units, fields[len(own):], shown):
            value = row[key]
            if unit in ("text", "address"):
                assert (value or "") == field, (name, value, field)
                assert text.endswith(field), (name, text, field)
            else:
                assert (value is None) == (field == "") and (value is None or value == float(field)), (value, field)
                rounded(value, text, unit)
            checked += 1
assert checked > 500, checked

# A tree's depths, a panel's parts: what they say is what the arithmetic of the program says.
tree = json.loads(er_print("json", "-metrics", "i.totalcpu", "-calltree"))["rows"]
depths = [row["depth"] for row in tree]
assert depths[0] == 0 and all(b <= a + 1 for a, b in zip(depths, depths[1:])), depths
assert sum(row["name"] == "work" for row in tree) >= 4
panels = json.loads(er_print("json", "-callers-callees"))["rows"]
for group in {row["group"] for row in panels}:
    parts = [row["part"] for row in panels if row["group"] == group]
    assert parts.count("Function") == 1 and parts == sorted(parts, key=["Callers", "Function", "Callees"].index), parts
single = json.loads(er_print("json", "-csingle", "work"))["rows"]
assert [row["part"] for row in single] == sorted((row["part"] for row in single), key=["Callers", "Stack Fragment", "Callees"].index), single
assert {"Callers", "Stack Fragment"} <= {row["part"] for row in single}, single
assert any(row["hot"] for row in json.loads(er_print("json", "-source", "work"))["rows"])
assert any("comma" in row["name"] for row in json.loads(er_print("json", "-objects"))["rows"])

# Every command that takes no argument, or can do without: an object or more by the schema, and nothing else on standard output; the
# same rows as comma-separated values and as a page.
listed = subprocess.run([os.environ["BUILD"] + "/bin/er_print", "-help"], capture_output=True, text=True, check=True).stdout
names = [line.split()[0] for line in listed.split("In .er.rc only")[0].splitlines() if line.startswith("  ") and
    ([word for word in line[2:48].split()[1:] if word[0] != "("] or ["["])[0][0] == "["]
assert len(names) > 60, names
decoder = json.JSONDecoder()
for name in names:
    if name in ("quit", "help", "version", "objects_default"):
        continue
    def script(mode):
        done = subprocess.run([os.environ["BUILD"] + "/bin/er_print", "-", "test.1.er"], capture_output=True, text=True,
            input=f"printmode {mode}\nlimit 5\n{name}\n")
        assert done.returncode == 0, (name, mode, done)
        return done.stdout, done.stderr
    text, errors = script("json")
    reports = []
    while text.strip():
        report, end = decoder.raw_decode(text.lstrip())
        jsonschema.validate(report, schema)
        reports.append(report)
        text = text.lstrip()[end:]
    assert reports or errors.replace("Print limit set to 5\n", ""), name
    text, errors = script("csv")
    rows = sum(len(row) > 0 for row in csv.reader(io.StringIO(text, newline="")))
    assert rows == sum(1 + len(report["rows"]) for report in reports), (name, rows, reports)
    page = script("html")[0]
    assert page.count("<!DOCTYPE html>") == len(reports) == page.count("</html>\n"), name
EOF
/usr/bin/python3 -B check.py
"$BUILD/bin/er_print" -printmode json -printmode xml test.1.er 2>err && exit 1
grep -q '^Error: Invalid argument to command: printmode xml: it must be text, html, csv, json or one character' err
