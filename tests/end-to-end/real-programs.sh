#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# sqlite3, xz and python3 as Debian ships them, stripped: the same output as without collect, the total within 15 % of what
# getrusage says, at least 95 % of the stacks complete, all equations hold, nothing of the collector in the reports.
# tests/verify/real-*.sh hold each of them to more.
# measures totals of real programs against getrusage
. "$TESTS/end-to-end/real.bash"

judge()
{
	local name=$1
	shift
	stripped "$1"
	like_plain "$name.er" "$@"
	total_is_charged "$name.er" 15
	complete_stacks "$name.er" 95 "$name"
	starts_at_main "$name.er" 90
	"$er_print" -verify "$name.er" | tee verified
	grep -q ' 0 violated$' verified
	no_collector "$name.er"
}
"$TESTS/tools/workload" sql 600 >script.sql
"$TESTS/tools/workload" text 2 >text
"$TESTS/tools/workload" python 60 >program.py
judge sqlite3 /usr/bin/sqlite3 :memory: ".read script.sql"
judge xz /usr/bin/xz -6 -T1 -kc text
judge python3 /usr/bin/python3 program.py
