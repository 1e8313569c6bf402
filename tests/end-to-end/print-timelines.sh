#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Formats with a time axis (firefox, chrometrace): samples and calls are at their times. Samples of an example whose every number is
# arithmetic; calls of a program that knows its own, with the totals of er_print's metrics.
. "$TESTS/end-to-end/print.bash"

# Ticks of 1 ms: main for 1 ms, main;a for 2, nothing for 5, then main;b for 1, of which another thread sees half.
cat >ticks.txt <<'END'
app 1/1 10.001000000: 1000000 cpu-clock: 
	400010 main+0x10 (/tmp/app)

app 1/1 10.002000000: 1000000 cpu-clock: 
	400110 a+0x10 (/tmp/app)
	400020 main+0x20 (/tmp/app)

app 1/1 10.003000000: 1000000 cpu-clock: 
	400120 a+0x20 (/tmp/app)
	400020 main+0x20 (/tmp/app)

app 1/1 10.009000000: 1000000 cpu-clock: 
	400210 b+0x10 (/tmp/app)
	400030 main+0x30 (/tmp/app)

app 1/2 10.008500000: 500000 cpu-clock: 
	400210 b+0x10 (/tmp/app)
END
"$er_print" -import ticks.txt -firefox ticks.json -chrometrace ticks.trace 2>err
/usr/bin/python3 - >got <<'END'
import json
profile = json.load(open("ticks.json"))
for thread in profile["threads"]:
    print(thread["name"], thread["samples"]["time"], thread["samples"]["weight"])
shared = profile["shared"]
print(sorted(lib["path"] for lib in profile["libs"]))
events = json.load(open("ticks.trace"))["traceEvents"]
open_frames = {}
for event in events:
    if event["ph"] == "B":
        open_frames.setdefault(event["tid"], []).append(event)
    elif event["ph"] == "E":
        begun = open_frames[event["tid"]].pop()
        print(event["tid"], begun["name"], begun["ts"], event["ts"])
END
diff got - <<'END'
Thread 1 [0.0, 1.0, 2.0, 8.0] [1.0, 1.0, 1.0, 1.0]
Thread 2 [7.5] [0.5]
['/tmp/app']
1000001 a 0.0 2000.0
1000001 main 0.0 2000.0
1000001 b 7000.0 8000.0
1000001 main 7000.0 8000.0
1000002 b 7000.0 7500.0
END

# Five writes of 2 bytes with 10 ms between them; one thread waits for a lock for all of it.
cat >calls.c <<'C'
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;
static void *waiter(void *argument)
{
	pthread_mutex_lock(&queue_lock);
	pthread_mutex_unlock(&queue_lock);
	return argument;
}
int main(void)
{
	pthread_t thread;
	pthread_mutex_lock(&queue_lock);
	pthread_create(&thread, 0, waiter, 0);
	FILE *file = fopen("written", "w");
	for (int i = 0; i < 5; i++) {
		write(fileno(file), "x\n", 2);
		usleep(10000);
	}
	fclose(file);
	pthread_mutex_unlock(&queue_lock);
	pthread_join(thread, 0);
	return 0;
}
C
gcc -w -O1 -g -o calls calls.c -pthread
"$BUILD/bin/collect" -p off -s all -i on -O said -o calls.er ./calls
"$er_print" calls.er -metrics e.ioreadtime:e.iowritetime:e.ioothertime:e+iowritebytes:e+iowritecnt:e.sync:e+syncn:name \
	-firefox calls.json -chrometrace calls.trace -printmode csv -functions >calls.csv 2>err
/usr/bin/python3 - <<'END'
import csv, json
lines = [line for line in open("calls.csv") if not line.startswith("Current")]
total = next(row for row in csv.reader(lines) if row[-1] == "<Total>")
seconds = [float(total[i]) for i in (0, 1, 2, 5)]
profile, trace = json.load(open("calls.json")), json.load(open("calls.trace"))
chrome = [e for e in trace["traceEvents"] if e["ph"] == "X"]
names = {e["pid"]: e["args"]["name"] for e in trace["traceEvents"] if e["ph"] == "M" and e["name"] == "process_name"}
markers = [dict(data=m["data"][i], begin=m["startTime"][i], end=m["endTime"][i], thread=thread["name"])
           for thread in profile["threads"] for m in [thread["markers"]] for i in range(m["length"])]
assert set(names.values()) == {"calls"} and {t["processName"] for t in profile["threads"]} == {"calls"}, names
for what, cat, number in (("io", "io", sum(seconds[:3])), ("sync", "sync", seconds[3])):
    own = [m for m in markers if m["data"]["type"] == what]
    other = [e for e in chrome if e["cat"] == cat]
    assert len(own) == len(other) and own, (what, len(own), len(other))
    # Text has nanoseconds; a millisecond is 1e6 of them.
    assert abs(sum(m["end"] - m["begin"] for m in own) / 1e3 - number) < 1e-6 * len(own), (what, number)
    assert abs(sum(e["dur"] for e in other) / 1e6 - number) < 1e-6 * len(own), (what, number)
writes = [e for e in chrome if e["name"] == "write"]
assert [e["args"]["bytes"] for e in writes] == [2] * 5 and all(e["args"]["file"].endswith("/written") for e in writes), writes
assert all(b["ts"] - a["ts"] > 10000 for a, b in zip(writes, writes[1:])), writes
wait = max((e for e in chrome if e["name"] == "Mutex"), key=lambda e: e["dur"])
assert wait["dur"] > 40000 and wait["args"]["object"] == "queue_lock" and wait["tid"] == 2, wait
# The writes are within the wait.
assert all(wait["ts"] - 5000 < e["ts"] and e["ts"] + e["dur"] < wait["ts"] + wait["dur"] for e in writes), (wait, writes)
stacks, frames, functions = (profile["shared"][t] for t in ("stackTable", "frameTable", "funcTable"))
cause = next(m for m in markers if m["data"]["name"] == "write")["data"]["cause"]["stack"]
path = []
while cause is not None:
    path.append(profile["shared"]["stringArray"][functions["name"][frames["func"][stacks["frame"][cause]]]])
    cause = stacks["prefix"][cause]
assert "main" in path, path
END

# Lists of short calls: a unit of time in which none is 0.000, no columns of zeroes; programs get seconds and all columns.
"$er_print" calls.er -ioactivity >activity
grep -qE '^ +[mu]s +[mu]s' activity && grep -qE '^ *[0-9]+\.[0-9]{3} 10 +5 .* /.*/written$' activity
! grep -qE '(^| )0\.000( |$)|Read|Wait|Error' activity || { cat activity; exit 1; }
"$er_print" calls.er -printmode csv -ioactivity >activity.csv
/usr/bin/python3 - <<'END'
import csv
text = [line.split() for line in open("activity") if line.rstrip().endswith("/written")][0]
units = [line.split() for line in open("activity") if line.split() and set(line.split()) <= {"ms", "us"}][0]
row = next(row for row in csv.DictReader(open("activity.csv")) if row["Name"].endswith("/written"))
assert len(row) == 14 and float(row["Exclusive Read Time (sec.)"]) == 0, row
for shown, column in ((text[0], "Write Time"), (text[3], "Other I/O Time"), (text[5], "I/O Time")):
    exact = float(row["Exclusive %s (sec.)" % column]) * {"ms": 1e3, "us": 1e6}[units[0]]
    assert abs(float(shown) - exact) <= 0.00051, (shown, exact)
assert len(set(units)) == 1
END
