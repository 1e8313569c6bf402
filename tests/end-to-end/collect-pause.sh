#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# -y and -l: each signal that kill(2) sends pauses recording, lets it go on, or takes a sample, and the program sees none of
# them: its waits, handlers, actions and defaults are as in the plain run. -t and -L: what is recorded is what the process
# used in the window, by its own samples.
# measures CPU time in windows, and signals at moments
set -u
collect=$BUILD/bin/collect
program=$PROGRAMS/user_signals
fail()
{
	echo "$*"
	exit 1
}
# seconds FUNCTION: inclusive CPU time in t.er, by the stacks and the map alone; "paused": what was left out.
cat >seconds.py <<'END'
import experiment, re, sys
def attributes(line):
    return dict(re.findall(r'(\w+)="([^"]*)"', line))
def log(path):
    return [attributes(line) for line in open(path + "/log.xml") if line.startswith("<event")]
def recorded(path):
    return sum(e["user"] + e["system"] for e in experiment.Experiment(path).events("clock")) / 1e9
def used(event):
    return (int(event["user"]) + int(event["system"])) / 1e9
def events(path, kind):
    return [event for event in log(path) if event["kind"] == kind]
END
export PYTHONPATH=$TESTS/oracle:$PWD PYTHONDONTWRITEBYTECODE=1

# The program asks for its turn on standard error and goes on at a line.
# talk OPTIONS COMMANDS SIGNALS...: one SIGNALS, "USR1 USR2" or "-", for each turn.
talk()
{
	local options=$1 commands=$2 pid turn line status=0
	shift 2
	rm -rf t.er in err
	mkfifo in err
	if [ "$options" = plain ]; then
		"$program" $commands <in >out 2>err &
	else
		"$collect" -p "${interval:-hi}" -O said $options -o t.er "$program" $commands <in >out 2>err &
	fi
	pid=$!
	exec 8>in 9<err
	for turn; do
		while read -r -u 9 line && [ "$line" != ready ]; do :; done
		sleep 0.2
		for signal in $turn; do
			[ "$options" = plain ] || [ "$signal" = - ] && continue
			kill -"$signal" "$(cat /proc/$pid/task/$pid/children | tr ' ' '\n' | while read -r child; do
				[ "$(readlink "/proc/$child/exe")" = "$program" ] && echo "$child"
			done)"
			sleep 0.1
		done
		(echo >&8) 2>/dev/null || : # it may have ended
	done
	wait $pid || status=$?
	exec 8>&- 9<&-
	return $status
}

# Paused, 0.3 s; recording, 0.3 s; paused again, 0.3 s.
talk '-y USR1' 'first=0.3 turn second=0.3 turn first=0.3' USR1 USR1 || fail "-y: status $?"
[ "$(cat out)" = end ] || fail "-y: $(cat out)"
/usr/bin/python3 - <<'END' || fail "-y: recorded"
from seconds import *
names = [event["kind"] for event in log("t.er") if event["kind"] in ("pause", "resume")]
assert names == ["pause", "resume", "pause"], names
took = recorded("t.er")
between = used([e for e in events("t.er", "sample") if e["label"] == "pause"][1]) - \
    used([e for e in events("t.er", "sample") if e["label"] == "resume"][0])
assert abs(took - between) < 0.003, (took, between)
assert abs(took - 0.3) < 0.03, took
paused = experiment.Experiment("t.er").counters()["time_paused"] / 1e9
assert abs(paused + took - used(events("t.er", "exit")[0])) < 0.003, (paused, took)
END
"$BUILD/bin/er_print" -functions t.er >functions || fail "er_print"
grep -q ' second$' functions || fail "second() is not there"
awk '$5 == "first" && $3 > 0.02' functions | grep . && fail "first() was recorded while paused"

# A signal that comes before the library is there waits for it.
mkfifo said.fifo
for round in 1 2 3 4 5 6 7 8; do
	rm -rf t.er
	"$collect" -y USR1 -l USR2 -o t.er "$program" first=0.05 >out 2>said.fifo &
	pid=$!
	read -r line <said.fifo || fail "no start line"
	line=${line##*ID: }
	[ $((round % 2)) = 0 ] || kill -USR1 "${line%%)*}"
	kill -USR2 "${line%%)*}" 2>kill.err || fail "round $round: $(cat kill.err)"
	wait $pid || fail "a signal at the start: status $?"
	[ "$(cat out)" = end ] || fail "a signal at the start: $(cat out)"
	[ "$(grep -c 'label="signal"' t.er/log.xml)" = 1 ] || fail "a signal at the start: no sample"
	[ "$(grep -c 'kind="resume"' t.er/log.xml)" = $((round % 2)) ] || fail "a signal at the start did not resume"
done

# Begins recording; the same signal by other means is the program's; -l beside it.
talk plain 'first=0.2 turn second=0.2 own child' - || fail "plain: status $?"
mv out plain
talk '-y SIGUSR1,r -l 12 -S 60' 'first=0.2 turn second=0.2 own child' 'USR1 USR2' || fail "-y,r: status $?"
diff plain out || fail "-y,r: the program saw a difference"
/usr/bin/python3 - <<'END' || fail "-y,r: recorded"
from seconds import *
assert [e["kind"] for e in log("t.er") if e["kind"] in ("pause", "resume")] == ["pause"]
assert [e["label"] for e in events("t.er", "sample") if "fork" not in e["label"]] == ["start", "pause", "signal", "end"], events("t.er", "sample")
assert abs(recorded("t.er") - 0.2) < 0.03, recorded("t.er")
assert len(events("t.er", "cwarn")) == 1, events("t.er", "cwarn")
END

# The processes that it starts ignore the signals that it ignores; they are not followed here, because /proc shows our handler in their place.
talk plain ignore || fail "plain ignore: status $?"
grep -q 'SigIgn:.*2..$' out || fail "ignore: $(cat out)"
mv out plain
talk '-y USR1 -F off' ignore || fail "ignore: status $?"
diff plain out || fail "ignore: the program saw a difference"

# The program's next image and its children begin as it was: paused, then recording.
talk '-y USR1' 'turn exec' USR1 || fail "exec: status $?"
/usr/bin/python3 - <<'END' || fail "exec: recorded"
from seconds import *
import glob
for path in glob.glob("t.er/_*.er"):
    assert abs(recorded(path) - used(events(path, "exit")[-1]) + used(events(path, "sample")[0])) < 0.02, path
    assert not events(path, "pause"), path
assert len(glob.glob("t.er/_*.er")) == 2
END
talk '-y USR1' exec || fail "exec, paused: status $?"
/usr/bin/python3 -c '
from seconds import *
import glob
paths = glob.glob("t.er/_*.er")
assert len(paths) == 2 and all(recorded(path) == 0 and events(path, "pause") for path in paths), paths' ||
	fail "exec, paused: recorded"

# Waits are not ended early.
interval=off talk '-y USR1 -l USR2 -S off' 'wait' 'USR1 USR2 USR1' 'USR2 USR1' || fail "waits: status $?"
grep -q '^nanosleep 0 poll 0$' out || fail "waits: $(cat out)"
/usr/bin/python3 -c '
from seconds import *
samples = [e["label"] for e in events("t.er", "sample")]
assert "signal" in samples and "periodic" not in samples, samples' || fail "waits: samples"

# A program that takes the number itself, blocked, by sigwait or a descriptor, gets it, and no sample is taken; one that is
# only blocked is a sample when it is let through.
cat >takes.py <<'END'
import ctypes, os, signal
usr1 = {signal.SIGUSR1}
signal.pthread_sigmask(signal.SIG_BLOCK, usr1)
os.kill(os.getpid(), signal.SIGUSR1)
print("sigwait", signal.sigwait(usr1) == signal.SIGUSR1)
mask = (ctypes.c_ulong * 16)(1 << signal.SIGUSR1 - 1)
fd = ctypes.CDLL(None).signalfd(-1, mask, 0)
os.kill(os.getpid(), signal.SIGUSR1)
print("signalfd", os.read(fd, 128)[0] == signal.SIGUSR1)
os.kill(os.getpid(), signal.SIGUSR1)
print("waits", signal.sigpending() == usr1)
signal.pthread_sigmask(signal.SIG_UNBLOCK, usr1)
print("waits", signal.sigpending() == usr1)
END
rm -rf t.er
"$collect" -p off -S off -l USR1 -O said -o t.er /usr/bin/python3 takes.py >out 2>takes.err || fail "takes: status $? $(cat takes.err)"
[ "$(tr '\n' ' ' <out)" = 'sigwait True signalfd True waits True waits False ' ] || fail "takes: $(cat out)"
[ "$(grep -c 'label="signal"' t.er/log.xml)" = 1 ] || fail "takes: samples: $(grep 'kind="sample"' t.er/log.xml)"
rm -rf t.er
"$collect" -p off -S off -y USR1,r -O said -o t.er /usr/bin/python3 takes.py >out 2>takes.err || fail "takes: status $? $(cat takes.err)"
[ "$(tr '\n' ' ' <out)" = 'sigwait True signalfd True waits True waits False ' ] || fail "takes: $(cat out)"
[ "$(grep -c 'kind="pause"' t.er/log.xml)" = 1 ] || fail "takes: $(grep 'kind="pause"' t.er/log.xml)"

# -t: what its samples at both ends of the window say it used.
for window in 0.2-0.5 0.3 0.3-0 -0.4; do
	rm -rf t.er
	"$collect" -p hi -t "$window" -O said -o t.er "$program" first=0.4 second=0.4 >out || fail "-t $window: status $?"
	[ "$(cat out)" = end ] || fail "-t $window: $(cat out)"
	/usr/bin/python3 - "$window" <<'END' || fail "-t $window"
from seconds import *
marks = [e for e in log("t.er") if e["kind"] == "sample" and e["label"] in ("pause", "resume")]
if marks[0]["label"] == "pause" and sys.argv[1][0] in "0" and sys.argv[1] != "0.3":
    marks = marks[1:]
begin = used(marks.pop(0)) if marks[0]["label"] == "resume" else 0
end = used(marks.pop(0)) if marks else used(events("t.er", "exit")[0])
assert abs(recorded("t.er") - (end - begin)) < 0.003, (recorded("t.er"), begin, end)
assert not marks, marks
END
done

# -L: 66 000 frames of 16 bytes are a megabyte; one warning; the program runs on.
rm -rf t.er
"$collect" -p 0.5 -L 1 -O said -o t.er "$PROGRAMS/recurse_deep" 90000 1 4000 >out || fail "-L: status $?"
/usr/bin/python3 - <<'END' || fail "-L"
from seconds import *
import glob, os
warnings = [line for line in open("t.er/log.xml") if line.startswith("<event") and "size limit" in line]
assert len(warnings) == 1, warnings
size = sum(os.path.getsize(path) for path in glob.glob("t.er/*.events") + ["t.er/stacks"])
assert 2**20 <= size < 2**20 + 2**18, size
assert experiment.Experiment("t.er").counters()["time_paused"] > 0
END

rm -f err
# The limit is one of all processes together: each of two takes two thirds of it.
rm -rf t.er
"$collect" -p 0.5 -L 1 -O said -o t.er sh -c "'$PROGRAMS/recurse_deep' 44000 1 6000; '$PROGRAMS/recurse_deep' 44000 1 6000; :" >out || fail "-L: status $?"
/usr/bin/python3 - <<'END' || fail "-L of two processes"
from seconds import *
import glob, os
paths = ["t.er"] + glob.glob("t.er/_*.er")
assert sum(line.startswith("<event") and "size limit" in line for path in paths for line in open(path + "/log.xml")) == 1
size = sum(os.path.getsize(file) for path in paths for file in glob.glob(path + "/*.events") + [path + "/stacks"])
assert 2**20 <= size < 2**20 + 2**18, size
END

refused()
{
	local text=$1
	shift
	"$collect" "$@" true >out 2>err && fail "$*: accepted"
	grep -qF -- "$text" err || fail "$*: $(cat err)"
}
refused 'Unknown signal `NOSIG'"'" -y NOSIG
refused 'Unknown signal `99'"'" -l 99
refused 'cannot be caught' -y KILL
refused 'is used by the collector itself' -l 61
refused 'Option -y is neither SIGNAL nor SIGNAL,r' -y USR1,x
refused 'cannot be used for both samples (-l) and pause and resume (-y)' -y USR1 -l 10
refused 'start time must be earlier than end time' -t 5-3
refused 'nothing would be recorded' -t 0
refused 'Unrecognized size limit `0'"'" -L 0
refused 'a process that runs already cannot be recorded' -P 1
rm -rf p.er
"$collect" -o p.er -P 123 >out 2>err && fail "-P: accepted"
[ "$(wc -l <err)" = 1 ] && [ ! -s out ] && [ ! -e p.er ] || fail "-P: $(cat err) $(ls -d p.er)"
