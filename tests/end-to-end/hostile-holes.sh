#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A program that maps over a part of its memory that it had unmapped finds nothing of ours there, and we lose nothing: every one of
# its allocations is recorded.
set -u
for options in "-p off -H on" "-p hi -H on -s all -i on"; do
	rm -rf test.er
	out=$("$BUILD/bin/collect" $options -O said -o test.er "$PROGRAMS/refilled_holes") || { echo "$options: status $?"; exit 1; }
	[ "$out" = 0 ] || { echo "$options: its memory was changed $out times"; exit 1; }
	allocations=$("$BUILD/bin/er_print" -metrics i.heapalloccnt:name -functions test.er | awk '$NF == "main" { print $1 }')
	# 30 rounds of two times 20000 blocks, and mappings count as well.
	[ "${allocations:-0}" -ge 1200000 ] && [ "$allocations" -le 1210000 ] || { echo "$options: $allocations allocations"; exit 1; }
done
