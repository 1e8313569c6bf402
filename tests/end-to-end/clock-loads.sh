#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The total CPU time of loads of every shape is what getrusage says: busy and sleeping threads, bursts shorter than a tick, many
# short threads and children, system calls; with perf and with perf refused. tests/verify/clock-*.sh have them in full.
# measures CPU time of real runs against getrusage
. "$TESTS/end-to-end/clock.bash"
judged=()
once()
{
	run "$@"
	judged+=("$1" total)
}
once busy -- -p hi -- burn 2 300
once half -- -p on -- half 2 200
once coarse -- -p lo -- burn 1 500
once refused "$PROGRAMS/refuse_perf" EPERM -- -p hi -- burn 2 300
once bursts -- -p hi -- burst 100 200
once bursts-refused "$PROGRAMS/refuse_perf" EPERM -- -p on -- burst 30 100
once short -- -p on -- short 200 5000
once crowd -- -p hi -- crowd 100 5
once children -- -p on -- children 20 50000
once system -- -p hi -- system 50 300
check "${judged[@]}"
[ "$(counter refused threads_perf_clock)" -eq 0 ] || { echo "perf was not refused"; exit 1; }
