#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every wait state of MPI is as long as the program that is late on purpose says, and names both stacks.
# measures seconds that ranks wait for each other
. "$TESTS/end-to-end/mpi.bash"
need mpicc.openmpi mpirun.openmpi
mpicc.openmpi -g -O1 -o waits "$TESTS/programs/mpi/waits.c" || exit 1
rm -rf waits.er none.er missed
"$collect" -M OMPI -o waits.er mpirun.openmpi -np 4 -- ./waits >said 2>errors || fail "collect ended with $?: $(cat errors)"
waits waits.er said | while IFS=: read -r state expected found; do
	echo "$state: $expected s, found $found s"
	awk -v a="$expected" -v b="$found" 'BEGIN {exit !(b > a * .85 && b < a * 1.15)}' || echo "$state" >>missed
done
[ ! -e missed ] || fail "missed: $(cat missed)"
same "states" 17 "$(waits waits.er said | wc -l)"

# Sorted by time; the stack that waited, and that of the late partner.
"$er_print" -limit 0 -mpi_waits waits.er >report
grep -qw '_start' report && fail "the C library's functions are in the stacks"
grep -A3 '^Late Receiver #.*of Rank 0$' report | grep -q 'send_of_two_kinds, line' || fail "no stack that waited: $(cat report)"
awk '/^Late Receiver #/ {own = 1; late = 0} /^$/ {own = 0} own && /^waited for$/ {late = 1} own && late && /^  MPI_Recv/ {found++} END {exit found != 2}' report ||
	fail "no stack that was waited for: $(cat report)"
sed -n 's/.* Wait Time = \([0-9.]*\),.*/\1/p' report >times
sort -rn times | cmp -s - times || fail "not by time: $(cat times)"
same "ten by themselves" "10 10 of $(wc -l <times) pairs of stacks; limit 0 shows all" \
	"$("$er_print" -mpi_waits waits.er | grep -c '^waited for') $("$er_print" -mpi_waits waits.er | tail -n 1)"
same "one shown" 1 "$("$er_print" -limit 1 -mpi_waits waits.er | grep -c '^waited for')"
same "one rank" "0 0 0 0" "$("$er_print" -printmode ';' -filters 'MRANK==0' -mpi_waits waits.er | "$TESTS/tools/rows" | awk -F'\t' 'NF == 6 && $6 != "Late Broadcast" {print $5}' | sort | head -n 4 | xargs)"
same "two tags" "Late Receiver" "$("$er_print" -printmode ';' -filters 'tag==3 || tag==4' -mpi_waits waits.er | "$TESTS/tools/rows" | awk -F'\t' 'NF == 6 {print $6}')"
# As metrics: of all functions as much as in the report.
metrics=e.mpilatesender:e.mpiwrongorder:e.mpilatereceiver:e.mpibarrierwait:e.mpintonwait:e.mpilatebroadcast:e.mpiearlyreduce:e.mpiearlyscan
metrics=$metrics:e.mpicreationwait:e.mpifencewait:e.mpilatepost:e.mpiearlywait:e.mpilockwait:e.mpifilewait:e.mpiendswait:name
shown=$("$er_print" -printmode ';' -metrics $metrics -functions waits.er | "$TESTS/tools/rows" -n '<Total>' -f 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15 | tr '\t' ' ')
listed=$("$er_print" -printmode ';' -mpi_waits waits.er | "$TESTS/tools/rows" | awk -F'\t' 'NF == 6 {s[$6] = $1}
	END {print s["Late Sender"], s["Late Sender, Wrong Order"], s["Late Receiver"], s["Wait at Barrier"], s["Wait at N x N"], s["Late Broadcast"], s["Early Reduce"], s["Early Scan"],
		s["Wait at Creation"], s["Wait at Fence"], s["Late Post"], s["Early Wait"], s["Lock Contention"], s["Wait at File Access"], s["Wait at Init and Finalize"]}')
same "metrics" "$listed" "$shown"

# Each wait is somebody's delay, direct or through others, and most of it is in the function that sleeps.
delays() # [FILTER]: seconds, those that sleep
{
	"$er_print" -filters "${1-}" -printmode ';' -metrics e.mpidelay:e.mpidelaychain:name -functions waits.er | "$TESTS/tools/rows" |
		awk -F'\t' '$3 == "<Total>" {all = $1 + $2} $3 == "at" {own = $1 + $2} END {printf "%.2f %.2f\n", all, own}'
}
read -r all own <<<"$(delays)"
awk -v a="$all" -v b="$own" -v w="$listed" 'BEGIN {n = split(w, s, " "); for (i = 1; i <= n; i++) t += s[i]
	print "delays " a " s, in at() " b " s, waits " t " s"; exit !(a > t - .02 && a < t + .02 && b > .85 * a)}' || fail "the delays are not the waits"
near_all() { awk -v a="$all" -v b="$2" 'BEGIN {exit !(b > a - .03 && b < a + .03)}' || fail "$1: $2 s of $all s"; }
near_all "delays by rank" "$(for rank in 0 1 2 3; do delays "MRANK==$rank"; done | awk '{s += $1} END {print s}')"
near_all "report" "$("$er_print" -printmode ';' -mpi_delays waits.er | "$TESTS/tools/rows" | awk -F'\t' 'NF == 4 {s += $1 + $2} END {print s}')"

# Each has pictures of every shape.
"$TESTS/tools/picture_kinds.py" "$er_print" waits.er './waits' mpitime mpisend mpibytessent mpireceive mpibytesrecv mpiother mpiwork mpiwait \
	mpilatesender mpiwrongorder mpilatereceiver mpibarrierwait mpintonwait mpilatebroadcast mpiearlyreduce mpiearlyscan \
	mpicreationwait mpifencewait mpilatepost mpiearlywait mpilockwait mpifilewait mpiendswait mpidelay mpidelaychain || fail "the pictures"

# A rank that waits for one that computes: its CPU time is MPI Wait, the other's is MPI Work.
mpicc.openmpi -O1 -o late "$TESTS/programs/mpi/late.c" && rm -rf late.er && "$collect" -M ompi -o late.er mpirun.openmpi -np 2 -- ./late 2>errors ||
	fail "late: $(cat errors)"
read -r _ waited all <<<"$(work_and_wait late.er 1 MPI_Recv)"
read -r worked _ computed <<<"$(work_and_wait late.er 0 compute)"
echo "rank 1 waited $waited of $all s in MPI_Recv, rank 0 worked $worked of $computed s in compute"
awk -v a="$waited" -v b="$all" 'BEGIN {exit !(b > 1.5 && a > b * .85)}' || fail "rank 1 does not wait"
same "rank 0 works" "$computed" "$worked"
# In an MPI function both are the time that it took, in which the thread did not run, too; outside they are its CPU time.
within() { awk -v a="$1" -v b="$2" 'BEGIN {exit !(b > .5 && a > b * .85 && a < b * 1.15)}'; }
for experiment in waits late; do
	read -r worked waited all <<<"$(in_mpi $experiment.er)"
	echo "$experiment: work $worked and wait $waited of MPI Time $all in MPI functions"
	within "$(awk -v a="$worked" -v b="$waited" 'BEGIN {print a + b}')" "$all" || fail "$experiment: they do not add up"
done
read -r worked waited all <<<"$(work_and_wait late.er 0 compute)"
same "no wait outside of MPI" "0. $all" "$waited $worked"
"$collect" -o none.er true >/dev/null
"$er_print" -mpi_waits none.er 2>&1 | grep -q '^Error: No MPI messages or collective operations were recorded$' || fail "no error without MPI"
verdict
