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
# What is built already is taken along: make in the copy builds the probes alone.
mkdir "$copy/build" && cp -a "$BUILD"/{bin,lib,obj,pic,compiler,objects} "$copy/build"
build()
{
	MAKEFLAGS=-j2 make -k -C "$copy" ${CI:+CI=$CI} O=build "$@" 2>&1
}

# Header of each room that stands for the room; libcollector/api's is also binutils' and may be found outside.
declare -A header=([experiment-format]=kinds.h [experiment-format/write]=event_stream.h
	[experiment-format/read]=experiment.h [libcollector]=collector.h [er_print/load]=data.h
	[er_print/resolve]=resolver.h [er_print/aggregate]=path_tree.h)
# The rooms that each may see, besides itself.
declare -A sees=([experiment-format]="" [experiment-format/write]="experiment-format"
	[experiment-format/read]="experiment-format" [libcollector/api]="" [libcollector]="experiment-format experiment-format/write"
	[collect]="experiment-format experiment-format/write experiment-format/read"
	[er_print/load]="experiment-format experiment-format/read"
	[er_print/resolve]="experiment-format experiment-format/read er_print/load"
	[er_print/aggregate]="experiment-format experiment-format/read er_print/load er_print/resolve"
	[er_print/present]="experiment-format experiment-format/read er_print/load er_print/resolve er_print/aggregate")
tried=0
# A probe for each header that a room may or may not see; what became of each is asked of make's output, by the probe's name.
probe()
{
	printf '#include %s\nextern int layers_probe;\n' "$3" >"$copy/$1/layers_probe_$2.c"
	targets+=("build/$kind/$1/layers_probe_$2.o")
}
declare -A kind_of
targets=()
for room in "${!sees[@]}"; do
	kind=obj
	[[ $room == libcollector || $room == libcollector/api ]] && kind=pic
	kind_of[$room]=$kind
	for other in "${!header[@]}"; do
		probe "$room" "${other//\//-}" "\"${header[$other]}\""
	done
done
build "${targets[@]}" >"$copy/output"
for room in "${!sees[@]}"; do
	for other in "${!header[@]}"; do
		name=$room/layers_probe_${other//\//-}
		output=$(grep -F "$name.c:" "$copy/output")
		tried=$((tried + 1))
		if [[ " ${sees[$room]} $room " == *" $other "* ]]; then
			[ -e "$copy/build/${kind_of[$room]}/$name.o" ] || breach "$room may include what stands for $other, but: $output"
		elif [ -e "$copy/build/${kind_of[$room]}/$name.o" ]; then
			breach "$room includes what stands for $other: it must not compile"
		elif [[ $output != *"No such file"* && $output != *"file not found"* ]]; then
			breach "$room with what stands for $other fails for another reason: $output"
		fi
	done
done
find "$copy" -name 'layers_probe_*' -delete

# links TARGET FOLDER CALL: does a call of CALL in FOLDER link into TARGET?
links()
{
	printf 'void %s(void);\nvoid layers_probe(void);\nvoid layers_probe(void)\n{\n\t%s();\n}\n' "$3" "$3" >"$copy/$2/layers_probe.c"
	build "$1"
	local status=$?
	find "$copy" -name 'layers_probe.*' -delete
	return $status
}
output=$(links build/lib/libcollector.so libcollector abort) || breach "libcollector does not link: $output"
for symbol in XML_ParserFree dwarf_end elf_end feenableexcept ZSTD_compress; do
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
