#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# `help COMMAND` prints what the manual says of every command, as mandoc reads the manual; a name that is none, of a command, a
# metric, a filter's word or a function, is answered by the nearest ones; what was not recorded is left out of a specification.
set -eu
er_print=$BUILD/bin/er_print
mandoc -T ascii "$TESTS/../man/er_print.1" | col -b >page
"$er_print" -help | sed -nE 's/^  ([A-Za-z0-9_-]+) .*/\1/p' >names
[ "$(wc -l <names)" -gt 90 ]
cat >check.py <<'END'
import os, re, subprocess, sys

def squeezed(text):  # mandoc breaks lines at hyphens, and has quotation marks of its own
    return re.sub(r"[\s`'\"]", "", text)

def run(*arguments):
    return subprocess.run([os.environ["er_print"], *arguments], capture_output=True, text=True)

page = squeezed(open("page").read())
widest = 0
for name in open("names").read().split():
    done = run("-help", name)
    assert done.returncode == 0 and not done.stderr, (name, done)
    if done.stdout.startswith(f"  {name} ") and "In .er.rc only: " in done.stdout:
        continue
    assert done.stdout.split()[0] == name and done.stdout.count("\n") > 1, done.stdout
    heading, body = done.stdout.split("\n", 1)
    assert squeezed(heading) in page and squeezed(body) in page, done.stdout
    widest = max(widest, *map(len, done.stdout.split("\n")))
assert 70 < widest <= 110, widest
assert run("-help", "gprof").stdout == run("-help", "callers-callees").stdout
assert run("-help", "fsi").stdout == run("-help", "fsingle").stdout
END
er_print=$er_print /usr/bin/python3 check.py
"$er_print" -help races | grep -q '^    Not available in this version: collect records no data races; '
"$er_print" -help dsort | grep -q '^    In .er.rc only: '
status=0
"$er_print" -help fucntions 2>err || status=$?
[ $status -eq 2 ] && grep -qx 'Error: Invalid command: fucntions (nearest: functions)' err || exit 1

"$BUILD/bin/collect" -O said -o test.1.er "$PROGRAMS/figure_2_1" 5e6 >truth
cat >script <<'END'
help functions
help lnies
metrics e.totalcpu:e.sync:i.user
metrics e.sync:i.heapleakcnt
metrics e.totlacpu
sort i.uesr
filters THRD == 1
filters durtion > 5
fsingle mian
flamegraph -x.svg
extra
metric_list more words
END
"$er_print" -script script test.1.er >out 2>err
cat >expected <<'END'
Error: Invalid command: lnies (nearest: lines) (script, line 2)
Warning: No data recorded to support metric specification: e.sync: left out (script, line 3)
Error: No data recorded to support metric specification: e.sync, i.heapleakcnt (script, line 4)
Error: Invalid metric specification: e.totlacpu (nearest: totalcpu) (script, line 5)
Error: Invalid sort specification: i.uesr (nearest: user) (script, line 6)
Error: Invalid filter specification `THRD == 1': the name THRD is not known (nearest: THRID, tid); describe lists those that are (script, line 7)
Error: Invalid filter specification `durtion > 5': the name durtion is not known (nearest: duration, function); describe lists those that are (script, line 8)
Error: No function with given name `mian' found. (nearest: main) (script, line 9)
Error: Invalid argument to command: flamegraph -x.svg: it begins with a dash (script, line 10)
Error: Invalid command: extra (script, line 11)
Warning: extra arguments to metric_list are ignored: more (script, line 12)
END
diff expected err
[ ! -e -x.svg ]
# The rest of a specification holds.
grep -q '^Current metrics: e.totalcpu:i.user:name$' out
grep -q '^    Lists the functions with the current metrics' out
