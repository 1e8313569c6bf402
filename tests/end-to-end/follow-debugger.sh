#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A program that a debugger starts: the debugger is told of no signal of ours, and it is said that the program is not clocked. What
# needs no signal is recorded. Once the debugger lets go, the program's next image is clocked again.
set -u
fail()
{
	echo "$*"
	exit 1
}
cat >debugger.c <<'END2'
/* debugger PROGRAM ARGUMENTS...: traces it, passes on its signals, lets go of it at its second exec; prints how many there were. */
#include <signal.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int count, char **arguments)
{
	int status, execs = 0, signals = 0;
	pid_t child = fork();
	if (!child) {
		ptrace(PTRACE_TRACEME, 0, 0, 0);
		for (volatile int i = 0; i < 20000000; i++)
			;
		execv(arguments[1], arguments + 1);
		_exit(127);
	}
	while (waitpid(child, &status, 0) == child && WIFSTOPPED(status)) {
		int number = WSTOPSIG(status);
		if (number == SIGTRAP && ++execs == 2) {
			ptrace(PTRACE_DETACH, child, 0, 0);
			waitpid(child, &status, 0);
			break;
		}
		signals += number != SIGTRAP;
		ptrace(PTRACE_CONT, child, 0, number == SIGTRAP ? 0 : number);
	}
	printf("%d signals, status %d\n", signals, status);
	return 0;
}
END2
cat >work.c <<'END2'
/* work [AGAIN]: 0.2 s of CPU time and an allocation; then the same once more as another image. */
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
int main(int count, char **arguments)
{
	struct timespec begun, now;
	void *volatile block = malloc(12345);
	free(block);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begun);
	do
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	while (now.tv_sec - begun.tv_sec + (now.tv_nsec - begun.tv_nsec) / 1e9 < 0.2);
	if (count > 1)
		execl(arguments[0], arguments[0], (char *)0);
	return 7;
}
END2
for program in debugger work; do
	"${CC:-gcc}" -O1 -o $program $program.c || fail "gcc $program.c"
done
unset LD_PRELOAD
[ "$(./debugger ./work again)" = "0 signals, status 1792" ] || { echo "a program cannot be traced here"; exit 77; }
reason='a debugger traces it, which the signals of clock and counters would stop'
"$BUILD/bin/collect" -p hi -H on -h context-switches,1 -O said -o test.er ./debugger ./work >out || fail "status $?: $(cat said)"
[ "$(cat out)" = "0 signals, status 1792" ] || fail "traced: $(cat out)"
"$BUILD/bin/er_print" -functions test.er >list
grep -qE "^Recorded [0-9.]+ of [0-9.]+ CPU seconds; not recorded: part of work 0\.[12][0-9]* \($reason\)$" list || fail "$(cat list)"
"$BUILD/bin/er_print" -header test.er | grep -qF "Warning: not clocked: $reason" || fail "header: $("$BUILD/bin/er_print" -header test.er)"
"$BUILD/bin/er_print" -metrics i.heapallocbytes:name -functions test.er/_f1_x1.er 2>&1 | grep -q '12345.* main$' ||
	fail "heap: $("$BUILD/bin/er_print" -metric_list -functions test.er/_f1_x1.er)"
# Without what needs signals there is nothing to say.
"$BUILD/bin/collect" -p off -H on -O said -o heap.er ./debugger ./work >out || fail "status $?: $(cat said)"
"$BUILD/bin/er_print" -header heap.er | grep -q 'not clocked' && fail "said without the clock"
"$BUILD/bin/collect" -p hi -O said -o again.er ./debugger ./work again >out || fail "status $?: $(cat said)"
[ "$(cat out)" = "0 signals, status 1792" ] || fail "traced at first: $(cat out)"
"$BUILD/bin/er_print" -metrics i.totalcpu:name -functions again.er/_f1_x1_x1.er | awk '/ main$/ { found = $1 } END { exit !(found > 0.1) }' ||
	fail "the image after it: $("$BUILD/bin/er_print" -functions again.er)"
