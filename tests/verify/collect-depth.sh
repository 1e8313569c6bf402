#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# collect -D: of a recursion 10 000 deep, with samples spread evenly over the depth, stacks of 200 frames are kept.
. "$TESTS/end-to-end/real.bash"
"$collect" -p hi -D 200 -O said -o test.1.er "$PROGRAMS/recurse_deep" 10000 8 >/dev/null
"$er_print" -calltree test.1.er >calltree
# Under <Truncated-stack> stand 200 frames, the last of which may have its inlined work below it.
levels=$(awk '/\+-<Truncated-stack>$/ {base = index($0, "+-"); next}
	base {at = index($0, "+-"); if (at <= base) base = 0; else if (at - base > deepest) deepest = at - base} END {print deepest / 3}' calltree)
[ "$levels" = 200 ] || [ "$levels" = 201 ] || { echo "the call tree shows $levels levels of 200"; exit 1; }
# 98 % of the levels are deeper than 200 frames; 5 standard errors of 1000 samples are 2.2 %.
"$er_print" -metrics i.totalcpu:name -functions test.1.er >functions
awk '$2 == "<Total>" {total = $1} $2 == "<Truncated-stack>" {cut = $1}
	END {print "truncated", cut, "of", total; exit !(cut > 0.958 * total && cut < total)}' functions
"$er_print" -header test.1.er | grep -q 'Stack depth at most 200 frames' || { echo "header does not say the limit"; exit 1; }
