#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Fifteen commands from a script, from standard input by "-", at the prompt, and from a script that a script calls
# give the same reports, and the reports hold what they must.
set -eu
er_print=$BUILD/bin/er_print
commands=$TESTS/end-to-end/print-commands.txt
"$BUILD/bin/collect" -p hi -O collect.said -o test.1.er "$PROGRAMS/figure_2_1" 5e7 >truth
"$er_print" -script "$commands" test.1.er >script 2>script.err
"$er_print" - test.1.er <"$commands" >stdin 2>stdin.err
echo "script $commands" >outer
"$er_print" -script outer test.1.er >outer.out 2>/dev/null
"$er_print" test.1.er <"$commands" 2>/dev/null | sed 's/^\((er_print) \|> \)*//' | sed '$d' >prompt
cmp script stdin
cmp script.err stdin.err
cmp script outer.out
# At the prompt comments are not repeated.
diff <(tail -n +2 script) prompt
printf 'Print limit set to 5\nViewmode set to machine\n' | cmp - script.err

expect()
{
	grep -qE -- "$1" script || { echo "missing in the output: $1"; cat script; exit 1; }
}
expect '^# Fifteen commands, one of each kind\.$'
expect '^Functions sorted by metric: Exclusive Total CPU Time$'
expect '^Functions sorted by metric: Inclusive User CPU Time$'
expect '^Current metrics: i\.%user:e\.user:name$'
expect '^Current Sort Metric: Inclusive User CPU Time \( i\.%user \)$'
expect '^Current metrics: e\.%totalcpu:i\.%totalcpu:name$'
expect '^============== Stack Fragment$'
expect '\+-<Total>$'
expect ' E \[<figure_2_1>\]$'
expect ' E, line [0-9]+ in "figure_2_1.c"$'
expect '^Lines sorted by metric: Exclusive Total CPU Time$'
expect '^	 *Exclusive Total CPU Time: [0-9.]+ \( *[0-9.]+%\)$'
expect ' <figure_2_1> \(.*/figure_2_1\)$'
# Five rows: the first list ends after them, with an empty line before what comes next.
[ "$(sed -n '/^Functions sorted/,/^Current/p' script | sed '/^Current/,$d' | wc -l)" -eq 11 ]

# An error in a script is said with its place, and the next command runs.
printf 'nonsense\nmetrics e.nosuch\nfsingle nosuch\nlimit x\n"open\n' >bad
status=0
"$er_print" -script bad -version test.1.er >out 2>err || status=$?
[ $status -eq 0 ] || { echo "exit status $status of a script with errors"; exit 1; }
cat >expected <<'END'
Error: Invalid command: nonsense (bad, line 1)
Error: Invalid metric specification: e.nosuch (bad, line 2)
Error: No function with given name `nosuch' found. (bad, line 3)
Error: Invalid argument to command: limit x: it must be a number, 0 for all rows (bad, line 4)
Error: a quotation mark is not closed, or there are too many words (bad, line 6)
END
diff expected err
grep -q '^er_print: ' out
