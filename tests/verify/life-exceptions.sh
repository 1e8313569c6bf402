#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# limit: 300
# A program that throws 20 000 C++ exceptions needs at most 5 % more CPU time under -p off and 10 % more under -p hi: medians
# of pairs. Noise only adds, so one of three rounds must show it. Nothing of the unwinder is bound to the collector, which
# life-bindings.sh shows.
set -eu
cat >pairs.py <<'END'
import os, resource, statistics, subprocess
build, program = os.environ["BUILD"], os.environ["PROGRAMS"] + "/throw_through_frames"


def cpu(*command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    output = subprocess.run(command + (program, "20000"), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert b"20000 caught, 400000 destroyed" in output.stdout, output
    subprocess.run(["rm", "-rf", "t.er"], check=True)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def holds(rate, bound):
    for _ in range(3):
        ratio = statistics.median(cpu(build + "/bin/collect", "-A", "off", "-p", rate, "-o", "t.er") / cpu()
                                  for _ in range(9))
        print("-p %s: %+.1f %%" % (rate, 100 * (ratio - 1)), flush=True)
        if ratio <= bound:
            return True
    return False


assert holds("off", 1.05)
assert holds("hi", 1.10)
END
/usr/bin/python3 pairs.py
