#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every function that an installed MPI exports is in libcollector/kinds/mpi/functions.def, with as many arguments as its mpi.h says.
set -u
table=libcollector/kinds/mpi/functions.def
libraries=$(find /usr/lib -maxdepth 2 \( -name 'libmpi.so.[0-9]*' -o -name 'libmpich.so.[0-9]*' \) -type f 2>/dev/null)
[ -n "$libraries" ] || { echo "no MPI is installed"; exit 77; }
known=$(sed -nE 's/^(FUNCTION|PASSED)\((MPIX?_[A-Za-z0-9_]+).*/\2/p' $table | sort -u)
# Predefined callbacks and Fortran's own entries have names in capitals.
missing=$(nm -D --defined-only $libraries | awk '$2 ~ /[TW]/ && $3 ~ /^MPIX?_/ { print $3 }' | grep -vE '^MPI_[A-Z0-9_]+$' | sort -u | comm -23 - <(echo "$known"))
[ -z "$missing" ] || { echo "$table lacks:" $missing; exit 1; }
[ "$(wc -w <<<"$known")" -gt 600 ] || { echo "$table has lost functions"; exit 1; }
# The functions that the headers declare on one or more lines, without comments: "NAME COUNT".
declared=$(find /usr/lib /usr/include -path '*mpi*' \( -name mpi.h -o -name mpi_proto.h \) -exec cat {} + 2>/dev/null | tr '\n\t' '  ' |
	sed 's,/\*[^*]*\*/,,g' | grep -oE '\bint +MPIX?_[A-Za-z0-9_]+ *\([^()]*\)' | grep -vF ... |
	awk -F'[()]' '{ words = split($1, word, " "); gsub(/ /, "", $2); print word[words], $2 == "void" || $2 == "" ? 0 : gsub(/,/, "", $2) + 1 }' | sort -u)
wrong=$(awk 'NR == FNR { arguments[$1] = $2; next } $1 in arguments && arguments[$1] != $2 { print $1 }' \
	<(sed -nE 's/^FUNCTION\((MPIX?_[A-Za-z0-9_]+), ([0-9]+).*/\1 \2/p' $table) <(echo "$declared"))
[ -z "$wrong" ] || { echo "$table has another number of arguments than mpi.h:" $wrong; exit 1; }
echo "$(wc -w <<<"$known") functions, $(wc -l <<<"$declared") held against mpi.h"
