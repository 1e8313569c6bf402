#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# FORMAT.md specifies everything that the tables and layout.h say: kinds, fields, states, tallies, settings, files, sizes.
set -u
broken=0
text=experiment-format/FORMAT.md
[ -s $text ] || { echo "there is no $text"; exit 1; }
checked=0
# specified WHAT: in backquotes, or as the first word of a table's cell.
specified()
{
	checked=$((checked + 1))
	grep -qE -- "(\`|\\| *)$1(\`| *\\|)" $text && return
	echo "$text: nothing about $2 $1"
	broken=1
}
while IFS=, read -r kind name; do
	specified "$name" "the kind"
	while read -r field; do
		specified "$field" "the field of $name"
	done < <(sed -nE "s/^FIELD\\($kind, ([a-z_]+),.*/\\1/p" experiment-format/kinds.def)
	while read -r state; do
		specified "$state" "the state of $name"
	done < <(sed -nE "s/^STATE\\($kind, [a-z_]+, [0-9]+, ([a-z_]+),.*/\\1/p" experiment-format/kinds.def)
done < <(sed -nE 's/^KIND\(([A-Z_]+), ([a-z_]+),.*/\1,\2/p' experiment-format/kinds.def)
while read -r tally; do
	specified "$tally" "the tally"
done < <(sed -nE 's/^TALLY\(([a-z_]+),.*/\1/p' experiment-format/tallies.def)
while read -r setting; do
	specified "$setting" "the setting"
done < <(sed -nE 's/^(NUMBER|TEXT|TRACING)\(([a-z_]+),.*/\2/p' experiment-format/settings.def)
while read -r field; do
	specified "$field" "the field of samples"
done < <(sed -nE 's/^SAMPLE_FIELD\(([a-z_]+),.*/\1/p' experiment-format/samples.def)
while read -r file; do
	specified "$file" "the file"
done < <(sed -nE 's/^#define [A-Z_]+_(FILE|FOLDER)[[:space:]]+"([^"]+)".*/\2/p' experiment-format/layout.h)
[ $checked -gt 40 ] || { echo "only $checked rows were found in the tables: has a table changed its form?"; broken=1; }
[ $broken -eq 0 ] && echo "$checked rows"
exit $broken
