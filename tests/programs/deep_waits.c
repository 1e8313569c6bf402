/* SPDX-License-Identifier: Apache-2.0 */
/* Waits by a system call of the program's own, far down the stack, which is used for other things before the next clock tick. The
   program prints for how long the waits were, after the first ones. */
#include "bare_calls.h"
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { DEPTH = 40, TIMES = 100, FIRST = 20 };

static double seconds(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

__attribute__((noinline)) static double deepest(void)
{
	double begin = seconds();
	bare_nanosleep(3000000);
	return seconds() - begin;
}

__attribute__((noinline)) static double descend(int depth)
{
	volatile char room[700];
	room[0] = (char)depth;
	double waited = depth ? descend(depth - 1) : deepest();
	room[sizeof room - 1] = room[0];
	return waited;
}

/* Other frames are where those of the waits were. */
__attribute__((noinline)) static int use_stack(int depth)
{
	volatile char room[300];
	memset((char *)room, depth, sizeof room);
	if (depth)
		return use_stack(depth - 1) + room[7];
	usleep(200);
	double begin = seconds();
	while (seconds() - begin < .006)
		;
	return room[9];
}

int main(void)
{
	double waited = 0;
	for (int i = 0; i < TIMES; i++) {
		double length = descend(DEPTH);
		waited += i < FIRST ? 0 : length;
		use_stack(i % 50);
	}
	printf("bare_nanosleep unknownwait %.6f\n", waited);
	return 0;
}
