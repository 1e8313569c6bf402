#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Data addresses of page faults, one for each page that a program touches: by variable and member, by the line that allocated
# a block or a mapping, in stacks, each as many as the program says; by pages and user-defined memory objects; and what is said where there
# are no addresses.
# measures page faults, of which the kernel may spare one
set -eu
source=$TESTS/programs/data_space.c
BLOCK=$(grep -n 'line BLOCK \*/' "$source" | cut -d: -f1)
MAPPING=$(grep -n 'line MAPPING \*/' "$source" | cut -d: -f1)
failures=0
wrong()
{
	echo "WRONG $*"
	failures=1
}
"$BUILD/bin/collect" -p off -H on -h +page-faults,1 -O said -o data.er "$PROGRAMS/data_space" >own || { cat said; exit 1; }
# rows COMMAND...: "COUNT NAME"
rows()
{
	"$BUILD/bin/er_print" -limit 0 -printmode ';' -metrics e.page-faults:name "$@" data.er |
		"$TESTS/tools/rows" | tr '\t' ' '
}
rows -data_objects >objects
cat objects own
# A member's row: PAGES OFFSET SIZE SIGN NAME TYPE
"$BUILD/bin/er_print" -limit 0 -printmode ';' -metrics e.page-faults:name -data_layout data.er | "$TESTS/tools/rows" | tr '\t' ';' >layout
cat layout
member() # member PATH REST...: of particles, with these cells after its pages
{
	local pages
	pages=$(awk -v name="particles$1" '$1 == name {print $2}' own)
	grep -qxF "${pages:-0};$2;  $1;$3" layout || wrong "$1: not ${pages:-0};$2"
}
member '[].position' '0;24;/' 'double[3]'
member '[].rest' '24;4072;#' 'char[4072]'
grep -qxF '25;;245760;;remember::kept;char[245760]' layout || wrong "the static of a function"
grep -qxF '85;;409600;;particles;struct particle[100]' layout || wrong "the structures"
has() # has PAGES NAME
{
	grep -qxF "$1 $2" objects || wrong "$2: not $1"
}
while read -r name pages; do
	case $name in
	make_block) has "$pages" "<Allocated in make_block, line $BLOCK in \"data_space.c\">" ;;
	make_mapping) has "$pages" "<Allocated in make_mapping, line $MAPPING in \"data_space.c\">" ;;
	stack) # the page at its beginning was touched before
		touched=$(sed -n 's/ <Stack>$//p' objects)
		[ "${touched:-0}" -ge $((pages - 2)) ] && [ "$touched" -le $((pages + 10)) ] || wrong "<Stack>: ${touched:-none}, not about $pages"
		;;
	*'[]'*) ;;
	*) has "$pages" "$name" ;;
	esac
done <own
total=$(sed -n 's/ <Total>$//p' objects)
[ "$total" = "$(grep -v '<Total>' objects | awk '{sum += $1} END {print sum}')" ] || wrong "the rows do not add up to $total"
[ "$total" = "$(rows -functions | sed -n 's/ <Total>$//p')" ] || wrong "functions have another total than $total"
# No page is touched for the first time twice, but what was given back.
[ "$(rows -memobj Memory_page | grep -v '<Total>' | awk '$1 > 2' | wc -l)" = 0 ] || wrong "a page has many first faults"
[ "$(rows -Memory_page | grep -cE '^[12] Process 1, 0x[0-9a-f]+000$')" -gt 800 ] || wrong "there are few pages"
# The addresses of one variable, by the panel that says where it is, as a filter and as a memory object.
"$BUILD/bin/er_print" -data_single grid data.er >single
cat single
grep -qE 'Data-derived Page Faults: +300 \( *[0-9.]+%\)' single || wrong "the panel's number"
grep -qE '	 +Size: 1638400$' single || wrong "the panel's size"
grep -qE 'Load Object: /.*/data_space$' single || wrong "the panel's load object"
grep -qE 'Type: char\[1638400\]$' single || wrong "the panel's type"
grep -qE "Line: $(grep -n ' grid\[400' "$source" | cut -d: -f1)\$" single || wrong "the panel's line"
"$BUILD/bin/er_print" -data_single 'particles[].rest' data.er >single
grep -qE 'Data-derived Page Faults: +15 ' single && grep -qE 'Offset: 24$' single || { wrong "the member's panel"; cat single; }
[ "$(rows -mobj_define PARTS 'VADDR > 255 ? VADDR>>40 : -1' -PARTS | grep -v '<Total>' | awk '{sum += $1} END {print sum}')" = "$total" ] ||
	wrong "the parts do not add up"
# Data-derived metrics are for these reports alone; once any is named, it is all that they show.
"$BUILD/bin/er_print" -metric_list data.er | grep -qx ' *Data-derived Page Faults: d+%page-faults' || wrong "metric_list"
derived() # derived SPECIFICATION COMMAND...: the heading of the columns, as comma-separated values
{
	"$BUILD/bin/er_print" -printmode csv -metrics "$@" data.er 2>err | sed -n '1s/\r$//p'
}
[ "$(derived e+heapallocbytes:d+page-faults -functions)" = "Exclusive Bytes Allocated,Name" ] || wrong "functions show what is data's"
[ "$(derived d+page-faults -data_objects)" = "Data-derived Page Faults,Name" ] || wrong "data_objects lack it"
[ "$(derived i%page-faults:d+page-faults -data_objects)" = "Data-derived Page Faults,Name" ] || wrong "data_objects show another"
[ "$(derived ed+page-faults -callers-callees | sed 's/,Name$//')" = "$(derived e+page-faults -callers-callees | sed 's/,Name$//')" ] || wrong "callers"
"$BUILD/bin/er_print" -limit 0 -printmode ';' -metrics d+page-faults -data_objects data.er | "$TESTS/tools/rows" | tr '\t' ' ' | cmp - objects ||
	wrong "the order or the values of d+page-faults"
"$BUILD/bin/er_print" -metrics d+page-faults -data_single grid data.er | grep -qE 'Data-derived Page Faults: +300 ' || wrong "the panel by d"
"$BUILD/bin/er_print" -mobj_list data.er | grep -q 'Memory_64B_cacheline .*>>6<<6' || wrong "mobj_list"
"$BUILD/bin/er_print" -header data.er | grep -q 'data addresses are recorded' || wrong "header"
[ "$(rows -filters 'DNAME("grid|table") IN DOBJ' -functions | sed -n 's/ touch$//p')" = 400 ] || wrong "DNAME as a filter"
# The rows of a member tell who touches it.
[ "$(rows -filters 'DNAME("particles..\.rest") IN DMEMBER' -functions | sed -n 's/ touch$//p')" = 15 ] || wrong "a member as a filter"
[ "$(rows -filters 'DNAME("particles")' -functions | sed -n 's/ touch$//p')" = 85 ] || wrong "a variable as a filter"
# fails NAME PATTERN ARGUMENT...: er_print says that and its status is 1.
fails()
{
	local name=$1 pattern=$2 status=0
	shift 2
	"$BUILD/bin/er_print" "$@" >failed 2>&1 || status=$?
	{ [ $status -eq 1 ] && grep -qE -- "$pattern" failed; } || { wrong "$name: status $status"; cat failed; }
}
fails single 'No data object with given name .nobody.' -data_single nobody data.er
fails number 'names 1 data objects: there is no number 2' -data_single grid 2 data.er
fails type 'memobj Threads: mobj_list shows' -memobj Threads data.er
fails define 'VADDR is a word of expressions' -mobj_define VADDR 1 data.er
"$BUILD/bin/collect" -h page-faults,1 -O said -o none.er "$PROGRAMS/data_space" >own
fails none 'no data addresses were recorded: collect -h [+]COUNTER' -data_objects none.er
fails none-layout 'no data addresses were recorded' -data_layout none.er
fails none-page 'no data addresses were recorded' -Memory_page none.er
exit $failures
