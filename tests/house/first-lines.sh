#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every source says its licence in its first line and what it is for in a comment in the next.
set -u
broken=0
breach()
{
	echo "$*"
	broken=1
}
files=$(tests/house/sources '(\.(c|h|cc|def|sh|bash|mk|py|js|map|[0-9])$|^Makefile$|^\.ci/run$|^tests/run$|^tests/[^/]*/(run|sources|build|boot|init|deps|demo|sysroot|workload|rows)$)')
# `#!` lines and the comment marks of C and man pages are stripped, so that one form is left for all. A file that ends early
# has been read to its end when the next one begins: its lines are judged then.
breaches=$(awk '
	function judge()
	{
		licence = file ~ /^er_print\// ? "GPL-3.0-or-later" : "Apache-2.0"
		if (first !~ "^SPDX-License-Identifier: " licence "( \\*/)?$")
			print file ": the first line must be \x27SPDX-License-Identifier: " licence "\x27"
		if (file !~ /^man\// && !(marked && second ~ /[A-Za-z]......../))
			print file ": the second line must be a comment that says what the file is for"
	}
	FNR == 1 {
		if (file) judge()
		file = FILENAME
		first = second = ""
		seen = marked = 0
	}
	/^#!/ { next }
	{
		seen++
		line = $0
		sub(/^(\/\*|\/\/|#|!|\.\\"|\\") ?/, "", line)
	}
	seen == 1 { first = line }
	seen == 2 {
		second = line
		marked = $0 ~ /^(\/\*|\/\/|#|!) /
		nextfile
	}
	END { if (file) judge() }' $files)
[ -z "$breaches" ] || breach "$breaches"
# An empty file has no line that awk could judge.
empty=$(find $files -empty)
[ -z "$empty" ] || breach "without a first line:" $empty
for folder in collect libcollector experiment-format tests; do
	cmp -s $folder/LICENSE tests/LICENSE && grep -q 'Apache License' $folder/LICENSE ||
		breach "$folder/LICENSE: must be the text of the Apache License 2.0"
done
grep -q 'GNU GENERAL PUBLIC LICENSE' er_print/LICENSE || breach "er_print/LICENSE: must be the text of the GPL"
[ $broken -eq 0 ] && echo "$(wc -w <<<"$files") files"
exit $broken
