#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Blocks of constructors that run before the collector's, and libraries in LD_PRELOAD that stand in front of malloc themselves,
# one behind the other: the program's blocks are shown as it counts them, what was there before is released as unknown, and every
# call reaches each library; no error of the collector's own searches is left to the program. TURNS=N repeats it N times (make stress).
. "$TESTS/end-to-end/heap.bash"

# initfirst is the collector's, too: the loader grants it to the library that it has loaded last.
cat >early.c <<'C'
#include <stdlib.h>
void *early_blocks[10];
__attribute__((constructor)) static void begin(void)
{
	for (int i = 0; i < 10; i++)
		early_blocks[i] = malloc(5001);
	free(malloc(5002));
	early_blocks[0] = realloc(early_blocks[0], 5003);
}
__attribute__((destructor)) static void end(void)
{
	free(early_blocks[9]);
	free(malloc(5004));
}
C
cat >uses_early.c <<'C'
#include <stdlib.h>
extern void *early_blocks[10];
int main(void)
{
	for (int i = 0; i < 5; i++)
		free(early_blocks[i]);
	early_blocks[5] = realloc(early_blocks[5], 5005);
	free(malloc(5006));
	return !malloc(5007);
}
C
# How such libraries are usually written: it finds the next function when it is first called, and dlsym may allocate.
cat >wrap.c <<'C'
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static void *(*next_malloc)(size_t);
static void (*next_free)(void *);
static unsigned long seen;
void *malloc(size_t size)
{
	if (!next_malloc)
		next_malloc = (void *(*)(size_t))dlsym(RTLD_NEXT, "malloc");
	seen += size == 333;
	return next_malloc(size);
}
void free(void *block)
{
	if (!next_free)
		next_free = (void (*)(void *))dlsym(RTLD_NEXT, "free");
	next_free(block);
}
__attribute__((destructor)) static void end(void)
{
	char line[40];
	int size = snprintf(line, sizeof line, "%s %lu\n", NAME, seen);
	if (write(1, line, size) != size)
		_exit(3);
}
C
cat >blocks.c <<'C'
#include <dlfcn.h>
#include <stdlib.h>
int main(void)
{
	if (dlerror()) /* the collector's own searches are no error of the program's */
		return 2;
	for (int i = 0; i < 1000; i++)
		free(malloc(333));
	return !malloc(333);
}
C
gcc -O1 -fno-builtin -shared -fPIC -Wl,-z,initfirst -o libearly.so early.c
gcc -O1 -g -fno-builtin -o uses_early uses_early.c ./libearly.so
gcc -O1 -fno-builtin -shared -fPIC -DNAME='"one"' -o libone.so wrap.c
gcc -O1 -fno-builtin -shared -fPIC -DNAME='"two"' -o libtwo.so wrap.c
gcc -O1 -g -fno-builtin -o blocks blocks.c

for ((turn = 0; turn < ${TURNS:-1}; turn++)); do
	rm -rf early.er chain.er
	"$collect" -p hi -H on -O said -o early.er ./uses_early
	# 5004 to 5007 are allocated by main and the library's destructor; 5005 and 5007 are left.
	is_as_counted early.er "after a constructor" "4 20022 2 10012" 'HSIZE>=5004 && HSIZE<=5007'
	before=$(heap_total early.er 'HSIZE>=5001 && HSIZE<=5003')
	unknown=$("$er_print" -heapstat early.er | sed -n 's/^ *Releases of unknown blocks *//p')
	# Either the constructor ran before the collector's, and its blocks are unknown, or after it, and all is known.
	case $before in
	"0 0 0 0") [ "${unknown:-0}" -ge 7 ] || { echo "unknown releases: ${unknown:-none}"; exit 1; } ;;
	"12 60015 3 15003") ;;
	*) echo "early blocks: $before"; exit 1 ;;
	esac
	echo "early blocks: $before, unknown releases: ${unknown:-none}"

	LD_PRELOAD="$PWD/libone.so $PWD/libtwo.so" "$collect" -p hi -H on -O said -o chain.er ./blocks >out
	[ "$(sort out)" = "one 1001
two 1001" ] || { cat out; exit 1; }
	is_as_counted chain.er "behind a chain" "1001 333333 1 333" 'HSIZE==333'
done
