#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Thread states of real programs: those of each thread add up to its elapsed time within 0.1 %, by a second reader of experiments,
# and at most 2 % of a program's is unexplained; results are unchanged.
# limit: 900
set -u
/usr/bin/python3 "$TESTS/zoo/states.py" "$BUILD" \
	'^(erlang|node|java|ruby$|perl|python3-|go-cgo|rust|musl|postgres|nginx|redis|memcached|git-gc|cmake|make|qemu|openssl$|gfortran|lammps|stress-ng-futex|gdb|rsync|ffmpeg)'
