#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# limit: 120
# measures differences of clocks by messages
# Ranks whose clocks differ (another time namespace stands for another host): they are compared, nothing is received before it was
# sent; and ranks that are not recorded are not waited for.
. "$TESTS/end-to-end/mpi.bash"
need mpicc.openmpi mpirun.openmpi
unshare -T true 2>/dev/null || { echo "no time namespaces here"; exit 77; }
there="unshare -T -f --monotonic 1000"
mpicc.openmpi -O2 -o ring "$TESTS/programs/mpi/ring.c" || exit 1
# A rank that waits for an answer must not give its processor away, or clocks can be compared by milliseconds only.
export OMPI_MCA_mpi_yield_when_idle=0
# backwards EXPERIMENT: of 2000 messages
backwards() { messages "$1" | cut -d' ' -f1,4; }

"$collect" -p off -M OMPI -o near.er mpirun.openmpi -np 1 -- ./ring : -np 1 -- $there ./ring 2>errors || fail "ended with $?: $(cat errors)"
"$collect" -p off -M OMPI -o far.er mpirun.openmpi -np 1 -- $there ./ring : -np 1 -- ./ring 2>errors || fail "ended with $?: $(cat errors)"
same "rank 0 with the founder: received before sent" "2000 0" "$(backwards near.er)"
same "rank 0 elsewhere: received before sent" "2000 0" "$(backwards far.er)"
same "comparisons" 4 "$(cat {near,far}.er/*.er/log.xml | grep -c 'kind="mpi_clock"')"
same "processes whose clock was compared" "2 2" "$(for e in near far; do "$er_print" -header all $e.er | grep -c 'compared by messages between ranks, to 0.0'; done | xargs)"

# The measured offsets are those that er_print uses.
cp -r near.er wrong.er
sed -i -E '/mpi_clock/s/its_raw="[0-9]+"/its_raw="1"/' wrong.er/*.er/log.xml
[ "$(backwards wrong.er | cut -d' ' -f2)" -gt 900 ] || fail "wrong comparisons change nothing: $(backwards wrong.er)"

# One clock: nothing is sent. Not recorded: nobody waits.
"$collect" -p off -M OMPI -o one.er mpirun.openmpi -np 2 -- ./ring 2>errors || fail "ended with $?: $(cat errors)"
same "one clock: comparisons" 0 "$(cat one.er/*.er/log.xml | grep -c 'kind="mpi_clock"')"
here="$collect -p off -m on -o some"
timeout 60 mpirun.openmpi -np 1 ${here}1.er ./ring : -np 1 $there ./ring >errors 2>&1 || fail "rank 1 is not recorded: $?: $(cat errors)"
timeout 60 mpirun.openmpi -np 1 $there ./ring : -np 1 ${here}2.er ./ring >errors 2>&1 || fail "rank 0 is not recorded: $?: $(cat errors)"
same "half of the ranks recorded" "1000 1000 0" \
	"$(for e in some1 some2; do totals $e.er | cut -d' ' -f1; done | xargs) $(cat some?.er/*.er/log.xml | grep -c 'kind="mpi_clock"')"

need mpicc.mpich mpirun.mpich
mpicc.mpich -O2 -o ring.mpich "$TESTS/programs/mpi/ring.c"
"$collect" -p off -M MPICH -o mpich.er mpirun.mpich -np 1 -- ./ring.mpich : -np 1 -- $there ./ring.mpich 2>errors || fail "ended with $?: $(cat errors)"
same "MPICH: received before sent" "2000 0" "$(backwards mpich.er)"
verdict
