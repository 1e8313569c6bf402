#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# -S: samples of each process at its start and end by itself and periodically by collect, which adds no thread to the target;
# they agree with what the program did and never decrease; -S off leaves out the periodic ones alone.
# measures samples of a real second
set -u
collect=$BUILD/bin/collect
fail()
{
	echo "$*"
	exit 1
}
cat >samples.py <<'END'
import re
def attributes(line):
    return dict(re.findall(r'(\w+)="([^"]*)"', line))
def samples(path):
    lines = [attributes(line) for line in open(path + "/log.xml") if line.startswith('<event kind="sample"')]
    return [(e["label"], {k: int(v) for k, v in e.items() if v.isdigit()}) for e in lines]
END
export PYTHONPATH=$PWD PYTHONDONTWRITEBYTECODE=1

# A shell that waits for a process that touches 10240 pages after 1.3 seconds and then waits; and execs one that works.
cat >touch.py <<'END'
import mmap, os, time
time.sleep(1.3)
memory = mmap.mmap(-1, 40 << 20)
memory.madvise(mmap.MADV_NOHUGEPAGE)
for page in range(0, 40 << 20, 4096):
    memory[page] = 1
time.sleep(1.5)
print(len(os.listdir("/proc/self/task")))
END
"$collect" -p off -O said -o t.er bash -c '/usr/bin/python3 touch.py; exec /usr/bin/python3 -c "
import time
while time.process_time() < 1.2: pass"' >out || fail "status $?"
[ "$(cat out)" = 1 ] || fail "threads in the target: $(cat out)"
/usr/bin/python3 - <<'END' || fail "samples"
import glob
from samples import *
for path in ["t.er"] + glob.glob("t.er/_*.er"):
    taken = samples(path)
    assert taken[0][0] == "start" and taken[-1][0] == "end", (path, taken)
    between = [label for label, _ in taken[1:-1]]
    assert between.count("before fork") == between.count("after fork"), (path, between)
    assert (path == "t.er") <= ("before fork" in between), (path, between)
    assert set(between) <= {"periodic", "before fork", "after fork"}, (path, between)
    for (_, before), (_, after) in zip(taken, taken[1:]):
        # The kernel's two ways to tell CPU time differ by less than one of its ticks; user and system are estimates.
        assert after["user"] + after["system"] >= before["user"] + before["system"] - 10**7, (path, before, after)
        for name in ("raw", "minor_faults", "major_faults", "voluntary_switches", "read_bytes"):
            assert after[name] >= before[name], (path, name, before, after)
touched = [sample for label, sample in samples(next(
    path for path in glob.glob("t.er/_*.er") if "touch.py</process>" in open(path + "/log.xml").read())) if label != "start"]
assert touched[0]["minor_faults"] < 10240 and touched[0]["resident"] < 40 << 20, touched[0]
assert any(s["minor_faults"] >= 10240 and s["resident"] >= 40 << 20 for s in touched[1:-1]), touched
# Each sample has what the collector itself used, and the rest is the program's.
for sample in touched:
    assert 0 < sample["own_faults"] < 400 and sample["own_write_bytes"] < 1 << 20, sample
    assert sample["minor_faults"] > sample["own_faults"], sample
worked = samples("t.er/_x1.er")
assert worked[-1][1]["user"] + worked[-1][1]["system"] >= 1.2e9, worked
assert any(label == "periodic" for label, _ in worked), worked
# A process became another program: its first experiment has samples until then only.
assert samples("t.er")[-1][1]["raw"] <= worked[0][1]["raw"]
END

"$collect" -p off -S off -O said -o off.er sleep 1.2 || fail "-S off: status $?"
[ "$(grep -o 'label="[a-z]*"' off.er/log.xml | xargs)" = 'label=start label=end' ] || fail "-S off: $(grep label= off.er/log.xml)"
# The kernel's count before the collector began in the process is part of its thread's life.
/usr/bin/python3 - "$("$BUILD/bin/er_print" -statistics off.er)" <<'END' || fail "shares: $("$BUILD/bin/er_print" -statistics off.er)"
import re, sys
shares = [float(share) for share in re.findall(r"CPU: [0-9.]+ \( *([0-9.]+)%\)", sys.argv[1])]
assert len(shares) == 2 and sum(shares) <= 100.1, shares
END
"$collect" -p off -S 2 -O said -o two.er sleep 3 || fail "-S 2: status $?"
[ "$(grep -c 'label="periodic"' two.er/log.xml)" = 1 ] || fail "-S 2: $(grep label= two.er/log.xml)"
ER_TOOLS_LAUNCH=exec "$collect" -p off -O said -o exec.er sleep 1.2 || fail "exec: status $?"
[ "$(grep -c 'kind="sample"' exec.er/log.xml)" = 2 ] || fail "exec: $(grep label= exec.er/log.xml)"
"$collect" -S 0 true 2>err && fail "-S 0 was accepted"
grep -qF "Unrecognized sample period \`0'" err || fail "-S 0: $(cat err)"
