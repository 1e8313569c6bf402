#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Processes that end while the clock ticks fast: closing counters whose overflows are read later harms nobody, whenever a tick
# comes.
set -eu
COUNT=600
"$BUILD/bin/collect" -S off -p 200u -h context-switches,1 -O said -o ends.er "$PROGRAMS/brief_processes" $COUNT >own || {
	echo "the program ended with $?"
	cat said
	exit 1
}
[ "$(cat own)" = 0 ] || { echo "WRONG: $(cat own) of $COUNT children did not end well"; exit 1; }
shown=$("$BUILD/bin/er_print" -metrics i+context-switches:name -functions ends.er | awk '$2 == "brief" {print $1}')
echo "switches under brief: ${shown:-0}"
[ "${shown:-0}" -ge $COUNT ] || { echo "WRONG: fewer than children"; exit 1; }
