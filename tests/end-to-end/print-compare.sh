#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Experiments side by side: values, differences, ratios, standard errors and the test of fail_if against a second computation from
# the same folded stacks; two builds whose functions have other addresses; heap and I/O of programs that know theirs; what is
# refused.
. "$TESTS/end-to-end/print.bash"

# Texts. 90 and 163 samples: bar 25 + 25 and 95 + 25, foo2 5 + 25 and 0 + 25, foo3 new.
printf '%s\n' 'main 20' 'main;foo1 15' 'main;foo1;bar 25' 'main;foo2 5' 'main;foo2;bar 25' >E.folded
printf '%s\n' 'main 20' 'main;foo1 18' 'main;foo1;bar 95' 'main;foo3 5' 'main;foo2;bar 25' >F.folded
both=(-import E.folded -import F.folded)
is 'Functions sorted by metric: Exclusive Folded Count

E.folded   F.folded    E.folded   F.folded
Excl.      Excl.       Incl.      Incl.        Name
Folded     Folded      Folded     Folded
Count      Count       Count      Count
        %           %          %           %
90 100.00  163 100.00  90 100.00  163 100.00   <Total>
50  55.56  120  73.62  50  55.56  120  73.62   bar
20  22.22   20  12.27  90 100.00  163 100.00   main
15  16.67   18  11.04  40  44.44  113  69.33   foo1
 5   5.56    0   0.    30  33.33   25  15.34   foo2
 0   0.      5   3.07   0   0.      5   3.07   foo3' "${both[@]}" -compare on -functions
is 'Current metrics: i+folded:name
Current Sort Metric: Inclusive Folded Count ( i+folded )
Functions Call Tree. Metric: Attributed Folded Count

E.folded F.folded
Attr.    Attr.        Name
Folded   Folded
Count    Count delta
90       +73          +-<Total>
90       +73            +-main
40       +73            |  +-foo1
25       +70            |  |  +-bar
30       ~-5            |  +-foo2
25         0            |  |  +-bar
 0        +5            |  +-foo3

~ changes of up to 2 standard errors, as sampling alone makes them

Callers and callees sorted by metric: Attributed Folded Count

E.folded F.folded
Attr.    Attr.        Name
Folded   Folded
Count    Count delta
============== Callers
25       +70          foo1
25         0          foo2

============== Stack Fragment
50       +70          bar

============== Callees' \
	"${both[@]}" -compare delta -metrics i.folded -calltree -csingle bar
is 'Current metrics: e+folded:name
Current Sort Metric: Exclusive Folded Count ( e+folded )
Functions sorted by metric: Exclusive Folded Count

E.folded F.folded
Excl.    Excl.        Name
Folded   Folded
Count    Count ratio
90        x 1.811     <Total>
50        x 2.400     bar
 5        x 0.000     foo2
 0              -     foo3
15       ~x 1.200     foo1
20        x 1.000     main

~ changes of up to 2 standard errors, as sampling alone makes them' \
	"${both[@]}" -compare ratio:order=change -metrics e.folded -functions
is 'Current metrics: e+folded:name
Current Sort Metric: Exclusive Folded Count ( e+folded )
Functions with e.folded > +100%: 1 of 6

E.folded F.folded
Excl.    Excl.        Name
Folded   Folded
Count    Count delta
50       +70          bar

1 more changed by as much, but sampling alone may have made that: 200 samples a run would tell, and there are 90' \
	"${both[@]}" -compare delta -metrics e.folded -fail-if 'e.folded > +100%'

# Forty functions, in three files: every number again from the stacks, by arithmetic of its own.
/usr/bin/python3 - <<'END'
import json, math, os, random, subprocess, sys

random.seed(31)
er_print = os.environ["BUILD"] + "/bin/er_print"
names = ["f%d" % i for i in range(40)]
paths = ["main;" + ";".join(random.choice(names) for _ in range(random.randint(1, 5))) for _ in range(90)]
runs = []
for run in range(3):
    stacks = {}
    for i, path in enumerate(paths):
        weight = (i * 37 % 101 + 5) * (1, 1.12, 0.9)[run] * (1.25 if run == 1 and i % 9 == 0 else 1)
        if not (run == 0 and i % 10 == 3) and not (run == 1 and i % 10 == 7):
            stacks[path] = max(1, int(weight * 10 + random.gauss(0, math.sqrt(weight * 10))))
    runs.append(stacks)
    with open("%d.folded" % run, "w") as stream:
        for path, count in stacks.items():
            stream.write("%s %d\n" % (path, count))


def sums(stacks):
    """By function: exclusive, inclusive."""
    found = {"<Total>": [sum(stacks.values())] * 2}
    for path, count in stacks.items():
        frames = path.split(";")
        found.setdefault(frames[-1], [0, 0])[0] += count
        for name in set(frames):
            found.setdefault(name, [0, 0])[1] += count
    return found


def run(*arguments, expect=0):
    got = subprocess.run([er_print] + sum((["-import", "%d.folded" % i] for i in range(3)), []) + list(arguments),
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert got.returncode == expect, (arguments, got.returncode, got.stderr)
    return json.loads(got.stdout)


def close(a, b, what):
    assert abs(a - b) <= 1e-6 * max(1, abs(a), abs(b)), (what, a, b)


tables = [sums(stacks) for stacks in runs]
everything = set().union(*tables)
none = [0, 0]
checked = 0
for by, scales in (("none", [1, 1, 1]), ("folded", [tables[0]["<Total>"][0] / t["<Total>"][0] for t in tables])):
    for mode in ("on", "delta", "ratio"):
        report = run("-printmode", "json", "-compare", "%s:by=%s" % (mode, by), "-functions")
        assert {row["name"] for row in report["rows"]} == everything
        order = [row["e+folded"] for row in report["rows"]]
        assert order == sorted(order, reverse=True)
        for row in report["rows"]:
            for flavour, letter in enumerate("ei"):
                first = tables[0].get(row["name"], none)[flavour]
                key = letter + "+folded"
                close(row[key], first, key)
                close(row[letter + "%folded"], 100 * first / tables[0]["<Total>"][0], key)
                for g in (1, 2):
                    other, total = tables[g].get(row["name"], none)[flavour], tables[g]["<Total>"][0]
                    scaled = int(other * scales[g] + 0.5)
                    name = "%s@%d" % (key, g + 1)
                    if mode == "on":
                        close(row[name], scaled, name)
                    elif mode == "ratio":
                        assert (row[name + ".ratio"] is None) == (first == 0)
                        if first:
                            close(row[name + ".ratio"], scaled / first, name)
                    else:
                        close(row[name + ".delta"], scaled - first, name)
                        share = 1 if by == "folded" else 0
                        variance = first * (1 - share * first / tables[0]["<Total>"][0]) \
                            + other * (1 - share * other / total) * scales[g] ** 2
                        close(row[name + ".delta.error"], math.sqrt(max(0, variance)), name + " error")
                    checked += 1

# fail_if: Holm's test over all rows of both other groups.
fired = 0
for by in ("none", "folded"):
    scales = [1 if by == "none" else tables[0]["<Total>"][0] / t["<Total>"][0] for t in tables]
    for flavour, letter in enumerate("ei"):
        for sign, limit in ((">", 5), (">", 20), ("<", 10), (">", 0)):
            rows = []
            for name in everything:
                for g in (1, 2):
                    a, b = (tables[i].get(name, none)[flavour] for i in (0, g))
                    if not a and not b:
                        continue
                    share = 1 if by == "folded" else 0
                    variance = a * (1 - share * a / tables[0]["<Total>"][0]) \
                        + b * (1 - share * b / tables[g]["<Total>"][0]) * scales[g] ** 2
                    change = (b * scales[g] - a) * (1 if sign == ">" else -1)
                    z = change / math.sqrt(variance) if variance > 1e-12 else 0
                    rows.append((0.5 * math.erfc(z / math.sqrt(2)), name, change > a * limit / 100))
            rows.sort()
            expected, stopped = set(), False
            for i, (p, name, beyond) in enumerate(rows):
                stopped = stopped or p > 0.01 / (len(rows) - i)
                if not stopped and beyond:
                    expected.add(name)
            condition = "%s.folded %s %s%d%%" % (letter, sign, "+" if sign == ">" else "-", limit)
            report = run("-printmode", "json", "-compare", "delta:by=" + by, "-fail_if", condition, expect=4 if expected else 0)
            assert {row["name"] for row in report["rows"]} == expected, (by, condition, expected, report["rows"])
            fired += len(expected)
assert checked > 1000 and fired > 20, (checked, fired)
print(checked, "values,", fired, "rows of fail_if")
END

# A count of samples that is just enough by the normal distribution for one function of two (p <= 0.01 / 2: 2.575829 deviations),
# and one fewer. 1000 and 1000 + d: d / sqrt(2000 + d) >= 2.575829 from d = 119 on.
printf '%s\n' 'main 1000' >one.folded
for d in 118 119; do
	echo "main $((1000 + d))" >"$d.folded"
done
ends 0 '' -import one.folded -import 118.folded -compare delta -fail_if 'e.folded > +0%'
grep -qx '2 more changed by as much, but sampling alone may have made that: 1100 samples a run would tell, and there are 1000' out
ends 4 '' -import one.folded -import 119.folded -compare delta -fail_if 'e.folded > +0%'
ends 4 '' -import one.folded -import 119.folded -compare delta -fail_if 'e.folded > +118.5'
ends 0 '' -import one.folded -import 119.folded -compare delta -fail_if 'e.folded > +119.5'
ends 0 '' -import one.folded -import 119.folded -compare delta:by=folded -fail_if 'e.folded > +0%'

# Two builds with other addresses: known.s begins at 0x1000 and at 0x3000. In ms, before and after: work 60 and 80, main 10 and 10.
if [ "$(uname -m)" = x86_64 ]; then
	as -o known.o "$TESTS/written/known.s"
	for start in 1000 3000; do
		mkdir $start
		ld -shared --build-id -Ttext=0x$start -soname libknown.so -o $start/libknown.so known.o
	done
	"$BUILD/tests/written/written" before.er <<-END
		object 401000 1000 1000 1000 $PWD/1000/libknown.so
		event thread 1 0 what=0,tid=100,clock=1 -
		event clock 1 10000000 user=40000000,mode=1 401018;401000
		event clock 1 30000000 user=20000000,mode=1 40101f;401000
		event clock 1 50000000 user=10000000,mode=1 401013
		end
	END
	"$BUILD/tests/written/written" after.er <<-END
		object 403000 1000 1000 3000 $PWD/3000/libknown.so
		event thread 1 0 what=0,tid=200,clock=1 -
		event clock 1 10000000 user=60000000,mode=1 403018;403000
		event clock 1 30000000 user=20000000,mode=1 40301f;403000
		event clock 1 50000000 user=10000000,mode=1 403013
		end
	END
	is 'Current metrics: e.totalcpu:name
Current Sort Metric: Exclusive Total CPU Time ( e.totalcpu )
Functions sorted by metric: Exclusive Total CPU Time

before.er after.er
Excl.     Excl.      Name
Total CPU Total CPU
          delta
 sec.        sec.
0.070     ~+0.020    <Total>
0.060     ~+0.020    work
0.010       0.       main
0.          0.       twice

~ changes of up to 2 standard errors, as sampling alone makes them

Objects sorted by metric: Exclusive Total CPU Time

before.er after.er
Excl.     Excl.      Name
Total CPU Total CPU
          delta
 sec.        sec.
0.070     ~+0.020    <Total>
0.070     ~+0.020    Process 1, Thread 1

~ changes of up to 2 standard errors, as sampling alone makes them' before.er after.er -compare delta -metrics e.totalcpu -functions -Threads
	# Panels of one function, row by row.
	"$er_print" before.er after.er -printmode csv -compare delta -fsingle work 2>err >out.csv
	tr -d '\r' <out.csv | grep -E ',(Exclusive|Inclusive) (Total|User) CPU Time,|,Size,' | diff - <(printf '%s\n' \
		'work,Exclusive Total CPU Time,,,0.060000000,0.020000000,,' 'work,Inclusive Total CPU Time,,,0.060000000,0.020000000,,' \
		'work,Exclusive User CPU Time,,,0.060000000,0.020000000,,' 'work,Inclusive User CPU Time,,,0.060000000,0.020000000,,' \
		'work,Size,7,0,,,,')
	"$er_print" before.er after.er -compare ratio -overview | grep -qE '^ *0\.070000000 +x 1\.286 +Metrics +totalcpu$'
	# A sum's variance is the sum of its ticks' squares: 40, 20, 10 and 60, 20, 10 ms make an error of sqrt(2100 + 4100) ms.
	"$er_print" before.er after.er -printmode csv -compare delta -metrics e.totalcpu -functions 2>err >out.csv
	grep -q '^0.070000000,0.020000000,0.0787400787,<Total>' out.csv
	# Lines match by file and number, instructions within a build only.
	"$er_print" before.er after.er -compare delta -metrics e.totalcpu -lines -pcs -objects >out 2>err
	grep -qE '^0\.060 +~\+0\.020 +work, line [0-9]+ in "known.c"$' out
	grep -qE '^0\.060 +~-0\.060 +work \(.*/1000/libknown.so\) \+ 0x00000000$' out
	grep -qE '^0\. +~\+0\.080 +work \(.*/3000/libknown.so\) \+ 0x00000000$' out
	grep -qE '^0\.070 +~\+0\.020 +<libknown.so> ' out
	ends 0 '' before.er after.er -compare delta -fail_if 'e.totalcpu > +0.019'
	grep -qE '^2 more changed by as much, but sampling' out
	ends 0 '' before.er after.er -compare delta -fail_if 'e.totalcpu > +0.021'
	[ "$(grep -c 'more changed' out)" -eq 0 ]
	ends 1 'Error: No data recorded to support metric specification: i.sync' before.er after.er -compare delta -fail_if 'i.sync > +5%'
	# Arguments of one name are told apart by their paths.
	mkdir one two && mv before.er one/run.er && mv after.er two/run.er
	"$er_print" one/run.er two/run.er -compare on -functions 2>err | grep -qE '^one/run.er +two/run.er +one/run.er +two/run.er$'
fi

# Heap and I/O of two builds of a program that knows theirs: 20 and 30 blocks of 100 bytes that leak, 5 more that do not, and one
# of 1000 bytes in the second alone; 4 and 7 writes of 3 bytes.
cat >known.c <<'C'
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
static void *volatile keep;
__attribute__((noinline)) static void leak(int n) { while (n--) keep = malloc(100); }
__attribute__((noinline)) static void use(int n) { while (n--) { keep = malloc(50); free(keep); } }
#ifdef SECOND
__attribute__((noinline)) static void grow(void) { keep = malloc(1000); }
#endif
int main(void)
{
	int file = open("/dev/null", O_WRONLY);
#ifdef SECOND
	grow();
	leak(30);
	for (int i = 0; i < 7; i++)
#else
	leak(20);
	for (int i = 0; i < 4; i++)
#endif
		if (write(file, "abc", 3) != 3)
			return 1;
	use(5);
	return close(file);
}
C
for build in first second; do
	gcc -O1 -g -fno-builtin $([ $build = first ] || echo -DSECOND) -o known known.c
	"$BUILD/bin/collect" -p off -H on -i on -O said -o $build.er ./known
done
pair=(-compare delta first.er second.er)
"$er_print" "${pair[@]}" -heap -leaks >out
grep -qE '^25 +\+11 +2250 +\+2000 +20 +\+11 +2000 +\+2000 +<Total>$' out
grep -qE '^20 +\+10 +2000 +\+1000 +20 +\+10 +2000 +\+1000 +([^ ]*;)?main;leak$' out
grep -qE '^ 0 +\+1 +0 +\+1000 +0 +\+1 +0 +\+1000 +([^ ]*;)?main;grow$' out
grep -qE '^ 5 +0 +250 +0 +0 +0 +0 +0 +([^ ]*;)?main;use$' out
grep -qE '^20 +\+10 +2000 +\+1000 +([^ ]*;)?main;leak$' out
# Reports that are no sums of metrics are made for each build, and then joined; what the first one lacks is 0 there.
ends 0 '' "${pair[@]}" -datasize
tail -n 3 out | tr -s ' ' | diff - <(printf '%s\n' ' 5 0 250 0 0 0 0 0 16 < n <= 64' \
	'20 +10 2000 +1000 20 +10 2000 +1000 64 < n <= 256' ' 0 +1 0 +1000 0 +1 0 +1000 256 < n <= 1KB')
for report in ioactivity iocallstack; do
	"$er_print" "${pair[@]}" -printmode csv -$report >$report.csv
done
/usr/bin/python3 - <<'END'
import csv
for report in "ioactivity", "iocallstack":
    rows = list(csv.DictReader(open(report + ".csv", newline="")))
    assert len(rows) == 2, rows
    for row in rows:
        assert row["Name"] in ("<Total>", "/dev/null") or row["Name"].endswith(";main") or row["Name"] == "main", row
        assert (row["Exclusive Write Bytes, first.er"], row["Exclusive Write Bytes delta, second.er"]) == ("12", "9"), row
        assert (row["Exclusive Write Count, first.er"], row["Exclusive Write Count delta, second.er"]) == ("4", "3"), row
END
# Counts of traced events are judged as they are.
ends 4 '' "${pair[@]}" -fail_if 'e.heapleakbytes > +999'
[ "$(sed -n 's/^.*  *\(<Total>\|leak\|grow\|main\)$/\1/p' out | tr '\n' ' ')" = '<Total> leak grow ' ]
ends 4 '' "${pair[@]}" -fail_if 'e.heapleakbytes > +1999'
ends 0 '' "${pair[@]}" -fail_if 'i.heapleakbytes > +2000'
ends 4 '' second.er first.er -compare ratio -fail-if 'i.iowritecnt < -42%'
ends 0 '' second.er first.er -compare ratio -fail-if 'i.iowritecnt < -43%'
echo "fail_if i.heapleakbytes > +2000" >script
ends 0 '' "${pair[@]}" -script script
echo "fail_if i.heapleakbytes > +5%" >script
ends 4 '' "${pair[@]}" -script script
echo "fail_if i.heapleakbyte > +5%" >script
ends 1 'Error: Invalid metric specification: i.heapleakbyte (nearest: heapleakbytes, heappeakbytes, heapleakcnt) (script, line 1)' "${pair[@]}" -script script

# Parts by filters: those that are the experiments give the reports that these give, but for the names. (Threads and processes are
# numbered within groups of experiments only.)
parts=(-compare 'delta:parts=EXPGRID==1; EXPGRID == 2' first.er second.er)
for report in functions calltree callers-callees lines objects heap leaks datasize iostat ioactivity iocallstack \
	'fsingle leak' 'source known.c'; do
	# shellcheck disable=SC2086
	"$er_print" "${pair[@]}" -printmode csv -$report >groups.csv
	# shellcheck disable=SC2086
	"$er_print" "${parts[@]}" -printmode csv -$report | sed 's/EXPGRID==1/first.er/g; s/EXPGRID == 2/second.er/g' >parts.csv
	diff groups.csv parts.csv
	[ -s parts.csv ]
done
ends 4 '' "${parts[@]}" -fail_if 'e.heapleakbytes > +1999'
# An event may be of several parts, or of none, and a text in quotes may have a ';'. The filter is for all of them.
printf '%s\n' 'compare on:by=heapalloccnt:order=change:parts=FNAME("use;|leak") SOME IN STACK; HSIZE > 60;HSIZE>5000' compare \
	'metrics e.heapalloccnt:e.heapallocbytes:name' 'filters HSIZE < 500' functions >script
ends 0 'Warning: compare: HSIZE>5000 has nothing to compare it by: its values are as they are (script, line 5)' -script script first.er
grep -qx 'Compare: on:by=heapalloccnt:order=change:parts=FNAME("use;|leak") SOME IN STACK; HSIZE > 60; HSIZE>5000' err out
printf '%s\n' 'compare on:parts=FNAME("use|leak") SOME IN STACK; HSIZE > 60;HSIZE>5000' \
	'metrics e.heapalloccnt:e.heapallocbytes:name' 'filters HSIZE < 500' 'printmode csv' functions >script
ends 0 '' -script script first.er
tr -d '\r' <out | grep -E ',(<Total>|leak|use)$' | diff - <(printf '%s\n' '25,20,0,2250,2000,0,<Total>' '20,20,0,2000,2000,0,leak' '5,0,0,250,0,0,use')
# Two parts of one experiment make a difference graph.
ends 0 'Flame graph written to parts.svg' first.er -metrics i.heapallocbytes:name -compare 'on:parts=HSIZE==100;HSIZE==50' -flamegraph parts.svg
grep -q 'before: HSIZE==100, after: HSIZE==50' parts.svg
for wrong in 'on:parts=1' 'on:parts=1; ' 'on:parts=;1' 'on:parts='; do
	got=0
	"$er_print" first.er -compare "$wrong" >out 2>err || got=$?
	[ $got -eq 1 ] && grep -qE "^Error: compare parts=${wrong#*parts=}: (there must be two filters or more, with ';' between them|a filter is missing before or after ';')$" err ||
		{ echo "$wrong: $got"; cat out err; exit 1; }
done
ends 1 'Error: compare by=elapsed: parts of experiments have no elapsed time; name a metric' -compare 'on:by=elapsed:parts=1;2' first.er
ends 1 'Error: the name NOWORD is not known; describe lists those that are' -compare 'on:parts=1;NOWORD==2' first.er

# Refusals, errors, and where the setting may stand.
for command in verify 'folded x.svg'; do
	# shellcheck disable=SC2086
	ends 1 "Error: The command ${command%% *} adds all experiments up and does not compare them: say compare off before it" \
		"${pair[@]}" -$command
done
[ ! -e x.svg ]
for command in overview heapstat iostat lockdetail fsummary; do
	ends 1 "Error: The command $command compares values as they were recorded: say compare without by= before it" \
		-compare delta:by=heapalloccnt first.er second.er -$command
done
ends 0 'Warning: compare: there is but one experiment or group, and nothing to compare it with' -compare on first.er
ends 1 'Error: Invalid argument to command: compare by=nothing: metric_list lists the metrics' -compare on:by=nothing first.er second.er
ends 1 'Error: Invalid argument to command: compare sideways: it must be off, on, delta or ratio, and may go on with :by=elapsed, :by=METRIC or :by=none, :order=change or :order=base, and :parts=FILTER;FILTER' \
	-compare sideways first.er second.er
ends 1 'Error: fail_if has nothing to compare: load two experiments and say compare delta before it' first.er second.er -fail_if 'e.heapleakcnt > 5'
for condition in 'e.heapleakcnt' 'e.heapleakcnt >' 'e.heapleakcnt > -5%' 'e.heapleakcnt < 5%' 'e.heapleakcnt > 5% more' 'ei.heapleakcnt > 5'; do
	got=0
	"$er_print" "${pair[@]}" -fail_if "$condition" >out 2>err || got=$?
	[ $got -eq 1 ] && [ ! -s out ] && grep -q "^Error: Invalid argument to command: fail_if $condition: " err || { echo "$condition: $got"; cat out err; exit 1; }
done
echo 'compare delta' >.er.rc
printf 'compare\n' >script
[ "$("$er_print" -script script first.er second.er 2>err)" = 'Compare: delta' ]
printf 'compare ratio:order=change:by=heapallocbytes\ncompare\ncompare off\ncompare\n' >script
[ "$("$er_print" -script script first.er second.er 2>err)" = 'Compare: ratio:by=heapallocbytes:order=change
Compare: off' ]
