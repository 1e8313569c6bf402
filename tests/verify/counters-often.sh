#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A million overflows a second are asked for, ten times what must not hang a program: each is recorded, or counted as lost or held
# back and shown, and the program goes on.
# limit: 300
set -eu
ROUNDS=400
"$PROGRAMS/fault_storm" $ROUNDS >plain
"$BUILD/bin/collect" -p off -h page-faults,1 -O said -o often.er "$PROGRAMS/fault_storm" $ROUNDS >own
"$BUILD/bin/er_print" -header 1 often.er >header
sed -n '/Counter overflow/,/it ran for/p' header
awk '
	FILENAME == "plain" {faults = $1; alone = $2}
	FILENAME == "own" {recorded_in = $2}
	FILENAME == "header" && / overflows, / {recorded = $1}
	FILENAME == "header" && /^ *counted / {counted = $2}
	FILENAME == "header" && /held it back|overflows were lost/ {shown = 1}
	function bound(what, value, limit, holds) {
		print "bound: " what " | " value " | " limit " | " (holds ? "ok" : "SHORT")
		short += !holds
	}
	END {
		asked = faults / alone
		bound("overflows a second asked for", sprintf("%.0f", asked), "at least 100000", asked >= 100000)
		bound("page faults counted, of those that the program made", sprintf("%.3f %%", 100 * counted / faults), "100 to 100.1 %",
			counted >= faults && counted < 1.001 * faults)
		bound("overflows recorded, where none is said to be lost or held back", sprintf("%.3f %%", 100 * recorded / counted),
			"99.9 to 100.1 %", shown || (recorded > 0.999 * counted && recorded < 1.001 * counted))
		cost = (recorded_in - alone) / recorded * 1e6
		bound("time of an overflow", sprintf("%.1f us", cost), "at most 100 us", cost <= 100)
		exit short > 0
	}' plain own header
