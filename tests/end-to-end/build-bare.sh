#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Where there is no compiler yet, make still installs one; a compiler for a processor that er-tools does not know is refused in one
# line. Nothing is installed or built here.
set -eu
for target in deps-demo deps deps-verify; do
	make -n -C "$TESTS/.." CC=/nonexistent/gcc O="$PWD/none" $target >said 2>&1 || { cat said; exit 1; }
	grep -qE 'tests/tools/deps (demo|check|verify)' said || { echo "make $target does not install:"; cat said; exit 1; }
done
printf '#!/bin/sh\necho pdp11-unknown-linux\n' >cc
chmod +x cc
make -n -C "$TESTS/.." CC="$PWD/cc" O="$PWD/none" all >said 2>&1 && { echo "an unknown processor is accepted"; exit 1; }
[ "$(grep -c 'does not know the processor pdp11' said)" -eq 1 ] || { cat said; exit 1; }
