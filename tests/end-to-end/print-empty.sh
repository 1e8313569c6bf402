#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A filter that leaves nothing: every report of an experiment with all kinds of data is made, in each print mode, and what it counts
# is 0. Totals that the ranks of MPI kept for themselves say that no filter holds for them. STRICT: under address sanitizer.
. "$TESTS/end-to-end/mpi.bash"
need mpicc.openmpi mpirun.openmpi
[ -z "${STRICT:-}" ] || [ ! -x "$BUILD-sanitized/bin/er_print" ] || er_print=$BUILD-sanitized/bin/er_print
mpicc.openmpi -g -O1 -o ring "$TESTS/programs/mpi/ring.c" || exit 1
"$collect" -p hi -s all -H on -i on -h +page-faults -M OMPI -o ring.er mpirun.openmpi -np 2 -- ./ring 2>errors || fail "$(cat errors)"

# Reports of events; and what else takes no argument, or takes these.
events="functions callers-callees calltree lines pcs leaks allocs heap datasize objects mpi_matrix mpi_messages mpi_waits lockdetail
ioactivity iodetail iocallstack iostat data_objects data_layout csingle:main indxobj:Threads indxobj:Processes indxobj:Seconds"
others="fsummary lsummary psummary disasm:main fsingle:main heapstat mpi_ranks mpi_functions mpi_critical mpi_comms metric_list
cmetric_list experiment_list header:all overview statistics:all sample_detail:all object_list thread_list lwp_list cpu_list sample_list
indxobj_list mobj_list describe data_single:<Scalars>"
for filter in '1==0' 'MRANK==9'; do
	for mode in text html ';'; do
		# shellcheck disable=SC2086
		printf '%s\n' "filters $filter" "printmode $mode" $events $others | tr ':' ' ' >script
		status=0
		"$er_print" -script script ring.er >"all" 2>said || status=$?
		[ $status -le 1 ] || fail "$filter, $mode: status $status: $(tail -n 3 said)"
		grep -q 'ERROR: AddressSanitizer' said && fail "$filter, $mode: $(cat said)"
	done
	# The cells of a number, told by their quotes alone: each report in a file of its own.
	rm -rf cells && mkdir cells
	printf '%s\n' "filters $filter" 'printmode ;' >script
	for report in $events; do
		printf '%s\n' "outfile cells/$report" "${report/:/ }"
	done >>script
	"$er_print" -script script ring.er >out 2>said || fail "$filter: status $?: $(cat said)"
	for report in $events; do
		[ -s "cells/$report" ] || fail "$filter, $report: nothing is printed"
		tail -n +4 "cells/$report" | tr ';' '\n' | grep -E '^"?[0-9]*[1-9][0-9.]*"?$' >numbers &&
			fail "$filter, $report: $(head -n 3 numbers)"
	done
done
for report in mpi_ranks mpi_functions; do
	"$er_print" -filters 1==0 -$report ring.er | grep -q '^The ranks kept these totals: no filter or selection holds for them\.$' ||
		fail "$report: nothing says that it is not filtered"
	"$er_print" -$report ring.er | grep -q 'no filter or selection' && fail "$report: there is no filter"
done
verdict
