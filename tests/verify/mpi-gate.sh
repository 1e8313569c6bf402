#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# limit: 900
# The exact checks of MPI that the gate has, as bounds: the ring by both ways to launch and under both MPIs, its matrix; a program of
# every class of functions against its own counters; five language bindings; how ranks end; and of both formats of a trace.
. "$TESTS/end-to-end/mpi.bash"
need mpicc.openmpi mpirun.openmpi mpicc.mpich mpirun.mpich gfortran otf2-print
for name in mpi-counts mpi-classes mpi-bindings mpi-ends otf2; do
	mkdir "$name"
	(cd "$name" && bash "$TESTS/end-to-end/$name.sh") >"$name.said" 2>&1
	status=$?
	cat "$name.said"
	bound "$name: $(sed -n '3,$s/^# //p' "$TESTS/end-to-end/$name.sh" | grep -v '^limit:\|^measures' | head -1) Not so" \
		$((status && !$(grep -c . "$name.said") ? 1 : status ? $(grep -c . "$name.said") : 0)) 0
done
verdict
