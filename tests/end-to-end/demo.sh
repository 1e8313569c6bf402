#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# `make demo` profiles Debian's sqlite3 and prints its hot functions and a call tree that begins at _start, and draws three pictures;
# the total is within 15 % of what getrusage says, and at least 95 % of the stacks are complete.
# measures the total of a real program against getrusage
. "$TESTS/end-to-end/real.bash"
"$TESTS/tools/demo" "$BUILD" >report
experiment=$BUILD/demo/sqlite3.er
grep -q '^\$ collect -p hi -o sqlite3.er sqlite3 ' report
sed -n '/^\$ er_print -limit 15 -functions/,/^\$ er_print -calltree/p' report >functions
[ "$(awk '$1 + 0 > 0.001 && $NF ~ /^sqlite3/' functions | wc -l)" -ge 3 ] || { echo "no hot functions:"; cat functions; exit 1; }
# The first line below <Total> is the first of the tree, and has nearly all of the time.
sed -n '/^\$ er_print -calltree/,/^\$ er_print -csingle/p' report | grep -A 1 -- '+-<Total>' | tail -n 1 >first
awk '$NF == "+-_start" && $2 >= 95 { found = 1 } END { exit !found }' first || { echo "the tree begins with: $(cat first)"; exit 1; }
total_is_charged "$experiment" 15
complete_stacks "$experiment" 95 demo
# Three pictures: CPU time from the root, the bytes that malloc gave to sqlite3Malloc, and what is missing without the index.
frames() { /usr/bin/python3 "$TESTS/tools/picture_frames.py" "$BUILD/demo/$1.svg"; }
frames sqlite3 | grep -q ' sqlite3VdbeExec ('
frames memory | grep -q ' sqlite3Malloc ([0-9,]* bytes, '
frames change | grep -q '^0 .* url(#missing) missing ([0-9.]* sec. before, .*; missing after)$'
