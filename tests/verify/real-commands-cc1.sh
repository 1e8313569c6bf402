#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# limit: 400
# Every list and disassembly of the compiler proper (33 MB, stripped) against eu-addr2line, objdump and independent sums.
. "$TESTS/end-to-end/real.bash"
"$TESTS/tools/workload" c 80 >big.i
cc1=$(gcc -print-prog-name=cc1)
"$collect" -p on -O collect.said -o test.1.er "$cc1" -quiet -O2 big.i -o out.s
lists_agree test.1.er functions lines objects tree callers
disassembly_agrees test.1.er "$cc1" _Z14bitmap_set_bitP11bitmap_headi
"$er_print" -verify test.1.er | grep -E '^[1-9][0-9]* equations checked, 0 violated$'
