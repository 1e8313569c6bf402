// SPDX-License-Identifier: Apache-2.0
// With -DLIBRARY the library, else the program: 100 ms in each. The two of the library's builds are told apart by -DNAME.
#include <time.h>

static inline void busy(long nanoseconds)
{
	struct timespec begun, now;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begun);
	do {
		for (volatile int i = 0; i < 20000; i++)
			;
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	} while ((now.tv_sec - begun.tv_sec) * 1000000000 + now.tv_nsec - begun.tv_nsec < nanoseconds);
}

#ifdef LIBRARY
void in_library(void);

__attribute__((noinline)) static void NAME(void)
{
	busy(100000000);
}

void in_library(void)
{
	NAME();
}
#else
void in_library(void);

__attribute__((noinline)) static void in_program(void)
{
	busy(100000000);
}

int main(void)
{
	in_program();
	in_library();
	return 0;
}
#endif
