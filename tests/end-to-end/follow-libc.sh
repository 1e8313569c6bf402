#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Descendants of another C library are what they are alone, whatever starts them, and the log says that they are not followed; and
# where the collector is loaded by its loader all the same it does nothing.
set -eu
cat >program.c <<'C'
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
	puts(getenv("LD_PRELOAD") ? getenv("LD_PRELOAD") : "nothing is preloaded");
	return 4;
}
C
musl-gcc -O1 -o musl program.c 2>/dev/null || { echo "no musl"; exit 77; }
printf '#!%s/musl\n' "$PWD" >script
chmod +x script
for way in 'exec ./musl' './musl; exit $?' 'exec ./script' 'env ./musl; exit $?' 'nice ./musl; exit $?'; do
	status=0
	sh -c "$way" >plain || status=$?
	rm -rf test.er
	collected=0
	"$BUILD/bin/collect" -O said -o test.er sh -c "$way" >out 2>&1 || collected=$?
	[ $status = 4 ] && [ $collected = 4 ] || { echo "$way: status $status, collected $collected"; cat out; exit 1; }
	diff plain out || { echo "$way: another output"; exit 1; }
	grep -rqs --include=log.xml 'not followed: a program of another C library' test.er || { echo "$way: the log does not say it"; exit 1; }
done
for library in libcollector.so libcollector_mpi.so; do
	status=0
	LD_PRELOAD=$BUILD/lib/$library ./musl >out 2>&1 || status=$?
	[ $status = 4 ] && [ "$(cat out)" = "$BUILD/lib/$library" ] || { echo "$library: status $status"; cat out; exit 1; }
	LD_PRELOAD=$BUILD/lib/$library ER_TOOLS_FOUNDER=$PWD/test.er ER_TOOLS_LINEAGE=_x9 ./musl >out 2>&1 || status=$?
	[ $status = 4 ] || { echo "$library, with an experiment: status $status"; cat out; exit 1; }
	grep -q 'not recorded: a program of another C library' test.er/log.xml || { echo "$library: the founder's log does not say it"; exit 1; }
	sed -i '/not recorded: a program of another C library/d' test.er/log.xml
done
