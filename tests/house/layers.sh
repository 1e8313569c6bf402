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
# The objects are taken along: make in the copy builds the probes alone.
mkdir "$copy/build" && cp -a "$BUILD"/{bin,lib,obj,pic,compiler,objects} "$copy/build"
build()
{
	MAKEFLAGS=-j2 make -k -C "$copy" ${CI:+CI=$CI} O=build "$@" 2>&1
}

# A header of each room stands for the room. libcollector/api's is also binutils' and may be found outside; two kinds and one view have none.
present=er_print/present
declare -A header=([experiment-format/base]=text.h [experiment-format]=kinds.h [experiment-format/write]=event_stream.h
	[experiment-format/read]=experiment.h [er_print/load]=data.h [er_print/resolve]=resolver.h [er_print/aggregate]=path_tree.h
	[$present/print]=table.h [$present/session]=session.h [$present/views]=list_view.h [$present/export]=profile_export.h
	[$present/pictures]=flamegraph.h
	[$present/commands]=script.h
	[$present/views/code]=source_target.h [$present/views/run]=clock_facts.h
	[$present/views/heap]=heap_view.h [$present/views/io]=io_view.h [$present/views/mpi]=mpi_total_columns.h
	[$present/views/spaces]=space_report.h
	[collect/base]=message.h [collect/counters]=counters.h [collect/options]=options.h [collect/experiment]=create.h
	[collect/target]=run.h [collect]=finish.h
	[libcollector/base]=pages.h [libcollector/process]=collector.h [libcollector/stacks]=capture.h
	[libcollector/code]=load_objects.h [libcollector/target]=our_signal.h [libcollector/life]=kind_table.h
	[libcollector/kinds/clock]=source.h [libcollector/kinds/counters]=late.h [libcollector/kinds/sync]=sync.h
	[libcollector/kinds/heap]=heap.h [libcollector/kinds/io]=files.h [libcollector/kinds/mpi]=communicators.h
	[libcollector/kinds/openmp]=openmp.h)
# The rooms that each may see, besides itself. The rooms of er_print/aggregate see each other and count as one.
declare -A sees=([libcollector/api]="" [experiment-format/write]="experiment-format experiment-format/base")
# each_sees BELOW ROOM...: from the bottom to the top, each sees those before it.
each_sees()
{
	local below=$1 room
	shift
	for room; do
		sees[$room]=$below
		below+=" $room"
	done
}
each_sees "" experiment-format/base experiment-format experiment-format/read \
	er_print/{load,resolve,aggregate} $present/{print,session,views,export}
each_sees "${sees[experiment-format/read]} experiment-format/read experiment-format/write" collect/{base,counters,options,experiment,target} collect
# A view sees what lies below the views and no other view, the pictures see the views of code spaces; the commands see neither the views' folders nor the exports nor the pictures.
for room in "$present"/views/*/ $present/commands; do
	sees[${room%/}]="${sees[$present/views]} $present/views"
done
sees[$present/export]="${sees[$present/views]} $present/views"
sees[$present/pictures]="${sees[$present/export]} $present/views/spaces"
# libcollector's, from the bottom to the top. A kind sees what lies below the kinds, and nobody sees a kind.
collector=(base process stacks code target)
kinds=(libcollector/kinds/*/)
below="experiment-format/base experiment-format experiment-format/write"
for layer in "${collector[@]}"; do
	sees[libcollector/$layer]=$below
	below+=" libcollector/$layer"
done
for room in "${kinds[@]%/}" libcollector/life; do
	sees[$room]=$below
done

tried=0
is_seen() # by ROOM, of OTHER
{
	[[ " ${sees[$1]} $1 " == *" $2 "* ]]
}
# Three probes a room: one includes all that it may see; one asks the preprocessor for all that it may not; and one includes
# what it may not, one header, which shows that it is not found.
targets=()
declare -A forbidden
for room in "${!sees[@]}"; do
	kind=obj
	[[ $room == libcollector/* ]] && kind=pic
	for probe in allowed hidden upward; do
		echo 'extern int layers_probe;' >"$copy/$room/layers_probe_$probe.c"
		targets+=("build/$kind/$room/layers_probe_$probe.o")
	done
	for other in "${!header[@]}"; do
		tried=$((tried + 1))
		if is_seen "$room" "$other"; then
			echo "#include \"${header[$other]}\"" >>"$copy/$room/layers_probe_allowed.c"
		else
			printf '#if __has_include("%s")\n#error may include %s\n#endif\n' "${header[$other]}" "$other" >>"$copy/$room/layers_probe_hidden.c"
			forbidden[$room]=${header[$other]}
		fi
	done
	echo "#include \"${forbidden[$room]}\"" >>"$copy/$room/layers_probe_upward.c"
done
build "${targets[@]}" >"$copy/output"
for room in "${!sees[@]}"; do
	kind=obj
	[[ $room == libcollector/* ]] && kind=pic
	output=$(grep -F "$room/layers_probe_" "$copy/output" | grep -F error)
	[ -e "$copy/build/$kind/$room/layers_probe_allowed.o" ] || breach "$room may not include all that it should: $output"
	[ -e "$copy/build/$kind/$room/layers_probe_hidden.o" ] || breach "$room sees what it must not: $output"
	[[ ! -e "$copy/build/$kind/$room/layers_probe_upward.o" && $output =~ layers_probe_upward.c:.*(No such file|file not found) ]] ||
		breach "$room with ${forbidden[$room]} does not fail as it should: $output"
done
find "$copy" -name 'layers_probe_*' -delete

probe_calls() # CALL...: a source that calls them
{
	printf 'void %s(void);\n' layers_probe "$@"
	printf 'void layers_probe(void)\n{\n'
	printf '\t%s();\n' "$@"
	echo '}'
}
# refuses TARGET FOLDER CALL...: with these calls in FOLDER TARGET does not link, and each of them is why.
refuses()
{
	local target=$1 folder=$2 output
	shift 2
	probe_calls "$@" >"$copy/$folder/layers_probe.c"
	output=$(build "$target") && breach "$folder calls $*: it must not link"
	find "$copy" -name 'layers_probe.*' -delete
	for symbol; do
		[[ $output =~ undefined\ (reference|symbol)[^$'\n']*$symbol ]] || breach "$folder may link $symbol: $(grep -F ld: <<<"$output")"
		tried=$((tried + 1))
	done
}
refuses build/lib/libcollector.so libcollector/life XML_ParserFree dwarf_end elf_end feenableexcept ZSTD_compress
refuses build/bin/collect collect cplus_demangle bfd_init el_end
refuses build/bin/collect collect lzma_end # of a library that others need: the linker says no more after it

# Each layer of libcollector with those below it, and each kind without another kind, lacks nothing but what a probe calls, which
# lies above it; that does not link.
objects() # of the sources in these folders of libcollector, and below them
{
	find "${@/#/libcollector/}" -name '*.c' | sed "s,.*,$copy/build/pic/&,; s,c\$,o,"
}
format=$(find experiment-format experiment-format/{base,write} -maxdepth 1 -name '*.c' ! -name cache_folder.c ! -name error.c ! -name nearest.c ! -name storage.c | sed "s,.*,$copy/build/pic/&,; s,c\$,o,")
declare -A symbol_above=([base]=time_raw [process]=capture_start [stacks]=load_objects_start [code]=our_signal_start
	[target]=source_begin)
try_link() # NAME CALL FOLDER...: that call is all that is undefined
{
	local name=$1 call=$2 output undefined
	shift 2
	probe_calls "$call" >"$copy/layers_probe.c"
	output=$(${CC:-gcc} -fPIC -shared -Wl,-z,defs -Wl,--version-script=libcollector/versions.map -o "$copy/layers_probe.so" \
		"$copy/layers_probe.c" $(objects "$@") $format 2>&1) && breach "libcollector/$name calls $call: it must not link"
	undefined=$(sed -nE "s/.*undefined (reference to|symbol:?) [\`']?([A-Za-z0-9_]+).*/\2/p" <<<"$output" | sort -u)
	[ "$undefined" = "$call" ] || breach "libcollector/$name with $call lacks ${undefined:-nothing: $output}: only $call is above it"
	tried=$((tried + 1))
}
below=()
for layer in "${collector[@]}"; do
	below+=("$layer")
	try_link "$layer" "${symbol_above[$layer]}" "${below[@]}"
done
for kind in "${kinds[@]%/}"; do
	kind=${kind#libcollector/}
	call=source_begin
	[ "$kind" = kinds/clock ] && call=overflow_append
	try_link "$kind" $call "${below[@]}" "$kind"
done

# References by name: what a room lacks is in no room that it does not see, but for the functions of er_print's commands, which
# the table of commands names. A probe in the lowest room shows that this is found.
probe_calls flamegraph_write >"$copy/experiment-format/base/layers_probe.c"
build build/obj/experiment-format/base/layers_probe.o >/dev/null || breach "the probe does not build"
symbols() # lines "ROOM SYMBOL U" of what each room's objects lack, "ROOM SYMBOL D" of what they define
{
	local room objects
	for room in "${!sees[@]}"; do
		[[ $room == libcollector/* ]] && continue
		objects=("$copy/build/obj/$room"/*.o)
		[ "$room" = er_print/aggregate ] && objects+=("$copy/build/obj/$room"/*/*.o)
		nm -g "${objects[@]}" | awk -v room="$room" 'NF == 2 && $1 == "U" {print room, $2, "U"} NF == 3 {print room, $3, "D"}'
		echo "${sees[$room]} $room SEES"
	done
}
symbols | sort -u | awk -v commands=$present/commands '
	$NF == "SEES" {for (i = 1; i < NF; i++) seen[$(NF - 1), $i] = 1; next}
	$NF == "D" {of[$2] = of[$2] " " $1; next}
	{lacks[$1 " " $2] = 1}
	END {
		for (pair in lacks) {
			split(pair, part, " ")
			count = split(of[part[2]], rooms, " ")
			good = !count || (part[1] == commands && part[2] ~ /^command_/)
			for (i = 1; i <= count; i++) good = good || (part[1], rooms[i]) in seen
			if (!good) print part[1] " refers to " part[2] ", of" of[part[2]]
		}
	}' >"$copy/upwards"
grep -qFx "experiment-format/base refers to flamegraph_write, of $present/pictures" "$copy/upwards" || breach "a reference upwards is not found"
upwards=$(grep -vF ' refers to flamegraph_write,' "$copy/upwards") && breach "$upwards"
[ $broken -eq 0 ] && echo "$tried includes and symbols tried"
exit $broken
