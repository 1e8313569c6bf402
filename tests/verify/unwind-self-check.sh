#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The walk that reuses the last stack gives exactly what a walk from nothing gives: every capture of every malloc, realloc and
# free of real programs, and of the clock signals that interrupt them, is compared; and from the same calls outwards libgcc's
# unwinder sees the same frames.
# limit: 300
set -u
sampler=$BUILD/tests/torture/sampler.so
[ -e "$sampler" ] || { echo "no sampler was built"; exit 77; }
failed=0
run() # NAME LEAST-CAPTURES COMMAND...
{
	local name=$1 least=$2 line
	shift 2
	SAMPLER_REPORT=$PWD/report SAMPLER_HEAP=1 SAMPLER_LIBGCC=50 LD_PRELOAD=$sampler "$@" >output 2>&1 || { echo "$name: exit $?"; tail -3 output; failed=1; return; }
	line=$(tail -1 report)
	echo "$line"
	echo "$line" | awk -v least="$least" '{ for (i = 2; i < NF; i += 2) v[$i] = $(i + 1)
		exit !(v["compared"] >= least && v["mismatched"] == 0 && v["libgcc"] > least / 100 && v["differ"] == 0) }' ||
		{ echo "$name: fewer than $least captures, or mismatches"; failed=1; }
}
cat >script.sql <<'C'
create table t(a, b);
with recursive c(x) as (select 1 union all select x + 1 from c where x < 150000) insert into t select x, hex(randomblob(8)) from c;
create index i on t(b);
select count(*) from t x join t y on x.a = y.a where x.b < '8';
C
"$TESTS/tools/workload" c 20 >big.i
run cc1 500000 "$(gcc -print-prog-name=cc1)" -quiet -O2 big.i -o /dev/null
run sqlite3 500000 sqlite3 :memory: '.read script.sql'
run python3 5000 /usr/bin/python3 -c 'import json
for i in range(40): json.loads(json.dumps([{"a": i, "b": [1, 2, 3, "x" * 20]} for i in range(3000)]))'
exit $failed
