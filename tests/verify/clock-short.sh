#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# limit: 400
# 2000 threads of 5 ms and 200 children of 50 ms, with perf and without.
. "$TESTS/end-to-end/clock.bash"
for interval in on hi; do
	run "short-$interval" -- -p "$interval" -- short 2000 5000
	check "short-$interval" total
done
run short-refused "$PROGRAMS/refuse_perf" EPERM -- -p hi -- short 2000 5000
check short-refused total
run children -- -p hi -- children 200 50000
check children total
run children-refused "$PROGRAMS/refuse_perf" EACCES -- -p on -- children 200 50000
check children-refused total
