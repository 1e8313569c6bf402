#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Balance over ranks, processes and threads: whole reports of three ranks whose values follow from the events below. Inclusive work
# has 30, 60 and 2 ms: mean 30.667, and the largest is 60 less that above it; if rank 1 alone had its 60, the mean would be 20.
# main has 40, 60 and 20.
. "$TESTS/end-to-end/print.bash"
[ "$(uname -m)" = x86_64 ] || { echo "the library is x86-64's"; exit 77; }
as -o known.o "$TESTS/written/known.s"
ld -shared --build-id=none -Ttext=0x1000 -soname libknown.so -o libknown.so known.o
# rank NAME NUMBER: writes an experiment of the rank with the events on standard input.
rank()
{
	{ printf 'object 401000 1000 1000 1000 %s\nrank 1 %s\n' "$PWD/libknown.so" "$2"; cat; echo end; } |
		"$BUILD/tests/written/written" "$1"
}
rank r0.er 0 <<'END2'
event thread 1 0 what=0,tid=100,clock=1 -
event thread 2 0 what=0,tid=101,clock=1 -
event clock 1 10000000 user=30000000,mode=1 401018;401000
event clock 2 20000000 user=10000000,mode=1 401013
event mpi 1 30000000 duration=4000000,role=1,sent=700,calls=1 401018;401000
event heap 1 31000000 what=1,address=0x1000,size=500 401018;401000
event heap 2 32000000 what=1,address=0x2000,size=40 401011
event heap 2 33000000 what=0,address=0x2000,size=40 401011
END2
rank r1.er 1 <<'END2'
event thread 1 0 what=0,tid=200,clock=1 -
event clock 1 10000000 user=60000000,mode=1 401018;401000
event mpi 1 30000000 duration=1000000,role=1,sent=100,calls=1 401011
END2
rank r2.er 2 <<'END2'
event thread 1 0 what=0,tid=300,clock=1 -
event thread 2 0 what=0,tid=301,clock=1 -
event clock 1 10000000 user=18000000,mode=1 401013
event clock 2 20000000 user=2000000,mode=1 401018;401006
event heap 2 31000000 what=1,address=0x1000,size=100 401011
END2
all=(r0.er r1.er r2.er)
is 'Current metrics: i.%totalcpu.ranks.max:i+totalcpu.ranks.maxat:i.%totalcpu.ranks.mean:i.%totalcpu.ranks.min:i+totalcpu.ranks.minat:i.%totalcpu.ranks.imbalance:name
Current Sort Metric: Inclusive Total CPU Time, Max of Ranks ( i.%totalcpu.ranks.max )
Current Sort Metric: Inclusive Total CPU Time, Imbalance of Ranks ( i.%totalcpu.ranks.imbalance )
Functions sorted by metric: Inclusive Total CPU Time, Imbalance of Ranks

Incl. Total    Incl. Total Incl. Total   Incl. Total    Incl. Total Incl. Total     Name
CPU, Max of    CPU, Rank   CPU, Mean of  CPU, Min of    CPU, Rank   CPU, Imbalance
Ranks          of Max      Ranks         Ranks          of Min      of Ranks
 sec.      %                sec.      %   sec.      %                sec.      %
0.060 100.00   1           0.040 100.00  0.020 100.00   2           0.020  50.00    <Total>
0.060 100.00   1           0.031  76.67  0.002  10.00   2           0.029  73.33    twice
0.060 100.00   1           0.031  76.67  0.002  10.00   2           0.029  73.33    work
0.060 100.00   1           0.040 100.00  0.020 100.00   2           0.020  50.00    main' \
	-metrics i.%totalcpu.ranks -sort i.totalcpu.ranks.imbalance -functions "${all[@]}"
# Five threads; a tree has the attributed values, lists of lines those of lines.
is 'Current metrics: e.totalcpu.threads.max:e+totalcpu.threads.maxat:e.totalcpu.threads.mean:e+totalcpu.threads.minat:name
Current Sort Metric: Exclusive Total CPU Time, Max of Threads ( e.totalcpu.threads.max )
Lines sorted by metric: Exclusive Total CPU Time, Max of Threads

Excl. Total  Excl. Total Excl. Total  Excl. Total  Name
CPU, Max of  CPU, Thread CPU, Mean    CPU, Thread
Threads      of Max      of Threads   of Min
 sec.                     sec.
0.060        2.1         0.024        3.2          <Total>
0.060        2.1         0.018        1.2          work, line 3 in "known.c"
0.018        3.1         0.006        1.1          main, line 13 in "known.c"
0.002        3.2         0.000        1.1          work, line 4 in "known.c"
0.                       0.                        main, line 14 in "known.c"
0.                       0.                        twice, line 9 in "known.c"

Functions Call Tree. Metric: Attributed Total CPU Time, Max of Threads

Attr. Total  Attr. Total Attr. Total  Attr. Total  Name
CPU, Max of  CPU, Thread CPU, Mean    CPU, Thread
Threads      of Max      of Threads   of Min
 sec.                     sec.
0.060        2.1         0.024        3.2          +-<Total>
0.060        2.1         0.024        3.2            +-main
0.060        2.1         0.018        1.2            |  +-twice
0.060        2.1         0.018        1.2            |  |  +-work' \
	-metrics e.totalcpu.threads.max:e.totalcpu.threads.maxat:e.totalcpu.threads.mean:e.totalcpu.threads.minat \
	-lines -calltree "${all[@]}"
# Counts and bytes; sends of 700, 100 and 0 bytes; rank 2 has no MPI event. A process is one more word for it here.
is 'Current metrics: e+mpibytessent.ranks.imbalance:e+mpibytessent.processes.maxat:e+mpisend.ranks.mean:e+mpisend:i.mpitime.ranks.max:name
Current Sort Metric: Exclusive MPI Bytes Sent, Imbalance of Ranks ( e+mpibytessent.ranks.imbalance )
Functions sorted by metric: Exclusive MPI Bytes Sent, Imbalance of Ranks

Excl. MPI Bytes  Excl. MPI      Excl. MPI   Excl. Incl. MPI  Name
Sent, Imbalance  Bytes Sent,    Sends, Mean MPI   Time, Max
of Ranks         Process of Max of Ranks    Sends of Ranks
                                                   sec.
433              1              1           2     0.004      <Total>
467              1              0           1     0.004      work
 67              2              0           1     0.004      main
  0                             0           0     0.004      twice' \
	-metrics e+mpibytessent.ranks.imbalance:e.mpibytessent.processes.maxat:e.mpisend.ranks.mean:e.mpisend:i.mpitime.ranks.max \
	-functions "${all[@]}"
# Leaks, which a pass of their own finds: of 500 bytes in work, 0, and 100 in main.
values() { "$er_print" -printmode ';' "$@" "${all[@]}" 2>/dev/null | "$TESTS/tools/rows" | tr '\t' ' ' | xargs; }
same() { [ "$2" = "$3" ] || { echo "$1: expected $2, found $3"; exit 1; }; }
same "leaks" "500 0 200 0 1 300 600 <Total> 500 0 167 0 1 333 500 work 100 2 33 0 0 67 100 main" \
	"$(values -metrics e.heapleakbytes.ranks:e.heapleakbytes -functions)"
same "leaks of threads" "500 1.1 120 0 1.2 380 <Total> 500 1.1 100 0 1.2 400 work 100 3.2 20 0 1.1 80 main" \
	"$(values -metrics e.heapleakbytes.threads -functions)"
# A filter by ranks leaves others out of the mean, 90 / 2; one by functions counts them.
mean=(-metrics i.totalcpu.ranks.mean:i.totalcpu.ranks.minat -functions)
same "two ranks" "0.050 0 <Total> 0.050 0 main 0.045 0 twice 0.045 0 work" "$(values -filters 'MRANK<2' "${mean[@]}")"
same "one function" "0.031 2 <Total> 0.031 2 main 0.031 2 twice 0.031 2 work" "$(values -filters 'LEAF IN FNAME("work")' "${mean[@]}")"
same "selected" "0.030 2 <Total> 0.030 2 main 0.016 2 twice 0.016 2 work" "$(values -thread_select 1,3:all "${mean[@]}")"
# Compared, each group has its own ranks, and parts have all.
is 'Current metrics: i.totalcpu.ranks.max:i+totalcpu.ranks.maxat:i.totalcpu.ranks.mean:name
Current Sort Metric: Inclusive Total CPU Time, Max of Ranks ( i.totalcpu.ranks.max )
Functions sorted by metric: Inclusive Total CPU Time, Max of Ranks

r0.er       r2.er       r0.er        r2.er        r0.er       r2.er
Incl. Total Incl. Total  Incl. Total  Incl. Total Incl. Total Incl. Total   Name
CPU, Max of CPU, Max of  CPU, Rank    CPU, Rank   CPU, Mean   CPU, Mean of
Ranks       Ranks delta  of Max       of Max      of Ranks    Ranks delta
 sec.         sec.                                 sec.         sec.
0.040       -0.020       0            2           0.040       -0.020        <Total>
0.040       -0.020       0            2           0.040       -0.020        main
0.030       -0.028       0            2           0.030       -0.028        twice
0.030       -0.028       0            2           0.030       -0.028        work' \
	-compare delta -metrics i.totalcpu.ranks.max:i.totalcpu.ranks.maxat:i.totalcpu.ranks.mean -functions r0.er r2.er
# Colours of a picture: the hover text tells the imbalance of a frame.
. "$TESTS/end-to-end/pictures.bash"
"$er_print" -metrics i.totalcpu -picture palette=inclusive:by=totalcpu.ranks.imbalance -flamegraph colours.svg "${all[@]}" >said
grep -qF 'work (0.092 sec., 76.67%; inclusive Total CPU Time, Imbalance of Ranks 0.029 sec.)' colours.svg || { cat colours.svg; exit 1; }
ends 1 "Error: picture by=totalcpu.ranks.maxat: no colours tell Total CPU Time, Rank of Max" \
	-metrics i.totalcpu -picture palette=inclusive:by=totalcpu.ranks.maxat -flamegraph x.svg "${all[@]}"
ends 1 "Error: picture by=totalcpu.ranks.max: a balance colours flame graphs, icicles and sandwiches as SVG or PNG only, and no difference" \
	-metrics i.totalcpu -picture palette=inclusive:by=totalcpu.ranks.max -flamegraph x.html "${all[@]}"
ends 1 "Error: totalcpu.ranks.max does not add up along call paths, so that it cannot be drawn: choose another metric with sort" \
	-metrics i.totalcpu.ranks.max -flamegraph x.svg "${all[@]}"
# Functions that have nothing of what is shown have no row: of calls that were traced, also those that only called who made them.
same "rows of sends" "2 <Total> 1 main 1 work" "$(values -metrics e.mpisend -functions)"
same "rows of samples" "0.120 <Total> 0.092 work 0.028 main 0. twice" "$(values -metrics e.totalcpu -functions)"
same "tree of sends" "2 +-<Total> 2 +-main 1 | +-twice 1 | | +-work" "$(values -metrics i.mpisend -calltree)"
same "of rank 1" "1 <Total> 1 main" "$(values -metrics e.mpisend -filters MRANK==1 -functions)"
ends 1 "Error: Invalid metric specification: i.states.ranks: states has no balance" -metrics i.states.ranks "${all[@]}"
ends 1 "Error: Invalid metric specification: i.totalcpu.ranks.most: the balance of totalcpu is one of .ranks .processes .threads, and \
then one of .max .maxat .mean .min .minat .imbalance or nothing" -metrics i.totalcpu.ranks.most "${all[@]}"
ends 1 "Error: Invalid metric specification: totalcpu.ranks: a flavour (e, i) and a visibility (. + % !) must stand before the name" \
	-metrics totalcpu.ranks "${all[@]}"
