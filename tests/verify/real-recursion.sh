#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A recursion 10 000 deep, stripped and not: complete stacks, and a call tree of all its levels.
. "$TESTS/end-to-end/real.bash"
strip -o program "$PROGRAMS/recurse_deep"
stripped ./program
like_plain stripped.er ./program 10000 8
complete_stacks stripped.er 99.5 "10 000 deep, stripped"
starts_at_main stripped.er 99.5
like_plain test.1.er "$PROGRAMS/recurse_deep" 10000 8
complete_stacks test.1.er 99.5 "10 000 deep"
no_collector stripped.er
# Each level of the deepest stack is a line of the tree. Of a thousand samples spread evenly over the depth the deepest is
# below level 9900 all but once in twenty thousand runs.
"$er_print" -calltree test.1.er >calltree
levels=$(grep -cE "\+-descend$" calltree)
[ "$levels" -ge 9900 ] && [ "$levels" -le 10001 ] || { echo "the call tree shows $levels levels of 10 000"; exit 1; }
# The recursion is counted once: its inclusive time is not more than the total.
"$er_print" -metrics i.totalcpu:name -functions test.1.er >functions
awk '$2 == "<Total>" {total = $1} $2 == "descend" {inside = $1}
	END {print "descend inclusive", inside, "of", total; exit !(inside > 0.98 * total && inside <= total)}' functions
