#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The layers are enforced by the build: in a copy of the tree a forbidden include does not compile, a forbidden symbol does
# not link, and both are tried beside an allowed one that does. No layer's objects refer to a layer above them.
set -u
broken=0
breach()
{
	echo "$*"
	broken=1
}
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
tests/house/sources '(\.(c|h|def|map|mk|css|js)$|^Makefile$)' | tar -cf - -T - | tar -xf - -C "$copy"
# A probe that was built before must not stand for the one that is tried now.
build()
{
	find "$copy/build" -name 'layers_probe.*' -delete 2>/dev/null
	MAKEFLAGS= make -C "$copy" CI= O=build "$@" 2>&1
}

# Header of each room that stands for the room; collector-api's is also binutils' and may be found outside.
declare -A header=([experiment-format]=kinds.h [experiment-format/write]=event_stream.h
	[experiment-format/read]=experiment.h [libcollector]=collector.h [er_print/load]=data.h
	[er_print/resolve]=resolver.h [er_print/aggregate]=path_tree.h)
# The rooms that each may see, besides itself.
declare -A sees=([experiment-format]="" [experiment-format/write]="experiment-format"
	[experiment-format/read]="experiment-format" [collector-api]="" [libcollector]="experiment-format experiment-format/write"
	[collect]="experiment-format experiment-format/write experiment-format/read"
	[er_print/load]="experiment-format experiment-format/read"
	[er_print/resolve]="experiment-format experiment-format/read er_print/load"
	[er_print/aggregate]="experiment-format experiment-format/read er_print/load er_print/resolve"
	[er_print/present]="experiment-format experiment-format/read er_print/load er_print/resolve er_print/aggregate")
tried=0
for room in "${!sees[@]}"; do
	kind=obj
	[[ $room == libcollector || $room == collector-api ]] && kind=pic
	for other in "${!header[@]}"; do
		printf '#include "%s"\nextern int layers_probe;\n' "${header[$other]}" >"$copy/$room/layers_probe.c"
		output=$(build build/$kind/"$room"/layers_probe.o)
		status=$?
		tried=$((tried + 1))
		if [[ " ${sees[$room]} $room " == *" $other "* ]]; then
			[ $status -eq 0 ] || breach "$room may include ${header[$other]} of $other, but: $output"
		elif [ $status -eq 0 ]; then
			breach "$room includes ${header[$other]} of $other: it must not compile"
		elif [[ $output != *"No such file"* ]]; then
			breach "$room with ${header[$other]} of $other fails for another reason: $output"
		fi
	done
	printf '#include <libxml/xmlreader.h>\nextern int layers_probe;\n' >"$copy/$room/layers_probe.c"
	build build/$kind/"$room"/layers_probe.o >/dev/null
	status=$?
	[ "$room" = experiment-format/read ] && expected=0 || expected=1
	[ $((status != 0)) -eq $expected ] || breach "$room includes libxml/xmlreader.h: make says $status"
	rm -f "$copy/$room/layers_probe.c"
done

# links TARGET FOLDER CALL: does a call of CALL in FOLDER link into TARGET?
links()
{
	printf 'void %s(void);\nvoid layers_probe(void);\nvoid layers_probe(void)\n{\n\t%s();\n}\n' "$3" "$3" >"$copy/$2/layers_probe.c"
	build "$1"
	local status=$?
	rm -f "$copy/$2/layers_probe.c"
	return $status
}
output=$(links build/lib/libcollector.so libcollector abort) || breach "libcollector does not link: $output"
for symbol in xmlCleanupParser dwarf_end elf_end sin ZSTD_compress; do
	output=$(links build/lib/libcollector.so libcollector $symbol) &&
		breach "libcollector calls $symbol: it must not link"
	[[ $output == *"undefined reference"*$symbol* || $output == *"undefined symbol"*$symbol* ]] ||
		breach "libcollector with $symbol fails for another reason: $output"
	tried=$((tried + 1))
done
for symbol in cplus_demangle bfd_init el_end lzma_end; do
	output=$(links build/bin/collect collect $symbol) && breach "collect calls $symbol: it must not link"
	[[ $output == *"undefined reference"* ]] || breach "collect with $symbol fails for another reason: $output"
	tried=$((tried + 1))
done

# References upwards, by name: what a lower archive lacks must not be what a higher one has.
build build/lib/libformat.a build/lib/liber_{load,resolve,aggregate,present}.a >/dev/null || breach "the archives do not build"
lower=()
for archive in libformat liber_load liber_resolve liber_aggregate liber_present; do
	for below in "${lower[@]-}"; do
		[ -n "$below" ] || continue
		upwards=$(comm -12 <(nm -u "$copy/build/lib/$below.a" | awk 'NF == 2 {print $2}' | sort -u) \
			<(nm --defined-only -g "$copy/build/lib/$archive.a" | awk 'NF == 3 {print $3}' | sort -u))
		[ -z "$upwards" ] || breach "$below refers upwards, to $archive:" $upwards
	done
	lower+=("$archive")
done
[ $broken -eq 0 ] && echo "$tried includes and symbols tried"
exit $broken
