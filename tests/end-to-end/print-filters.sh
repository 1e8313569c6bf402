#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Filters, selections and index objects against the second reader of the tests, event by event: what is kept, by thread,
# kernel's thread, CPU, process, experiment and declared fields, sums up to the same nanosecond; stacks against the program's
# own truth of who calls whom.
set -eu
trap 'echo "line $LINENO: $BASH_COMMAND"; tail -n 30 out err filtered panel 2>/dev/null' ERR
er_print=$BUILD/bin/er_print
"$BUILD/bin/collect" -p hi -O collect.said -o test.1.er sh -c "$PROGRAMS/thread_ends; $PROGRAMS/figure_2_1 5e7; exit 0" >truth
"$er_print" -experiment_list test.1.er >numbers
cat >check.py <<'PYTHON'
import os
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"] + "/oracle")
from experiment import experiments

PATH = "test.1.er"
LIST = {os.path.basename(line.split()[3]): (int(line.split()[0]), int(line.split()[2])) for line in open("numbers").readlines()[2:]}
EVENTS = []
for experiment in experiments(PATH):
    number, pid = LIST[os.path.basename(experiment.path)]
    tids = {event.thread: event["tid"] for event in experiment.events("thread")}
    for event in experiment.events("clock"):
        EVENTS.append((number, pid, tids.get(event.thread, 0), event))


def seconds(nanoseconds):
    milliseconds = nanoseconds // 1000000 + (nanoseconds % 1000000 >= 500000)
    return "%d.%03d" % divmod(milliseconds, 1000) if nanoseconds else "0."


def report(*arguments):
    done = subprocess.run([os.environ["BUILD"] + "/bin/er_print", *arguments, PATH], capture_output=True, text=True)
    assert done.returncode == 0, (arguments, done.stderr)
    return done.stdout


def rows(text):
    """{name: value} of the last list, without rows of 0: a CPU may have had only events of other kinds"""
    lines = text.splitlines()
    start = max(i for i, line in enumerate(lines) if " sorted by metric: " in line)
    head = next(i for i in range(start, len(lines)) if lines[i].endswith("<Total>"))
    found = {}
    for line in lines[head:]:
        value, name = line.split(None, 1)
        if value != "0." or name == "<Total>":
            found[name] = value
    return found


def expect(commands, keep):
    sums = [e["user"] + e["system"] for n, p, t, e in EVENTS if keep(n, p, t, e)]
    shown = rows(report(*commands, "-metrics", "e.totalcpu", "-functions"))["<Total>"]
    assert shown == seconds(sum(sums)), (commands, shown, seconds(sum(sums)))
    return len(sums)


number, pid, tid, some = EVENTS[len(EVENTS) // 2]
threads = sorted({e.thread for n, p, t, e in EVENTS if n == number})
assert len(EVENTS) > 20 and len(LIST) >= 3 and len({e.thread for n, p, t, e in EVENTS}) > 3
ALL = len(EVENTS)
CASES = [
    ("1", lambda n, p, t, e: True),
    ("0", lambda n, p, t, e: False),
    ("THRID == 1", lambda n, p, t, e: e.thread == 1),
    ("THRID IN 1,3 && EXPID != 1", lambda n, p, t, e: e.thread in (1, 3) and n != 1),
    ("LWPID == %d" % tid, lambda n, p, t, e: t == tid),
    ("PID == %d" % pid, lambda n, p, t, e: p == pid),
    ("CPUID == 0 || THRID > 2", lambda n, p, t, e: e.cpu == 0 or e.thread > 2),
    ("EXPID<<32|THRID == 0x100000001", lambda n, p, t, e: True),
    ("(EXPID<<32|THRID) == %d" % (number << 32 | some.thread), lambda n, p, t, e: (n, e.thread) == (number, some.thread)),
    ("USER > 1000000", lambda n, p, t, e: e["user"] > 1000000),
    ("MODE == 3 && !SYSTEM", lambda n, p, t, e: e["mode"] == 3 and not e["system"]),
    ("MSTATE SOME IN 1,2", lambda n, p, t, e: e["mode"] in (1, 2)),
    ("HAS_PROP(missed) && MISSED >= 1", lambda n, p, t, e: e["missed"] >= 1),
    ("Threads == %d" % (number << 32 | some.thread), lambda n, p, t, e: (n, e.thread) == (number, some.thread)),
]
kept = {expect(["-filters", text], keep) for text, keep in CASES}
assert len(kept) > 4, "the cases keep the same events: %s" % kept
# A filter replaces the one before it; a bad one leaves it; an empty one takes it away.
expect(["-filters", "THRID == 1", "-filters", "THRID != 1"], lambda n, p, t, e: e.thread != 1)
expect(["-filters", "THRID == 1", "-filters", ""], lambda n, p, t, e: True)
# Selections, also with a filter.
expect(["-thread_select", "1"], lambda n, p, t, e: e.thread == 1)
expect(["-thread_select", "%d:1-2+1:all" % number], lambda n, p, t, e: n == 1 or (n == number and e.thread < 3))
expect(["-thread_select", "%d:2-" % number, "-cpu_select", "0", "-filters", "USER"],
       lambda n, p, t, e: e["user"] and e.cpu == 0 and (n != number or e.thread > 1))
expect(["-lwp_select", "%d" % tid], lambda n, p, t, e: t == tid)
expect(["-thread_select", "none"], lambda n, p, t, e: False)
# Index objects: each row is the sum of its events.
for type_, key in (("Threads", lambda n, p, t, e: "Process %d, Thread %d" % (n, e.thread)),
                   ("CPUs", lambda n, p, t, e: "CPU %d" % e.cpu),
                   ("Processes", lambda n, p, t, e: "Process %d (PID %d)" % (n, p))):
    wanted = {}
    for n, p, t, e in EVENTS:
        wanted[key(n, p, t, e)] = wanted.get(key(n, p, t, e), 0) + e["user"] + e["system"]
    shown = rows(report("-metrics", "i.totalcpu", "-" + type_))
    assert shown.pop("<Total>") == seconds(sum(wanted.values()))
    assert shown == {name: seconds(value) for name, value in wanted.items() if value}, (type_, shown, wanted)
own = rows(report("-indxobj_define", "THRCPU", "CPUID<<16|THRID", "-metrics", "e.totalcpu", "-filters", "THRCPU & 0xffff != 0",
                  "-filters", "(THRCPU & 0xffff) == 1", "-thrcpu"))
wanted = {}
for n, p, t, e in EVENTS:
    if e.thread == 1:
        wanted[e.cpu << 16 | 1] = wanted.get(e.cpu << 16 | 1, 0) + e["user"] + e["system"]
own.pop("<Total>")
assert own == {str(key): seconds(value) for key, value in wanted.items() if value}, (own, wanted)
print("%d events" % ALL)
PYTHON
/usr/bin/python3 check.py

# A filter on A's callees shows what callers-callees attributes to A: a program of three calls, twice the same question.
value()
{
	awk -v name="$1" '$NF == name {print $1; exit}' "$2"
}
"$er_print" -metrics e.totalcpu -csingle A test.1.er >panel
for call in '(FNAME("A"),FNAME("C")) ORDERED IN USTACK' 'FNAME("A") SOME IN USTACK && FNAME("C") SOME IN USTACK' '(FNAME("C"),FNAME("A")) IN USTACK'
do
	"$er_print" -filters "$call" -metrics e.totalcpu -functions -verify test.1.er >filtered
	[ "$(value '<Total>' filtered)" = "$(value C panel)" ] || { echo "$call"; cat filtered panel; exit 1; }
	grep -q ' 0 violated$' filtered
done
"$er_print" -filters '(FNAME("C"),FNAME("A")) ORDERED IN USTACK' -metrics e.totalcpu -functions test.1.er | grep -qE '^0\. +<Total>$'
"$er_print" -metrics e.totalcpu -functions test.1.er >all
"$er_print" -filters 'LEAF IN FNAME("G")' -metrics e.totalcpu -functions test.1.er >filtered
[ "$(value '<Total>' filtered)" = "$(value G all)" ]

# Texts, lists and errors.
"$er_print" -filters 'THRID==1' -filters 'nosuch' -filters '' test.1.er >out 2>err && { echo "a bad filter ends with 0"; exit 1; }
printf 'current filter setting: "THRID==1"\ncurrent filter setting: <none>\n' | diff - out
grep -qE "^Error: Invalid filter specification \`nosuch': " err
printf 'filters "FNAME(\\"G\\") SOME IN USTACK"\nfilters\nmetrics e.totalcpu\nfunctions\n' >script
"$er_print" -script script test.1.er >out
grep -qxF 'current filter setting: "FNAME("G") SOME IN USTACK"' out
"$er_print" -metrics i.totalcpu:name -functions test.1.er >all
[ "$(value '<Total>' out)" = "$(value G all)" ]
printf 'filters FNAME("G") SOME IN USTACK && 1 < 2\nindxobj_define odd THRID & 1\nfilters\nindxobj_list\n' >script
"$er_print" -script script test.1.er >out 2>err
[ ! -s err ]
grep -qxF 'current filter setting: "FNAME("G") SOME IN USTACK && 1 < 2"' out
grep -qE '^  odd +THRID & 1$' out
printf 'indxobj_define odd THRID & 1\nOdd\n' >script
"$er_print" -script script test.1.er | diff <("$er_print" -indxobj_define odd 'THRID&1' -indxobj odd test.1.er) -
"$er_print" -describe test.1.er >out
for word in THRID USTACK ETSTAMP 'FNAME("regex")' 'CNAME("regex")' 'FILEIOVFD("regex")' MODE MSTATE Threads '(2) -> kernel'; do
	grep -qF -- "$word" out || { echo "describe lacks $word"; exit 1; }
done
"$er_print" -thread_select 1:1-2,7- -experiment_list -thread_list test.1.er >out
grep -qE '^ 1 yes +[0-9]+ ' out
grep -qE '^ 2  no +[0-9]+ ' out
grep -qE '^  1 1-2,7- +[0-9]+$' out
grep -qE '^  2 none +[0-9]+$' out
"$er_print" -thread_select 1-2-3 test.1.er 2>err && exit 1
grep -q '^Error: Invalid argument to command: thread_select ' err
"$er_print" -indxobj nosuch test.1.er 2>err && exit 1
"$er_print" -indxobj_define THRID 1 test.1.er 2>err && exit 1
grep -qx 'Error: Invalid argument to command: indxobj_define THRID is a word of expressions' err
"$er_print" -indxobj_define 9a 1 -indxobj_define a_1 1+ -indxobj_define a_2 CPUID -indxobj_list test.1.er >out 2>err && exit 1
[ "$(wc -l <err)" -eq 2 ]
grep -qE '^  a_2 +CPUID$' out
"$er_print" -sample_list test.1.er | grep -qE "^  1 all +$(($(grep -c 'kind="sample"' test.1.er/log.xml) - 1))$"

# Files by name, and when calls began: 10 writes of 100 bytes to one file, 15 of 7 to the other.
cat >files.c <<'C'
#include <fcntl.h>
#include <unistd.h>
static void put(const char *name, int times, int size) { static char room[100]; int fd = open(name, O_WRONLY | O_CREAT, 0644); while (times--) if (write(fd, room, size) != size) _exit(1); close(fd); }
int main(void) { put("one.txt", 10, 100); put("two.log", 15, 7); return 0; }
C
gcc -O1 -o files files.c
"$BUILD/bin/collect" -p off -i on -O said -o files.er ./files
written() # FILTER: calls and bytes
{
	"$er_print" -printmode csv -filters "$1" -metrics i+iowritecnt:i+iowritebytes:name -functions files.er 2>err | sed -n 's/,<Total>\r$//p'
}
for filter in 'FILEIOVFD(".*/one.txt")' 'IOVFD IN FILEIOVFD(".*txt")' 'FILEIOVFD(".*txt") IN IOFILE' '!FILEIOVFD(".*log")' 'IOHEAPBYTES==100' \
	'FILEIOVFD(".*txt") && IORQST==TSTAMP_LO && ETSTAMP-IORQST==EVT_TIME && ETSTAMP==TSTAMP && SRQST==0'; do
	[ "$(written "$filter")" = 10,1000 ] || { echo "$filter: $(written "$filter")"; exit 1; }
done
[ "$(written 'FILEIOVFD(".*log")')" = 15,105 ]
[ "$(written 'FILEIOVFD("txt")')" = 0,0 ] # a part of a name
"$er_print" -filters 'THRID IN FILEIOVFD("a")' files.er 2>err && exit 1
grep -qxF "Error: Invalid filter specification \`THRID IN FILEIOVFD(\"a\")': FILEIOVFD stands beside IOFILE only" err

"$er_print" -filters 'IOFNAME==1 && THRID==1' files.er 2>err && exit 1
grep -qxF "Error: Invalid filter specification \`IOFNAME==1 && THRID==1': the name IOFNAME has no meaning here: FILEIOVFD(\"regex\") tests the name of a file, and IOFILE is its number" err

# The path is shown where nothing follows that could be one; functions are counted without another report before.
[ "$("$er_print" -setpath files.er)" = "$(printf 'search path:\n\t$expts\n\t.')" ]
[ "$("$er_print" -setpath /one:/two -addpath -printmode text files.er)" = "$(printf 'search path:\n\t/one\n\t/two')" ]
"$er_print" -procstats files.er >out
grep -qE '^ +Functions on call stacks: ([3-9]|1[0-9])$' out # main, put and what calls main
