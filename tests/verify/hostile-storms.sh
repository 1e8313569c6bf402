#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# limit: 300
# Much that comes and goes: 200 plug-ins a second, opened at the addresses of others, each with the time that was spent in it;
# 10 000 short threads, also without privileges and without perf events, with their time.
. "$TESTS/end-to-end/clock.bash"
for name in one two; do
	cat >$name.c <<END
#include <time.h>
volatile unsigned long sink;
static long long now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (long long)t.tv_sec * 1000000000 + t.tv_nsec;
}
__attribute__((noinline)) static void busy_in_$name(void) { for (int i = 0; i < 200000; i++) sink += i; }
void use(long long ns) { for (long long start = now(); now() - start < ns;) busy_in_$name(); }
END
	"${CC:-gcc}" -O1 -g -shared -fPIC -Wl,--build-id -o $name.so $name.c
done
"$collect" -p hi -O said -o storm.er "$PROGRAMS/hostile_dlopen" 400 ./one.so ./two.so >uses
"$BUILD/bin/er_print" -metrics i.totalcpu -functions storm.er >functions 2>errors
[ ! -s errors ] || { cat errors; exit 1; }
for name in one two; do
	awk -v name="$name" -v true="$(awk -v so="./$name.so" '$2 == so { print $1 }' uses)" '
		$NF == "busy_in_" name { found = $1 }
		END { printf "%s: %.3f s of %.3f s\n", name, found, true; exit !(found > 0.8 * true && found < 1.05 * true) }' functions
done
grep -c 'kind="unmap"' storm.er/map.xml | awk '{ print $1 " unmapped"; exit !($1 >= 400) }'

run threads -- -p hi -- short 10000 100
check threads total
run refused "$PROGRAMS/refuse_perf" EPERM -- -p hi -- short 10000 100
check refused total
open_to_nobody
run nobody as_nobody -- -p hi -- short 10000 100
check nobody total
