#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The reports header, overview and experiment_list on a run with descendants, held against what the run says of itself; a
# damaged experiment is said to be damaged; an experiment without clock data is shown.
set -eu
er_print=$BUILD/bin/er_print
cat >job <<END
#!/bin/sh
"$PROGRAMS/figure_2_1" 3e7 >one
"$PROGRAMS/figure_2_1" 3e7 >two
exit 3
END
chmod +x job
status=0
"$BUILD/bin/collect" -p hi -C "a note" -O collect.said -o test.1.er ./job >/dev/null || status=$?
[ $status -eq 3 ] || { cat collect.said; exit 1; }
has()
{
	grep -qE -- "$2" "$1" || { echo "$1 lacks: $2"; cat "$1"; exit 1; }
}
"$er_print" -header test.1.er >header
has header "^  a note$"
has header "^Experiment: .*test\.1\.er$"
has header "^Target command \(64-bit\): '.*job'$"
has header "^Target command \(64-bit\): '.*figure_2_1 3e7'$"
has header "^Current working directory: $PWD$"
has header "^Host \`$(uname -n)', OS \`$(uname -s) $(uname -r)', page size $(getconf PAGESIZE), architecture \`$(uname -m)'$"
has header "^  Clock-profiling, interval = 997\.000 microsecs\.$"
has header "^    1 thread by (a perf cpu-clock event|a thread CPU-time timer), finest interval [0-9.]+ microsecs\.$"
has header "^  User and system CPU time: told apart by "
has header "^  Sampling error: [0-9]+ ticks; "
has header "^  Stacks: [0-9]+ captured, [0-9.]+ % complete"
has header "^Lost: nothing$"
has header "^Experiment Ended: "
has header "^No errors$"
# The shell and its two children, each with its own clock: their recorded time is the report's total.
"$er_print" -experiment_list test.1.er >list
[ "$(grep -c ' yes ' list)" -ge 3 ] || { cat list; exit 1; }
[ "$(grep -c '^Target command' header)" -eq "$(grep -c ' yes ' list)" ]
"$er_print" -printmode , -metrics e.totalcpu -functions -verify test.1.er >functions
grep -q '^"","Equations violated","0",' functions
total=$(sed -nE 's/^"([0-9.]+)","<Total>"$/\1/p' functions)
sed -nE 's/^  Recorded: .* user ([0-9.]+) secs\., system ([0-9.]+) secs\.$/\1 \2/p' header |
	awk -v total="$total" '{sum += $1 + $2} END {print "recorded", sum, "total", total; exit !(sum > 0 && sum - total < 0.005 && total - sum < 0.005)}'
cat one two | awk -v total="$total" '$1 == "exclusive" {sum += $3 / 1e9} END {print "measured", sum; exit !(total > sum && total < sum * 1.25 + 0.05)}'
second=$(awk '$2 == "yes" && $1 == 2 {print $3}' list)
"$er_print" -header 2 test.1.er >second
has second "^Process pid $second, "
[ "$(grep -c '^Target command' second)" -eq 1 ]
"$er_print" -overview test.1.er >overview
has overview "^  Processes     : $(grep -c ' yes ' list)$"
has overview '^    \[X\]Total CPU Time - totalcpu \(Seconds\): \[\*'"${total//./\\.}"'\]$'
has overview '^    \[ \]User CPU Time - user \(Seconds\): \['
has overview '^  Clock Profiling$'

# Many processes have the founder's header and a summary, which is the sum of the single headers.
"$BUILD/bin/collect" -p on -O collect.said -o many.er sh -c 'for i in 1 2 3 4 5 6 7 8 9 10 11; do /bin/true; done; for i in 1 2 3; do cat /dev/null; done; exit 0' >/dev/null
kill=$(find many.er -name log.xml | sort | sed -n 5p)
sed -i '/kind="exit"/d; /kind="close"/d; s,</experiment>,,' "$kill"
"$er_print" -header many.er >summary
[ "$(grep -c '^Target command' summary)" -eq 1 ]
has summary '^All 15 experiments of 1 run \(header n shows one of them, header all shows each\)$'
has summary '^Programs: true 11, cat 3, (da)?sh 1$'
"$er_print" -header all many.er >every
[ "$(grep -c '^Target command' every)" -eq 15 ]
has summary "^Not closed: $(grep -c 'experiment was not closed' every), damaged: "
for text in 'clock ticks recorded' 'nodes of the tree of calling contexts'; do
	sums=$(awk -v text="$text" 'index($0, "  " text) == 13 {sum += $1} END {print sum + 0}' every)
	[ "$(sed '1,/^All 15 experiments/d' summary | awk -v text="$text" 'index($0, "  " text) == 13 {print $1}')" = "$sums" ] || [ "$sums" = 0 ]
done
[ "$("$er_print" -header 5 many.er | grep -c '^Target command')" -eq 1 ]

# A byte of a sealed or open block is wrong: said in the header, and the rest is shown.
events=$(find test.1.er -name clock.events -size +4k -printf '%s %p\n' | sort -n | tail -n 1 | cut -d' ' -f2)
printf '\377\377\377\377' | dd of="$events" bs=1 seek=4096 conv=notrunc 2>dd.said
status=0
"$er_print" -functions -header test.1.er >damaged 2>err || status=$?
[ $status -eq 1 ]
grep -qE '^test\.1\.er.*: \*\*\* Warning: the experiment is damaged \(clock\.events: ' err
has damaged '^\*\*\* Warning: the experiment is damaged: 1 blocks'
has damaged '<Total>'

# No clock data: no metric, no crash.
"$BUILD/bin/collect" -p off -O collect.said -o off.er "$PROGRAMS/figure_2_1" 1e5 >/dev/null
"$er_print" -functions -calltree -callers-callees -lines -pcs -objects -overview -metric_list -header -verify off.er >off
has off '<Total>'
has off '^  Clock-profiling off$'
