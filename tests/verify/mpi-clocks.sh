#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Clocks of two hosts: a time namespace 1000 s ahead stands for one. Both have the machine's cycle counter, so that the comparison
# of raw times must give equal ones, and that of CLOCK_MONOTONIC 1000 s.
. "$TESTS/end-to-end/mpi.bash"
need mpicc.openmpi mpirun.openmpi
unshare -T true 2>/dev/null || { echo "no time namespaces here"; exit 77; }
mpicc.openmpi -O2 -o ring "$TESTS/programs/mpi/ring.c" || exit 1
for np in 1 2; do
	"$collect" -p off -M OMPI -o far$np.er mpirun.openmpi -np $np -- ./ring : -np $np -- unshare -T -f --monotonic 1000 ./ring 2>errors ||
		fail "ended with $?: $(cat errors)"
	bound "$((np * 2)) ranks on two clocks, $((np * 2000)) messages: received before they were sent" "$(messages far$np.er | cut -d' ' -f4)" 0
	cat far$np.er/*.er/log.xml | sed -n 's/.*kind="mpi_clock".* raw="\([0-9]*\)".* its_raw="\([0-9]*\)" offset="\(-\?[0-9]*\)" error="\([0-9]*\)".*/\1 \2 \3 \4/p' >said
	cat said
	bound "$((np * 2)) ranks: comparisons of clocks that are missing" $((np * 2 - $(wc -l <said))) 0
	bound "$((np * 2)) ranks: offset that was measured, ns from 1000 s" "$(awk '{ d = $3 - 1e12; d = d < 0 ? -d : d; if (d > m) m = d } END { print m + 0 }' said)" 5000
	bound "$((np * 2)) ranks: raw times that were compared, ticks apart" "$(awk '{ d = $1 - $2; d = d < 0 ? -d : d; if (d > m) m = d } END { print m + 0 }' said)" 10000
done
verdict
