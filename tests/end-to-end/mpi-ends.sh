#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# limit: 240
# However ranks end: collect ends as mpirun does, every call that returned is recorded, and the one that did not is named.
. "$TESTS/end-to-end/mpi.bash"
need mpicc.openmpi mpirun.openmpi
mpicc.openmpi -O1 -o ends "$TESTS/programs/mpi/ends.c" || exit 1

# end HOW STATUS: 100 messages of 4 bytes each way came before.
end()
{
	local how=$1 status=$2
	shift 2
	"$collect" -M OMPI -o "$how.er" mpirun.openmpi "$@" -np 2 -- ./ends "$how" >/dev/null 2>&1
	same "$how: status" "$status" $?
	same "$how: messages" "200 800 200 800" "$(totals "$how.er" | cut -d' ' -f1-4)"
	"$er_print" -header 1 "$how.er" >header
	grep -qxF "MPI launcher: 'mpirun.openmpi $*${*:+ }-np 2 -- ./ends $how'" header || fail "$how: $(cat header)"
	grep -qxE "Process pid [1-9][0-9]*, exit status $status" header || fail "$how: $(cat header)"
	grep -qxF "Current working directory: $PWD" header || fail "$how: $(cat header)"
	grep -q "0-bit\|''" header && fail "$how: $(cat header)"
	same "$how: kept" "0: 100 400 100 400 1: 100 400 100 400" "$(kept "$how.er" | cut -d' ' -f1-5 | paste -sd' ')"
}
end well 0
end abort 42
end segv 139
end exit 3
end _exit 5
end kill 137
end hang 110 --timeout 3
"$er_print" -header all hang.er | grep -c 'was in MPI_Recv, peer [01], tag 999' | grep -qx 2 || fail "the calls in which ranks hung are not named"
# They are calls with the time until the end, which for both ranks is 3 s of the launcher's patience less what it took to begin.
"$er_print" -printmode ';' -mpi_functions hang.er 2>said | "$TESTS/tools/rows" | awk -F'\t' '$NF ~ /^MPI_Recv / {print $1, ($2 > 3 && $2 < 7)}' | grep -qx '2 1' ||
	fail "the calls in which ranks hung are no calls: $("$er_print" -mpi_functions hang.er)"
grep -q 'Calls that had not returned when the recording ended: 2;' said || fail "hang: nothing is said of open calls: $(cat said)"
"$er_print" -header all well.er | grep -q 'was in MPI' && fail "a rank that ended well is in a call"
"$er_print" -header all abort.er | grep -q 'was in MPI_Abort' || fail "MPI_Abort is not where the rank ended"

# Ranks outlive an mpirun that is killed: who they are is said, and what they do is there to be read.
"$collect" -M OMPI -o orphans.er mpirun.openmpi -np 2 -- ./ends hang >/dev/null 2>said &
collector=$!
waiting() { "$er_print" -header all orphans.er 2>/dev/null | grep -c 'was in MPI_Recv, peer [01], tag 999'; }
for ((try = 0; try < 200; try++)); do [ "$(waiting)" = 2 ] && break; sleep 0.1; done
pkill -9 -P $collector -f '^[^ ]*mpirun' || fail "there is no mpirun"
wait $collector
same "mpirun was killed: status" 137 $?
"$er_print" -header 1 orphans.er | grep -qxE "Process pid [1-9][0-9]*, ended by signal 9" || fail "mpirun was killed: not in header"
ranks=$(sed -n 's/.*: M_r[01].er still runs (process \([0-9]*\)) .*/\1/p' said)
same "mpirun was killed: ranks that still run" 2 "$(echo "$ranks" | wc -w)"
same "mpirun was killed: what they wait in" 2 "$(waiting)"
same "mpirun was killed: messages" "200 800 200 800" "$(totals orphans.er | cut -d' ' -f1-4)"
# shellcheck disable=SC2086
kill -9 $ranks || fail "the ranks did not run: $(cat said)"

# A limit stops events, not totals.
limited()
{
	VT_MAX_FLUSHES=1 VT_BUFFER_SIZE=1 "$collect" -M OMPI -o limited.er mpirun.openmpi -np 2 -- "$@" >/dev/null 2>said
}
mpicc.openmpi -O2 -o many "$TESTS/programs/mpi/many.c" && limited ./many || fail "limited: status $?"
same "limited: kept" "0: 200000 800000 200000 800000 1: 200000 800000 200000 800000" "$(kept limited.er | cut -d' ' -f1-5 | paste -sd' ')"
same "limited: said" 2 "$(grep -c 'MPI tracing stopped' said)"
"$er_print" -header all limited.er | grep -c 'the MPI trace is incomplete' | grep -qx 2 || fail "header does not say that the trace is incomplete"
# Each list says below itself what the ranks lack: all calls but those that are events (MPI_Sendrecv has one send, the others none).
traced=$("$er_print" -metrics e.mpisend:e.mpiother:name -functions limited.er | awk '/<Total>$/ { print $1 + $2 }')
for list in functions mpi_matrix mpi_messages; do
	"$er_print" -limit 1 -metrics e.mpisend:name -$list limited.er | sed -n 's/^Recorded .*; events lost: \([0-9]*\) (a limit was reached.*/\1/p'
done >lost
calls=$("$er_print" -mpi_functions limited.er | awk '$NF ~ /\)$/ { sum += $1 } END { print sum }')
same "limited: lost, as functions, mpi_matrix and mpi_messages say" "$((calls - traced)) $((calls - traced)) $((calls - traced))" "$(xargs <lost)"
"$er_print" -header all limited.er | grep -A2 'M_r[01].er$' | grep 'No warnings' && fail "header: no warnings for a cut trace"
[ "$(stat -c %s limited.er/M_r0.er/mpi.events)" -lt 1300000 ] || fail "the limit did not hold"

# MPI_Init that fails ends the processes, and they have no rank.
OMPI_MCA_pml=none "$collect" -M OMPI -p off -o none.er mpirun.openmpi -np 2 -- ./ends well >/dev/null 2>&1 && fail "MPI_Init did not fail"
same "MPI_Init failed" "none M_r0.er none M_r1.er" "$("$er_print" -mpi_ranks none.er | awk '/M_r[01]/ { print $8, $9 }' | xargs)"

# No "--", a list of programs, and what is no MPI.
"$collect" -M OMPI mpirun.openmpi -np 2 ./ends well 2>&1 | grep -q '"--" must stand' || fail "no -- is not an error"
"$collect" -M OMPI mpirun.openmpi --app list -- ./ends 2>&1 | grep -q 'not supported' || fail "--app is accepted"
ls -d test.*.er 2>/dev/null && fail "an error left an experiment"
verdict
