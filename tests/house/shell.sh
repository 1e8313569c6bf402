#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Shell scripts parse, those that are run by name are executable, and serial.txt names tests that exist. No test relies on a command
# behind `!` or before `&&`, whose failure does not end a script even with `set -e`: such a line needs `|| exit 1`.
set -u
broken=0
for file in $(tests/house/sources '(\.sh|^\.ci/run|^tests/(run|deps|demo|sysroot|workload)|^tests/[^/]*/(run|sources|build|boot))$'); do
	head -n 1 "$file" | grep -qE '^#!(/bin/bash|/usr/bin/env bash)$' || { echo "$file: must begin with #!/bin/bash"; broken=1; }
	bash -n "$file" || broken=1
	awk -v file="$file" '{ last = $0; sub(/.* && /, "", last) }
		(/^[[:space:]]*! / || (/^[[:space:]]*(\[|grep -q) .* && / && last ~ /^(\[|grep -q|cmp|diff) /)) && !/\|\||&&$/ && before !~ /(\|\||&&)$/ {
			print file ":" FNR ": a failure of this line is not seen without `|| exit 1`"; bad = 1 }
		{ before = $0 } END { exit bad }' "$file" || broken=1
	[[ $file == *.sh || -x $file ]] || { echo "$file: must be executable"; broken=1; }
done
while read -r name; do
	[[ -z $name || $name == \#* ]] && continue
	[ -f "tests/end-to-end/$name.sh" ] || { echo "tests/end-to-end/serial.txt: there is no test $name"; broken=1; }
done < <(cat tests/end-to-end/serial.txt 2>/dev/null)
exit $broken
