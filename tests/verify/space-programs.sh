#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# limit: 400
# Code spaces of real programs, with what each machine can read at ticks: `advice` has a verdict on at least one class of each, or
# says of all rates that were compared why there is none; what it says comes first in the line.
set -u
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
broken=0

# judge NAME COMMAND...
judge()
{
	local name=$1 said verdict=ok
	shift
	"$BUILD/bin/collect" -p hi -h =on -O said -o "$name.er" "$@" </dev/null >out 2>err || { cat said err; verdict=SHORT; }
	"$BUILD/bin/er_print" -limit 4 -advice "$name.er" >"$name.advice" 2>&1
	cat "$name.advice"
	said=$(sed -n 's/ differ by less than a factor of 1.5.*//; s/ rates were compared: /: /p' "$name.advice")
	[[ $said =~ ^([0-9]+):\ ([0-9]+)\ deficits,\ ([0-9]+)\ advantages ]] || said=none
	[ "$said" != none ] && [ "${BASH_REMATCH[1]}" -gt 0 ] || { verdict=SHORT; broken=1; }
	first=$(sed -n 's/^1\. //p' "$name.advice" | cut -c1-100 | tr '|' '/')
	said="$said like the others; first: ${first:-no deficit}"
	echo "bound: rates of $name's spaces that were compared | $said | a verdict, or why there is none | $verdict"
}
for program in sqlite3 zstd lmp; do
	command -v $program >/dev/null || { echo "$program is not installed"; exit 77; }
done
"$TESTS/tools/workload" sql 400 >script.sql
"$TESTS/tools/workload" text 40 >text
"$TESTS/tools/workload" c 80 >big.i
"$TESTS/tools/workload" json 8 >program.py
judge sqlite3 /usr/bin/sqlite3 :memory: ".read script.sql"
judge zstd zstd -q -9 -T1 -f text -o text.zst
judge cc1 "$(gcc -print-prog-name=cc1)" -quiet -O2 big.i -o big.s
judge python3 /usr/bin/python3 program.py
judge lammps -M OMPI mpirun.openmpi --oversubscribe -np 2 -- lmp -in "$TESTS/programs/mpi/melt.lammps" -var steps 1000 -log none
exit $broken
