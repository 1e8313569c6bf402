#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A process that execs itself ten times, from its first or from another thread, with execs that fail between: the CPU time
# in its experiments is that of the process, to 2 %, and more images than a name can tell of do no harm.
# measures CPU time of a chain of programs
set -eu
for how in plain thread failing; do
	"$BUILD/bin/collect" -p 1 -o "$how.er" "$PROGRAMS/life_chain" 10 "$how" >out 2>err
	truth=$(grep -v Creating out)
	[ "$(ls -d "$how.er"/_x1*.er | wc -l)" = 9 ]
	found=$(PYTHONPATH=$TESTS/oracle /usr/bin/python3 -c '
import sys, experiment
print(sum(e["user"] + e["system"] for x in experiment.experiments(sys.argv[1]) for e in x.events("clock")) / 1e9)
' "$how.er")
	awk -v truth="$truth" -v found="$found" -v how="$how" 'BEGIN {
		printf "%s: %.4f s of %.4f s, %.2f %%\n", how, found, truth, 100 * found / truth
		exit !(found > 0.98 * truth && found < 1.02 * truth) }'
done
cat >again.sh <<'END'
[ $1 -gt 0 ] && exec sh again.sh $(($1 - 1))
echo done
END
"$BUILD/bin/collect" -o long.er sh again.sh 150 >out 2>err
grep -qx done out
"$BUILD/bin/er_print" -functions long.er >/dev/null
