# SPDX-License-Identifier: Apache-2.0
# For the heap-*.sh tests: what er_print shows of the heap, held against what the target counted itself.
set -eu
collect=$BUILD/bin/collect
er_print=$BUILD/bin/er_print

# heap_total EXPERIMENT [FILTER]: allocations, bytes, leaks, bytes leaked of <Total>.
heap_total()
{
	"$er_print" -filters "${2:-}" -metrics i+heapalloccnt:i+heapallocbytes:i+heapleakcnt:i+heapleakbytes:name -functions "$1" |
		awk '$5 == "<Total>" {print $1, $2, $3, $4}'
}

# is_as_counted EXPERIMENT WHAT "ALLOCATIONS BYTES LEAKS BYTES" [FILTER]
is_as_counted()
{
	local shown
	shown=$(heap_total "$1" "${4:-}")
	[ "$shown" = "$3" ] || { echo "$1, $2: er_print shows $shown (allocations, bytes, leaks, bytes), the target counted $3"; return 1; }
}

# events EXPERIMENT PROGRAM: runs Python with the second reader's heap events of the founder in `heap`, by time, and all
# experiments in `all`.
events()
{
	PYTHONPATH=$TESTS/oracle /usr/bin/python3 -B -c '
import sys
from experiment import experiments
all = experiments(sys.argv[1])
heap = sorted(all[0].events("heap"), key=lambda event: event.time)
'"$2" "$1"
}

# build_fortran_arrays: makes ./arrays, which allocates and deallocates 8000 bytes ten times and leaks 4000 at line 11.
build_fortran_arrays()
{
	cat >arrays.f90 <<'F'
program arrays
  implicit none
  real(8), allocatable :: work(:)
  real(8), pointer :: lost(:)
  integer :: i
  do i = 1, 10
    allocate(work(1000))
    work = i
    deallocate(work)
  end do
  allocate(lost(500))
  lost = 1
  print *, sum(lost)
  nullify(lost)
end program
F
	gfortran -O0 -g -o arrays arrays.f90
}
