#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The collector API, from C, C++ and Fortran, linked dynamically and statically: without collect it does nothing; with it
# samples, pauses of the process and of a thread, the end of the experiment and announced code are what the program's own clocks
# and getrusage say.
# measures CPU time between calls of a real run
set -u
collect=$BUILD/bin/collect
export er_print=$BUILD/bin/er_print PYTHONPATH=$TESTS/oracle PYTHONDONTWRITEBYTECODE=1
fail()
{
	echo "$*"
	exit 1
}
api=$TESTS/../libcollector/api
flags="-O2 -g -I $api"
dynamic="-L $BUILD/lib -lcollectorAPI -Wl,-rpath,$BUILD/lib"
gcc $flags -std=gnu17 -D_GNU_SOURCE -o program "$TESTS/programs/collector_api.c" $dynamic -lpthread || fail "cannot build"
gcc $flags -std=gnu17 -D_GNU_SOURCE -o program-static "$TESTS/programs/collector_api.c" "$BUILD/lib/libcollectorAPI.a" -lpthread ||
	fail "cannot build with the static library"

# Without collect all calls are there and do nothing.
for program in program program-static; do
	./$program sample=one pause tpause sample=two resume tresume jit=0.01 made unload terminate sample=three fork work=0.01 first \
		>plain || fail "$program: status $?"
	[ "$(awk '{ print $1 }' plain | tr '\n' ' ')" = "sample sample made sample first " ] || fail "$program: $(cat plain)"
done

cat >check.py <<'END2'
import experiment, os, re, subprocess, sys
def attributes(line):
    return dict(re.findall(r'(\w+)="([^"]*)"', line))
def events(kind, path="t.er"):
    return [e for e in map(attributes, filter(lambda l: l.startswith("<event"), open(path + "/log.xml"))) if e["kind"] == kind]
def recorded(path="t.er", thread=0):
    return sum(e["user"] + e["system"] for e in experiment.Experiment(path).events("clock")
        if not thread or e.thread == thread) / 1e9
def used(event):
    return (int(event["user"]) + int(event["system"])) / 1e9
def paused(path="t.er"):
    return experiment.Experiment(path).counters()["time_paused"] / 1e9
def said(name):
    return [float(line.split()[1]) for line in open("out") if line.split()[0] == name]
def functions(*arguments):
    table = subprocess.run([os.environ["er_print"], "-metrics", "e.totalcpu:i.totalcpu:name", *arguments, "t.er"],
        capture_output=True, text=True, check=True).stdout
    return {name: (float(e), float(i)) for e, i, name in re.findall(r"^ *([0-9.]+) +([0-9.]+) +(.*)$", table, re.M)}
END2

# run PROGRAM OPTIONS WORDS...
run()
{
	local program=$1 options=$2
	shift 2
	rm -rf t.er
	"$collect" -p "${interval:-hi}" $options -O said -o t.er ./"$program" "$@" >out || fail "$*: status $?"
}

# Samples against getrusage at the same places: pages touched, sleeps. No clock, whose ticks touch pages, too.
for program in program program-static; do
	interval=off run $program '' touch=1000 sample=warm sample=before touch=500 sleep=100 sample=behind
	/usr/bin/python3 - <<'END2' || fail "samples of $program"
from check import *
# The first one also takes the pages that both kinds of samples need.
own = [line.split() for line in open("out") if line.startswith("sample")][1:]
log = [e for e in events("sample") if e.get("by") == "API"][1:]
assert [e["label"] for e in log] == ["before", "behind"] == [words[1] for words in own], log
def difference(rows, key):
    return int(rows[1][key]) - int(rows[0][key])
faults, switches = difference(own, 3), difference(own, 5)
assert 500 <= faults < 520 and switches >= 100, own
assert abs(difference(log, "minor_faults") - faults) <= 5, (log, own)
assert abs(difference(log, "voluntary_switches") - switches) <= 5, (log, own)
for words, event in zip(own, log):
    # The kernel rounds both, by pages that it has not yet counted on each CPU.
    assert abs(int(event["resident_peak"]) - int(words[7]) * 1024) <= 2**20, (words, event)
text = subprocess.run([os.environ["er_print"], "-sample_detail", "t.er"], capture_output=True, text=True, check=True).stdout
block = [b for b in text.split("Sample Number: ") if re.search(r"Start Label: before$", b, re.M) and re.search(r"End Label: behind$", b, re.M)]
assert len(block) == 1 or any(e["label"] == "periodic" for e in events("sample")), text
if block:
    assert int(re.search(r"Minor Page Faults: (\d+)", block[0]).group(1)) == difference(log, "minor_faults") - difference(log, "own_faults"), block
END2
done

# A pause of the process: the caller's time is cut where it calls.
run program '' work=0.2 first pause sample=paused work=0.3 second pause resume resume work=0.2 third
/usr/bin/python3 - <<'END2' || fail "pause"
from check import *
assert [e["kind"] for k in ("pause", "resume") for e in events(k)] == ["pause", "resume"]
assert events("pause")[0]["name"] == events("resume")[0]["name"] == "API"
marks = {e["label"]: e for e in events("sample")}
assert "paused" in marks, marks
left_out = used(marks["resume"]) - used(marks["pause"])
assert abs(paused() - left_out) < 0.003, (paused(), left_out)
assert 0 <= paused() - said("second")[0] < 0.01, (paused(), said("second"))
assert abs(recorded() + paused() - used(events("exit")[0])) < 0.003
assert "second" not in functions("-functions")
END2

# It and the signal of -y pause the same thing.
run program '-y USR1' work=0.2 first resume work=0.2 second pause work=0.2 third
/usr/bin/python3 -c '
from check import *
assert [e["name"] for e in events("pause")] == ["signal", "API"] and len(events("resume")) == 1
assert abs(recorded() - said("second")[0]) < 0.01, recorded()' || fail "pause and -y"

# A thread pauses itself, and another.
run program '' work=0.2 first tpause tpause work=0.3 second tresume work=0.1 third
/usr/bin/python3 - <<'END2' || fail "a thread's own pause"
from check import *
assert len(events("thread_pause")) == len(events("thread_resume")) == 1
assert 0 <= paused() - said("second")[0] < 0.01, (paused(), said("second"))
assert abs(recorded() + paused() - used(events("exit")[0])) < 0.003
END2
run program '' threads
/usr/bin/python3 - <<'END2' || fail "another thread's pause"
from check import *
# To within an interval of the clock at both ends; a kernel's own timers may make it 10 ms.
assert abs(paused() - said("second")[0]) < 0.025, (paused(), said("second"))
assert abs(recorded(thread=2) - said("third")[0]) < 0.025, (recorded(thread=2), said("third"))
assert recorded(thread=1) > said("first")[0], recorded(thread=1)
END2

# The end of the experiment; the program and what it makes run on.
run program '' work=0.2 first sample=before terminate sample=behind work=0.3 second pause terminate fork work=0.1 third
/usr/bin/python3 - <<'END2' || fail "terminate"
from check import *
assert said("third") and abs(recorded() - said("first")[0]) < 0.02, recorded()
assert [e["reason"] for e in events("exit")] == ["collector_terminate_expt"]
labels = [e["label"] for e in events("sample")]
assert labels[-2:] == ["before", "end"] and not os.path.exists("t.er/_f1.er"), labels
END2

# Announced code, thrice at one place; a fork child has it, too.
if [ "$(uname -m)" = x86_64 ]; then
	run program '' jit=0.3 one jit=0.3 two unload jit=0.3 three fork run=0.2 jit=0.3 four
	/usr/bin/python3 - <<'END2' || fail "announced code"
from check import *
own, own_child = functions("-filters", "EXPID==1", "-functions"), functions("-filters", "EXPID==2", "-functions")
lines = functions("-filters", "EXPID==1", "-lines")
def near(shown, name, of=said):
    # The rest, beside the loop itself, is a few calls of its clock.
    assert 0.85 * of(name)[0] < shown < of(name)[0] + 0.01, (name, shown, of(name))
for name, number in (("one", 1), ("two", 3), ("three", 6)):
    near(own[name][0], name)
    assert own[name][1] == own[name][0], own
    # The loop is the second part of the code.
    at = [key for key in lines if key.startswith(name + ", ")]
    assert f'{name}, line {number * 100 + 20} in "generated.src"' in at, at
    assert sum(lines[key][0] for key in at) > 0.999 * own[name][0] - 0.002, (at, own[name])
assert own["jit"][1] > 0.85 * sum(said(name)[0] for name in ("one", "two", "three")), own
near(own_child["three"][0], "run")
near(own_child["four"][0], "four")
assert "one" not in own_child, own_child
shown = subprocess.run([os.environ["er_print"], "-disasm", "one", "-fsingle", "one", "1", "t.er"], capture_output=True, text=True).stdout
assert "[120]" in shown and "dec " in shown and "made at run time" in shown, shown
END2
fi

cat >label.cc <<'END2'
#include "collectorAPI.h"
#include <cstdio>
int main()
{
	collector_sample("from C++ <\"&");
	collector_sample(nullptr);
	collector_func_load(nullptr, nullptr, nullptr, nullptr, 0, 0, nullptr);
	std::puts("done");
}
END2
g++ $flags -o label label.cc $dynamic || fail "C++"
cat >free.f90 <<'END2'
program labels
  implicit none
  include "libfcollector.h"
  integer(8) :: i
  real(8) :: x = 0
  character(20) :: label = "from Fortran"
  call collector_sample(label)
  call collector_pause()
  do i = 1, 100000000
    x = x + sqrt(real(i, 8))
  end do
  call collector_resume()
  call collector_sample("x")
  call collector_terminate_expt()
  call collector_sample("late")
  if (x > 0) print *, "done"
end program
END2
printf '%6s%s\n' '' 'program fixed' '' 'include "libfcollector.h"' '' 'call collector_sample("fixed form")' '' 'end' >fixed.f
gfortran $flags -o free free.f90 $dynamic && gfortran $flags -o fixed fixed.f "$BUILD/lib/libcollectorAPI.a" || fail "Fortran"
for name in label free fixed; do
	./$name >plain || fail "$name: status $?"
	rm -rf $name.er
	"$collect" -p hi -O said -o $name.er ./$name >out || fail "$name: status $?"
	diff plain out || fail "$name: another output"
done
/usr/bin/python3 - <<'END2' || fail "C++ or Fortran"
from check import *
def labels(path):
    return [e["label"] for e in events("sample", path) if e.get("by") == "API"]
assert labels("label.er") == ["from C++ &lt;&quot;&amp;", ""], labels("label.er")
assert labels("free.er") == ["from Fortran", "x"], labels("free.er")
assert labels("fixed.er") == ["fixed form"], labels("fixed.er")
left_out = [e for e in events("sample", "free.er") if e["label"] in ("pause", "resume")]
assert len(left_out) == 2 and abs(paused("free.er") - used(left_out[1]) + used(left_out[0])) < 0.003, left_out
assert paused("free.er") > recorded("free.er")
END2
