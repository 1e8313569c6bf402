#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Converters that libc opens and closes itself, one after the other at the same addresses: each has the time that was spent in
# its use and is not in libc, and nothing is unknown. Also with a table of objects of our own, as where libc has no
# _dl_find_object.
set -eu
sets=(IBM037 EBCDIC-US KOI8-R CP1255 ISO-2022-KR)
for own in '' 1; do
	if [ "$own" ]; then export ER_TOOLS_OWN_MODULES=1; fi
	"$PROGRAMS/hostile_iconv" 1 "${sets[@]}" >plain || { echo "no converters here"; exit 77; }
	"$BUILD/bin/collect" -p hi -O said -o "t$own.er" "$PROGRAMS/hostile_iconv" 40 "${sets[@]}" >uses
	diff <(awk '{ print $2 }' plain) <(awk '{ print $2 }' uses)
	PYTHONPATH=$TESTS/oracle /usr/bin/python3 -B - "t$own.er" <<'PYTHON'
import os, sys
from experiment import Experiment
experiment = Experiment(sys.argv[1])
uses = [(float(line.split()[0]), line.split()[1]) for line in open("uses")]
mapped = [s for s in experiment.segments if s["kind"] == "map"]
gone = {}
for s in experiment.segments:
    if s["kind"] == "unmap":
        gone.setdefault(s["vaddr"], []).append(int(s["generation"]))

def module(pc, generation):
    best = None
    for s in mapped:
        start = int(s["vaddr"], 16)
        if start <= pc < start + int(s["size"], 16) and int(s["generation"]) <= generation:
            ends = [g for g in gone.get(s["vaddr"], []) if g > int(s["generation"])]
            if not ends or generation < min(ends):
                best = s["name"]
    return os.path.basename(best) if best else "unknown"

times, complete, ticks = {}, 0, 0
for event in experiment.events("clock"):
    frames, end, generation = experiment.stack(event.stack)
    name = module(frames[0][0], generation) if frames else "no stack"
    times[name] = times.get(name, 0) + (event["user"] + event["system"]) / 1e9
    if event["mode"] != 3:
        ticks += 1
        complete += end == "start" and not any(f[2] for f in frames)
print({k: round(v, 3) for k, v in times.items()}, "%d of %d complete" % (complete, ticks))
true = sum(t for t, _ in uses)
total = sum(times.values())
if not 0.98 * true <= total <= 1.02 * true + 0.03:
    sys.exit("%.3f s of %.3f" % (total, true))
if times.get("unknown", 0) > 0:
    sys.exit("%.3f s in code that is not known" % times["unknown"])
for _, charset in uses:
    if times.get(charset + ".so", 0) < 0.01:
        sys.exit("nothing in %s.so" % charset)
if complete < 0.99 * ticks:
    sys.exit("stacks are not complete")
PYTHON
done
