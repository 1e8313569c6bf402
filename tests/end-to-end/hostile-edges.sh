#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Walks of stacks that come to the edges of mappings: addresses at the first byte of a segment with nothing mapped before it, and
# a stack that ends below memory nobody may read. The program ends as it does alone, and its time is recorded.
# measures CPU time where few ticks can be taken
set -eu
for way in code stack; do
	for kinds in "-p hi" "-p hi -H on -s all -i on"; do
		rm -rf edges.er
		# shellcheck disable=SC2086
		[ "$("$BUILD/bin/collect" $kinds -O said -o edges.er "$PROGRAMS/mapping_edges" $way 200)" = done ] ||
			{ echo "$way $kinds: the program did not end as it does alone"; exit 1; }
		"$BUILD/bin/er_print" -metrics e.totalcpu -functions edges.er |
			awk -v way="$way" '$2 == "spin_without_table" { found = $1 }
				END { print way, "0.200 s, recorded " found; exit !(found > 0.17 && found < 0.23) }'
	done
done
