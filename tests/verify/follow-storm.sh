#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# limit: 200
# Forks, spawns and dlopen from several threads at once: a child whose parent's other thread was in the loader must end (the
# loader's lock is held for ever in it), every result is right, no variable that a thread sets during a popen is lost.
set -eu
for _ in 1 2 3 4; do
	rm -rf t.er
	timeout --kill-after=1 40 "$BUILD/bin/collect" -p 0.5 -A off -o t.er "$PROGRAMS/life_storm" >out 2>err ||
		{ echo "status $?"; cat out err; exit 1; }
	grep -qx 'bad 0 vars 60' out
done
