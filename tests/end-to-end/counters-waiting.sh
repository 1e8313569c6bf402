#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Faults that have to wait, with an interval of 1: a pending signal makes the kernel give them up and try again. The program gets
# over each, and the tries are few.
# limit: 60
set -eu
PAGES=64
"$PROGRAMS/waiting_faults" $PAGES >plain || { echo "no shared memory"; exit 77; }
for counter in page-faults,1 minor-faults,1 +page-faults,1 page-faults,2; do
	rm -rf test.er
	timeout 20 "$BUILD/bin/collect" -p off -h $counter -O said -o test.er "$PROGRAMS/waiting_faults" $PAGES >out ||
		{ echo "$counter: status $?"; exit 1; }
	diff plain out
	name=${counter%,*}
	"$BUILD/bin/er_print" -metrics "e.${name#+}:name" -functions test.er |
		awk -v counter=$counter -v pages=$((2 * PAGES)) '$NF == "touch_shared" { found = $1 }
			END { print counter ":", found " faults at " pages " pages"; exit !(found >= pages - 2 && found <= 4 * pages + 8) }'
done
