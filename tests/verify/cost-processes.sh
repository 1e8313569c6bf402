#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The CPU time that recording adds to a process that ends at once, by fork and by exec, in CPU time; and to a build, which is mostly short
# processes: make -j2 of er-tools, pairs of runs. In memory (/dev/shm), for the kernel's file systems take longer to make a file
# the more were just deleted (ext4: 0.5 ms each after a test suite).
# limit: 3600
set -eu
program=$PROGRAMS/ending_processes
scratch=$(mktemp -d /dev/shm/er-tools.XXXXXX)
trap 'rm -rf "$scratch"' EXIT
for round in 1 2 3 4 5 6 7 8 9; do
	for how in fork exec; do
		echo "plain $how $("$program" $how 200)"
		echo "preloaded $how $(LD_PRELOAD=$BUILD/lib/libcollector.so "$program" $how 200)"
		echo "collect $how $("$BUILD/bin/collect" -O said -o "$scratch/test.er" "$program" $how 200)"
		echo "own $how $("$BUILD/bin/er_print" -metrics e.totalcpu:name -functions "$scratch/test.er" |
			awk '$NF == "<collector>" { print $1 / 200 * 1e6 }') 0"
		rm -rf "$scratch/test.er"
	done
done >times.txt

# timed COMMAND...: user and system time of all processes, and time by the clock.
timed()
{
	TIMEFORMAT='%U %S %R'
	{ time "$@" >make.out 2>&1; } 2>&1
}
git clone -q "$TESTS/.." source
for round in 1 2 3 4 5 6 7 8 9; do
	for how in plain collect; do
		rm -rf "$scratch/build"
		collect=()
		[ $how = plain ] || collect=("$BUILD/bin/collect" -p on -O said -o "build.$round.er")
		read -r user system clock < <(timed "${collect[@]}" make -s -j2 -C source O="$scratch/build")
		[ -x "$scratch/build/bin/er_print" ] || { cat make.out; exit 1; }
		echo "$how $user $system $clock"
	done
done >builds.txt
PYTHONPATH=$TESTS/verify /usr/bin/python3 -B - times.txt builds.txt <<'END'
import collections
import statistics
import sys

from bounds import bound, finish

times = collections.defaultdict(list)
for line in open(sys.argv[1]):
    kind, how, microseconds, faults = line.split()
    times[kind, how].append(float(microseconds))
median = {key: statistics.median(values) for key, values in times.items()}
for how in "fork", "exec":
    print("%s: %.0f us of CPU time by itself, %.0f with the library preloaded, %.0f with collect" %
          (how, *(median[kind, how] for kind in ("plain", "preloaded", "collect"))))
    bound("start and close in a process that ends at once (%s): CPU time of the collector" % how, median["own", how], 500, "us")
    bound("a process that ends at once (%s): CPU time that collect adds" % how, median["collect", how] - median["plain", how],
          500 + median["preloaded", how] - median["plain", how], "us")
builds = [line.split() for line in open(sys.argv[2])]
cpu = [float(user) + float(system) for _, user, system, _ in builds]
clock = [float(fields[3]) for fields in builds]
for what, values in ("CPU time", cpu), ("time by the clock", clock):
    ratios = [with_us / plain for plain, with_us in zip(values[::2], values[1::2])]
    print("make -j2, %s:" % what, " ".join("%.3f" % ratio for ratio in ratios))
    bound("make -j2 of er-tools, -p on: %s, median of 9 pairs" % what, (statistics.median(ratios) - 1) * 100, 3, "%")
finish()
END
