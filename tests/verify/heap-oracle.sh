#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Programs that nobody here wrote: allocations, bytes, and what is left at the end are those that valgrind counts, of blocks
# (valgrind knows of no mappings); a program with one block of each kind of leak that valgrind tells apart.
# limit: 400
. "$TESTS/end-to-end/heap.bash"
command -v valgrind >/dev/null || { echo "valgrind is not installed"; exit 77; }

# by_valgrind COMMAND...: writes "ALLOCATIONS BYTES LEAKS BYTES"
by_valgrind()
{
	valgrind --run-libc-freeres=no --run-cxx-freeres=no --leak-check=full --show-leak-kinds=all --log-file=valgrind.log "$@" >valgrind.out 2>&1 </dev/null
	tr -d , <valgrind.log | awk '/in use at exit:/ {bytes = $6; left = $9}
		/total heap usage:/ {print $5, $9, left, bytes}'
}
# compare NAME MOST COMMAND...: differs by at most MOST allocations in all numbers of blocks, and that many KB.
compare()
{
	local name=$1 most=$2 known shown
	shift 2
	known=$(by_valgrind "$@")
	rm -rf "$name.er"
	"$collect" -p off -F off -H on -O said -o "$name.er" "$@" >shown.out 2>&1 </dev/null
	shown=$(heap_total "$name.er" 'HTYPE>=1 && HTYPE<=5')
	echo "$name: valgrind $known, er_print $shown"
	awk -v most="$most" '{
		for (i = 1; i <= 4; i++) {
			differ = $i - $(i + 4)
			if (differ < 0)
				differ = -differ
			if (differ > (i % 2 ? most : most * 1024))
				exit 1
		}
		exit NF != 8 }' <<<"$known $shown" || { echo "$name: differs by more than $most"; return 1; }
}

cat >kinds.c <<'C'
#include <stdlib.h>
static char *reachable, *interior;
static struct node { struct node *next; } *unused;
__attribute__((noinline)) static void lose(void)
{
	struct node *definitely = malloc(11); /* lost, and what only it points to is lost indirectly */
	definitely->next = malloc(22);
	definitely->next->next = 0;
	reachable = malloc(33);
	interior = (char *)malloc(444) + 100; /* possibly lost */
	free(malloc(55));
	unused = 0;
}
__attribute__((noinline)) static void wipe(void)
{
	volatile char stack[4000];
	for (unsigned i = 0; i < sizeof stack; i++)
		stack[i] = 0;
}
int main(void) { lose(); wipe(); return !reachable || !interior || unused; }
C
gcc -O0 -g -o kinds kinds.c
compare kinds 0 ./kinds
for kind in "definitely lost: 11 bytes in 1 blocks" "indirectly lost: 22 bytes in 1 blocks" "possibly lost: 444 bytes in 1 blocks" "still reachable: 33 bytes in 1 blocks"; do
	grep -q "$kind" valgrind.log || { grep lost valgrind.log; echo "valgrind does not say: $kind"; exit 1; }
done
"$er_print" -leaks kinds.er | grep -q '^Summary Results: Distinct Leaks = 4, Total Instances = 4, Total Bytes Leaked = 510$'

"$TESTS/workload" sql 20 >script.sql
compare sqlite3 0 "$(command -v sqlite3)" :memory: '.read script.sql'
"$TESTS/workload" text 1 >text
compare xz 0 "$(command -v xz)" -1 -T1 -kc text
# Some blocks hold the environment, in which valgrind has names of its own.
cat >program.py <<'PYTHON'
import json, re
print(len(json.dumps([{"a": [i, str(i)]} for i in range(300)])), len(re.findall("[0-9]+", "a1 b22 c333" * 100)))
PYTHON
PYTHONMALLOC=malloc compare python3 30 /usr/bin/python3 -S program.py
cat >small.c <<'C'
#include <stdio.h>
int main(void) { for (int i = 0; i < 3; i++) printf("%d\n", i); return 0; }
C
gcc -E small.c -o small.i
compare cc1 64 "$(gcc -print-prog-name=cc1)" -quiet -O2 small.i -o small.s
