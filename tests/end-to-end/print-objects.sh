#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Load objects that are not shown: one row for each hidden one with the sums that the list of objects gives it, entry
# functions only with object_api, and all equations hold.
set -eu
er_print=$BUILD/bin/er_print
"$BUILD/bin/collect" -p hi -O collect.said -o test.1.er "$PROGRAMS/figure_2_1" 5e7 >truth
# value COLUMN NAME FILE: of the row with this name
value()
{
	awk -v column="$1" -v name="$2" '$NF == name {print $column; exit}' "$3"
}
"$er_print" -metrics e.totalcpu:i.totalcpu -objects test.1.er | sed 's/ (.*//' >objects
"$er_print" -object_hide figure_2_1,libc.so.6 -metrics e.totalcpu:i.totalcpu -functions -verify -object_list test.1.er >hidden
for name in '<figure_2_1>' '<libc.so.6>'; do
	own=$(value 1 "$name" objects)
	all=$(value 2 "$name" objects)
	[ -n "$own" ] && [ "$own" = "$(value 1 "$name" hidden)" ] && [ "$all" = "$(value 2 "$name" hidden)" ] || {
		echo "$name: $own $all"
		cat hidden
		exit 1
	}
done
grep -q ' 0 violated$' hidden
grep -qE '^hide     <libc\.so\.6> \(/.*\)$' hidden
if grep -qE ' (main|C|G)$' hidden; then
	echo "functions of a hidden object are listed"
	exit 1
fi
# main is called from libc; it calls the others inside its own object, so their time is its own. A tick in what main calls of
# libc is main's inclusive time alone: it is left out.
"$er_print" -filters 'LEAF IN FNAME("^(main|A|B|C|E|F|G)$")' -object_api figure_2_1 -metrics e.totalcpu:i.totalcpu -functions -verify test.1.er >api
grep -q ' 0 violated$' api
[ -n "$(value 1 main api)" ] && [ "$(value 1 main api)" = "$(value 2 main api)" ] || { cat api; exit 1; }
if grep -qE ' (A|B|C|E|F|G)$' api; then
	echo "functions that are called inside only are listed"
	exit 1
fi
# Back, and the other ways there.
"$er_print" -functions test.1.er >plain
"$er_print" -object_hide all -object_show all -functions test.1.er | diff plain -
"$er_print" -object_hide all -objects_default -functions test.1.er | diff plain -
"$er_print" -object_select '<figure_2_1>' -functions test.1.er >selected
grep -qE ' C$' selected
grep -qE ' <libc\.so\.6>$' selected
# A filter still sees what is hidden.
"$er_print" -filters 'LEAF IN FNAME("G")' -object_hide figure_2_1 -metrics e.totalcpu -functions test.1.er >filtered
"$er_print" -metrics e.totalcpu -functions test.1.er >all
[ "$(value 1 G all)" = "$(value 1 '<Total>' filtered)" ]
# Every view takes it; a hidden object has no source.
"$er_print" -object_hide libc.so.6 -lines -pcs -calltree -callers-callees -fsingle '<libc.so.6>' test.1.er | grep -c '<libc.so.6>' >/dev/null
"$er_print" -object_hide libc.so.6 -functions -source '<libc.so.6>' test.1.er >/dev/null 2>err && exit 1
grep -q 'has no source' err
"$er_print" -object_hide nosuch,libc.so.6 -object_list test.1.er >out 2>err && exit 1
grep -qx "Error: Unknown load object: \`nosuch'" err
grep -q '^hide     <libc' out
"$er_print" -object_select nosuch -functions test.1.er 2>err | diff plain -
