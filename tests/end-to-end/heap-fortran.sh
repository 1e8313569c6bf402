#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A Fortran program that allocates, deallocates and leaks: its arrays by size, the leak at its line.
. "$TESTS/end-to-end/heap.bash"
command -v gfortran >/dev/null || { echo "gfortran is not installed"; exit 77; }
build_fortran_arrays
"$collect" -p off -H on -O said -o test.er ./arrays >out
is_as_counted test.er arrays "11 84000 1 4000" 'HSIZE==8000 || HSIZE==4000'
"$er_print" -filters 'HSIZE==4000' -leaks test.er >leaks
grep -q 'Distinct Leaks = 1, Total Instances = 1, Total Bytes Leaked = 4000$' leaks
grep -qiE '^  arrays \+ 0x[0-9A-F]+, line 11 in "arrays.f90"$|^  MAIN__ \+ 0x[0-9A-F]+, line 11 in "arrays.f90"$' leaks || { cat leaks; exit 1; }
