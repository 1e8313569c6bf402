#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every list and disassembly of Debian's sqlite3 (no debug information of its own) against eu-addr2line, objdump and sums.
. "$TESTS/end-to-end/real.bash"
"$TESTS/tools/workload" sql 500 >script.sql
"$collect" -p hi -O collect.said -o test.1.er /usr/bin/sqlite3 :memory: ".read script.sql" >out
lists_agree test.1.er functions lines pcs objects tree callers
library=$(ldd /usr/bin/sqlite3 | awk '/libsqlite3/ {print $3}')
disassembly_agrees test.1.er "$library" sqlite3_step
"$er_print" -verify test.1.er | grep -E '^[1-9][0-9]* equations checked, 0 violated$'
