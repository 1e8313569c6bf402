#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Summary panels agree with the lists, stack fragments with the program's own truth, statistics with the log and the thread
# events as the second reader reads them.
# measures CPU time of a real run
set -eu
er_print=$BUILD/bin/er_print
"$BUILD/bin/collect" -p hi -O collect.said -o test.1.er bash -c "$PROGRAMS/thread_ends; exec $PROGRAMS/figure_2_1 3e7" >truth
# The names and exclusive times of the panels are those of the list, in its order.
for pair in functions:fsummary lines:lsummary pcs:psummary; do
	"$er_print" -limit 12 -metrics e.totalcpu "-${pair%:*}" test.1.er 2>/dev/null | sed -n '/<Total>/,/^$/p' | sed '/^$/d' | awk '{print $1, $NF}' >list
	"$er_print" -limit 12 -metrics e.totalcpu "-${pair#*:}" test.1.er 2>/dev/null |
		awk '/^[^\t]/ {name = $NF} /Exclusive Total CPU Time:/ {print $5, name}' >panels
	diff list panels
	[ "$(wc -l <list)" -eq 12 ]
done
"$er_print" -fsummary test.1.er >panels
"$er_print" -fsingle C test.1.er | diff - <(sed -n '/^C$/,/^$/p' panels | sed '/^$/d')
"$er_print" -lsummary test.1.er | grep -q 'Source File: .*/figure_2_1\.c$'
"$er_print" -psummary test.1.er | grep -qE 'PC Address: [0-9]+:0x[0-9a-f]{8}$'

# main, B, C: what C called under B is what a filter keeps of it.
cat >script <<'END'
metrics e.totalcpu
csingle C
cprepend B
cappend F
crmlast
crmfirst
crmfirst
cappend nosuch
cprepend <Total>
END
"$er_print" -script script test.1.er >out 2>err
# panel N SECTION: the rows of a section of the Nth panel, the name without its object first
panel()
{
	awk -v n="$1" -v section="$2" '/^Callers and callees sorted/ {p++} /^=====/ {s = $2}
		p == n && s == section && /^[0-9]/ {time = $1; sub(/ \(<[a-z0-9_]*>.*/, ""); print $NF, time}' out
}
[ "$(panel 2 Callers | awk '{print $1}')" = main ]
grep -q ' main (<figure_2_1>)$' out # bash and thread_ends have one of their own
[ "$(panel 2 Stack | awk '{print $1}' | xargs)" = 'B C' ]
[ "$(panel 3 Stack | awk '{print $1}' | xargs)" = 'B C F' ]
[ "$(panel 3 Callees | awk '{print $1}')" = G ]
diff <(panel 2 Callees) <(panel 4 Callees)
diff <(panel 1 Callers) <(panel 5 Callers)
diff <(panel 1 Callees) <(panel 5 Callees)
"$er_print" -metrics i.totalcpu -filters '(FNAME("B"),FNAME("C"),FNAME("F"),FNAME("G")) ORDERED IN USTACK' -functions test.1.er >kept
[ "$(panel 3 Callees | awk '{print $2}')" = "$(awk '$NF == "<Total>" {print $1}' kept)" ]
cat >expected <<'END'
Warning: there is only one function in the stack segment; cannot remove it. (script, line 7)
Error: No function with given name `nosuch' found. (script, line 8)
Error: <Total> is no part of a longer stack fragment (script, line 9)
END
diff expected err
"$er_print" -crmlast test.1.er 2>err && exit 1
grep -qx 'Error: There is no stack fragment: csingle begins one' err

# With a threshold of 100 percent only the hottest line of a metric is marked, with 1 more of them.
"$er_print" -metrics e.totalcpu -sthresh 100 -source G test.1.er >hot
"$er_print" -metrics e.totalcpu -sthresh 1 -source G test.1.er >warm
[ "$(grep -c '^##' hot)" -ge 1 ] && [ "$(grep -c '^##' warm)" -gt "$(grep -c '^##' hot)" ] || exit 1
"$er_print" -metrics e.totalcpu -dthresh 1 -disasm figure_2_1.c test.1.er | grep -c '^##' >many
[ "$(cat many)" -gt "$("$er_print" -metrics e.totalcpu -dthresh 100 -disasm figure_2_1.c test.1.er | grep -c '^##')" ]
"$er_print" -sthresh 101 test.1.er 2>err && exit 1
"$er_print" -scc all -dcc all:src -cc basic -version test.1.er 2>err
[ "$(wc -l <err)" -eq 3 ]

cat >check.py <<'PYTHON'
import os
import re
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"] + "/oracle")
from experiment import experiments


def statistics(which):
    done = subprocess.run([os.environ["BUILD"] + "/bin/er_print", "-statistics", which, "test.1.er"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return {label.strip(): value for label, value in re.findall(r"^ *([^:\n]+): ([0-9.]+)", done.stdout, re.M)}


def log_of(path):
    with open(path + "/log.xml") as stream:
        return stream.read()


total, images, known = [0, 0], {}, 0
for number, experiment in enumerate(experiments("test.1.er"), 1):
    log = log_of(experiment.path)
    found = re.search(r'kind="exit".*user="(\d+)" system="(\d+)"', log)
    shown = statistics(str(number))
    if found:
        pid = re.search(r'<process[^>]* pid="(\d+)"', log)[1]
        images.setdefault(pid, []).append((int(found[1]), int(found[2])))
        known += 1
# The last image of a process with several has counted the whole.
for times in images.values():
    total[0] += max(t[0] for t in times)
    total[1] += max(t[1] for t in times)
every = statistics("all")
one = subprocess.run([os.environ["BUILD"] + "/bin/er_print", "-statistics", "test.1.er"], capture_output=True, text=True).stdout
labels = {label.strip(): value for label, value in re.findall(r"^ *([^:\n]+): ([0-9.]+)", one, re.M)}
assert known >= 3 and len(images) < known, images
assert abs(float(labels["User CPU"]) - total[0] / 1e9) < 0.0011, (labels, total)
assert abs(float(labels["System CPU"]) - total[1] / 1e9) < 0.0011, (labels, total)
assert float(labels["Average number of Threads"]) > 0.5
assert one.startswith("<Sum across selected experiments>\n")
PYTHON
/usr/bin/python3 check.py
"$er_print" -procstats test.1.er >out
grep -qE '^ +Experiments: [3-9]$' out
"$er_print" -statistics 99 test.1.er 2>err && exit 1
grep -q '^Error: Invalid argument to command: statistics 99: ' err
