#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# "Adding a data kind" of the README is true: in a copy of the tree, the rows and the one new file that it shows make
# `collect -e on` record the bytes that getrandom(2) gives, and er_print show them, with the number that the target knows.
# limit: 400
set -eu
(cd "$TESTS/.." && tests/house/sources . | tar -cf - -T -) | tar -xf -

# The README's blocks: the line before a block names the file that it goes into.
# block FILE: the text between ``` that follows the line "In `FILE`:".
block()
{
	awk -v marker="In \`$1\`" 'index($0, marker) == 1 {found = 1} /^```/ {if (inside) exit; if (found) {inside = 1; next}} inside' \
		"$TESTS/../README.md"
}
# insert FILE BEFORE-REGEX: the README's block for FILE, before the first line that matches.
insert()
{
	block "$1" >rows
	[ -s rows ] || { echo "the README has no block for $1"; exit 1; }
	awk -v before="$2" '!done && $0 ~ before {while ((getline row <"rows") > 0) print row; done = 1} {print}' "$1" >changed
	cmp -s "$1" changed && { echo "$1: no line matches $2"; exit 1; }
	mv changed "$1"
}
insert experiment-format/kinds.def '^#undef KIND'
insert experiment-format/settings.def '^TEXT\(founder'
insert collect/options/options.def "^#undef CHOOSES"
mkdir libcollector/kinds/entropy
block libcollector/kinds/entropy/entropy.c >libcollector/kinds/entropy/entropy.c
insert er_print/aggregate/metrics.def '^#undef METRIC'
make -j2 CI=1 >output 2>&1 || { grep -E 'error:|warning:|undefined|multiple' output; exit 1; }

cat >target.c <<'C'
#include <sys/random.h>
#include <unistd.h>
static char bytes[200];
__attribute__((noinline)) static void draw(int n) { for (int i = 0; i < n; i++) if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes) _exit(1); }
int main(void) { draw(300); return getrandom(bytes, 5, 0) != 5; }
C
gcc -O1 -g -o target target.c
build/bin/collect -e on -O said -o test.1.er ./target
build/bin/er_print -metrics i+randombytes:i+randomcnt:name -functions test.1.er >functions
awk '$3 == "<Total>" || $3 == "main" || $3 == "draw" {print $3, $1, $2}' functions | sort >got
printf '%s\n' "<Total> 60005 301" "main 60005 301" "draw 60000 300" | sort | diff - got || { cat functions; exit 1; }
# Without the option the kind costs nothing: its file is not even made.
build/bin/collect -O said -o test.2.er ./target
[ -e test.1.er/entropy.events ] && [ ! -e test.2.er/entropy.events ] || exit 1
