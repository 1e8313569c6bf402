#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# limit: 300
# Messages and bytes between each two ranks of LAMMPS, ScaLAPACK's and MUMPS's tests, HPCC and mpi4py are what Open MPI counted of
# the same run, and all delays of each are all its waits.
. "$TESTS/end-to-end/mpi.bash"
. "$TESTS/verify/mpi_delays.bash"
need mpirun.openmpi lmp
scalapack=$(dirname "$(ls /usr/lib/*/scalapack/openmpi-tests/xdlu 2>/dev/null)")
mumps=/usr/lib/mumps

# application NAME RANKS INPUT COMMAND...: its rows "SOURCE DESTINATION MESSAGES BYTES" by Open MPI and by the trace.
application()
{
	local name=$1 ranks=$2 input=$3
	shift 3
	rm -rf counted.*.prof
	"$collect" -M OMPI -o "$name.er" mpirun.openmpi -np "$ranks" --mca pml_monitoring_enable 2 --mca pml_monitoring_enable_output 3 \
		--mca pml_monitoring_filename "$PWD/counted" -- "$@" <"$input" >"$name.said" 2>&1 || fail "$name ended with $?: $(tail -n 5 "$name.said")"
	awk '$1 == "E" {print $2, $3, $6, $4}' counted.*.prof | sort >"$name.counted"
	matrix "$name.er" | awk -F';' '$1 {print $5, $6, $1, $2}' | sort >"$name.traced"
	same "$name, from rank to rank" "$(cat "$name.counted")" "$(cat "$name.traced")"
	local pairs messages
	pairs=$(wc -l <"$name.counted")
	messages=$(awk '{s += $3} END {print s + 0}' "$name.counted")
	[ "$messages" -gt 0 ] || fail "$name: no messages"
	echo "$name, $ranks ranks: messages between $pairs pairs of ranks: $messages"
	bound "$name, np $ranks: pairs of ranks of $pairs, $messages messages, that differ from Open MPI's own count" \
		"$(comm -3 "$name.counted" "$name.traced" | wc -l)" 0
	bound "$name, np $ranks: sends without a receive, receives without a send" \
		"$(messages "$name.er" | awk '{print $2 + $3}')" 0
	sums "$name, np $ranks" "$name.er"
}
application lammps 2 /dev/null lmp -in "$TESTS/programs/mpi/melt.lammps"
application lammps4 4 /dev/null lmp -in "$TESTS/programs/mpi/melt.lammps"
if [ -n "$scalapack" ]; then
	cp "$scalapack/LU.dat" .
	application scalapack 4 /dev/null "$scalapack/xdlu"
fi
[ ! -x "$mumps/dsimpletest" ] || application mumps 4 "$mumps/input_simpletest_real" "$mumps/dsimpletest"
if command -v hpcc >/dev/null; then
	# The package's own example, on four ranks and with a matrix that is done in a second.
	gzip -dcf /usr/share/doc/hpcc/examples/_hpccinf.txt* | sed -E 's/^[0-9]+( +Ns)$/200\1/; s/^[0-9]+( +Ps)$/2\1/; s/^[0-9]+( +Qs)$/2\1/' >hpccinf.txt
	# Open MPI counts what its linear MPI_Alltoall sends as messages of the program, without our collector, too: the pairwise one is used.
	OMPI_MCA_coll_tuned_use_dynamic_rules=1 OMPI_MCA_coll_tuned_alltoall_algorithm=2 application hpcc 4 /dev/null hpcc
fi
if /usr/bin/python3 -c 'import mpi4py' 2>/dev/null; then
	application mpi4py 4 /dev/null /usr/bin/python3 -m mpi4py.bench ringtest -n 1000
fi
verdict
