#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Exit statuses and messages of the command line; where output goes.
set -eu
er_print=$BUILD/bin/er_print
"$BUILD/bin/collect" -p hi -O collect.said -o test.1.er "$PROGRAMS/figure_2_1" 5e7 >truth
# ends STATUS TEXT ARGUMENTS...: stderr begins with TEXT.
ends()
{
	local status=0 expected=$1 text=$2
	shift 2
	"$er_print" "$@" >out 2>err </dev/null || status=$?
	[ $status -eq "$expected" ] || { echo "er_print $*: status $status, expected $expected"; cat err; exit 1; }
	[ "$(head -c ${#text} err)" = "$text" ] || { echo "er_print $*: expected: $text"; cat err; exit 1; }
}
ends 2 'Error: Invalid command: -xyz' -xyz test.1.er
ends 2 'Error: Ambiguous command: -c: ' -c test.1.er
ends 2 'Error: The command -races is not available in this version: collect records no data races; valgrind' -races test.1.er
ends 2 'Error: The command -dsummary is not available in this version: collect records no deadlocks' -dsummary test.1.er
ends 1 'Error: Invalid metric specification: d.totalcpu: d, data-derived, is for counters only' -metrics d.totalcpu test.1.er
ends 0 '' -compare off -machinemodel t4 -machinemodel -gmetric_list test.1.er
grep -q '^Current caller-callee metrics: ' out
ends 2 'Error: Invalid command: -fucntions (nearest: functions)' -fucntions test.1.er
# An option that stands where an argument should is no argument, and no file of its name comes to be.
ends 2 'Error: Command -flamegraph needs an argument: file.svg|file.html|-; -icicle begins with a dash' -flamegraph -icicle x.svg test.1.er
ends 2 'Error: Command -outfile needs an argument: file|-|--; -functions begins with a dash' -outfile -functions test.1.er
[ ! -e -icicle ] && [ ! -e -functions ] || exit 1
# A picture that cannot be drawn leaves the one before as it is.
echo picture >before.svg
ends 1 'Error: no picture of Total CPU Time: its total is 0 in what was loaded' -filters 'THRID==77' -flamegraph before.svg test.1.er
[ "$(cat before.svg)" = picture ]
ends 0 '' -outfile -- -sort -name -header test.1.er
grep -q '^Experiment: ' err
ends 2 'Error: Command -metrics needs an argument: specification' test.1.er -metrics
ends 2 'Error: Invalid command: -xyz' -xyz nosuch.er
ends 1 'Error: Missing experiment directory' -functions
ends 1 'Error: Missing experiment directory; usage: er_print [-script file | -command [arguments] | - | -V | -h] experiment... ("er_print -help" lists the commands, the manual is er_print(1))'
# A word that may be a number is no experiment; an experiment is no number.
ends 1 'Error: Invalid argument to command: limit 1e3: it must be a number, 0 for all rows' -limit 1e3 test.1.er
ends 1 'Error: Invalid argument to command: limit x: ' -limit x test.1.er
ends 1 'Error: Invalid argument to command: dthresh abc: it must be a number from 0 to 100' -dthresh abc test.1.er
ends 1 'Error: Invalid argument to command: header first: ' -header first test.1.er
ends 0 '' -header test.1.er
for word in -h -help --help; do
	ends 0 '' $word
	grep -q '^usage: er_print ' out && grep -q '^  functions  ' out && grep -qF 'er_print(1)' out || exit 1
done
for word in -help --help; do
	"$BUILD/bin/collect" $word >out 2>err
	grep -q '^usage: collect ' out && [ ! -s err ] || exit 1
done
ends 1 'nosuch.er: *** Error: experiment not found' -functions nosuch.er
[ ! -s out ] || { echo "reports on nothing"; exit 1; }
mkdir empty.er
ends 1 '*** Error: ' -functions empty.er
ends 1 'Error: Invalid metric specification: e.nosuch' -metrics e.nosuch -functions test.1.er
grep -q '<Total>' out
ends 1 'Error: Invalid sort specification: size' -sort size -functions test.1.er
ends 1 "Error: No function with given name \`nosuch' found." -fsingle nosuch test.1.er
ends 1 'Error: Unable to open file: /nosuch/file' -outfile /nosuch/file -functions test.1.er
ends 3 'Error: Script file cannot be opened: nosuch' -script nosuch test.1.er
ends 1 'Error: Invalid argument to command: viewmode other' -viewmode other test.1.er
ends 1 'Error: Invalid argument to command: printmode ab' -printmode ab test.1.er
ends 1 'Error: Invalid argument to command: header 9' -header 9 test.1.er
ends 1 'Error: Invalid argument to command: name odd' -name odd test.1.er
ends 1 "Error: No function or source file with given name \`nosuch' found." -source nosuch test.1.er
ends 1 'Error: <Total> has no source' -disasm '<Total>' test.1.er
ends 1 "Error: Invalid filter specification \`1+': it ends too early" -filters 1+ -functions test.1.er
grep -q '<Total>' out
ends 2 'Error: Command -filters needs an argument: expression' test.1.er -filters
ends 2 'Error: Command -pathmap needs an argument: old new' test.1.er -pathmap /a
ends 2 'Error: command -add_exp can not appear on the command line' -add_exp test.1.er test.1.er
ends 1 "Error: Unknown load object: \`nosuch'" -object_hide nosuch test.1.er
ends 0 '' -V
grep -qx 'er_print: .*' out
ends 0 '' -help
grep -q '^  callers-callees (gprof) ' out
# One experiment of two that is missing: the reports are made, and the status says it.
ends 1 'nosuch.er: *** Error: experiment not found' -functions nosuch.er test.1.er
grep -q '<Total>' out

# A file that is cut, whichever: one line says so (of whole blocks that are gone, not which file's), what is left is shown, and the status says it, too.
cut()
{
	rm -rf cut.er
	cp -r test.1.er cut.er
	truncate -s "$2" "cut.er/$1"
	ends 1 "cut.er: *** Warning: the experiment is damaged (${3:-$1}" -functions cut.er
	[ "$(wc -l <err)" -eq 1 ] || { echo "$1 at $2 is said in more than a line"; cat err; exit 1; }
	grep -q '<Total>' out
}
cut clock.events 6000
cut clock.events 3000
cut clock.events 4096 "event files are cut"
cut log.xml 300
cut log.xml 0
cut map.xml 200
cut stacks 100
cut counters 100
rm -rf cut.er
cp -r test.1.er cut.er
truncate -s 4400 cut.er/stacks
ends 1 'cut.er: *** Warning: the experiment is damaged (clock.events: a stack is missing of an event' -functions cut.er
# No share of stacks is said to be complete where not all can be read.
damaged_stacks='^  Stacks: [0-9]+ captured; the experiment is damaged, not all of them can be read$'
ends 1 'cut.er: *** Warning: the experiment is damaged (clock.events: a stack is missing of an event' -header cut.er
grep -qE "$damaged_stacks" out
# Likewise files without which the events are nothing: gone, or no regular files.
for file in stacks map.xml clock.events; do
	for kind in gone fifo link; do
		rm -rf cut.er
		cp -r test.1.er cut.er
		rm cut.er/$file
		case $kind in
		fifo) mkfifo cut.er/$file ;;
		link) ln -s "$PWD/test.1.er/$file" cut.er/$file ;;
		esac
		says=$file
		[ $file$kind != clock.eventsgone ] || says="event files are cut"
		ends 1 "cut.er: *** Warning: the experiment is damaged ($says" -functions cut.er
		[ "$(wc -l <err)" -eq 1 ] || { echo "$kind $file is said in more than a line"; cat err; exit 1; }
		ends 1 "cut.er: *** Warning: the experiment is damaged ($says" -header cut.er
		! grep 'No warnings' out || { echo "$kind $file is no warning"; exit 1; }
		grep -q '^\*\*\* Warning: the experiment is damaged' out
		[ $file != stacks ] || grep -qE "$damaged_stacks" out
	done
done
ends 0 '' -header test.1.er
grep -qx 'No warnings' out
grep -qE '^  Stacks: [0-9]+ captured, [0-9.]+ % complete' out

# Commands run in order: what is set before a report holds for it, outfile catches what follows, appendfile adds.
"$er_print" -functions -outfile one -limit 2 -functions -appendfile one -fsingle C -outfile - -objects test.1.er >out 2>/dev/null
[ "$(grep -c '<Total>' out)" -eq 2 ]
grep -q '^Objects sorted' out
[ "$(grep -c . one)" -ge 14 ]
grep -q '^Functions sorted' one
grep -qE '^	 *Exclusive Total CPU Time: ' one
"$er_print" -outfile -- -functions test.1.er 2>err >out
[ ! -s out ]
grep -q '<Total>' err

# A numbered argument that is not needed is taken; experiments may stand anywhere.
"$er_print" test.1.er -csingle C 1 -limit 1 -functions >out 2>/dev/null
grep -q '=== Callers' out
# A full device is an error, not silence.
status=0
"$er_print" -functions test.1.er >/dev/full 2>err || status=$?
[ $status -ne 0 ]
