#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Allocations that code made at run time calls, without tables, with a large frame, and other code at the same address later: each
# stack is whole and right, and an event costs no search of the stack.
# measures the cost of an event in a real run
set -eu
"$BUILD/bin/collect" -p off -H on -O said -o test.er "$PROGRAMS/run_time_code" 10000 >times || { [ $? -eq 77 ] && exit 77; cat said; exit 1; }
"$BUILD/bin/er_print" -viewmode expert -metrics i.heapalloccnt:name -calltree test.er >tree
has()
{
	grep -qE "^ *$1 [ |]*\+-$2( \(found by heuristics\))?\$" tree || { echo "no $2 with $1"; cat tree; exit 1; }
}
has 20000 enter_code
has 20000 '<Unknown>'
has 10000 allocate_in_code
has 10000 allocate_in_other_code
has 10000 allocate_direct
! grep -q 'leave_traces\|Stack-unwind-failed\|Truncated' tree || { cat tree; exit 1; }
# <Unknown> is called by enter_code, that by in_code, that by main, and nothing else stands between.
grep -A 1 'enter_code' tree | grep -q '<Unknown>' || { cat tree; exit 1; }
read -r direct first other <times
echo "$direct ns directly, $first and $other through code made at run time"
[ $((first - direct)) -lt 20000 ] && [ $((other - direct)) -lt 20000 ] || exit 1
