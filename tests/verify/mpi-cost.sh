#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# limit: 400
# Wall time of LAMMPS on two ranks with `collect -M OMPI` against plain: medians of paired runs.
. "$TESTS/end-to-end/mpi.bash"
need mpirun.openmpi lmp
input=$TESTS/programs/mpi/melt.lammps

# seconds COMMAND...
seconds()
{
	local start=$EPOCHREALTIME
	"$@" </dev/null >/dev/null 2>&1 || fail "$* ended with $?"
	awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN {print b - a}'
}
for pair in 1 2 3 4 5 6 7 8 9; do
	rm -rf lammps.er
	plain=$(seconds mpirun.openmpi -np 2 lmp -in "$input" -var steps 2000)
	traced=$(seconds "$collect" -M OMPI -o lammps.er mpirun.openmpi -np 2 -- lmp -in "$input" -var steps 2000)
	echo "pair $pair: $plain s, $traced s"
	echo "$plain $traced" >>pairs
done
ratio=$(awk '{print $2 / $1}' pairs | sort -n | sed -n 5p)
bound "LAMMPS, np 2, collect -M OMPI: median of 9 pairs, times plain" "$ratio" 1.10
verdict
