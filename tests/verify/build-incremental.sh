#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The build builds what has changed, all of it and nothing else, in a copy of the tree: a table, the flags, the list of files.
# limit: 300
set -eu
(cd "$TESTS/.." && tests/house/sources . | tar -cf - -T -) | tar -xf -

build()
{
	make collector "$@" 2>&1
}
up_to_date()
{
	make -q collector "$@" || { echo "make collector $* is not up to date, $step"; exit 1; }
}
compiled()
{
	grep -oE -- '-o [^ ]*\.o ' <<<"$1" | sort
}

step="after the first build"
all=$(compiled "$(build -j8)")
up_to_date
[ "$(build)" = "make: Nothing to be done for 'collector'." ]

step="after a change of tallies.def"
sed -i 's/"threads clocked by a perf cpu-clock event"/"a text that only this test has"/' experiment-format/tallies.def
some=$(compiled "$(build -j8)")
[ -n "$some" ] && [ "$(wc -l <<<"$some")" -lt "$(wc -l <<<"$all")" ] || exit 1
grep -q 'a text that only this test has' build/lib/libcollector.so
up_to_date

step="with other flags"
[ "$(compiled "$(build -j8 CFLAGS=-O1)")" = "$all" ] || { echo "not everything was built with the new flags"; exit 1; }
up_to_date CFLAGS=-O1

step="with a source more, then less"
printf '/* A probe. */\nextern const char probe_of_the_build[];\nconst char probe_of_the_build[] = "here";\n' >collect/probe.c
build CFLAGS=-O1 >output
nm build/bin/collect | grep -q probe_of_the_build
rm collect/probe.c
build CFLAGS=-O1 >output
! nm build/bin/collect | grep -q probe_of_the_build || { echo "a source that is gone is still linked"; exit 1; }
up_to_date CFLAGS=-O1

step="out of the tree"
build -j8 O="$PWD/elsewhere" >output
[ -x elsewhere/bin/collect ] && [ -e elsewhere/lib/libcollector.so ] || exit 1
