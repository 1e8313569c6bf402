#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every list, source and disassembly of a C++ -O2 -g program against eu-addr2line -i, objdump -dl and independent sums.
. "$TESTS/end-to-end/real.bash"
like_plain test.1.er "$PROGRAMS/sort_shapes" 120
lists_agree test.1.er functions lines pcs objects tree callers
source_agrees test.1.er main "$TESTS/programs/sort_shapes.cc"
disassembly_agrees test.1.er "$PROGRAMS/sort_shapes" main
disassembly_agrees test.1.er "$PROGRAMS/sort_shapes" _ZN8geometryL6renderERSt6vectorIdSaIdEE.isra.0
"$er_print" -verify test.1.er | grep -E '^[1-9][0-9]* equations checked, 0 violated$'
no_collector test.1.er
