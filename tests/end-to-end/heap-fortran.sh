#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A Fortran program that allocates, deallocates and leaks: its arrays by size, the leak at its line.
. "$TESTS/end-to-end/heap.bash"
command -v gfortran >/dev/null || { echo "gfortran is not installed"; exit 77; }
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
"$collect" -p off -H on -O said -o test.er ./arrays >out
is_as_counted test.er arrays "11 84000 1 4000" 'HSIZE==8000 || HSIZE==4000'
"$er_print" -filters 'HSIZE==4000' -leaks test.er >leaks
grep -q 'Distinct Leaks = 1, Total Instances = 1, Total Bytes Leaked = 4000$' leaks
grep -qiE '^  arrays \+ 0x[0-9A-F]+, line 11 in "arrays.f90"$|^  MAIN__ \+ 0x[0-9A-F]+, line 11 in "arrays.f90"$' leaks || { cat leaks; exit 1; }
