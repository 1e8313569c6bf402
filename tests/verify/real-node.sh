#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# node, whose JIT code keeps frame pointers: walks pass through it and go on by unwind tables.
. "$TESTS/end-to-end/real.bash"
command -v node >/dev/null || { echo "no node"; exit 77; }
"$TESTS/tools/workload" node 40 >program.js
like_plain test.1.er "$(readlink -f "$(command -v node)")" --perf-basic-prof program.js
complete_stacks test.1.er 98 node flagged
"$er_print" -metrics e.totalcpu:name -functions test.1.er >functions
grep -qE "fibonacci|sieve" functions || { echo "no function of the JIT is named:"; head -n 30 functions; exit 1; }
no_collector test.1.er
