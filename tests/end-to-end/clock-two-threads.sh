#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A program of two threads, each busy in a function of its own: both threads, both functions and the total are as the program
# measured them with the threads' CPU clocks.
# measures CPU time of two busy threads
set -eu
cat >two.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <time.h>
static volatile unsigned long sink[2];
static double cpu(clockid_t clock)
{
	struct timespec now;
	clock_gettime(clock, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}
#define WORK(name, n) \
	__attribute__((noinline)) static void name(double seconds) \
	{ \
		while (cpu(CLOCK_THREAD_CPUTIME_ID) < seconds) \
			for (int i = 0; i < 20000; i++) \
				sink[n] += (unsigned long)i; \
	}
WORK(busy_one, 0)
WORK(busy_two, 1)
static double used[2];
static void *one(void *unused) { busy_one(0.4); used[0] = cpu(CLOCK_THREAD_CPUTIME_ID); return unused; }
static void *two(void *unused) { busy_two(0.8); used[1] = cpu(CLOCK_THREAD_CPUTIME_ID); return unused; }
int main(void)
{
	pthread_t thread[2];
	pthread_create(&thread[0], 0, one, 0);
	pthread_create(&thread[1], 0, two, 0);
	pthread_join(thread[0], 0);
	pthread_join(thread[1], 0);
	printf("busy_one %f\nbusy_two %f\n<Total> %f\n", used[0], used[1], cpu(CLOCK_PROCESS_CPUTIME_ID));
}
END
"${CC:-gcc}" -O1 -o two two.c -lpthread
"$BUILD/bin/collect" -p hi -O said -o two.er ./two >truth
"$BUILD/bin/er_print" -printmode ';' -metrics i.totalcpu:name -functions two.er | "$TESTS/tools/rows" -f 2,1 | tr '\t' ' ' >shown
# Each worker thread alone shows one of the two functions.
for thread in 2 3; do
	"$BUILD/bin/er_print" -filters "THRID == $thread" -printmode ';' -metrics i.totalcpu:name -functions two.er |
		grep -o 'busy_[a-z]*' | sort -u
done >by-thread
[ "$(sort by-thread | tr '\n' ' ')" = "busy_one busy_two " ] || { echo "threads show:"; cat by-thread; exit 1; }
awk 'NR == FNR { shown[$1] = $2; next }
	{ held = shown[$1] >= 0.85 * $2 && shown[$1] <= 1.15 * $2
	  printf "bound: %s | %.3f of %.3f s | within 15 %% | %s\n", $1, shown[$1], $2, held ? "ok" : "SHORT"
	  if (!held) bad = 1 }
	END { exit bad || FNR != 3 }' shown truth
