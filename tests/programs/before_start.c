// SPDX-License-Identifier: Apache-2.0
// Works while the dynamic linker relocates it, before any library begins (the resolver of an indirect function); then prints
// the CPU time that it has had, in ns, and works in main for 120 ms.
#include <stdio.h>
#include <time.h>

static long cpu_time(void)
{
	struct timespec now;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return now.tv_sec * 1000000000 + now.tv_nsec;
}

static void work_for(long nanoseconds)
{
	long begun = cpu_time();
	volatile unsigned sum = 0;
	while (cpu_time() - begun < nanoseconds)
		for (int i = 0; i < 20000; i++)
			sum += (unsigned)i;
}

// Nothing of libc can be called yet.
static void (*choose(void))(long)
{
	for (volatile int i = 0; i < 120000000; i++)
		;
	return work_for;
}

void work(long nanoseconds) __attribute__((ifunc("choose")));

int main(void)
{
	printf("%ld\n", cpu_time());
	work(120000000);
	return 0;
}
