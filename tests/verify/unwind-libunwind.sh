#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A second unwinder, libunwind: where it is asked for, its stacks are recorded, or stand beside the recorded ones. On real
# programs every difference between the two has a class that tables and code tell, and every 20th sample is checked from
# outside by elfutils' unwinder as well. The program does not see that libunwind is there.
# limit: 400
set -u
. "$TESTS/end-to-end/unwinders.bash"
grep -q "unwinder: the collector's own; libunwind's stacks, which are not safe to take, are recorded beside" said || fail "-n does not say it: $(cat said)"

# One line and no experiment for a name that there is not; the variable is not the target's.
ER_TOOLS_UNWINDER=libdw "$collect" -o none.er true >said 2>&1 && fail "libdw was taken"
[ "$(cat said)" = "collect: ER_TOOLS_UNWINDER is neither \"libunwind\" nor \"both\": \`libdw'" ] || fail "$(cat said)"
[ ! -e none.er ] || fail "an experiment was made"
seen=$(ER_TOOLS_UNWINDER=both "$collect" -A off -O /dev/null -o env.er sh -c 'echo ${ER_TOOLS_UNWINDER-unset}')
[ "$seen" = unset ] || fail "the target sees the variable: $seen"

"$TESTS/tools/workload" text 3 >text
"$TESTS/tools/workload" sql 600 >script.sql
"$TESTS/tools/workload" python 60 >program.py
"$TESTS/tools/workload" c 60 >big.i
check xz 100 xz -6 -T2 --block-size=1MiB -kc text
check sqlite3 100 sqlite3 :memory: '.read script.sql'
check python3 100 /usr/bin/python3 program.py
check cc1 100 "$(gcc -print-prog-name=cc1)" -quiet -O2 big.i -o /dev/null
check cxx 100 "$PROGRAMS/sort_shapes" 300

# Its stacks alone: complete, in all of the program's own processes, and said.
ER_TOOLS_UNWINDER=libunwind "$collect" -A off -O said -p hi -o alone.er sqlite3 :memory: '.read script.sql' >alone.out || fail "status $?"
cmp -s sqlite3.plain alone.out || fail "by libunwind: the output is not that of the plain run"
"$BUILD/bin/er_print" -header alone.er >header
grep -q 'Unwinder: libunwind, which is not safe in signal handlers' header || fail "the header does not say it"
awk '/clock ticks recorded/ { ticks = $1 } /captured from leaf/ { complete = $1 } /taken by libunwind/ { taken = $1 }
	END { print ticks, complete, taken; exit !(ticks > 100 && taken == ticks && complete > 0.99 * ticks) }' header ||
	fail "not all stacks are libunwind's, or not complete"
"$BUILD/bin/er_print" -functions alone.er >functions
grep -q ' sqlite3_step$' functions || fail "sqlite3_step is not among the functions"

# An exception is thrown and caught by the program's own run-time.
LD_DEBUG=bindings ER_TOOLS_UNWINDER=both ER_TOOLS_LAUNCH=exec "$collect" -A off -O said -p hi -o bound.er "$PROGRAMS/sort_shapes" 2 >bound 2>&1
grep -q 'libunwind.so.8' bound || fail "libunwind was not loaded"
! grep -E "to .*libunwind.so.8 .*symbol .(_Unwind|__)" bound | grep -v 'binding file [^ ]*libunwind.so.8 ' | grep . || fail "its functions replace the program's"
exit $failed
