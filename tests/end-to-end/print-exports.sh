#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Profiles for other tools, each read back by a reader that is not ours: folded stacks by a script, pprof by protobuf's decoder,
# speedscope by its schema, callgrind by callgrind_annotate. Every function's exclusive and inclusive sums are those of `functions`.
. "$TESTS/end-to-end/print.bash"

# Recursion, names with everything that some format escapes, and one that is no UTF-8; four metrics of a run; a filter.
/usr/bin/python3 - <<'END'
import random
random.seed(6)
names = ["f%d" % i for i in range(25)] + ['quote "q"', "back\\slash", "template<int, char>", "operator&&(A&)", "caf\u00e9"]
with open("made.folded", "wb") as stream:
    for i in range(400):
        path = ["main"] + [random.choice(names) for _ in range(random.randint(0, 9))]
        stream.write((";".join(path) + " %d\n" % random.randint(1, 10 ** 9)).encode())
    stream.write(b"main;bad\xff\xfename 12345\n")
END
cat >known.c <<'C'
#include <stdlib.h>
static void *volatile keep;
static volatile unsigned long sink;
static inline __attribute__((always_inline)) void inner(unsigned long n) { while (n--) sink += n; }
static inline __attribute__((always_inline)) void middle(unsigned long n) { inner(n); keep = malloc(10); }
__attribute__((noinline)) static void outer(unsigned long n) { middle(n); }
__attribute__((noinline)) static void again(int depth) { if (depth) again(depth - 1); else outer(20000000); keep = malloc(7); }
void spin(unsigned long n);
int main(void)
{
	outer(60000000);
	spin(200000000);
	again(5);
	for (int i = 0; i < 4; i++) { void *p = malloc(1000); keep = p; free(p); }
	return 0;
}
C
# The debug information of assembler functions has lines, and no file that defines them.
case $(uname -m) in
aarch64) step='subs x0, x0, #1; bne 1b' ;;
*) step='dec %rdi; jne 1b' ;;
esac
printf '\t.text\n\t.globl spin\n\t.type spin, %%function\nspin:\n1:\t%s\n\tret\n\t.size spin, . - spin\n\t.section .note.GNU-stack, "", %%progbits\n' "$step" >spin.S
gcc -O1 -g -o known known.c spin.S
"$BUILD/bin/collect" -p hi -H on -O said -o run.er ./known
export_all()
{
	local name=$1
	shift
	"$er_print" "$@" -pprof "$name.pb.gz" -speedscope "$name.speedscope" -callgrind "$name.callgrind" -folded "$name.folded.txt" \
		-firefox "$name.firefox" -chrometrace "$name.chrometrace" \
		-printmode json -functions >"$name.out" 2>"$name.err"
	[ "$(grep -c '^Profile written to ' "$name.err")" -eq 6 ]
	sed -n '/^{/,$p' "$name.out" >"$name.functions"
	# Standard output gets the same bytes, and nothing else.
	for format in pb.gz:pprof speedscope:speedscope callgrind:callgrind folded.txt:folded firefox:firefox chrometrace:chrometrace; do
		"$er_print" "$@" -${format#*:} - 2>"$name.err" | cmp - "$name.${format%:*}"
	done
}
export_all made -import made.folded
export_all run run.er -metrics ei.totalcpu:ei.heapallocbytes:ei.heapalloccnt:ei.heapleakcnt
export_all filtered run.er -filters 'FNAME("again") SOME IN STACK' -metrics ei.totalcpu:ei.heapallocbytes -sort e.heapallocbytes
protoc --proto_path="$TESTS/formats" --python_out=. pprof.proto
cat >check.py <<'END'
import gzip, json, os, subprocess, sys

import jsonschema
import pprof_pb2

name, metrics = sys.argv[1], sys.argv[2].split(":")
report = json.load(open(name + ".functions"))
marks = {c["key"][1:].lstrip(".+"): c["key"][1] for c in report["columns"] if c["unit"] != "percent" and c["key"] != "name"}
scale = {metric: 10 ** 9 if marks[metric] == "." else 1 for metric in metrics}
expected = {metric: {row["name"]: tuple(round((row[letter + marks[metric] + metric]) * scale[metric]) for letter in "ei")
                     for row in report["rows"]} for metric in metrics}


def check(what, metric, stacks):
    """Stacks of names, root first, and their values: sums by function, by arithmetic of this script."""
    sums = {"<Total>": [0, 0]}
    for stack, value in stacks:
        for name in set(stack) | {"<Total>"}:
            sums.setdefault(name, [0, 0])[1] += value
        sums[stack[-1]][0] += value
    sums["<Total>"][0] = sums["<Total>"][1]
    want = {name: pair for name, pair in expected[metric].items() if any(pair)}
    got = {name: tuple(pair) for name, pair in sums.items() if any(pair)}
    assert got == want, (what, metric, {n: (got.get(n), want.get(n)) for n in set(got) | set(want) if got.get(n) != want.get(n)})


# folded: the metric that lists are sorted by.
chosen = [c["key"] for c in report["columns"] if c["sorted"] and c["unit"] != "percent"][0][2:]
stacks = []
for line in open(name + ".folded.txt", encoding="utf-8"):
    path, value = line.rstrip("\n").rsplit(" ", 1)
    stacks.append((path.split(";"), int(value)))
check("folded", chosen, stacks)

# pprof: what its CheckValid asks for, and sums.
with gzip.open(name + ".pb.gz") as stream:
    profile = pprof_pb2.Profile.FromString(stream.read())
text = list(profile.string_table)
assert text[0] == "" and len(set(text)) == len(text)
for kind in profile.mapping, profile.location, profile.function:
    ids = [one.id for one in kind]
    assert 0 not in ids and len(set(ids)) == len(ids), ids
mappings, locations, functions = ({one.id: one for one in kind} for kind in (profile.mapping, profile.location, profile.function))
ranges = sorted((m.memory_start, m.memory_limit) for m in profile.mapping)
assert all(a < b for a, b in ranges) and all(a[1] <= b[0] for a, b in zip(ranges, ranges[1:])), ranges
for location in profile.location:
    assert location.line and all(line.function_id in functions for line in location.line)
    if location.mapping_id:
        mapping = mappings[location.mapping_id]
        assert mapping.memory_start <= location.address < mapping.memory_limit, location
known = {"totalcpu": ("cpu", "nanoseconds"), "heapallocbytes": ("alloc_space", "bytes"), "heapalloccnt": ("alloc_objects", "count"),
         "heapleakcnt": ("inuse_objects", "count"), "folded": ("folded", "count")}
assert [(text[t.type], text[t.unit]) for t in profile.sample_type] == [known[metric] for metric in metrics]
assert text[profile.default_sample_type] == known[chosen][0]
for i, metric in enumerate(metrics):
    stacks = []
    for sample in profile.sample:
        assert len(sample.value) == len(metrics)
        stack = [text[functions[line.function_id].name] for at in sample.location_id for line in locations[at].line]
        stacks.append((stack[::-1], sample.value[i]))
    check("pprof", metric, stacks)
if name != "made":
    assert text[profile.mapping[0].filename].endswith("/known"), profile.mapping[0]
    assert len(text[profile.mapping[0].build_id]) == 40 and profile.period == 997000 and profile.time_nanos > 1e18
    inlined = [[text[functions[line.function_id].name] for line in at.line] for at in profile.location if len(at.line) == 3]
    assert ["inner", "middle", "outer"] in inlined, inlined
    # A location is in its file where the symbol is.
    symbols = subprocess.run(["nm", "known"], capture_output=True, text=True, check=True).stdout.split("\n")
    starts = {line.split()[2]: int(line.split()[0], 16) for line in symbols if len(line.split()) == 3}
    for at in profile.location:
        function = text[functions[at.line[-1].function_id].name]
        if at.mapping_id == profile.mapping[0].id and function in ("outer", "again", "main"):
            mapping = profile.mapping[0]
            assert 0 <= at.address - mapping.memory_start + mapping.file_offset - starts[function] < 200, (function, at)
    names = {text[one.name]: text[one.system_name] for one in profile.function}
    assert names.get("<collector>", "") == "", names
    lines = {line.line for at in profile.location for line in at.line if text[functions[line.function_id].name] == "again"}
    assert lines == {7}, lines

# speedscope: its schema passes unequal lengths and numbers of frames that there are none of.
with open(name + ".speedscope", encoding="utf-8") as stream:
    scope = json.load(stream)
with open(os.environ["TESTS"] + "/formats/speedscope.schema.json") as stream:
    jsonschema.validate(scope, json.load(stream))
frames = [frame["name"] for frame in scope["shared"]["frames"]]
units = {"totalcpu": "nanoseconds", "heapallocbytes": "bytes"}
assert [p["unit"] for p in scope["profiles"]] == [units.get(metric, "none") for metric in metrics]
for metric, one in zip(metrics, scope["profiles"]):
    assert len(one["samples"]) == len(one["weights"]) and sum(one["weights"]) == one["endValue"] - one["startValue"]
    check("speedscope", metric, [([frames[i] for i in stack], weight) for stack, weight in zip(one["samples"], one["weights"])])
assert metrics[scope["activeProfileIndex"]] == chosen

# Firefox's profiler: the metric that lists are sorted by, in the order of time. Its schema says nothing of lengths and places.
with open(name + ".firefox", encoding="utf-8") as stream:
    fox = json.load(stream)
with open(os.environ["TESTS"] + "/formats/firefox.schema.json") as stream:
    jsonschema.validate(fox, json.load(stream))
shared = fox["shared"]
strings = shared["stringArray"]
tables = [table for table in shared.values() if isinstance(table, dict)]
for table in tables + [thread[part] for thread in fox["threads"] for part in ("samples", "markers")]:
    for column in table.values():
        assert not isinstance(column, list) or len(column) == table["length"], table.keys()


def within(places, table, least=0):
    assert all(place is None or least <= place < table["length"] for place in places), places


within(shared["stackTable"]["frame"], shared["frameTable"])
within(shared["frameTable"]["func"], shared["funcTable"])
within(shared["funcTable"]["resource"], shared["resourceTable"], -1)
within(shared["funcTable"]["source"], shared["sources"])
within(shared["resourceTable"]["lib"], {"length": len(fox["libs"])})
for table, column in ("funcTable", "name"), ("resourceTable", "name"), ("sources", "filename"):
    within(shared[table][column], {"length": len(strings)})
assert all(prefix is None or prefix < i for i, prefix in enumerate(shared["stackTable"]["prefix"]))
assert any(category["color"] == "grey" for category in fox["meta"]["categories"])


def frames_of(stack):
    path = []
    while stack is not None:
        path.append(strings[shared["funcTable"]["name"][shared["frameTable"]["func"][shared["stackTable"]["frame"][stack]]]])
        stack = shared["stackTable"]["prefix"][stack]
    return path[::-1]


stacks = []
kind = {"totalcpu": "tracing-ms", "heapallocbytes": "bytes"}.get(chosen, "samples")
for thread in fox["threads"]:
    samples = thread["samples"]
    assert samples["weightType"] == kind and samples["time"] == sorted(samples["time"]) and None not in samples["stack"]
    within(samples["stack"], shared["stackTable"])
    within(thread["markers"]["name"], {"length": len(strings)})
    for stack, weight in zip(samples["stack"], samples["weight"]):
        stacks.append((frames_of(stack), round(weight * 10 ** 6) if kind == "tracing-ms" else weight))
check("firefox", chosen, stacks)

# Chrome's format: samples are the calls that they were in, one in the other.
with open(name + ".chrometrace", encoding="utf-8") as stream:
    trace = json.load(stream)
with open(os.environ["TESTS"] + "/formats/chrometrace.schema.json") as stream:
    jsonschema.validate(trace, json.load(stream))
tracks = {}
for event in trace["traceEvents"]:
    if event["ph"] not in "BE":
        continue
    track = tracks.setdefault((event["pid"], event["tid"]), [])
    if event["ph"] == "B":
        track.append((event["name"], event["ts"]))
    else:
        assert track and track.pop()[1] <= event["ts"], event
assert not any(tracks.values())

# callgrind: a second reader for all of it, where a function's costs and those of its calls are its inclusive ones, and
# callgrind_annotate for the totals and for functions on no cycle.
own, all_of, names, calls = {}, {}, {}, {}
function, skip = None, None
for line in open(name + ".callgrind", encoding="utf-8"):
    key, _, value = line.rstrip("\n").partition("=")
    if key in ("fn", "cfn"):
        number, _, called = value.partition(" ")
        assert (number in names) != bool(called), line
        names.setdefault(number, called)
        if key == "fn":
            function = names[number]
        else:
            calls.setdefault(function, set()).add(names[number])
    elif key == "calls":
        skip = True
    elif line[:1].isdigit():
        values = [int(word) for word in line.split()[1:]]
        assert len(values) == len(metrics), line
        sums = all_of.setdefault(function, [0] * len(metrics))
        for i, value in enumerate(values):
            sums[i] += value
            if not skip:
                own.setdefault(function, [0] * len(metrics))[i] += value
        skip = None
for i, metric in enumerate(metrics):
    for called, (exclusive, inclusive) in expected[metric].items():
        if called == "<Total>":
            continue
        assert own.get(called, [0] * len(metrics))[i] == exclusive, (called, metric)
        assert all_of.get(called, [0] * len(metrics))[i] == inclusive, (called, metric)


def reaches_itself(function):
    seen, left = set(), list(calls.get(function, ()))
    while left:
        one = left.pop()
        if one not in seen:
            seen.add(one)
            left += calls.get(one, ())
    return function in seen


annotated = 0
for inclusive in (False, True):
    shown = subprocess.run(["callgrind_annotate", "--auto=no", "--threshold=100", "--inclusive=" + ("yes" if inclusive else "no"),
                            name + ".callgrind"], capture_output=True, text=True, check=True).stdout
    rows = {}
    for line in shown.splitlines():
        fields = line.split()
        if not fields or not fields[0].replace(",", "").isdigit():
            continue
        values, rest = [], line
        for metric in metrics:
            number, _, rest = rest.strip().partition(" ")
            values.append(int(number.replace(",", "")))
            rest = rest.lstrip()
            if rest.startswith("("):
                rest = rest.partition(")")[2]
        rest = rest.strip()
        where = "<Total>" if rest == "PROGRAM TOTALS" else rest.partition(" [")[0].partition(":")[2]
        rows[where] = values
    for i, metric in enumerate(metrics):
        assert rows["<Total>"][i] == expected[metric]["<Total>"][0], (rows["<Total>"], metric)
        for called, pair in expected[metric].items():
            if called in rows and not (inclusive and reaches_itself(called)) and not any(c in called for c in '"\\<(&?'):
                assert rows[called][i] == pair[inclusive], (called, metric, rows[called], pair)
                annotated += 1
assert annotated > 5, annotated
print(name, len(profile.sample), "samples,", annotated, "rows of callgrind_annotate")
END
/usr/bin/python3 check.py made folded
/usr/bin/python3 check.py run totalcpu:heapallocbytes:heapalloccnt:heapleakcnt
/usr/bin/python3 check.py filtered totalcpu:heapallocbytes
# `import` reads what was written as folded stacks, and as pprof: with the same sums of every function.
"$er_print" -import run.folded.txt -metrics e.folded -functions 2>err | awk '/<Total>/ {print $1}' >total.folded
awk '{sum += $NF} END {printf "%.0f\n", sum}' run.folded.txt | cmp - total.folded
sums_of()
{
	"$er_print" -printmode csv "$@" 2>err | sed 1d | sort
}
diff <(sums_of -import made.folded -metrics e+folded:i+folded:name -functions) <(sums_of -import made.pb.gz -metrics e+folded:i+folded:name -functions)
gunzip -c run.pb.gz >run.pb
sums_of run.er -metrics i+totalcpu:name -lines | grep 'spin, line 5 in ""spin.S""'
for list in functions lines; do
	diff <(sums_of run.er -metrics e+heapallocbytes:e+heapalloccnt:i+totalcpu:name -$list | grep -v '<[Fpc]') \
		<(sums_of -import run.pb -metrics e+alloc_space:e+alloc_objects:i+cpu:name -$list | grep -v '<[Fpc]')
done
"$er_print" -import run.pb -header >out 2>&1
grep -q '^Experiment started ' out

# A command of several lines has one in titles: the line is one of the file's.
"$BUILD/bin/collect" -O said -o lines.er perl -e '
my $sum = 0;
$sum += $_ for 1..3000000;'
"$er_print" -callgrind lines.callgrind -flamegraph lines.svg lines.er 2>err
grep -qx 'cmd: perl -e  my $sum = 0; $sum += $_ for 1..3000000;' lines.callgrind
grep -q ': perl -e  my $sum = 0; ' lines.svg
callgrind_annotate lines.callgrind >lines.annotated
echo kept >kept
for format in folded pprof speedscope callgrind firefox chrometrace; do
	ends 1 'Error: There is nothing to write: the totals of the metrics that are shown are 0' run.er -filters 'TSTAMP < 0' -$format kept
	[ "$(cat kept)" = kept ]
	ends 1 'Error: No metric is shown that could be written: choose some with metrics' run.er -metrics size:name -$format kept
	[ "$(cat kept)" = kept ]
	ends 1 'Error: Unable to open file: none/x (No such file or directory)' run.er -$format none/x
	ends 1 "Error: The command $format adds all experiments up and does not compare them: say compare off before it" \
		run.er -import made.folded -compare on -$format kept
	if [ -w /dev/full ]; then
		ends 1 'Error: /dev/full: No space left on device' run.er -$format /dev/full
	fi
done
