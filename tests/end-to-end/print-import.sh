#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Folded stacks as an experiment: whole reports and pictures of examples whose every number is arithmetic, what is no folded
# stack, and files beside experiments.
. "$TESTS/end-to-end/print.bash"

# frame FILE NAME N: where the N-th frame of that name stands, how wide it is, and its value and share.
frame() { /usr/bin/python3 "$TESTS/tools/picture_frames.py" "$1" | awk -v name="$2" -v n="$3" '$5 == name && !--n { print $2, $3, $6, $7 }'; }

# The sum is 90: bar 25 + 25, main 20 of its own, foo1 15 + 25 = 44.4 %, foo2 5 + 25 = 33.3 %.
printf '%s\n' 'main 20' 'main;foo1 15' 'main;foo1;bar 25' 'main;foo2 5' 'main;foo2;bar 25' >E.folded
is 'Functions sorted by metric: Exclusive Folded Count

Excl.      Incl.       Name
Folded     Folded
Count      Count
        %          %
90 100.00  90 100.00   <Total>
50  55.56  50  55.56   bar
20  22.22  90 100.00   main
15  16.67  40  44.44   foo1
 5   5.56  30  33.33   foo2' -functions -import E.folded
is 'Callers and callees sorted by metric: Attributed Folded Count

Attr.       Name
Folded
Count
        %
============== Callers
40 100.00   main

============== Stack Fragment
15  37.50   foo1

============== Callees
25  62.50   bar' -import E.folded -csingle foo1
is 'Functions Call Tree. Metric: Attributed Folded Count

Attr.       Name
Folded
Count
        %
90 100.00   +-<Total>
90 100.00     +-main
40  44.44     |  +-foo1
25  27.78     |  |  +-bar
30  33.33     |  +-foo2
25  27.78     |  |  +-bar' -import E.folded -calltree
is 'Objects sorted by metric: Exclusive Folded Count

Excl.      Incl.       Name
Folded     Folded
Count      Count
        %          %
90 100.00  90 100.00   <Total>
90 100.00  90 100.00   <Imported>' -import E.folded -objects
is 'Experiment: E.folded
Folded stacks: 5 lines, nothing is known of the run that they are of' -import E.folded -header
"$er_print" -import E.folded -printmode , -filters 'LEAF IN FNAME("bar")' -metrics i+folded:name -functions >out
diff <(tail -n 5 out) <(printf '"%s","%s"\n' 50 '<Total>' 50 bar 50 main 25 foo1 25 foo2)

# The picture of the same: of 1180 pixels foo1 has 524.4, bar 327.8, twice; what is main's own is at the right.
"$er_print" -import E.folded -flamegraph e.svg 2>err
xmllint --noout e.svg
grep -q '<title>foo1 (40, 44.44%)</title>' e.svg
grep -q '<title>foo2 (30, 33.33%)</title>' e.svg
[ "$(frame e.svg foo1 1)" = "10.0 524.4 (40, 44.44%)" ]
[ "$(frame e.svg bar 1)" = "10.0 327.8 (25, 27.78%)" ]
[ "$(frame e.svg bar 2)" = "534.4 327.8 (25, 27.78%)" ]

# The result is the same with the lines in any order, with the line ends of another system, from a pipe.
tac E.folded | sed 's/$/\r/' >shuffled
mkdir other && cp shuffled other/E.folded
(cd other && "$er_print" -import E.folded -flamegraph ../f.svg 2>/dev/null)
cmp e.svg f.svg
"$er_print" -import <(cat E.folded) -functions >piped
diff <("$er_print" -import E.folded -functions) piped

# In seconds: shares are of the counts as they are, not of rounded ones.
sed 's/20$/2/; s/15$/1.5/; s/;bar 25$/;bar 2.5/; s/ 5$/ 0.5/' E.folded >F.folded
is 'Functions sorted by metric: Exclusive Folded Count

Excl.       Incl.      Name
Folded      Folded
Count       Count
         %         %
  9 100.00  9 100.00   <Total>
  5  55.56  5  55.56   bar
  2  22.22  9 100.00   main
1.5  16.67  4  44.44   foo1
0.5   5.56  3  33.33   foo2' -import F.folded -functions
"$er_print" -import F.folded -flamegraph g.svg 2>err
grep -q '<title>bar (2.5, 27.78%)</title>' g.svg
# Two files are summed: 90 + 9, bar 50 + 5, foo1 15 + 1.5.
is 'Functions sorted by metric: Exclusive Folded Count

Excl. Folded Incl.       Name
Count        Folded
             Count
          %          %
  99 100.00  99 100.00   <Total>
  55  55.56  55  55.56   bar
  22  22.22  99 100.00   main
16.5  16.67  44  44.44   foo1
 5.5   5.56  33  33.33   foo2' -import F.folded -import E.folded -functions
# At the prompt, and away again.
printf 'import E.folded\nimport E.folded\ndrop_exp F.folded\nfunctions\n' | "$er_print" -import F.folded - >out 2>err
grep -q '^Error: E.folded: is loaded already (standard input, line 2)$' err
grep -q '^50  55.56  50  55.56   bar$' out

# Frames are compared as wholes: siblings with a common beginning part no frame. Recursion counts once.
printf 'main 5\nmain1;x 3\nmain;y 2\n' >siblings
"$er_print" -import siblings -flamegraph s.svg 2>err
[ "$(grep -c '<title>main (' s.svg)" -eq 1 ]
grep -q '<title>main (7, 70.00%)</title>' s.svg
printf 'a;a;b;a 10\n' >recursive
"$er_print" -import recursive -printmode , -metrics i+folded:e+folded:name -functions >out
diff <(tail -n 3 out) <(printf '"10","%s","%s"\n' 10 '<Total>' 10 a 0 b)
# The seed's examples: func_b and func_c a third, func_d two thirds of the picture; 272,959 of 348,427 samples are 78.34 %.
printf 'start_thread;func_a;func_b;func_c 1\nstart_thread;func_a;func_d 2\n' >thirds
"$er_print" -import thirds -flamegraph b.svg 2>err
[ "$(frame b.svg func_b 1) $(frame b.svg func_c 1)" = "10.0 393.3 (1, 33.33%) 10.0 393.3 (1, 33.33%)" ]
[ "$(frame b.svg func_d 1)" = "403.3 786.7 (2, 66.67%)" ]
printf 'mysqld`main;mysqld`JOIN::exec 272959\nmysqld`main 75468\n' >mysql
"$er_print" -import mysql -flamegraph m.svg 2>err
grep -q '<title>mysqld`JOIN::exec (272,959, 78.34%)</title>' m.svg
# Frames too thin to see are left out, and counted.
printf 'a 999999\nb 100\nc 1\n' >thin
"$er_print" -import thin -flamegraph t.svg 2>err
grep -q '<title>b (' t.svg
! grep -q '<title>c (' t.svg || exit 1
grep -q '1 frame, 0.0001 %, not drawn' t.svg
# Names may hold anything.
printf '<a> & "b";c d <2>\xff;x  3\n' >odd
"$er_print" -import odd -flamegraph o.svg -functions >out 2>err
xmllint --noout o.svg
grep -q '   <a> & "b"$' out
# A stack of 10 000 frames.
awk 'BEGIN { for (i = 1; i < 10000; i++) printf "f%d;", i % 7; print "leaf 4" }' >deep
"$er_print" -import deep -calltree | tail -n 1 | grep -q '+-leaf$'

# Two counts in every line are two experiments to compare: a 10 -> 20, b gone, c new. What has one count somewhere has names that
# end in numbers.
printf 'main;a 10 20\nmain;b 5 0\nmain;c 0 2.5\n' >two
# The error is the root of all counts, before and after.
"$er_print" -printmode csv -import two -compare delta -metrics e+folded:i+folded:name -functions >out
diff <(sed '1d; s/\r$//' out) - <<'END'
15,7.5,6.12372436,15,7.5,6.12372436,<Total>
10,10,5.47722558,10,10,5.47722558,a
5,-5,2.23606798,5,-5,2.23606798,b
0,0,0,15,7.5,6.12372436,main
0,2.5,1.58113883,0,2.5,1.58113883,c
END
printf 'main;a 10 20\nmain;b 5 0\n; 1 2\n12 3\nmain;c 2\n' >names
"$er_print" -printmode csv -import names -metrics e+folded:name -functions >out
diff <(sed '1d; s/\r$//' out) - <<'END'
27,<Total>
20,a 10
3,12
2, 1
2,c
0,main
0,(no name)
END

# Lines that are no folded stacks are counted, and said in one line; a file without any ends with status 1.
printf 'x\nmain -4\na 1e3\n\nmain 5\n' >bad
ends 0 'bad: *** Warning: what could not be read was left out: 3 in all, line 1 is no folded stack' -import bad -functions
grep -q '^5 100.00  5 100.00   main$' out
ends 0 'bad: *** Warning: what could not be read was left out: 3 in all, line 1 is no folded stack' -import bad -header
grep -q '^\*\*\* Warning: what could not be read was left out: 3 in all, line 1 is no folded stack$' out
none='
Error: No valid experiments loaded; exiting'
ends 1 "*** Error: nosuch: No such file or directory$none" -import nosuch -functions
ends 1 "*** Error: .: Is a directory$none" -import . -functions
printf '\n\n' >empty
ends 1 "*** Error: empty: there is nothing in it that can be imported: folded stacks (frames separated by semicolons, a blank, a count), what perf script prints, a profile of pprof, or a feed of samples$none" -import empty -functions
printf 'a 9223372036854775807\nb 1\n' >large
ends 1 "*** Error: large: the sum of its counts is too large$none" -import large -functions
ends 2 'Error: Command -import needs an argument: file' -functions -import
