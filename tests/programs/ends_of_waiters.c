/* SPDX-License-Identifier: Apache-2.0 */
/* Children that wait by system calls of their own, one after another. The program prints how long their ends take, from the end of
   the last wait to the return of waitpid, all together. */
#include "bare_calls.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CHILDREN = 8, COMPUTE = 30000, WAITS = 20, WAIT = 500000 }; /* microseconds; nanoseconds */

static double seconds(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(void)
{
	double *last = mmap(0, sizeof *last, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0), ends = 0;
	for (int i = 0; i < CHILDREN; i++) {
		if (fork() == 0) {
			for (clock_t begin = clock(); clock() - begin < COMPUTE;)
				; /* a clock tick hits */
			for (int w = 0; w < WAITS; w++) {
				bare_nanosleep(WAIT);
				usleep(1); /* the collector looks at what was waited */
			}
			*last = seconds();
			exit(0);
		}
		if (wait(0) < 0)
			abort();
		ends += seconds() - *last;
	}
	printf("%.6f\n", ends);
	return 0;
}
