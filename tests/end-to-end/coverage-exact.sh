#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The line under each report and the warnings of header, on experiments whose logs say every number: what processes used by the
# kernel's account, what their clocks recorded, and what is then missing.
set -eu
er_print=$BUILD/bin/er_print
# make PATH LINEAGE PID PPID RECORDED [COUNTER NUMBER]: an experiment that recorded so many milliseconds.
make()
{
	local path=$1 lineage=$2 pid=$3 ppid=$4 recorded=$5
	shift 5
	{
		echo "event clock 1 1000 user=${recorded}000000 -"
		echo "count time_recorded ${recorded}000000"
		[ $# -eq 0 ] || echo "count $*"
		echo end
	} | "$BUILD/tests/written/written" "$path"
	sed -i -e '/kind="\(exit\|close\|run\)"/d' -e "s/\(<process [^>]*pid=\"\)[0-9]*\(\" ppid=\"\)[0-9]*\(.*executable=\"\)[^\"]*/\1$pid\2$ppid\3\/bin\/own/" "$path/log.xml"
	say "$path" "run\" tstamp=\"0.000000000\" lineage=\"$lineage"
}
# say PATH EVENT [TEXT]
say()
{
	echo "<event kind=\"$2\">${3:-}</event>" >>"$1/log.xml"
}
# A process's own use and its children's; and that it waited, at a time, for a child.
exits()
{
	say "$1" "exit\" tstamp=\"0.900000000\" user=\"${2}000000\" system=\"0\" children=\"${3}000000"
}
waits()
{
	say "$1" "waited\" tstamp=\"$4\" pid=\"$2\" cpu=\"${3}000000"
}
closes()
{
	say "$1" "close\" tstamp=\"0.950000000\" status=\"0\" user=\"${2}000000\" system=\"0"
}
# expect LINE: under the list, at the end of header, on standard error of a delimited list, in the page.
expect()
{
	"$er_print" -functions t.er >list
	"$er_print" -header t.er >header
	"$er_print" -printmode , -functions t.er >delimited 2>err
	"$er_print" -printmode html -functions t.er >page
	if [ -z "$1" ]; then
		! grep -h 'Recorded .* of\|Warning: not rec' list header delimited err page || { echo "nothing is missing"; exit 1; }
	else
		[ "$(tail -n 2 list)" = "$(printf '\n%s' "$1")" ] || { echo "expected: $1"; tail -n 2 list; exit 1; }
		[ "$(tail -n 2 header)" = "$(printf '\n%s' "$1")" ] || { echo "header:"; tail -n 2 header; exit 1; }
		[ "$(cat err)" = "Warning: $1" ] || { echo "delimited:"; cat err; exit 1; }
		! grep -q Recorded delimited || { echo "the line is in the list"; exit 1; }
		grep -qF "<p>$1</p>" page || { echo "the page:"; tail -n 3 page; exit 1; }
	fi
	rm -rf t.er
}
warns()
{
	"$er_print" -header t.er >header
	grep -qxF "*** Warning: $1" header || { echo "header lacks: $1"; grep Warning header; exit 1; }
	! grep -q '^No warnings' header || [ "$(grep -c '^Experiment: ' header)" -gt 1 ] || { echo "no warnings?"; exit 1; }
}
static="not followed: a statically linked program"

# All is recorded, but for 10 ms of the kernel's.
make t.er '' 100 1 30
make t.er/_f1.er _f1 101 100 200
exits t.er 30 200
exits t.er/_f1.er 200 0
waits t.er 101 205 0.800000000
closes t.er 235
expect ''

# Two children of one that waited, and one that nobody waited for.
make t.er '' 100 1 30
make t.er/_f1.er _f1 101 100 200
say t.er 'cwarn" tstamp="0.1" how="exec" name="./static" pid="102' "$static"
say t.er 'cwarn" tstamp="0.2" how="spawn" name="./static" pid="103' "$static"
say t.er 'cwarn" tstamp="0.3" how="exec" name="./daemon" pid="104' "$static"
exits t.er 30 500
exits t.er/_f1.er 200 0
waits t.er 101 200 0.800000000
waits t.er 103 100 0.810000000
waits t.er 102 200 0.820000000
closes t.er 530
warns 'not recorded: ./static (process 102), a statically linked program: 0.200 CPU seconds'
warns 'not recorded: ./static (process 103), a statically linked program: 0.100 CPU seconds'
warns 'not recorded: ./daemon (process 104), a statically linked program: CPU time not known'
expect 'Recorded 0.230 of 0.530 CPU seconds; not recorded: ./static 0.300 (2 processes, a statically linked program), ./daemon (time unknown, a statically linked program)'

# The process becomes an image that is not recorded; a child of it is, and is not counted twice.
make t.er '' 100 1 10
make t.er/_f1.er _f1 101 102 40
say t.er 'cwarn" tstamp="0.1" how="exec" name="./outer" pid="102' "$static"
say t.er 'exec_start" tstamp="0.3" how="exec" name="./last' "$static"
exits t.er 10 100
exits t.er/_f1.er 40 0
waits t.er 102 100 0.810000000
closes t.er 360
warns 'not recorded: ./last (process 100), a statically linked program: 0.250 CPU seconds'
warns 'not recorded: ./outer (process 102), a statically linked program: 0.060 CPU seconds'
expect 'Recorded 0.050 of 0.360 CPU seconds; not recorded: ./last 0.250 (a statically linked program), ./outer 0.060 (a statically linked program)'

# An exec that failed is none; one whose image never began is.
make t.er '' 100 1 10
say t.er 'exec_start" tstamp="0.3" how="exec" name="./gone' "$static"
exits t.er 10 0
say t.er 'exec_error" tstamp="0.4" name="./gone" errno="2'
exits t.er 10 0
closes t.er 10
expect ''
make t.er '' 100 1 10
say t.er 'exec_start" tstamp="0.3" how="exec" name="./lost" lineage="_x1'
exits t.er 10 0
closes t.er 110
expect 'Recorded 0.010 of 0.110 CPU seconds; not recorded: ./lost 0.100 (the collector never began in it, as its environment or its privileges kept it away)'

# The clock's signal is taken away; events are lost; or a killed process has lost no more than a tick.
make t.er '' 100 1 0
exits t.er 340 0
closes t.er 340
warns "not recorded: part of own (process 100), its clock's signal did not reach the collector: 0.340 CPU seconds"
expect "Recorded 0.000 of 0.340 CPU seconds; not recorded: part of own 0.340 (its clock's signal did not reach the collector)"
make t.er '' 100 1 90 events_lost_disk 12345
exits t.er 340 0
closes t.er 340
expect 'Recorded 0.090 of 0.340 CPU seconds; not recorded: part of own 0.250 (events of it were lost); events lost: 12345 (the disk was full or the size limit was reached)'
make t.er '' 100 1 90 events_lost_memory 7
exits t.er 90 0
closes t.er 90
expect 'Recorded 0.090 of 0.090 CPU seconds; events lost: 7 (no memory for the collector)'
make t.er '' 100 1 20
make t.er/_f1.er _f1 101 100 300
exits t.er 20 309
waits t.er 101 309 0.800000000
closes t.er 329
expect ''

# Nobody asked for time in which recording was paused.
make t.er '' 100 1 50 time_paused 200000000
exits t.er 250 0
closes t.er 250
expect ''

# Children that the program waits for by system calls of its own: nameless, or the only one that is named.
make t.er '' 100 1 10
exits t.er 10 150
closes t.er 160
expect 'Recorded 0.010 of 0.160 CPU seconds; not recorded: children of own 0.150 (the collector does not see how they were started or waited for)'
make t.er '' 100 1 10
say t.er 'cwarn" tstamp="0.1" how="exec" name="./static" pid="102' "$static"
exits t.er 10 150
closes t.er 160
expect 'Recorded 0.010 of 0.160 CPU seconds; not recorded: ./static 0.150 (a statically linked program)'

# Thirty children of 2 ms that only tried to exec are 60 of 90 ms; of 2090 ms they are nothing.
for own in 30 3030; do
	make t.er '' 100 1 $own
	for pid in {201..230}; do
		waits t.er $pid 2 0.500000000
	done
	exits t.er $own 60
	closes t.er $((own + 60))
	if [ $own = 30 ]; then
		expect 'Recorded 0.030 of 0.090 CPU seconds; not recorded: children of own 0.060 (30 processes, the collector does not see how they were started or waited for)'
	else
		expect ''
	fi
done

# A tracer is told of the end of a grandchild that another one waited for.
make t.er '' 100 1 10
make t.er/_f1.er _f1 101 100 10
say t.er/_f1.er 'cwarn" tstamp="0.1" how="exec" name="./static" pid="102' "$static"
exits t.er 10 210
exits t.er/_f1.er 10 200
waits t.er 102 200 0.600000000
waits t.er/_f1.er 102 200 0.610000000
waits t.er 101 210 0.620000000
closes t.er 220
expect 'Recorded 0.020 of 0.220 CPU seconds; not recorded: ./static 0.200 (a statically linked program)'

# CPU time of processes after their last record.
make t.er '' 100 1 100
exits t.er 100 0
closes t.er 140
expect "Recorded 0.100 of 0.140 CPU seconds; not recorded: what processes did after the collector's end 0.040"

# Ten processes that lack 15 ms each, which is said of none alone, and one that has 20 ms more than the kernel's account.
ten()
{
	make t.er '' 100 1 100
	exits t.er 80 $1
	for child in 1 2 3 4 5 6 7 8 9 10; do
		make t.er/_f$child.er _f$child 10$child 100 30
		exits t.er/_f$child.er $2 0
		waits t.er 10$child $2 0.${child}00000000
	done
}
ten 450 45
closes t.er 530
expect 'Recorded 0.400 of 0.530 CPU seconds; not recorded: a little of 10 processes each 0.130'
# It is not said where it is less than 3 % of all.
ten 330 33
closes t.er 410
expect ''

# A process that a debugger traces is not clocked, and its time is named however little; a number that is another one outside.
make t.er '' 100 1 100
make t.er/_f1.er _f1 1 0 0
sed -i 's/<process pid="1"/<process pid="1" outer_pid="101"/' t.er/_f1.er/log.xml
say t.er/_f1.er 'cwarn" tstamp="0.1' 'not clocked: a debugger traces it'
exits t.er 100 9
exits t.er/_f1.er 9 0
waits t.er 101 9 0.500000000
closes t.er 109
expect 'Recorded 0.100 of 0.109 CPU seconds; not recorded: part of own 0.009 (a debugger traces it)'

# A process number that is used again; a descendant alone, of whose family nothing can be said.
make t.er '' 100 1 10
make t.er/_f1.er _f1 101 100 50
say t.er 'cwarn" tstamp="0.7" how="exec" name="./static" pid="101' "$static"
exits t.er 10 130
exits t.er/_f1.er 50 0
waits t.er 101 50 0.600000000
waits t.er 101 80 0.800000000
closes t.er 140
cp -r t.er/_f1.er alone.er
expect 'Recorded 0.060 of 0.140 CPU seconds; not recorded: ./static 0.080 (a statically linked program)'
mv alone.er t.er
expect ''
