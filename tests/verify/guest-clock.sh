#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# `collect` with no option on arm64: a program that ran there unprofiled and profiled, what er_print shows there, and the same
# from the experiment on this machine.
# limit: 600
. "$TESTS/end-to-end/guest.bash"
on_guest -t 500 <<'SCRIPT' || exit
cp $PROGRAMS/torture-gcc-none app
./app depth200 0.5 >plain.txt || exit
collect ./app depth200 0.5 >app.txt 2>collect.txt || exit
er_print -functions test.1.er >functions.txt || exit
er_print -header -objects test.1.er >objects.txt || exit
er_print -disasm spin test.1.er >disasm.txt || exit
SCRIPT
cd out || exit
cat functions.txt
cmp plain.txt app.txt || exit
# The program's own clock ran half a second; the loader's and the C library's start are the rest.
awk '$5 == "<Total>" { total = $1 } $5 == "spin" { spin = $1 } $5 == "outer_depth200" { outer = $3 }
	END { exit !(total >= 0.5 && total < 0.6 && spin > 0.95 * total && outer > 0.95 * total) }' functions.txt ||
	{ echo "0.5 seconds, all in spin under outer_depth200, were expected"; exit 1; }
grep -q "architecture .aarch64'" objects.txt || { echo "the header does not name the architecture"; exit 1; }
sed -n 's/.*Stacks: .* captured, \([0-9.]*\) % complete.*/\1/p' objects.txt | awk '$1 >= 95 { found = 1 } END { exit !found }' || { echo "not all stacks are complete"; exit 1; }
grep -qE '## .*\b(add|mul|madd|eor|cmp|b\.ne|subs)\b' disasm.txt || { echo "no hot arm64 instruction"; head -40 disasm.txt; exit 1; }
# Here the same functions and times, with the symbols that the experiment's copies have.
"$BUILD/bin/er_print" -functions test.1.er >here.txt 2>&1 || { cat here.txt; exit 1; }
diff functions.txt here.txt
# Instructions of another architecture: as many disassemblers as this er_print was built with, else one line.
"$BUILD/bin/er_print" -disasm spin test.1.er >disasm-here.txt 2>&1
grep -qE '## ' disasm-here.txt || { [ "$(wc -l <disasm-here.txt)" -eq 1 ] && grep -q 'AArch64 code cannot be disassembled' disasm-here.txt; } ||
	{ echo "neither instructions nor one line about them"; head -5 disasm-here.txt; exit 1; }
