#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Scripts of short commands: which part of the time has no stack, in each of ten runs of 300 commands (four programs in turns), and
# of a build. In memory (/dev/shm), for the kernel's file systems take longer to make a file the more were just deleted.
# limit: 1200
set -eu
scratch=$(mktemp -d /dev/shm/er-tools.XXXXXX)
trap 'rm -rf "$scratch"' EXIT
# shares EXPERIMENT: percent of the total that "no stack", "process start" and "collector" have.
shares()
{
	"$BUILD/bin/er_print" -metrics e.%totalcpu:name -functions "$1" | awk '
		/<no stack>/ { none = $2 } /<process start>/ { start = $2 } /<collector>/ { collector = $2 }
		END { print none + 0, start + 0, collector + 0 }'
}
for i in $(seq 75); do
	echo 'ls /usr/bin >out; sort /etc/passwd >out; grep -c root /etc/passwd >out; awk "BEGIN { print 1 }" >out'
done >script
for run in 1 2 3 4 5 6 7 8 9 10; do
	"$BUILD/bin/collect" -O said -o "$scratch/script.$run.er" bash script
	shares "$scratch/script.$run.er"
	rm -rf "$scratch/script.$run.er"
done >scripts.txt
git clone -q "$TESTS/.." source
"$BUILD/bin/collect" -O said -o "$scratch/build.er" make -s -j2 -C source O="$scratch/build" >make.out 2>&1 || { cat make.out; exit 1; }
shares "$scratch/build.er" >build.txt
PYTHONPATH=$TESTS/verify /usr/bin/python3 -B - scripts.txt build.txt <<'END2'
import sys

from bounds import bound, finish

for title, name in ("300 commands", sys.argv[1]), ("make -j2 of er-tools", sys.argv[2]):
    runs = [[float(field) for field in line.split()] for line in open(name)]
    for run in runs:
        print("%s: no stack %.2f %%, process start %.2f %%, collector %.2f %%" % (title, *run))
    bound("%s: part of the time without a stack, the largest of %d" % (title, len(runs)), max(run[0] for run in runs), 5, "%")
finish()
END2
