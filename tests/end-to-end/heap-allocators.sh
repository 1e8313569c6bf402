#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Allocators that are libraries go on to work and are traced: tcmalloc and jemalloc linked, or preloaded; with their own C++
# operators and jemalloc's extended interface. A malloc inside the executable passes us by: collect and `header` say so.
. "$TESTS/end-to-end/heap.bash"

cat >blocks.cc <<'C'
#include <cstdlib>
#include <cstdio>
#include <new>
int main()
{
	for (int i = 0; i < 100; i++)
		free(malloc(10));
	free(malloc(64 << 20));
	char *leaked = new char[1000];
	int *one = new int;
	delete one;
	struct alignas(64) wide { char bytes[128]; };
	wide *w = new wide;
	delete w;
	long *none = new (std::nothrow) long[5];
	delete[] none;
	void *again = realloc(malloc(20), 40);
	std::printf("%d\n", leaked && again);
}
C
cat >extended.c <<'C'
#include <stdlib.h>
void *mallocx(size_t, int); void *rallocx(void *, size_t, int); void dallocx(void *, int); void sdallocx(void *, size_t, int);
size_t xallocx(void *, size_t, size_t, int);
int main(void)
{
	void *p = mallocx(100, 0), *q = mallocx(200, 0);
	p = rallocx(p, 5000, 0);
	xallocx(p, 5000, 0, 0);
	dallocx(p, 0);
	sdallocx(q, 200, 0);
	return !mallocx(77, 64);
}
C
library()
{
	ldconfig -p | awk -v name="$1" '$1 ~ name {print $NF; exit}'
}
tcmalloc=$(library '^libtcmalloc_minimal[.]so')
jemalloc=$(library '^libjemalloc[.]so')
[ -n "$tcmalloc" ] && [ -n "$jemalloc" ] || { echo "tcmalloc or jemalloc is not installed"; exit 77; }
g++ -std=c++17 -O0 -g -o plain blocks.cc
g++ -std=c++17 -O0 -g -o with_tcmalloc blocks.cc -Wl,--no-as-needed "$tcmalloc"
g++ -std=c++17 -O0 -g -o with_jemalloc blocks.cc -Wl,--no-as-needed "$jemalloc"
gcc -O0 -g -o extended extended.c "$jemalloc"

# what main and what it calls has allocated, but for stdio's buffer: 107 blocks, two left.
in_main='HTYPE<=5 && FNAME("main") SOME IN USTACK && !(FNAME("printf|puts|_IO.*") SOME IN USTACK)'
expected="107 $((100 * 10 + (64 << 20) + 1000 + 4 + 128 + 40 + 20 + 40)) 2 1040"
for program in plain with_tcmalloc with_jemalloc; do
	"$collect" -p off -H on -O said -o $program.er ./$program >out
	[ "$(cat out)" = 1 ]
	is_as_counted $program.er $program "$expected" "$in_main"
done
for preloaded in "$tcmalloc" "$jemalloc"; do
	rm -rf preloaded.er
	LD_PRELOAD=$preloaded "$collect" -p off -H on -O said -o preloaded.er ./plain >out
	is_as_counted preloaded.er "plain with $preloaded preloaded" "$expected" "$in_main"
done
# Mappings that the allocators make for themselves are their growth, not the program's mappings.
for program in with_tcmalloc with_jemalloc; do
	is_as_counted $program.er "mappings of $program" "0 0 0 0" 'HTYPE>=6 && HTYPE<=8'
	"$er_print" -metrics i+heapgrowth:name -functions $program.er >grown
	awk '$2 == "<Total>" {exit !($1 >= 67108864)}' grown || { cat grown; exit 1; }
done
"$collect" -p off -H on -O said -o extended.er ./extended
is_as_counted extended.er extended "5 $((100 + 200 + 5000 + 5000 + 77)) 1 77" 'HTYPE<=5 && FNAME("main") SOME IN USTACK'

# A malloc of the executable's own.
cat >own.c <<'C'
#include <stddef.h>
static char memory[1 << 20];
static size_t used;
void *malloc(size_t n) { void *p = memory + used; used += (n + 15) / 16 * 16; return p; }
void free(void *p) { (void)p; }
int main(void) { return !malloc(10); }
C
gcc -O0 -o own own.c
"$collect" -p off -H on -o own.er ./own >out 2>err
grep -c 'malloc of its own' err | grep -qx 1 || { cat err; exit 1; }
"$er_print" -header own.er | grep -q 'Collector Warning: heap tracing: the executable has a malloc of its own'
