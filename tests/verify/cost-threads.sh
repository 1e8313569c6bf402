#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The time that recording adds to a thread that lives for a moment: one at a time and 500 at a time, by each kind of data. Medians of paired
# runs. Counters are held against a thread that opens, arms and closes the same events itself.
# limit: 600
set -eu
program=$PROGRAMS/brief_threads
for round in 1 2 3 4 5; do
	for alive in 1 500; do
		for what in nothing lock spin allocate write events; do
			echo "plain $alive $what $("$program" 3000 $alive $what)"
		done
		for pair in "-s all:lock" "-s all:spin" "-H on:allocate" "-i on:write" "-h page-faults:nothing"; do
			options=${pair%:*} what=${pair#*:}
			rm -rf test.er
			# shellcheck disable=SC2086
			echo "${options// /_} $alive $what $("$BUILD/bin/collect" -p off $options -O said -o test.er "$program" 3000 $alive "$what")"
		done
	done
done >times.txt
PYTHONPATH=$TESTS/verify /usr/bin/python3 -B - times.txt <<'END'
import collections
import statistics
import sys

from bounds import bound, finish

times = collections.defaultdict(list)
for line in open(sys.argv[1]):
    options, alive, what, microseconds = line.split()
    times[options, alive, what].append(float(microseconds))
median = {key: statistics.median(values) for key, values in times.items()}
for (options, alive, what), value in sorted(median.items()):
    if options == "plain":
        continue
    own = options.startswith("-h")
    added = value - median["plain", alive, "events" if own else what]
    bound("a thread that lives for a moment (%s), %s alive: collect -p off %s adds%s" % (what, alive, options.replace("_", " "),
        " to one that has the same events itself" if own else ""), added, 20, "us")
finish()
END
