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
# `#!` and man pages' and C's comment marks are stripped, so that one form is left for all.
files=$(tests/house/sources '(\.(c|h|cc|def|sh|bash|mk|py|js|map|[0-9])$|^Makefile$|^\.ci/run$|^tests/(run|deps|demo|sysroot|workload)$|^tests/[^/]*/(run|sources|build|boot|init)$)')
for file in $files; do
	licence=Apache-2.0
	[[ $file == er_print/* ]] && licence=GPL-3.0-or-later
	mapfile -t lines < <(grep -v '^#!' "$file" | head -n 2 | sed -E 's,^(/\*|//|#|!|\.\\"|\\") ?,,')
	[[ ${lines[0]-} =~ ^SPDX-License-Identifier:\ $licence(\ \*/)?$ ]] ||
		breach "$file: the first line must be 'SPDX-License-Identifier: $licence'"
	[[ $file == man/* ]] && continue
	[[ ${lines[1]-} =~ [A-Za-z].{8} ]] && grep -v '^#!' "$file" | sed -n 2p | grep -qE '^(/\*|//|#|!) ' ||
		breach "$file: the second line must be a comment that says what the file is for"
done
for folder in collect collector-api libcollector experiment-format tests; do
	cmp -s $folder/LICENSE tests/LICENSE && grep -q 'Apache License' $folder/LICENSE ||
		breach "$folder/LICENSE: must be the text of the Apache License 2.0"
done
grep -q 'GNU GENERAL PUBLIC LICENSE' er_print/LICENSE || breach "er_print/LICENSE: must be the text of the GPL"
[ $broken -eq 0 ] && echo "$(wc -w <<<"$files") files"
exit $broken
