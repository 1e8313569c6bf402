#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A file that has outgrown its purpose is broken at 600 lines, and named from 400; a function is named from 60 lines.
set -u
broken=0 named=""
while read -r lines file; do
	[ "$lines" -gt 600 ] && { echo "$file: $lines lines: split it by purpose"; broken=1; }
	[ "$lines" -gt 400 ] && named+=" $file($lines)"
done < <(tests/house/sources '\.(c|h|sh)$|^Makefile$' | xargs wc -l | grep -v ' total$')
# A function of this style begins with "{" and ends with "}" in the first column.
long=$(tests/house/sources '^(experiment-format|libcollector|collect|er_print)/.*\.c$' | xargs awk '
	/^\{/ {start = FNR; name = previous}
	/^\}/ && start {if (FNR - start - 1 > 60) printf " %s:%s(%d)", FILENAME, name, FNR - start - 1; start = 0}
	{if ($0 !~ /^[\t{}]/) {previous = $0; sub(/\(.*/, "", previous); sub(/.*[ *]/, "", previous)}}')
[ $broken -eq 0 ] && echo "over 400 lines:${named:- none}; functions over 60 lines:${long:- none}"
exit $broken
