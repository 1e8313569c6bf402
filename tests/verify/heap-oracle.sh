#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Programs that nobody here wrote: allocations, bytes, and what is left at the end are those that valgrind counts, of blocks
# (valgrind knows of no mappings); a program with one block of each kind of leak that valgrind tells apart.
# limit: 400
. "$TESTS/end-to-end/heap.bash"
command -v valgrind >/dev/null || { echo "valgrind is not installed"; exit 77; }

# Allocators are libraries of other names than libc's.
valgrind=(valgrind '--soname-synonyms=somalloc=*malloc*' --run-libc-freeres=no --run-cxx-freeres=no --leak-check=full
	--show-leak-kinds=all --log-file=valgrind.log)
# by_valgrind COMMAND...: writes "ALLOCATIONS BYTES LEAKS BYTES"
by_valgrind()
{
	"${valgrind[@]}" "$@" >valgrind.out 2>&1 </dev/null
	counted_by_valgrind
}
counted_by_valgrind()
{
	tr -d , <valgrind.log | awk '/in use at exit:/ {bytes = $6; left = $9}
		/total heap usage:/ {print $5, $9, left, bytes}'
}
# judge NAME MOST-ALLOCATIONS MOST-BYTES KNOWN SHOWN
judge()
{
	local verdict=ok
	awk -v most="$2" -v bytes="$3" '{
		for (i = 1; i <= 4; i++) {
			differ = $i - $(i + 4)
			if (differ < 0)
				differ = -differ
			if (differ > (i % 2 ? most : bytes))
				exit 1
		}
		exit NF != 8 }' <<<"$4 $5" || verdict=SHORT
	echo "bound: $1: allocations, bytes, blocks left, their bytes (valgrind: $4) | $5 | within $2 and $3 bytes | $verdict"
	[ $verdict = ok ]
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
	judge "$name" "$most" $((most * 1024)) "$known" "$shown"
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

"$TESTS/tools/workload" sql 20 >script.sql
compare sqlite3 0 "$(command -v sqlite3)" :memory: '.read script.sql'
"$TESTS/tools/workload" text 1 >text
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

build_fortran_arrays
compare gfortran 0 ./arrays

cat >words.cc <<'C'
#include <cstdlib>
#include <map>
#include <string>
int main()
{
	std::map<std::string, std::string> words;
	for (int i = 0; i < 2000; i++)
		words["a word that needs memory " + std::to_string(i * 7919 % 500)] += std::to_string(i);
	new std::string(3000, 'x');
	return realloc(malloc(10), 20000) == nullptr;
}
C
g++ -O1 -g -o words words.cc -Wl,--no-as-needed -ltcmalloc_minimal 2>/dev/null ||
	g++ -O1 -g -o words words.cc -Wl,--no-as-needed "$(ldconfig -p | awk '$1 ~ /^libtcmalloc_minimal[.]so/ {print $NF; exit}')"
# tcmalloc tries itself out at its start, by its own names: twice a byte.
compare "with tcmalloc" 2 ./words

# A server with jemalloc, and commands that do not ask how much more than it wanted it was given: valgrind gives no more. What it
# does once a second differs.
serve()
{
	rm -f socket
	"$@" redis-server --port 0 --unixsocket "$PWD/socket" --save "" --appendonly no --daemonize no --hz 1 --dynamic-hz no \
		--activerehashing no --jemalloc-bg-thread no >served 2>&1 </dev/null &
	local server=$! try
	for ((try = 0; try < 300; try++)); do
		redis-cli -s socket ping 2>/dev/null | grep -q PONG && break
		sleep .1
	done
	for try in 1 2 3; do
		redis-benchmark -s socket -n 5000 -c 1 -t set,get,incr -q >bench
	done
	redis-cli -s socket shutdown nosave
	wait $server
}
command -v redis-server >/dev/null || { echo "redis-server is not installed"; exit 77; }
serve "${valgrind[@]}"
known=$(counted_by_valgrind)
rm -rf redis.er
serve "$collect" -p off -F off -H on -O said -o redis.er
read -r allocations bytes _ <<<"$known"
judge "redis-server under redis-benchmark" $((allocations / 200)) $((bytes / 200)) "$known" "$(heap_total redis.er 'HTYPE>=1 && HTYPE<=5')"
