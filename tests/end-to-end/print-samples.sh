#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Samples in er_print: sample_detail shows the differences of what the log says, of a killed process too; SAMPLE, sample_select
# and Samples divide the events by time, without loss, and agree.
# measures ticks of a real run in samples
set -u
collect=$BUILD/bin/collect
export er_print=$BUILD/bin/er_print
fail()
{
	echo "$*"
	exit 1
}
# A process that works before, in and after a fork; its child, which works and is killed.
cat >target.py <<'END2'
import os, signal, time
def work(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end: pass
work(0.4)
child = os.fork()
if not child:
    work(0.2)
    os.kill(os.getpid(), signal.SIGKILL)
os.wait()
work(0.3)
time.sleep(1)
END2
"$collect" -p hi -O said -o test.1.er /usr/bin/python3 target.py || fail "status $?"
cat >check.py <<'END2'
import os, re, subprocess
def attributes(line):
    return dict(re.findall(r'(\w+)="([^"]*)"', line))
# The collector's own work is not the program's.
def used(before, after, name):
    own = {"minor_faults": "own_faults", "write_bytes": "own_write_bytes"}.get(name)
    values = [max(0, int(point[name]) - int(point[own] if own else 0)) for point in (before, after)]
    return max(0, values[1] - values[0])
def points(path):
    found = [attributes(line) for line in open(path + "/log.xml") if line.startswith('<event kind="sample"')]
    return sorted(found, key=lambda e: int(e["raw"]))
def er_print(*arguments):
    return subprocess.run([os.environ["er_print"], *arguments, "test.1.er"], capture_output=True, text=True, check=True).stdout
def pairs(text):
    return dict(re.findall(r"^ *(\S.*?): (.*)$", text, re.M))
def total(*arguments):
    table = er_print("-metrics", "e.totalcpu:name", "-sort", "name", *arguments, "-functions")
    return float(re.search(r"^ *([0-9.]+) +<Total>$", table, re.M).group(1))

fields = {"Minor Page Faults": "minor_faults", "Major Page Faults": "major_faults",
    "Voluntary context switches": "voluntary_switches", "Block output (bytes)": "write_bytes"}
for number, path in (("1", "test.1.er"), ("2", "test.1.er/_f1.er")):
    log, shown = points(path), er_print("-sample_detail", number)
    blocks = re.split(r"^Sample Number: ", shown, flags=re.M)
    killed = log[-1]["label"] != "end"
    assert killed == (number == "2"), log
    assert len(blocks) - 1 == len(log) - 1 + killed, (path, len(blocks), len(log))
    for index, block in enumerate(blocks[1:]):
        said = pairs(block)
        assert block.startswith(f"{index + 1}\n") and said["Start Label"] == log[index]["label"], (path, index, said)
        if index + 1 == len(log):
            assert said["End Label"] == "<no sample>" and "Minor Page Faults" not in said, said
            continue
        assert said["End Label"] == log[index + 1]["label"], said
        for title, name in fields.items():
            assert int(said[title]) == used(log[index], log[index + 1], name), (path, index, title, said)
        assert int(said["Resident memory (bytes)"]) == int(log[index + 1]["resident"]), said
        assert said["Peak heap (bytes)"] == "not known", said
        took = (int(log[index + 1]["monotonic"]) - int(log[index]["monotonic"])) / 1e9
        assert abs(float(said["Duration (sec.)"]) - took) < 0.002, (said, took)
        # One thread from the start on.
        assert index == 0 or abs(float(said["Total Thread Time (sec.)"]) - took) < 0.002, (said, took)
    if not killed:
        whole = pairs(blocks[0])
        for title, name in fields.items():
            assert int(whole[title]) == used(log[0], log[-1], name), (title, whole)

# Every event is in one sample. What was worked until the fork is before it.
log = points("test.1.er")
fork = [e["label"] for e in log].index("before fork") + 1
everything = total()
assert everything > 0.85, everything
def near(a, b, rows=1):
    return abs(a - b) < 0.0006 * (rows + 1)
before = total("-filters", f"EXPID == 1 && SAMPLE < {fork}")
assert abs(before - int(log[fork - 1]["user"]) / 1e9 - int(log[fork - 1]["system"]) / 1e9) < 0.05, before
assert before > 0.38, before
assert near(before, total("-sample_select", f"1:0-{fork - 1}")), before
after = total("-filters", f"EXPID == 1 && SAMPLE >= {fork}")
assert near(before + after, total("-filters", "EXPID == 1"), 2), (before, after)
assert near(total("-filters", "SAMPLE_MAP >> 32 == 2"), total("-filters", "EXPID == 2"))
assert total("-sample_select", "2:1-+1:none") > 0.18
table = er_print("-metrics", "e.totalcpu:name", "-Samples")
rows = dict((name, float(value)) for value, name in re.findall(r"^ *([0-9.]+) +(Process \d+, Sample \d+)$", table, re.M))
assert near(sum(rows.values()), everything, len(rows)), (rows, everything)
for name, value in rows.items():
    process, sample = re.findall(r"\d+", name)
    assert near(value, total("-filters", f"EXPID == {process} && SAMPLE == {sample}")), name

# Statistics are of what is selected.
some, of = pairs(er_print("-sample_select", f"1:1-{fork - 1}", "-statistics")), points("test.1.er")
assert int(some["Minor Page Faults"]) == used(of[0], of[fork - 1], "minor_faults"), some
user = float(some["User CPU"].split()[0])
assert abs(user - (int(of[fork - 1]["user"]) - int(of[0]["user"])) / 1e9) < 0.001, some
listed = er_print("-sample_select", "1:2-3,7-", "-sample_list").splitlines()
assert listed[-1].split()[:2] == ["2", "none"] and listed[-2].split()[:2] == ["1", "2-3,7-"], listed
END2
/usr/bin/python3 -B check.py || fail "samples"
"$er_print" -sample_select 1-2-3 test.1.er 2>err && fail "a bad selection was accepted"
grep -q '^Error: Invalid argument to command: sample_select ' err || fail "$(cat err)"
"$er_print" -sample_detail 3 test.1.er 2>err && fail "sample_detail 3 was accepted"
grep -q 'experiments are numbered 1 to 2' err || fail "$(cat err)"
# As experiments of older versions are by -S off.
"$collect" -S off -O said -o off.er true && sed -i '/kind="sample"/d' off.er/log.xml || fail "-S off: status $?"
"$er_print" -sample_list -sample_detail -statistics off.er >out || fail "no samples: status $?"
grep -q 'Images without samples: 1' out || fail "no samples: $(cat out)"
