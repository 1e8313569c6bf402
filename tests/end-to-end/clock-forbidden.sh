#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A program that forbids itself the processor's counter (PR_SET_TSC) runs as without us, and its time, allocations, child and thread
# are recorded in order.
# measures CPU time and the order of events of a real run
set -u
fail()
{
	echo "$*"
	exit 1
}
"$PROGRAMS/forbidden_counter" >plain
case $? in
0) ;;
77) echo "the counter cannot be forbidden here"; exit 77 ;;
*) fail "plain: status $?" ;;
esac
for options in "-p hi" "-p hi -H on -s all -i on"; do
	"$BUILD/bin/collect" $options -O said -o test.er "$PROGRAMS/forbidden_counter" >out || fail "$options: status $?"
	total=$("$BUILD/bin/er_print" -metrics e.totalcpu:name -functions test.er | awk '$NF == "<Total>" { print $1 }')
	echo "$options: $(cat out) ms used, $total s recorded"
	awk -v used="$(cat out)" -v total="$total" 'BEGIN { exit !(total >= 0.85 * used / 1000 && total <= 1.15 * used / 1000 + 0.02) }' ||
		fail "the total"
	"$BUILD/bin/er_print" -header test.er | grep 'Warning' | grep -v 'No warnings' && fail "warnings"
	[ "$options" = "-p hi" ] && rm -rf test.er
done
PYTHONPATH=$TESTS/oracle /usr/bin/python3 - <<'END' || fail "times"
from experiment import Experiment
events = Experiment("test.er").events("heap")
sizes = [(event.time, event["size"]) for event in events if event["size"] in (111, 222, 333)]
assert [size for _, size in sorted(sizes)] == [111, 222, 333], sizes
# Behind the first allocation 200 ms of work, a child's 100 and a thread's 100, as the counter itself says in the end.
rate = (sizes[-1][0] - sizes[0][0]) / 0.4
assert 0.5e9 < rate < 8e9, rate
END
