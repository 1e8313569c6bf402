#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# limit: 300
# 200 children of 50 ms: the CPU time in their experiments is within 2 % of what the kernel charged for them.
set -eu
for way in '' exec; do
	"$BUILD/bin/collect" -o "t$way.er" "$PROGRAMS/life_children" 200 0.05 $way >out 2>err
	truth=$(grep -v Creating out)
	[ "$(ls -d "t$way.er"/_f*_x1.er 2>/dev/null | wc -l)" = "$([ "$way" ] && echo 200 || echo 0)" ]
	[ "$(ls -d "t$way.er"/_f*.er | grep -vc _x)" = 200 ]
	found=$(PYTHONPATH=$TESTS/oracle /usr/bin/python3 -c '
import sys, experiment
print(sum(e["user"] + e["system"] for x in experiment.experiments(sys.argv[1])[1:] for e in x.events("clock")) / 1e9)
' "t$way.er")
	awk -v truth="$truth" -v found="$found" -v way="${way:-fork}" 'BEGIN {
		printf "%s: %.4f s of %.4f s, %.2f %%\n", way, found, truth, 100 * found / truth
		exit !(found > 0.98 * truth && found < 1.02 * truth) }'
done
