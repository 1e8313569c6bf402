#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# libcollector.so exports functions that it stands in front of, marked INTERPOSE in its sources, and nothing else: each is a
# function of libc (or of libaio, which may wait, too; or one that an allocator brings: of jemalloc, C23, C++; or of libgomp, or that run-times of OpenMP ask for), or one of those by which a program calls the collector: all that
# collectorAPI.h declares, which the library to link with defines, too. And no object of ours calls one of them by its name: that call would come back to us.
set -u
library=$BUILD/lib/libcollector.so
[ -e "$library" ] || { echo "$library is not built"; exit 77; }
broken=0
exports()
{
	readelf --dyn-syms -W "$1" | awk '$7 ~ /^[0-9]+$/ && $6 == "DEFAULT" { print $8 }' | sed 's/@.*//' | sort -u
}
exported=$(exports "$library")
libc=$(ldd "$library" | sed -n 's/.*libc\.so\.6 => \([^ ]*\).*/\1/p')
[ -n "$libc" ] || { echo "libc is not found"; exit 77; }
strange=$(comm -23 <(echo "$exported") <(nm -D --defined-only "$libc" | awk '$2 ~ /[TWi]/ { print $NF }' | sed 's/@.*//' | sort -u) |
	grep -vxE 'io_p?getevents|collector_.*|[mrx]allocx|s?dallocx|free(_aligned)?_sized|GOMP_.*|omp_set_(nest_)?lock_?|ompt_start_tool|_Z(nw|na|dl|da)[A-Za-z0-9_]*')
api=$(sed -nE 's/^void (collector_[a-z_]+)\(.*/\1/p' libcollector/api/collectorAPI.h | sort)
[ "$(wc -w <<<"$api")" -ge 8 ] || { echo "collectorAPI.h declares too little:" $api; broken=1; }
# The functions of libgomp have its versions, none of them a default one: a program that was not linked to it must not find them.
regions=$(sed -nE 's/^[A-Z_]+\(([A-Za-z_]+), "([A-Z_0-9.]+)".*/\1@\2/p' libcollector/kinds/openmp/libgomp.def | sort)
differs=$(diff <(echo "$regions") <(nm -D --defined-only "$library" | awk '$3 ~ /^G?OMP_.*@|^omp_/ { print $3 }' | sort))
[ -z "$differs" ] || { echo "libcollector.so does not export libgomp.def: $differs"; broken=1; }
for file in libcollector.so libcollectorAPI.so; do
	differs=$(diff <(echo "$api") <(nm -D --defined-only "$BUILD/lib/$file" | awk '{ print $NF }' | grep '^collector_.*[^_]$' | sort))
	[ -z "$differs" ] || { echo "$file does not export what collectorAPI.h declares: $differs"; broken=1; }
done
[ -z "$strange" ] || { echo "exported, but no function of libc:" $strange; broken=1; }
[ "$(wc -w <<<"$exported")" -gt 50 ] || { echo "fewer exports than there must be"; broken=1; }
# The library with MPI exports what that one exports, and MPI_X and PMPI_X of each function of its table.
functions=$(sed -nE 's/^FUNCTION\((MPIX?_[A-Za-z0-9_]+),.*/\1/p' libcollector/kinds/mpi/functions.def)
differ=$(comm -3 <(exports "$BUILD/lib/libcollector_mpi.so") <(printf '%s\n' "$exported" $functions $(sed 's/^/P/' <<<"$functions") | sort -u))
[ -z "$differ" ] || { echo "libcollector_mpi.so and its table differ:" $differ; broken=1; }
called=$(find "$BUILD/pic/libcollector" "$BUILD/pic/experiment-format" -path "$BUILD/pic/libcollector/api" -prune -o -name '*.o' -exec nm -A --undefined-only {} + |
	awk 'NR == FNR { exported[$1]; next } $NF in exported { sub(/:.*/, "", $1); print $1 ": calls by name: " $NF }' <(echo "$exported") -)
[ -z "$called" ] || { echo "$called"; broken=1; }
exit $broken
