#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Each command on an experiment of seven events, its whole output compared (written/reports.txt). All that is shown follows from
# the events below, from what written/known.s says of addresses and lines, and from known.c: work has 30 + 10 + 20 + 20 ms, of
# them 60 in the inlined twice, which main calls on line 14; main has 10 of its own on line 13, twice 5 of system time; 5 are no
# stack's; thread 2 has 10 of the 100. The interrupts of two ticks found the instruction after the one that they are charged to.
set -eu
[ "$(uname -m)" = x86_64 ] || { echo "the library is x86-64's"; exit 77; }
cat >known.c <<'END'
int work(int n)
{
	n *= 3;
	return n + 1;
}

static inline int twice(int n)
{
	return work(n) + work(n);
}

int main(int argc, char **argv)
{
	return twice(argc) + work(2);
}
END
as -o known.o "$TESTS/written/known.s"
ld -shared --build-id=none -Ttext=0x1000 -soname libknown.so -o libknown.so known.o
"$BUILD/tests/written/written" s.er <<END
object 401000 1000 1000 1000 $PWD/libknown.so
event thread 1 0 what=0,tid=100,clock=1 -
event thread 2 0 what=0,tid=101,clock=1 -
event clock 1 10000000 user=30000000,mode=1 401018;401000
event clock 1 20000000 user=10000000,mode=1 401018;401006
cpu 1
event clock 1 30000000 user=20000000,mode=1 40101f;401000
event clock 1 40000000 user=20000000,mode=1 401029;401000
event clock 1 50000000 user=10000000,mode=1 401013
event clock 2 60000000 system=5000000,mode=2 401018
event clock 2 70000000 user=5000000,mode=3 -
end
END
cat >compare.py <<'END'
import difflib, os, re, shlex, subprocess, sys

er_print, reports = os.environ["BUILD"] + "/bin/er_print", os.environ["TESTS"] + "/written/reports.txt"
# Words of this machine and this run.
machine = re.compile(r"(Process pid|Target|Host|Current working directory|  Target|  Host|  \d+ CPUs|  Memory)")


def shown(arguments):
    got = subprocess.run([er_print, "-setpath", "."] + arguments + ["s.er"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT)
    text = got.stdout.decode().replace(os.getcwd(), "HERE")
    text = re.sub(r"\(PID \d+\)", "(PID)", re.sub(r"^( 1 yes) +\d+ ", r"\1 PID ", text, flags=re.M))
    return [line.rstrip() for line in text.splitlines() if not machine.match(line)], got.returncode


sections = re.split(r"^@ er_print (.*)\n", open(reports).read().split("\n\n", 1)[1], flags=re.M)[1:]
wrong = 0
for arguments, expected in zip(sections[::2], sections[1::2]):
    got, status = shown(shlex.split(arguments))
    difference = list(difflib.unified_diff(expected.rstrip("\n").split("\n"), got, "expected", "shown", lineterm=""))
    if difference or status:
        wrong += 1
        print("er_print %s: status %d\n%s" % (arguments, status, "\n".join(difference)))
print("%d reports, %d wrong" % (len(sections) // 2, wrong))
sys.exit(wrong > 0 or len(sections) < 2 * 61)
END
TZ=UTC /usr/bin/python3 compare.py
