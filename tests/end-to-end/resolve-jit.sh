#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# JIT code has the names that the run-time wrote to its perf map, after the process and its map are gone.
set -eu
[ -x /usr/bin/node ] || { echo "node is not installed"; exit 77; }
cat >spin.js <<'END'
function spinInJit(n) { let s = 0; for (let i = 0; i < n; i++) s = (s + i * i) % 1000003; return s; }
let t = 0;
for (let i = 0; i < 120; i++) t += spinInJit(1000000);
console.log(t > 0);
END
"$BUILD/bin/collect" -p hi -o jit.er /usr/bin/node --perf-basic-prof --no-use-osr spin.js >/dev/null
rm -f $(sed -n 's/.*<process.* pid="\([0-9]*\)".*/\/tmp\/perf-\1.map/p' jit.er/log.xml)
"$BUILD/bin/er_print" -metrics e.%totalcpu -functions jit.er >functions
# Its exclusive share is nearly everything that the program did.
share=$(awk '/spinInJit/ && $NF !~ /Total/ {sum += $2} END {print int(sum)}' functions)
[ "$share" -ge 60 ] || { echo "spinInJit has $share %"; head -20 functions; exit 1; }
"$BUILD/bin/er_print" -objects jit.er | grep -q '<DYNAMIC_FUNCTIONS>'
